//! Records of the contracts, as the page reads them.

use connect4_protocol::{Address, Challenge, ClockSpec, Game, GameId, Match, Score, Terms};
use connect4_rules::variant::Colour;
use connect4_rules::{Player, ShapeSpec};
use connect4_wire::{Position, RunningClock};
use serde::{Deserialize, Serialize};

use crate::values::Units;

/// A challenge, as a contract has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChainChallenge {
    /// Account that made it.
    pub challenger: Address,
    /// Account that is challenged; none if anyone may accept.
    pub opponent: Option<Address>,
    /// Whether the challenger moves first.
    pub challenger_first: bool,
    /// Last second at which it can be accepted, since 1970; none if it stays open.
    pub expires: Option<u64>,
    /// Shape of the board.
    pub shape: ShapeSpec,
    /// The clock; none if the game has none.
    pub clock: Option<ClockSpec>,
    /// Amount that each of the two pays in.
    pub stake: Units,
}

impl From<ChainChallenge> for Challenge {
    fn from(challenge: ChainChallenge) -> Self {
        Self {
            challenger: challenge.challenger,
            opponent: challenge.opponent,
            challenger_first: challenge.challenger_first,
            expires: challenge.expires,
            terms: Terms {
                shape: challenge.shape,
                clock: challenge.clock,
                stake: challenge.stake.0,
            },
        }
    }
}

/// A game, as a contract has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChainGame {
    /// The position.
    #[serde(flatten)]
    pub position: Position,
    /// Accounts of the players, in the order of play.
    pub players: [Address; 2],
    /// Account that has paid the deposit for the game's storage, and gets it back.
    pub payer: Address,
    /// Last second at which the player to move may move, since 1970; none if the game has no clock, or it
    /// stands.
    pub deadline: Option<u64>,
    /// The clock; none if the game has none, or it stands.
    pub clock: Option<RunningClock>,
}

impl From<&Game> for ChainGame {
    fn from(game: &Game) -> Self {
        Self {
            position: Position::of_game(game),
            players: Player::ALL.map(|player| game.account_of(player)),
            payer: game.payer(),
            deadline: game.clock().map(|clock| clock.deadline()),
            clock: game.clock().map(RunningClock::from),
        }
    }
}

/// Match state of a game, as a contract has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChainMatch {
    /// Amount that each player has paid in.
    pub stake: Units,
    /// Whether the stakes were credited to the players.
    pub settled: bool,
    /// Clock that was agreed on; none if the game has none.
    pub clock: Option<ClockSpec>,
    /// Number of the game of which this is the rematch.
    pub previous: Option<GameId>,
    /// Number of the rematch.
    pub next: Option<GameId>,
    /// Results of the series before this game.
    pub score: Score,
    /// Last offer of a draw; it lapses with the opponent's next turn.
    pub draw: Option<DrawnAt>,
    /// The player who offers a rematch.
    pub rematch: Option<Colour>,
}

impl From<Match> for ChainMatch {
    fn from(state: Match) -> Self {
        Self {
            stake: Units(state.stake),
            settled: state.settled,
            clock: state.clock,
            previous: state.previous.map(GameId::Classic),
            next: state.next.map(GameId::Classic),
            score: state.score,
            draw: state.draw.map(|offer| DrawnAt {
                by: offer.by.into(),
                turns: offer.turns,
            }),
            rematch: state.rematch.map(Colour::from),
        }
    }
}

/// Offer of a draw on the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DrawnAt {
    /// Who made it.
    pub by: Colour,
    /// Turns that the opponent had taken.
    pub turns: u8,
}
