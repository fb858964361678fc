//! Positions, games and matches.

use connect4_client::Token;
use connect4_rules::Player;
use serde::Serialize;

use super::board::{Cell, Colour, Shape};
use super::clock::{Clock, RunningClock};
use super::text::{Address, Amount, ClassicId};
use crate::words::{now, prize};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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
        }
    }
}

/// A position, and the result if the game is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Position {
    /// Shape of the board.
    pub shape: Shape,
    /// Number of discs that were dropped.
    pub turns: u8,
    /// The player to move; none if the game is over.
    pub to_move: Option<Colour>,
    /// Whether the game has ended.
    pub over: bool,
    /// How it ended.
    pub end: Option<End>,
    /// The winner; none after a draw.
    pub winner: Option<Colour>,
    /// The cells of every line that the last disc completed.
    pub winning_cells: Vec<Cell>,
    /// The discs: bins from the left, in each the discs from the bottom.
    pub board: Vec<Vec<Colour>>,
}

impl Position {
    /// A position on no chain.
    #[must_use]
    pub fn new(position: &connect4_rules::Position) -> Self {
        let shape = position.shape();
        let outcome = position.outcome();
        let board = position.board();
        Self {
            shape: shape.into(),
            turns: position.plies(),
            to_move: outcome.is_none().then(|| position.to_move().into()),
            over: outcome.is_some(),
            end: outcome.map(|outcome| match outcome {
                connect4_rules::Outcome::Won(_) => End::Line,
                connect4_rules::Outcome::Draw => End::FullBoard,
            }),
            winner: outcome
                .and_then(connect4_rules::Outcome::winner)
                .map(Colour::from),
            winning_cells: Cell::all(position.winning_cells(), shape),
            board: shape
                .iter_bins()
                .map(|bin| board.stack(bin).map(Colour::from).collect())
                .collect(),
        }
    }

    /// The position of a game, which may have ended otherwise than on the board.
    #[must_use]
    pub fn of_game(game: &connect4_protocol::Game) -> Self {
        Self {
            to_move: game.to_move().map(Colour::from),
            over: game.is_over(),
            end: game.end().map(End::from),
            winner: game.winner().map(Colour::from),
            winning_cells: Cell::all(game.winning_cells(), game.shape()),
            ..Self::new(&game.position())
        }
    }
}

/// A game in a contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Game {
    /// Number of the game.
    pub game: ClassicId,
    /// The contract through which it is played.
    pub contract: Address,
    /// The position.
    #[serde(flatten)]
    pub position: Position,
    /// Account of player one.
    pub red: Address,
    /// Account of player two.
    pub blue: Address,
    /// Account that has paid the deposit for the game's storage, and gets it back.
    pub payer: Address,
    /// The clock; none if the game has none.
    pub clock: Option<RunningClock>,
}

impl Game {
    /// A game with its number in a contract.
    #[must_use]
    pub fn new(
        game: u32,
        contract: connect4_client::Address,
        found: &connect4_protocol::Game,
    ) -> Self {
        Self {
            game: ClassicId(game),
            contract: contract.into(),
            position: Position::of_game(found),
            red: found.account_of(Player::One).into(),
            blue: found.account_of(Player::Two).into(),
            payer: found.payer().into(),
            clock: found.clock().map(RunningClock::from),
        }
    }
}

/// Results of a series of games, by the seats of its last one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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

/// Match state of a game: its terms, its offers and its series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Match {
    /// Clock that was agreed on; none if the game has none.
    pub clock: Option<Clock>,
    /// Amount that each player has paid in, and pays for a rematch.
    pub stake: Amount,
    /// Amount that the winner gets.
    pub prize: Amount,
    /// Whether the stakes were credited to the players.
    pub settled: bool,
    /// The player whose offer of a draw stands.
    pub draw_offer: Option<Colour>,
    /// The player who offers a rematch.
    pub rematch_offer: Option<Colour>,
    /// Number of the game of which this is the rematch.
    pub previous: Option<ClassicId>,
    /// Number of the rematch.
    pub next: Option<ClassicId>,
    /// Results of the series, with this game if it has ended.
    pub score: Score,
}

impl Match {
    /// The match state of a game.
    #[must_use]
    pub fn new(
        game: &connect4_protocol::Game,
        state: &connect4_protocol::Match,
        token: &Token,
    ) -> Self {
        Self {
            clock: state.clock.map(Clock::from),
            stake: Amount::of_contract(state.stake, token),
            prize: Amount::of_contract(prize(state.stake), token),
            settled: state.settled,
            draw_offer: state.draw_offer(game, now()).map(Colour::from),
            rematch_offer: state.rematch.map(Colour::from),
            previous: state.previous.map(ClassicId),
            next: state.next.map(ClassicId),
            score: state.score.and(game.outcome()).into(),
        }
    }
}

/// A game with its match state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameWithMatch {
    /// The game.
    #[serde(flatten)]
    pub game: Game,
    /// Its match state.
    pub r#match: Match,
}
