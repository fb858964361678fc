//! Games of variants whose events are missing, from the contract's storage.

use std::collections::{BTreeMap, BTreeSet};

use connect4_protocol::message::ContractKind;
use connect4_protocol::{GameId, variants};
use futures_util::StreamExt as _;
use subxt::utils::H256;

use crate::contracts::deployed::Contracts;
use crate::error::Error;

/// Number of games that are read at the same time.
const AT_ONCE: usize = 16;

/// What the contract of the variants has in its storage of games whose events are missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredVariants {
    /// The games that are stored, by their numbers.
    pub games: BTreeMap<u32, variants::Game>,
    /// Number of games of which nothing is known: their storage was freed.
    pub lost: u32,
}

impl Contracts {
    /// The games of variants that are not known, as they are after a block. Open tables are none.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn variant_records(
        &self,
        known: &BTreeSet<u32>,
        at: H256,
    ) -> Result<StoredVariants, Error> {
        let count = self.game_count_at(ContractKind::Variants, Some(at)).await?;
        let read = async |number| {
            let game = self.game_at::<variants::Game>(GameId::Variant(number), at);
            (number, game.await)
        };
        let unknown = (0..count).filter(|number| !known.contains(number));
        let mut reading = futures_util::stream::iter(unknown.map(read)).buffer_unordered(AT_ONCE);
        let mut records = StoredVariants::default();
        while let Some((number, game)) = reading.next().await {
            match game? {
                Some(game) if game.has_started() => {
                    records.games.insert(number, game);
                }
                Some(_) => {}
                None => records.lost += 1,
            }
        }
        Ok(records)
    }
}
