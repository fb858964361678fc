//! Games of all kinds, and matches.

use connect4_client::{Token, development_name};
use connect4_protocol::{Address, ClockSpec, GameId, GameName, Score, variants};
use connect4_rules::Player as Side;
use connect4_rules::variant::Colour as Turn;
use connect4_rules::variant::{Colour, Powers};
use serde::Serialize;

use super::words::{now, prize};
use crate::play::{Amount, Player};
use crate::{Position, RunningClock};

/// A game in a contract, or the table at which it is to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Game {
    /// Number of the game.
    pub game: GameName,
    /// The contract through which it is played.
    pub contract: Address,
    /// The position.
    #[serde(flatten)]
    pub position: Position,
    /// The players in the order of play: red, blue, green, yellow. After a swap the account that was red is
    /// listed as blue.
    pub players: Vec<Player>,
    /// Whether the game has started. Before, it is a table that waits for players.
    pub started: bool,
    /// Whether only named accounts play, so that nobody else may join the table.
    pub named: bool,
    /// Account that has paid the deposit for the game's storage, and gets it back. None if the game is
    /// known from its events alone.
    pub payer: Option<Address>,
    /// Last second at which the player to move may move, since 1970; none without a clock or limit,
    /// before the start and after the end.
    pub deadline: Option<u64>,
    /// The clock; none if the game has none.
    pub clock: Option<RunningClock>,
}

impl Player {
    fn with_account(self, account: Option<Address>) -> Self {
        Self {
            account,
            name: account.and_then(development_name),
            ..self
        }
    }
}

/// Seconds until a deadline, by this machine's clock.
fn until(deadline: u64) -> u64 {
    deadline.saturating_sub(now())
}

impl Game {
    /// A game between two accounts.
    #[must_use]
    pub fn classic(
        game: impl Into<GameName>,
        contract: Address,
        found: &connect4_protocol::Game,
    ) -> Self {
        let to_move = found.to_move().map(|player| found.colour_of(player));
        let clock = found.clock();
        let player = |side: Side| {
            let left = clock
                .zip(to_move)
                .map(|(clock, to_move)| match to_move == side {
                    true => until(clock.deadline()),
                    false => clock.waiting().into(),
                });
            Player {
                joined: true,
                left,
                ..Player::of_line(side.into(), Powers::default())
                    .with_account(Some(found.account_of(found.colour_of(side))))
            }
        };
        Self {
            game: game.into(),
            contract,
            position: Position::of_game(found),
            players: Side::ALL.map(player).into(),
            started: true,
            named: true,
            payer: Some(found.payer()),
            deadline: clock.map(|clock| clock.deadline()),
            clock: clock.map(RunningClock::from),
        }
    }

    /// A game of a variant, or a table.
    #[must_use]
    pub fn variant(game: impl Into<GameName>, contract: Address, found: &variants::Game) -> Self {
        let (position, deadline) = (found.position(), found.deadline());
        let places: Vec<_> = found.seats().collect();
        let player = |colour: Turn| {
            let place = places.get(found.seat_at(colour));
            let (account, joined) = place.copied().unwrap_or_default();
            Player {
                joined,
                out: position.has_left(colour),
                left: deadline
                    .filter(|_| found.to_move() == Some(colour))
                    .map(until),
                ..Player::of_line(colour, position.powers(colour)).with_account(account)
            }
        };
        Self {
            game: game.into(),
            contract,
            position: Position::of_variant_game(found),
            players: found.variant().colours().map(player).collect(),
            started: found.has_started(),
            named: found.is_named(),
            payer: Some(found.payer()).filter(|payer| *payer != Address::ZERO),
            deadline,
            clock: None,
        }
    }
}

/// Match state of a game: its terms, its offers and its series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Match {
    /// Clock that was agreed on; none if the game has none.
    pub clock: Option<ClockSpec>,
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
    pub previous: Option<GameId>,
    /// Number of the rematch.
    pub next: Option<GameId>,
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
        // By the colours on the board: after a swap player two is red.
        let shown_as = |player| Colour::from(game.colour_of(player));
        let score = state.score.and(game.outcome());
        Self {
            clock: state.clock,
            stake: Amount::of_contract(state.stake, token),
            prize: Amount::of_contract(prize(state.stake), token),
            settled: state.settled,
            draw_offer: state.draw_offer(game, now()).map(shown_as),
            rematch_offer: state.rematch.map(shown_as),
            previous: state.previous.map(GameId::Classic),
            next: state.next.map(GameId::Classic),
            score: match game.is_swapped() {
                true => score.swapped(),
                false => score,
            },
        }
    }
}
