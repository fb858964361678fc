//! Games as they are stored.

use connect4_contract::records::{Record, Stored};
use connect4_protocol::signed::StakedGame;

/// A game, in a record of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Staked(pub StakedGame);

impl Stored<{ StakedGame::LEN }> for Staked {
    #[inline(never)]
    fn record(&self) -> Record<{ StakedGame::LEN }> {
        Record(self.0.to_bytes())
    }

    #[inline(never)]
    fn value(Record(bytes): &Record<{ StakedGame::LEN }>) -> Option<Self> {
        StakedGame::from_bytes(bytes).map(Self)
    }
}
