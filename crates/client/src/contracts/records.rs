//! Games whose events are missing, from the contracts' storage.

use std::collections::{BTreeMap, BTreeSet};

use connect4_protocol::{Game, GameId, variants};
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use subxt::utils::H256;

use crate::contracts::contract::Contract;
use crate::contracts::variants::Variants;
use crate::error::Error;
use crate::history::chronicle::Chronicle as _;

/// Number of games that are read at the same time.
const AT_ONCE: usize = 16;

/// What a contract's storage tells of games whose events are missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Records<G> {
    /// The games that are stored, by their numbers.
    pub games: BTreeMap<u32, G>,
    /// Number of games of which nothing is known: their storage was freed.
    pub lost: u32,
}

impl<G> Records<G> {
    /// No games.
    #[must_use]
    pub const fn none() -> Self {
        Self {
            games: BTreeMap::new(),
            lost: 0,
        }
    }
}

impl Contract {
    /// The games that are not known, as they are after a block.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn records(&self, known: &BTreeSet<u32>, at: H256) -> Result<Records<Game>, Error> {
        let count = self.game_count_at(at).await?;
        let fast = self.fast_game_count_at(Some(at)).await?;
        let numbers = (0..count).chain((0..fast).map(|fast| GameId::Fast(fast).number()));
        let read = async |number| (number, self.game_at(number, at).await);
        stored(known, numbers, read).await
    }
}

impl Variants {
    /// The games that are not known, as they are after a block. Open tables are none.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn records(
        &self,
        known: &BTreeSet<u32>,
        at: H256,
    ) -> Result<Records<variants::Game>, Error> {
        let count = self.game_count_at(at).await?;
        let read = async |number| (number, self.game_at(number, at).await);
        let mut records = stored(known, 0..count, read).await?;
        records.games.retain(|_, game| game.has_started());
        Ok(records)
    }
}

/// Reads those of the games that are not known.
async fn stored<G>(
    known: &BTreeSet<u32>,
    numbers: impl Iterator<Item = u32>,
    read: impl AsyncFn(u32) -> (u32, Result<Option<G>, Error>),
) -> Result<Records<G>, Error> {
    let mut records = Records::none();
    let mut numbers = numbers.filter(|number| !known.contains(number));
    let mut pending = FuturesUnordered::new();
    loop {
        while pending.len() < AT_ONCE
            && let Some(number) = numbers.next()
        {
            pending.push(read(number));
        }
        match pending.next().await {
            Some((number, Ok(Some(game)))) => {
                records.games.insert(number, game);
            }
            Some((_, Ok(None))) => records.lost += 1,
            Some((_, Err(error))) => return Err(error),
            None => return Ok(records),
        }
    }
}
