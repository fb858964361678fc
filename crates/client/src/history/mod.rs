//! Events of the past, and games that are replayed from them.
//!
//! | module | |
//! |---|---|
//! | `archive` | past events that are kept outside of the chain, as in a database |
//! | `archived` | the history of a game from an archive of past events |
//! | `blocks` | blocks one after the other, for those who keep the contracts' events in a database of their own |
//! | `of_game` | the contracts' events of blocks that are past |
//! | `part` | the parts of events in the play of games |
//! | `reading` | how far events of the past have been read |
//! | `replay` | replaying a game from its events |

pub(crate) mod archive;
pub(crate) mod archived;
pub(crate) mod blocks;
pub(crate) mod of_game;
pub(crate) mod part;
pub(crate) mod reading;
pub(crate) mod replay;
