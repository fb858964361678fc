//! Positions, ends and scores.

use alloc::vec::Vec;

use connect4_protocol::variants;
use connect4_rules::Outcome;
use connect4_rules::variant;
use serde::Serialize;

use crate::board::{Cell, Colour};
use crate::terms::Terms;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// A line of the winner.
    Line,
    /// A full board without a line: a draw.
    #[serde(rename = "full board")]
    FullBoard,
    /// The loser resigned.
    Resignation,
    /// The players agreed on a draw.
    Agreement,
    /// The loser's time ran out.
    Timeout,
    /// Time ran out before both players had moved: the game does not count.
    Abort,
    /// All others have left or were late; the last one wins.
    #[serde(rename = "last left")]
    LastLeft,
    /// The next player has no legal move: a draw.
    #[serde(rename = "no move")]
    NoMove,
    /// 250 turns were taken: a draw.
    #[serde(rename = "turn limit")]
    TurnLimit,
    /// Nobody moved for 30 days, and the storage was freed: the game does not count.
    Abandoned,
}

impl From<connect4_protocol::End> for End {
    fn from(end: connect4_protocol::End) -> Self {
        match end {
            connect4_protocol::End::Line => Self::Line,
            connect4_protocol::End::FullBoard => Self::FullBoard,
            connect4_protocol::End::Resignation => Self::Resignation,
            connect4_protocol::End::Agreement => Self::Agreement,
            connect4_protocol::End::Timeout => Self::Timeout,
            connect4_protocol::End::Abort => Self::Abort,
            connect4_protocol::End::LastLeft => Self::LastLeft,
            connect4_protocol::End::NoMove => Self::NoMove,
            connect4_protocol::End::TurnLimit => Self::TurnLimit,
            connect4_protocol::End::Abandoned => Self::Abandoned,
        }
    }
}

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
            winning_cells: Cell::all(position.winning_cells(), shape),
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
            end: game.end().map(End::from),
            winner: game.winner().map(|player| game.colour_of(player).into()),
            turns: game.moves(),
            winning_cells: Cell::all(game.winning_cells(), game.shape()),
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
            cells.map(|cell| position.disc(cell).map(Colour::from))
        };
        Self {
            terms: position.variant().into(),
            turns: position.turns(),
            to_move: position.to_move().map(Colour::from),
            over: outcome.is_some(),
            end: outcome.map(|outcome| connect4_protocol::End::from(outcome).into()),
            winner: outcome.and_then(variant::Outcome::winner).map(Colour::from),
            winning_cells: Cell::all(position.winning_cells(), shape),
            board: shape.iter_bins().map(|bin| column(bin).collect()).collect(),
            swapped,
        }
    }

    /// The position of a game of a variant, which may not have started, or was abandoned.
    #[must_use]
    pub fn of_variant_game(game: &variants::Game) -> Self {
        Self {
            terms: Terms::new(game.variant(), game.limit()),
            to_move: game.to_move().map(Colour::from),
            over: game.is_over(),
            end: game.end().map(End::from),
            ..Self::of_variant(game.position(), game.is_swapped())
        }
    }
}

/// Results of a series of games, by the seats of its last one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Score {
    /// Wins of player one.
    pub red: u16,
    /// Wins of player two.
    pub blue: u16,
    /// Draws.
    pub draws: u16,
}

impl From<connect4_protocol::Score> for Score {
    fn from(score: connect4_protocol::Score) -> Self {
        Self {
            red: score.one,
            blue: score.two,
            draws: score.draws,
        }
    }
}
