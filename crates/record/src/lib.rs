//! Records of games as text, as PGN is for chess: terms, players, moves, result, and the evidence with which
//! anyone can check them without a chain or a host. `docs/records.md` describes the format for other programs.
//!
//! [`read`] reads the games of a text one after the other, and checks each by the rules of the game: the moves
//! are legal, and the result is the one that they give. `Display` of a [`Record`] writes it. [`Record::prove`]
//! checks the signatures, and says what they [prove](Proof). What only a chain can tell is left to programs
//! that reach one.
//!
//! # Modules
//!
//! Open `record` first.
//!
//! | module | job |
//! |---|---|
//! | `record` | [`Record`]: a game with its terms, steps and result, and what was signed of a [`SignedGame`] |
//! | `write` | it as text |
//! | `lines`, `tags`, `read` | a text as records, with the line of the first fault |
//! | `board` | the game played again by the rules |
//! | `prove` | what the signatures prove |
//! | `finished` | signed games as records, and back |
//! | `earlier` | games that were signed with version 0.2, as records |
//! | `clocks` | the time that was left after moves, in comments |
//! | `time` | times as RFC 3339 writes them |
//! | `unseen` | characters that nobody sees, which are in no text of a record |
//! | `error` | [`Error`]: what is wrong, and in which line |
//!
//! # Examples
//!
//! ```
//! let text = "\
//! [Connect4 \"1\"]
//! [Terms \"7x6, line 4\"]
//! [End \"by a line\"]
//!
//! 1 2 1 2 {red needs one more} 1 2 1 1-0
//! ";
//! let record = connect4_record::read(text).next().unwrap()?.record;
//! assert_eq!(record.winner, Some(0));
//! assert_eq!(record.to_string(), text);
//!
//! let wrong = text.replace("1-0", "0-1");
//! let error = connect4_record::read(&wrong).next().unwrap().unwrap_err();
//! assert_eq!(error.to_string(), "line 5: the result is 0-1 by a line, but the moves give 1-0 by a line");
//! # Ok::<(), connect4_record::Error>(())
//! ```

#![no_std]
#![deny(missing_docs)]
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

extern crate alloc;

mod board;
mod clocks;
mod earlier;
mod error;
mod finished;
mod lines;
mod prove;
mod read;
mod record;
mod tags;
mod time;
mod unseen;
mod write;

pub use board::Board;
pub use earlier::EarlierTerms;
pub use error::{Error, Fault};
pub use prove::Proof;
pub use read::{Found, Games, read, read_bytes};
pub use record::{Block, EndEvidence, Record, SignedGame, Step};
pub use unseen::is_unseen;

/// Version of the format: the value of the first tag of each game but signed ones.
pub const VERSION: u32 = 1;
/// Version of the format for [signed games](SignedGame).
pub const SIGNED_VERSION: u32 = 2;

/// Bytes of a line, at most.
pub const MOST_OF_LINE: usize = 2000;
/// Tags of a game, at most.
pub const MOST_TAGS: usize = 64;
/// Bytes of all comments of a game, at most.
pub const MOST_OF_COMMENTS: usize = 20_000;
