//! Past events that are kept outside of the chain, as in a database.

use connect4_protocol::{Address, GameId};
use futures_util::future::BoxFuture;

use crate::chain::block_ref::BlockRef;
use crate::chain::gap::Gap;
use crate::contracts::emitted::Emitted;

/// The history of a game is taken from an archive if no more blocks than this have to be read to bring
/// it up to date. Beyond that, the game's blocks are searched on the chain, which takes some hundred
/// requests.
pub const NEAR: u32 = 1024;

/// Something that keeps events of the past, so that they need not be searched on the chain, and outlast
/// the states of a node that discards these.
pub trait Archive: Send + Sync {
    /// What is kept of a game of these contracts; none if nothing is, or if it cannot be read.
    fn game<'a>(
        &'a self,
        contracts: &'a [Address],
        game: GameId,
    ) -> BoxFuture<'a, Option<ArchivedGame>>;

    /// Fees of transactions, by their blocks and their indices in these, in the token's smallest unit;
    /// none of those that are not known.
    fn fees<'a>(&'a self, of: &'a [(BlockRef, u32)]) -> BoxFuture<'a, Vec<Option<u128>>>;
}

/// What an archive has of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedGame {
    /// The block up to which events are kept.
    pub last: BlockRef,
    /// The game's events, in order, each with its block.
    pub events: Vec<(BlockRef, Emitted)>,
    /// The blocks up to the last one whose events are missing.
    pub gaps: Vec<Gap>,
}
