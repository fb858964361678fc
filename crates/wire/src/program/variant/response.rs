//! What the page is answered.

use serde::Serialize;

use super::super::text::{Level, VariantId};

/// Number of a game that was started, or of a table that was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct VariantNumber {
    /// Number of the game.
    pub game: VariantId,
}

/// Bounds of the terms of variants. Shapes have bounds of their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct VariantBounds {
    /// The fewest players.
    pub least_players: u8,
    /// The most players. The pie rule is for the fewest.
    pub most_players: u8,
    /// How often a player can use a power in a game, at most.
    pub most_power: u8,
    /// The shortest limit, in seconds.
    pub least_limit: u32,
    /// The longest limit, in seconds.
    pub most_limit: u32,
    /// Levels of computer opponents, the weakest first.
    pub levels: Vec<Level>,
}
