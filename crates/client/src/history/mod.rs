//! Events of the past, and games that are replayed from them.
//!
//! | module | |
//! |---|---|
//! | `archive` | past events that are kept outside of the chain, as in a database |
//! | `archived` | the history of a game from an archive of past events |
//! | `blocks` | blocks one after the other, for those who keep the contracts' events in a database of their own |
//! | `chronicle` | contracts that keep games whose past can be looked up |
//! | `of_game` | the contracts' events of blocks that are past |
//! | `reading` | how far events of the past have been read |
//! | `replay` | replaying a game from its events |

pub(crate) mod archive;
pub(crate) mod archived;
pub(crate) mod blocks;
pub(crate) mod chronicle;
pub(crate) mod of_game;
pub(crate) mod reading;
pub(crate) mod replay;
