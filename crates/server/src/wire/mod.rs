//! The wire format: every JSON value that this project writes or reads.
//!
//! The page's server and the program's `--json` write the same types, so that a game, an amount or
//! an event has one spelling. The page's code is checked against `web/wire.d.ts`, which a test of
//! this module makes of the types:
//! `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-server declarations` writes it again.
//!
//! Games of variants are called `v0`, `v1` and so on, those of the classic game by plain numbers.
//!
//! Bins, rows, turns, games, challenges and blocks count from 0; bins from the left, rows from the
//! bottom. Times are in seconds. What is not there is `null`, unless a field says that it is left
//! out.

mod account;
mod board;
mod challenge;
mod clock;
#[cfg(test)]
mod declarations;
mod event;
mod game;
mod live;
mod report;
mod request;
mod response;
mod review;
mod text;
mod transaction;
mod variant;

pub use account::{Account, DevelopmentAccount, OpenAccount, Owed};
pub use board::{Cell, Colour, Shape, Sides};
pub use challenge::{Challenge, OpenChallenge};
pub use clock::{Clock, RunningClock};
pub use event::{Event, Happened};
pub use game::{End, Game, GameWithMatch, Match, Position, Score};
pub use live::{
    Chain, Computer, Fast, FreedGame, ListedGame, Live, Move, Seat, Shown, StoredGame, ViewedGame,
    ViewedLine,
};
pub use report::{
    Deployed, Dropped, Failed, Gap, Incomplete, Report, ShownGame, Standing, StandingOf,
    StandingsOf, Started, Unrated,
};
pub use request::{
    Answer, AnswerChallenge, AskWarnings, First, MakeChallenge, NewComputer, OfferNext, Perform,
    SeatComputer, Settle, ShapeAndMoves, StartGame, TakeTurn, Watched, Withdraw,
};
pub use response::{
    ChainFacts, ChallengeNumber, Done, GameNumber, Hello, MaybeGame, Paid, Refusal, RefusalKind,
    ShapeBounds, TakenTurn, Transacted, Warnings,
};
pub use review::{ReviewMessage, Reviewed, Verdict, Worth};
pub use text::{
    AccountId, Action, Address, Amount, ClassicId, Deposit, Hash, Level, VariantAction, VariantId,
};
pub use transaction::{Receipt, Transaction};
pub use variant::{
    BoardChange, Departure, Disc, Fall, FreedVariant, ListedVariant, MakeMove, NewSeat, Obstacles,
    OpenTable, Powers, SeatVariantComputer, ShownVariant, StartVariant, StoredVariant, Targets,
    VariantAct, VariantAndMoves, VariantBounds, VariantColour, VariantEnd, VariantEvent,
    VariantGame, VariantHappened, VariantMove, VariantNumber, VariantPlayer, VariantPosition,
    VariantReport, VariantSeat, VariantTerms, ViewedMove, ViewedVariant, ViewedVariantLine,
};
