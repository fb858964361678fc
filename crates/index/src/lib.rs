//! The index of past events: games, players, results and ratings, in a SQL database that is filled from the
//! chain.
//!
//! [`Index::open`] opens the database, SQLite by a file or PostgreSQL by its URL; there is one in memory,
//! too. A [`Follower`] fills it from the chain as long as a host runs, and a program that asks and ends
//! brings it up to date by [`Past`]. The methods of [`Index`] read it, and it is the
//! [archive](connect4_client::Archive) in which the client looks up the history of a game. Several hosts may share a database: one of them
//! writes at a time, and another takes over when that one is gone.
//!
//! Everything in the database follows from the chain up to the newest block that was read, and from whose games the host
//! [rates](Options::witnesses): an index that was built step by step through forks is equal, row for row, to one that was
//! built at once.
//! So it can be deleted at any time.
//!
//! Open `follower` first, then `writer`.
//!
//! | file | |
//! |---|---|
//! | `url`, `database` | where the database is, and opening it |
//! | `schema`, `sql` | its tables, and statements that both kinds of databases take |
//! | `lease` | which host writes |
//! | `subject`, `follower`, `batch` | following the chain, many blocks at once |
//! | `writer` | adding blocks, undoing those that a fork has retracted |
//! | `game`, `league`, `ratings` | what follows from events |
//! | `slot` | where the rows of a game are |
//! | `uncounted`, `ends`, `end_rows` | signed games whose ends were recorded: what of them counts, and their rows and ratings |
//! | `standings` | results and ratings, game after game |
//! | `archive`, `past` | the history of a game; programs that ask and end |
//! | `event_rows`, `rows`, `status`, `query` | reading |

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod archive;
mod batch;
mod database;
mod end_rows;
mod ends;
mod error;
mod event_rows;
mod finished;
mod follower;
mod game;
mod league;
mod lease;
mod numbers;
mod past;
mod query;
mod ratings;
mod rows;
mod schema;
mod slot;
mod sql;
mod standings;
mod status;
mod subject;
mod uncounted;
mod url;
mod writer;

pub use database::{Index, Notice, Options};
pub use error::Error;
pub use finished::{Finished, GameResult};
pub use follower::{Follower, OnReading};
pub use game::ByTerms;
pub use league::{Kind, League};
pub use past::Past;
pub use query::history::{Cursor, Filter, HistoryPage, Outcome};
pub use query::profile::{Line, Point, Profile, Series, Tally};
pub use query::search::Found;
pub use query::standings::StandingsPage;
pub use rows::{GameRow, Seat};
pub use schema::FORMAT;
pub use standings::{MOST_OF_A_PAIR, Ratings, Reason, Recorded, Standing, Standings, Unrated};
pub use status::{Status, Trouble};
pub use subject::Subject;
pub use uncounted::{MOST_AHEAD, MOST_BEHIND, Uncounted};
