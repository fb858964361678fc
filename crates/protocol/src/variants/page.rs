//! A page of the list of open tables.

use alloc::vec::Vec;

use super::Game;

/// A page of the open tables, the newest first.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, codec::Encode, codec::Decode, scale_info::TypeInfo,
)]
pub struct Page {
    /// Tables that wait for players, each with the number of its game.
    pub tables: Vec<(u32, Game)>,
    /// Number at which the next page begins; none on the last page.
    pub next: Option<u32>,
}

impl Page {
    /// Largest number of tables on a page.
    pub const MAX_LEN: u8 = 50;
}
