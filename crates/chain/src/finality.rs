//! Which blocks are final, and what becomes of transactions whose block is retracted.

use crate::runtime::BlockNumber;

/// When a block becomes final: from then on no reorganisation can retract it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Finality {
    #[default]
    AtOnce,
    /// Once this many blocks lie on top of it.
    Lag(u32),
}

impl Finality {
    /// The highest block that is final when the best one has the number `best`.
    pub(crate) fn reaches(self, best: BlockNumber) -> BlockNumber {
        match self {
            Self::AtOnce => best,
            Self::Lag(blocks) => best.saturating_sub(blocks),
        }
    }
}

/// What becomes of the transactions of retracted blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retracted {
    /// They go back to the pool and are tried again. Those that are invalid on the new branch, for
    /// example because their validity begins at a retracted block, are reported as
    /// [`TxStatus::Invalid`](crate::TxStatus::Invalid).
    Requeue,
    /// They are dropped and reported as [`TxStatus::Dropped`](crate::TxStatus::Dropped).
    Drop,
}
