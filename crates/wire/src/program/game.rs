//! Games and matches.

use connect4_client::Token;
use connect4_rules::Player;
use serde::Serialize;

use super::text::Amount;
use super::words::{now, prize};
use crate::{Address, ClassicId, Clock, Colour, Position, RunningClock, Score};

/// A game in a contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
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

/// Match state of a game: its terms, its offers and its series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
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
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct GameWithMatch {
    /// The game.
    #[serde(flatten)]
    pub game: Game,
    /// Its match state.
    pub r#match: Match,
}
