//! The part of the wire format that is made of the client's types.

mod account;
mod challenge;
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
pub mod warnings;
pub mod words;

pub use account::{Account, DevelopmentAccount, OpenAccount, Owed};
pub use challenge::{Challenge, OpenChallenge, OpenChallenges};
pub use event::{Event, Happened};
pub use game::{Game, Match};
pub use json_line::{JSON_HELP, JSON_SCHEMA, JsonLine};
pub use puzzle::{Goal, PuzzleReport};
pub use report::{
    BotGame, Deployed, Dropped, Failed, Gap, Incomplete, Report, ShownGame, StakedStep, Standing,
    StandingsOf, Started, Unrated,
};
pub use request::{
    Answer, AnswerChallenge, AskWarnings, First, FromChallenge, MakeChallenge, MakeMove, NewSeat,
    OfferNext, OpenTable, Perform, SeatComputer, StartGame, StartKind, Watched, Withdraw,
};
pub use response::{
    ChainFacts, ChallengeNumber, Done, GameNumber, Hello, MaybeGame, Paid, Refusal, RefusalKind,
    ShapeBounds, TermsBounds, Transacted, Warnings,
};
pub use text::{AccountId, Act};
pub use transaction::{Receipt, Transaction};
pub use view::{Chain, Counts, Departure, ListedGame, ListedPlayer, Lists, Live, View};
