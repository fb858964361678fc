//! The part of the wire format that is made of the client's types.

mod account;
mod event;
mod game;
pub mod host;
mod json_line;
pub mod people;
mod person;
mod puzzle;
mod report;
mod request;
mod response;
mod signed;
mod small_board;
mod text;
mod transaction;
mod view;
pub mod words;

pub use account::{Account, DevelopmentAccount, OpenAccount};
pub use event::{Event, Happened};
pub use game::Game;
pub use json_line::{JSON_HELP, JSON_SCHEMA, JsonLine};
pub use puzzle::{Goal, PuzzleReport};
pub use report::{
    BotGame, Deployed, Dropped, Failed, Gap, Incomplete, Report, StakedStep, Standing, StandingsOf,
    Started, Unrated,
};
pub use request::{
    MakeMove, NewSeat, OpenTable, Perform, SeatComputer, StartGame, StartKind, Watched,
};
pub use response::{
    ChainFacts, Done, GameNumber, Hello, Refusal, RefusalKind, ShapeBounds, TermsBounds, Transacted,
};
pub use text::{AccountId, Act};
pub use transaction::{Receipt, Transaction};
pub use view::{Chain, Counts, Departure, ListedGame, ListedPlayer, Lists, Live, View};
