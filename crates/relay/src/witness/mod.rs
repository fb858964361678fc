//! The witness of signed games without a stake: it keeps their order and time, and signs for what it decides.
//!
//! **Nothing goes out that its log does not have.** A player's message is checked, decided by the [`Core`], written and
//! synced with what else has come in meanwhile, and only then signed and told. So after a crash at any moment the log has
//! all that was ever said, and what is said from then on follows from it.
//!
//! | file | job |
//! |---|---|
//! | `checked` | messages whose signatures were checked |
//! | `entry` | what the log has |
//! | `fair` | the time that counts for players |
//! | `game` | one game: moves, clocks, end |
//! | `line` | how long the lines of players take |
//! | `core` | all games, without input and output |
//! | `log` | the file |
//! | `opened` | a witness whose log was read |
//! | `keeper` | a witness at work, and what is asked of it |
//! | `writer`, `shared` | the thread that writes the log, and what it shares with the keeper |
//! | `room`, `visit` | what the sockets of a game are told, and one of them |
//! | `listing`, `lists` | a socket on which it signs lists of ends, and how they are signed |
//!
//! # Time
//!
//! The clock of a player runs from when the opponent's move was taken until the own one was, in milliseconds. Of that is
//! taken off what the player's line takes: the least of its last five round trips, each measured by a ping behind what
//! was told; half a second at most, of a quota that begins at a second, gains 100 ms with each move, and gives three
//! seconds in a game. Before both have moved there is no bank to lose: each first move has 30 seconds, or the game is void. Without a clock 14 days without a move make it void.
//! Time in which the witness is away, stands still, is too busy to take its turns, or cannot write is nobody's. After a
//! restart the clock of each player stands until that player is back, or for 15 seconds.

mod checked;
mod core;
mod entry;
mod fair;
mod game;
mod keeper;
mod line;
mod listing;
mod lists;
mod log;
mod opened;
mod room;
mod shared;
mod visit;
mod writer;

pub use checked::Checked;
pub use core::{Bounds, Core, Damaged, Heard, Kept, Opening};
pub use entry::{Entry, Key, Moment};
pub use game::{Known, Output};
pub use keeper::Keeper;
pub use listing::ListingVisit;
pub use log::{Disk, Folder, Found, Keeps, Log, LogError, Needed, Old};
pub use opened::Witness;
pub(crate) use opened::wall;
pub use room::{ShownGame, SignedRoom};
pub use visit::SignedVisit;
