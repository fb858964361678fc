//! How far events of the past have been read.

/// How far the events of past blocks have been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Number of the newest block that was read.
    pub block: u32,
    /// Number of the last block that is to be read.
    pub last: u32,
    /// Number of blocks that were read now; those that are kept are not read again.
    pub read: u32,
    /// Number of blocks that are to be read now.
    pub of: u32,
}
