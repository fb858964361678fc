//! Events and their places on the chain.

use connect4_protocol::Event;
use subxt::utils::H256;

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
