//! The part of the wire format that is made of the client's types.

mod account;
mod challenge;
mod event;
mod game;
mod hint;
pub mod host;
mod json_line;
mod moves;
mod options;
pub mod people;
mod report;
mod request;
mod response;
mod review;
mod text;
mod transaction;
mod view;
pub mod warnings;
pub mod words;

pub use account::{Account, DevelopmentAccount, OpenAccount, Owed};
pub use challenge::{Challenge, OpenChallenge, OpenChallenges};
pub use event::{Event, Happened};
pub use game::{Computer, Game, Match, Player};
pub use hint::{Evaluation, Hint, HintedBin};
pub use json_line::{JSON_HELP, JsonLine};
pub use moves::{Made, Move, MoveAsked, Played};
pub use options::{Refusals, Targets, options};
pub use report::{
    Deployed, Dropped, Failed, Gap, Incomplete, Report, ShownGame, Standing, StandingOf,
    StandingsOf, Started, Unrated,
};
pub use request::{
    Answer, AnswerChallenge, AskHint, AskWarnings, First, FromChallenge, MakeChallenge, MakeMove,
    NewSeat, OfferNext, OpenTable, Perform, SeatComputer, ShapeAndMoves, StartGame, StartKind,
    TermsAndMoves, Watched, Withdraw,
};
pub use response::{
    ChainFacts, ChallengeNumber, Done, EarlierContracts, GameNumber, Hello, MaybeGame, Paid,
    Refusal, RefusalKind, ShapeBounds, TermsBounds, Transacted, Versions, Warnings,
};
pub use review::{ReviewMessage, Reviewed, Verdict, Worth};
pub use text::{AccountId, Act, Amount, Deposit, Hash, Level};
pub use transaction::{Receipt, Sent, Transaction};
pub use view::{
    Chain, Counts, Departure, Fast, Line, ListedGame, ListedPlayer, Lists, Live, Shown, View,
};
