//! The players of a game.

use alloc::string::String;
use alloc::vec::Vec;

use connect4_protocol::Address;
use connect4_rules::variant;
use connect4_rules::variant::{Colour, Powers};
use serde::Serialize;

use super::text::Level;

/// A player of a game, or a place at its table. In a line of moves on no chain nobody plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Player {
    /// The colour that is played now.
    pub colour: Colour,
    /// The account that plays here, or for which the place is kept; none if anyone may take it.
    pub account: Option<Address>,
    /// Name of the account, if it is a development account.
    pub name: Option<&'static str>,
    /// Whether the account has joined.
    pub joined: bool,
    /// Whether the player has left the game, or was removed for being late.
    pub out: bool,
    /// How often the player may still use each power.
    pub powers: Powers,
    /// Seconds that the player had left when this was written; none without a limit or a clock, for a
    /// player of a variant who is not to move, before the start and after the end.
    pub left: Option<u64>,
    /// The computer that plays here; none if a person does, or if that is not known.
    pub computer: Option<Computer>,
}

/// A computer that plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Computer {
    /// How well it plays.
    pub level: Level,
    /// Why it does not move.
    pub error: Option<String>,
}

impl Player {
    /// A player of a line on no chain.
    pub(crate) const fn of_line(colour: Colour, powers: Powers) -> Self {
        Self {
            colour,
            account: None,
            name: None,
            joined: false,
            out: false,
            powers,
            left: None,
            computer: None,
        }
    }

    /// The players of a line on no chain.
    #[must_use]
    pub fn all_of_line(position: &variant::Position) -> Vec<Self> {
        let player = |colour| Self::of_line(colour, position.powers(colour));
        position.variant().colours().map(player).collect()
    }
}
