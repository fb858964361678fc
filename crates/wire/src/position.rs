//! Positions, ends and scores.

use alloc::vec::Vec;

use connect4_protocol::{End, variants};
use connect4_rules::variant::{self, Colour};
use connect4_rules::{Cell, Outcome};
use serde::Serialize;

use crate::terms::Terms;

/// A position, and the result if the game is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Position {
    /// Terms of the game.
    pub terms: Terms,
    /// Number of turns that were taken.
    pub turns: u8,
    /// The player to move; none before the start and after the end.
    pub to_move: Option<Colour>,
    /// Whether the game has ended.
    pub over: bool,
    /// How it ended.
    pub end: Option<End>,
    /// The winner; none after a draw.
    pub winner: Option<Colour>,
    /// The cells of every line of the winner; in a game without powers those that the last disc completed.
    pub winning_cells: Vec<Cell>,
    /// The cells: bins from the left, in each the cells from the bottom up to the highest disc, with
    /// null for the gaps under discs that float.
    pub board: Vec<Vec<Option<Colour>>>,
    /// Whether the first two players have exchanged their colours.
    pub swapped: bool,
}

impl Position {
    /// A position on no chain.
    #[must_use]
    pub fn new(position: &connect4_rules::Position) -> Self {
        let shape = position.shape();
        let outcome = position.outcome();
        let board = position.board();
        let column = |bin| board.stack(bin).map(|player| Some(player.into()));
        Self {
            terms: variant::Variant::classic(shape).into(),
            turns: position.plies(),
            to_move: outcome.is_none().then(|| position.to_move().into()),
            over: outcome.is_some(),
            end: outcome.map(|outcome| match outcome {
                Outcome::Won(_) => End::Line,
                Outcome::Draw => End::FullBoard,
            }),
            winner: outcome.and_then(Outcome::winner).map(Colour::from),
            winning_cells: position.winning_cells().iter(shape).collect(),
            board: shape.iter_bins().map(|bin| column(bin).collect()).collect(),
            swapped: false,
        }
    }

    /// The position of a game, which may have ended otherwise than on the board. Colours are those of the board:
    /// after a swap player two is red.
    #[must_use]
    pub fn of_game(game: &connect4_protocol::Game) -> Self {
        Self {
            to_move: game.to_move().map(|player| game.colour_of(player).into()),
            over: game.is_over(),
            end: game.end(),
            winner: game.winner().map(|player| game.colour_of(player).into()),
            turns: game.moves(),
            winning_cells: game.winning_cells().iter(game.shape()).collect(),
            swapped: game.is_swapped(),
            ..Self::new(&game.position())
        }
    }

    /// A position of a variant on no chain. Whether colours were exchanged is not in it.
    #[must_use]
    pub fn of_variant(position: &variant::Position, swapped: bool) -> Self {
        let shape = position.shape();
        let outcome = position.outcome();
        let column = |bin| {
            let cells = (0..position.height(bin)).map(move |row| connect4_rules::Cell { bin, row });
            cells.map(|cell| position.disc(cell))
        };
        Self {
            terms: position.variant().into(),
            turns: position.turns(),
            to_move: position.to_move(),
            over: outcome.is_some(),
            end: outcome.map(End::from),
            winner: outcome.and_then(variant::Outcome::winner),
            winning_cells: position.winning_cells().iter(shape).collect(),
            board: shape.iter_bins().map(|bin| column(bin).collect()).collect(),
            swapped,
        }
    }

    /// The position of a game of a variant, which may not have started, or was abandoned.
    #[must_use]
    pub fn of_variant_game(game: &variants::Game) -> Self {
        Self {
            terms: Terms::new(game.variant(), game.limit()),
            to_move: game.to_move(),
            over: game.is_over(),
            end: game.end(),
            ..Self::of_variant(game.position(), game.is_swapped())
        }
    }
}
