//! The wire format: every JSON value that this project writes or reads.
//!
//! The page's server and the program's `--json` write the same types, so that a game, an amount or
//! an event has one spelling. The page's code is checked against `web/wire.d.ts`, which a test of
//! this module makes of the types:
//! `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-server declarations` writes it again. What needs
//! neither a chain nor a server is in [`connect4_wire`], which the page uses too.
//!
//! Games of variants are called `v0`, `v1` and so on, those of the classic game by plain numbers.
//!
//! Bins, rows, turns, games, challenges and blocks count from 0; bins from the left, rows from the
//! bottom. Times are in seconds. What is not there is `null`, unless a field says that it is left
//! out.

mod account;
mod challenge;
#[cfg(test)]
mod declarations;
mod event;
mod game;
mod hint;
pub mod host;
mod live;
pub mod people;
mod report;
mod request;
mod response;
mod review;
mod text;
mod transaction;
mod variant;

pub use account::{Account, DevelopmentAccount, OpenAccount, Owed};
pub use challenge::{Challenge, OpenChallenge, OpenChallenges};
pub use connect4_wire::{
    Address, Cell, ClassicId, Clock, Colour, End, Position, RunningClock, Score, Shape, Sides,
};
pub use event::{Event, Happened};
pub use game::{Game, GameWithMatch, Match};
pub use hint::{Evaluation, Hint, HintedBin};
pub use live::{
    Chain, Computer, Fast, FreedGame, ListedGame, Live, Move, Seat, Shown, StoredGame, ViewedGame,
    ViewedLine,
};
pub use report::{
    Deployed, Dropped, Failed, Gap, Incomplete, Report, ShownGame, Standing, StandingOf,
    StandingsOf, Started, Unrated,
};
pub use request::{
    Answer, AnswerChallenge, AskHint, AskWarnings, First, FromChallenge, MakeChallenge,
    NewComputer, OfferNext, Perform, SeatComputer, Settle, ShapeAndMoves, StartGame, TakeTurn,
    Watched, Withdraw,
};
pub use response::{
    ChainFacts, ChallengeNumber, Done, EarlierContracts, GameNumber, Hello, MaybeGame, Paid,
    Refusal, RefusalKind, ShapeBounds, TakenTurn, Transacted, Versions, Warnings,
};
pub use review::{ReviewMessage, Reviewed, Verdict, Worth};
pub use text::{AccountId, Action, Amount, Deposit, Hash, Level, VariantAction, VariantId};
pub use transaction::{Receipt, Transaction};
pub use variant::{
    BoardChange, Departure, Disc, Fall, FreedVariant, ListedVariant, MakeMove, NewSeat, Obstacles,
    OpenTable, Powers, SeatVariantComputer, ShownVariant, StartVariant, StoredVariant, Targets,
    VariantAct, VariantAndMoves, VariantBounds, VariantColour, VariantEnd, VariantEvent,
    VariantGame, VariantHappened, VariantMove, VariantNumber, VariantPlayer, VariantPosition,
    VariantReport, VariantSeat, VariantTerms, ViewedMove, ViewedVariant, ViewedVariantLine,
};
