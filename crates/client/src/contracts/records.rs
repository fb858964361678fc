//! Games whose events are missing, from the contracts' storage.

use std::collections::{BTreeMap, BTreeSet};

use connect4_protocol::message::ContractKind;
use connect4_protocol::{Game, GameId, variants};
use futures_util::StreamExt as _;
use subxt::utils::H256;

use crate::contracts::deployed::Contracts;
use crate::contracts::stored::Stored;
use crate::error::Error;

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

impl Contracts {
    /// The games between two accounts that are not known, as they are after a block.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn records(&self, known: &BTreeSet<u32>, at: H256) -> Result<Records<Game>, Error> {
        let games = self.game_count_at(ContractKind::Games, Some(at)).await?;
        self.stored(known, (0..games).map(GameId::Classic), at)
            .await
    }

    /// The games of variants that are not known, as they are after a block. Open tables are none.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn variant_records(
        &self,
        known: &BTreeSet<u32>,
        at: H256,
    ) -> Result<Records<variants::Game>, Error> {
        let count = self.game_count_at(ContractKind::Variants, Some(at)).await?;
        let all = (0..count).map(GameId::Variant);
        let mut records = self.stored(known, all, at).await?;
        records
            .games
            .retain(|_, game: &mut variants::Game| game.has_started());
        Ok(records)
    }

    /// Reads those of the games that are not known.
    async fn stored<G: Stored>(
        &self,
        known: &BTreeSet<u32>,
        all: impl Iterator<Item = GameId>,
        at: H256,
    ) -> Result<Records<G>, Error> {
        let read = async |id: GameId| (id.number(), self.game_at(id, at).await);
        let unknown = all.filter(|id| !known.contains(&id.number()));
        let mut reading = futures_util::stream::iter(unknown.map(read)).buffer_unordered(AT_ONCE);
        let mut records = Records::none();
        while let Some((number, game)) = reading.next().await {
            match game? {
                Some(game) => {
                    records.games.insert(number, game);
                }
                None => records.lost += 1,
            }
        }
        Ok(records)
    }
}
