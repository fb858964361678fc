//! Who plays in a game that a contract has.

use alloc::vec::Vec;

use connect4_protocol::{Address, variants};
use connect4_rules::Player;
use connect4_rules::variant::{Colour, Powers};
use serde::Serialize;

/// A player of a game, or a place at its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Seat {
    /// The colour that is played now.
    pub colour: Colour,
    /// The account that plays here, or for which the place is kept; none if anyone may take it.
    pub account: Option<Address>,
    /// Whether the account has joined.
    pub joined: bool,
    /// Whether the player has left the game, or was removed for being late.
    pub out: bool,
    /// How often the player may still use each power.
    pub powers: Powers,
}

impl Seat {
    /// The players of a game in the order of play: red, then blue.
    #[must_use]
    pub fn of_game(game: &connect4_protocol::Game) -> Vec<Self> {
        let seat = |player: Player| Self {
            colour: player.into(),
            account: Some(game.account_of(game.colour_of(player))),
            joined: true,
            out: false,
            powers: Powers::default(),
        };
        Player::ALL.map(seat).into()
    }

    /// The players of a game of a variant in the order of play: red, blue, green, yellow. After a swap the account that was
    /// red is listed as blue.
    #[must_use]
    pub fn of_variant(game: &variants::Game) -> Vec<Self> {
        let places: Vec<_> = game.seats().collect();
        let position = game.position();
        let seat = |colour: Colour| {
            let place = places.get(game.seat_at(colour));
            let (account, joined) = place.copied().unwrap_or_default();
            Self {
                colour,
                account,
                joined,
                out: position.has_left(colour),
                powers: position.powers(colour),
            }
        };
        game.variant().colours().map(seat).collect()
    }
}
