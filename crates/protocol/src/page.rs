//! Pages of lists.

use alloc::vec::Vec;

use crate::Challenge;

/// A page of the open challenges, the newest first.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, codec::Encode, codec::Decode, scale_info::TypeInfo,
)]
pub struct Page {
    /// Challenges, each with its number.
    pub challenges: Vec<(u32, Challenge)>,
    /// Number at which the next page begins; none on the last page.
    pub next: Option<u32>,
}

impl Page {
    /// Largest number of challenges on a page: the contract has a stack of a few kilobytes.
    pub const MAX_LEN: u8 = 10;
}
