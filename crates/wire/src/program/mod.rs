//! The part of the wire format that is made of the client's types.

mod account;
mod challenge;
mod event;
mod game;
mod hint;
pub mod host;
mod json_line;
mod live;
pub mod people;
mod report;
mod request;
mod response;
mod review;
mod text;
mod transaction;
mod variant;
pub mod warnings;
pub mod words;

pub use account::{Account, DevelopmentAccount, OpenAccount, Owed};
pub use challenge::{Challenge, OpenChallenge, OpenChallenges};
pub use event::{Event, Happened};
pub use game::{Game, GameWithMatch, Match};
pub use hint::{Evaluation, Hint, HintedBin};
pub use json_line::{JSON_HELP, JsonLine};
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
    VariantAct, VariantAndMoves, VariantBounds, VariantColour, VariantGame, VariantMove,
    VariantNumber, VariantPlayer, VariantPosition, VariantReport, VariantSeat, VariantTerms,
    ViewedMove, ViewedVariant, ViewedVariantLine,
};
