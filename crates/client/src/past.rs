//! All that contracts have told, and what of it is missing.

use crate::gap::Gap;
use crate::occurrence::Occurrence;
use crate::seen::BlockRef;

/// The events of contracts up to the best block, as far as they are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    /// The best block, up to which events were read.
    pub best: BlockRef,
    /// The events, in order.
    pub events: Vec<Occurrence>,
    /// The blocks whose events are missing, ascending.
    pub gaps: Vec<Gap>,
}

/// How far the events of past blocks have been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Number of the newest block that was read.
    pub block: u32,
    /// Number of the last block that is to be read.
    pub last: u32,
    /// Number of blocks that were read now; those in the index are not read again.
    pub read: u32,
    /// Number of blocks that are to be read now.
    pub of: u32,
}
