//! Events and their places on the chain.

use connect4_protocol::Event;
use subxt::utils::H256;

use crate::seen::BlockRef;

/// An event and its place on the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The event.
    pub event: Event,
    /// Number of the block, from 0 at the chain's first.
    pub block: u32,
    /// Hash of the block.
    pub block_hash: H256,
    /// Index of the transaction in its block, from 0.
    pub index: u32,
}

impl Occurrence {
    /// The block of the event.
    pub(crate) const fn in_block(&self) -> BlockRef {
        BlockRef {
            number: self.block,
            hash: self.block_hash,
        }
    }
}
