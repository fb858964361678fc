//! Variants: tables, games of two to four accounts, moves of every kind.

mod game;
mod live;
mod moves;
mod report;
mod request;
mod response;
mod terms;

pub use game::{VariantGame, VariantPlayer, VariantPosition, VariantSeat};
pub use live::{
    Departure, FreedVariant, ListedVariant, Obstacles, ShownVariant, StoredVariant, Targets,
    ViewedMove, ViewedVariant, ViewedVariantLine,
};
pub use moves::{BoardChange, Disc, Fall, VariantMove};
pub use report::VariantReport;
pub use request::{
    MakeMove, NewSeat, OpenTable, SeatVariantComputer, StartVariant, VariantAct, VariantAndMoves,
};
pub use response::{VariantBounds, VariantNumber};
pub use terms::{Powers, VariantColour, VariantTerms};
