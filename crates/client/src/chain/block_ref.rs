//! A block by number and hash.

use subxt::utils::H256;

/// A block of the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockRef {
    /// Number of the block, from 0 at the chain's first.
    pub number: u32,
    /// Hash of the block.
    pub hash: H256,
}
