//! What the page asks for.

use connect4_rules::ShapeSpec;
use connect4_rules::variant::{self, VariantSpec};
use serde::Deserialize;

use super::super::text::{Level, VariantAction};
use super::moves::VariantMove;
use super::terms::{VariantColour, VariantTerms};

/// Query of a line: terms, and moves as text.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct VariantAndMoves {
    /// Number of bins.
    pub bins: u8,
    /// Number of discs that a bin holds.
    pub capacity: u8,
    /// Number of discs in a row that win.
    pub line: u8,
    /// How many play; 2 if it is left out.
    #[serde(default = "two")]
    #[cfg_attr(feature = "declarations", ts(optional, as = "Option<u8>"))]
    pub players: u8,
    /// Whether discs pop out; not if it is left out.
    #[serde(default)]
    #[cfg_attr(feature = "declarations", ts(optional, as = "Option<bool>"))]
    pub pop_out: bool,
    /// Whether the pie rule holds; not if it is left out.
    #[serde(default)]
    #[cfg_attr(feature = "declarations", ts(optional, as = "Option<bool>"))]
    pub pie_rule: bool,
    /// How often each player may take a disc; 0 if it is left out.
    #[serde(default)]
    #[cfg_attr(feature = "declarations", ts(optional, as = "Option<u8>"))]
    pub take: u8,
    /// How often each player may clear a row; 0 if it is left out.
    #[serde(default)]
    #[cfg_attr(feature = "declarations", ts(optional, as = "Option<u8>"))]
    pub clear: u8,
    /// How often each player may have a disc float; 0 if it is left out.
    #[serde(default)]
    #[cfg_attr(feature = "declarations", ts(optional, as = "Option<u8>"))]
    pub float: u8,
    /// The moves as text.
    pub moves: String,
}

const fn two() -> u8 {
    2
}

impl VariantAndMoves {
    /// The terms, which may be out of bounds.
    #[must_use]
    pub const fn spec(&self) -> VariantSpec {
        VariantSpec {
            shape: ShapeSpec {
                bins: self.bins,
                capacity: self.capacity,
                line: self.line,
            },
            players: self.players,
            pop_out: self.pop_out,
            pie_rule: self.pie_rule,
            powers: variant::Powers {
                take: self.take,
                clear: self.clear,
                float: self.float,
            },
        }
    }
}

/// Starts a game. With a limit a table for these accounts is opened, at which those join that the
/// server signs for: it starts when all have joined.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct StartVariant {
    /// Terms of the game.
    pub terms: VariantTerms,
    /// The players, in turn order.
    pub seats: Vec<NewSeat>,
}

/// A seat of a new game.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct NewSeat {
    /// Name or address of the account.
    pub account: String,
    /// How well the computer is to play that has the seat; none for a person.
    pub level: Option<Level>,
}

/// Opens a table.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct OpenTable {
    /// Terms of the game.
    pub terms: VariantTerms,
    /// Name or address of the account that opens it, and joins.
    pub account: String,
    /// Names or addresses of the only accounts that may join, in turn order; empty if anyone may.
    pub players: Vec<String>,
}

/// Makes a move of the player to move.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct MakeMove {
    /// The move.
    pub r#move: VariantMove,
    /// Number of turns that the player saw; none if it does not matter.
    #[cfg_attr(feature = "declarations", ts(optional))]
    pub turns: Option<u8>,
    /// The board that the player saw, as the page is told it; none if it does not matter.
    #[cfg_attr(feature = "declarations", ts(optional))]
    pub board: Option<Vec<Vec<Option<VariantColour>>>>,
}

/// Has an account do something other than a move.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct VariantAct {
    /// What it does.
    pub act: VariantAction,
    /// Name or address of the account.
    pub account: String,
    /// If the account joins, the computer that is to play for it; none for a person.
    #[cfg_attr(feature = "declarations", ts(optional = nullable))]
    pub level: Option<Level>,
}

/// Has a computer play a seat, or a person again.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct SeatVariantComputer {
    /// The player at the seat.
    pub seat: VariantColour,
    /// How well the computer is to play; none for a person.
    pub level: Option<Level>,
}
