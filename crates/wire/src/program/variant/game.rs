//! Positions, games and tables.

use connect4_client::development_name;
use connect4_protocol::variants;
use connect4_rules::variant::Colour;
use serde::Serialize;

use super::super::text::VariantId;
use super::terms::{Powers, VariantColour, VariantTerms};
use crate::{Address, Cell, End};

/// What a player has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct VariantPlayer {
    /// The player.
    pub colour: VariantColour,
    /// How often the player may still use each power.
    pub powers: Powers,
    /// Whether the player has left the game, or was removed for being late.
    pub left: bool,
}

/// A position, and the result if the game is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct VariantPosition {
    /// Terms of the game.
    pub terms: VariantTerms,
    /// Number of turns that were taken.
    pub turns: u8,
    /// The player to move; none before the start and after the end.
    pub to_move: Option<VariantColour>,
    /// Whether the game has ended.
    pub over: bool,
    /// How it ended.
    pub end: Option<End>,
    /// The winner; none after a draw.
    pub winner: Option<VariantColour>,
    /// The cells of every line of the winner.
    pub winning_cells: Vec<Cell>,
    /// The cells: bins from the left, in each the cells from the bottom up to the highest disc, with
    /// null for the gaps under discs that float.
    pub board: Vec<Vec<Option<VariantColour>>>,
    /// The players in turn order.
    pub players: Vec<VariantPlayer>,
    /// Whether the first two players have exchanged their colours.
    pub swapped: bool,
}

impl VariantPosition {
    /// A position on no chain. Whether colours were exchanged is not in it.
    #[must_use]
    pub fn new(position: &connect4_rules::variant::Position, swapped: bool) -> Self {
        let variant = position.variant();
        let shape = variant.shape();
        let outcome = position.outcome();
        let player = |colour| VariantPlayer {
            colour: VariantColour::from(colour),
            powers: position.powers(colour).into(),
            left: position.has_left(colour),
        };
        let column = |bin| {
            let cells = (0..position.height(bin)).map(|row| connect4_rules::Cell { bin, row });
            cells
                .map(|cell| position.disc(cell).map(VariantColour::from))
                .collect()
        };
        Self {
            terms: variant.into(),
            turns: position.turns(),
            to_move: position.to_move().map(VariantColour::from),
            over: outcome.is_some(),
            end: outcome.map(|outcome| connect4_protocol::End::from(outcome).into()),
            winner: outcome
                .and_then(connect4_rules::variant::Outcome::winner)
                .map(VariantColour::from),
            winning_cells: Cell::all(position.winning_cells(), shape),
            board: shape.iter_bins().map(column).collect(),
            players: variant.colours().map(player).collect(),
            swapped,
        }
    }

    /// The position of a game, which may not have started, or was given up.
    #[must_use]
    pub fn of_game(game: &variants::Game) -> Self {
        Self {
            terms: VariantTerms::new(game.variant(), game.limit()),
            to_move: game.to_move().map(VariantColour::from),
            over: game.is_over(),
            end: game.end().map(End::from),
            ..Self::new(game.position(), game.is_swapped())
        }
    }
}

/// A seat of a table or a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct VariantSeat {
    /// The player.
    pub colour: VariantColour,
    /// The account that plays here, or for which the seat is kept; none if anyone may take it.
    pub account: Option<Address>,
    /// Name of the account, if it is a development account.
    pub name: Option<&'static str>,
    /// Whether the account has joined.
    pub joined: bool,
}

/// A game of a variant in its contract, or the table at which it is to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct VariantGame {
    /// Number of the game.
    pub game: VariantId,
    /// The contract through which it is played.
    pub contract: Address,
    /// The position.
    #[serde(flatten)]
    pub position: VariantPosition,
    /// Whether the game has started. Before, it is a table that waits for players.
    pub started: bool,
    /// Whether only the accounts of the seats may join the table.
    pub named: bool,
    /// The seats, by the colours that are played there now: after a swap the account that was red
    /// has the seat of blue.
    pub seats: Vec<VariantSeat>,
    /// Account that has paid the deposit for the game's storage, and gets it back: who started the
    /// game or opened the table. None if the game is known from its events alone.
    pub payer: Option<Address>,
    /// Last second at which the player to move may move, since 1970; none without a limit, before
    /// the start and after the end.
    pub deadline: Option<u64>,
}

impl VariantGame {
    /// A game with its number in a contract.
    #[must_use]
    pub fn new(game: u32, contract: connect4_client::Address, found: &variants::Game) -> Self {
        let seats: Vec<_> = found.seats().collect();
        let seat = |colour: Colour| {
            let at = found.seat_at(colour);
            let (account, joined) = seats.get(at).copied().unwrap_or_default();
            VariantSeat {
                colour: colour.into(),
                account: account.map(Address::from),
                name: account.and_then(development_name),
                joined,
            }
        };
        Self {
            game: VariantId::new(game),
            contract: contract.into(),
            position: VariantPosition::of_game(found),
            started: found.has_started(),
            named: found.is_named(),
            seats: found.variant().colours().map(seat).collect(),
            payer: Some(found.payer())
                .filter(|payer| *payer != connect4_client::Address::ZERO)
                .map(Address::from),
            deadline: found.deadline(),
        }
    }
}
