//! Games of all kinds.

use connect4_client::development_name;
use connect4_protocol::{Address, Clock, GameName, variants};
use serde::Serialize;

use super::words::now;
use crate::play::Player;
use crate::{Position, Seat};

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
    /// Last second at which the player to move may move, since 1970; none without a limit or a clock that runs on
    /// the chain, before the start and after the end.
    pub deadline: Option<u64>,
}

impl From<Seat> for Player {
    fn from(seat: Seat) -> Self {
        Self {
            account: seat.account,
            name: seat.account.and_then(development_name),
            joined: seat.joined,
            out: seat.out,
            ..Self::of_line(seat.colour, seat.powers)
        }
    }
}

fn players(seats: Vec<Seat>) -> Vec<Player> {
    seats.into_iter().map(Player::from).collect()
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
        Self {
            game: game.into(),
            contract,
            position: Position::of_game(found),
            players: players(Seat::of_game(found)),
            started: true,
            named: true,
            payer: Some(found.payer()),
            deadline: None,
        }
    }

    /// The same game with the clock that runs for it on the chain, as it is a signed one.
    #[must_use]
    pub fn timed(mut self, clock: Option<Clock>) -> Self {
        let Some(clock) = clock else {
            return self;
        };
        self.deadline = Some(clock.deadline());
        for player in &mut self.players {
            player.left = Some(match Some(player.colour) == self.position.to_move {
                true => until(clock.deadline()),
                false => clock.waiting().into(),
            });
        }
        self
    }

    /// A game of a variant, or a table.
    #[must_use]
    pub fn variant(game: impl Into<GameName>, contract: Address, found: &variants::Game) -> Self {
        let deadline = found.deadline();
        let mut players = players(Seat::of_variant(found));
        for player in &mut players {
            player.left = deadline
                .filter(|_| found.to_move() == Some(player.colour))
                .map(until);
        }
        Self {
            game: game.into(),
            contract,
            position: Position::of_variant_game(found),
            players,
            started: found.has_started(),
            named: found.is_named(),
            payer: Some(found.payer()).filter(|payer| *payer != Address::ZERO),
            deadline,
        }
    }
}
