//! What is known of a fast game beyond the chain.

use connect4_client::Seen;
use connect4_client::fast::{FastPlayer, Guard, RelayState, signed_by_both};
use connect4_protocol::Game;
use connect4_protocol::fast::{Evidence, FastGame};
use connect4_rules::{ByPlayer, Player};

/// What one seat, or a watcher, knows of a fast game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The game as it stands, on the chain or off it.
    pub latest: Game,
    /// The game as the chain knows it, which a seat follows; none by a watcher.
    pub chain: Option<Seen<FastGame>>,
    /// The position, or the end, that both players have signed.
    pub evidence: Evidence,
    /// Who offers a draw that can be accepted.
    pub draw_offer: Option<Player>,
    /// The player who may start the opponent's clock.
    pub press: Option<Player>,
    /// Why the relay is not there; none if it is.
    pub relay_missing: Option<String>,
    /// Whether the opponent of the seat is at the relay, as that says; a watcher is not told.
    pub opponent: Option<bool>,
}

impl State {
    pub(super) fn of_seat(player: &FastPlayer) -> Self {
        let ours = player.player();
        let (relay_missing, opponent) = match player.relay() {
            RelayState::None => (Some("there is none".into()), None),
            RelayState::Connecting => (Some("it is being connected".into()), None),
            RelayState::Connected { opponent } => (None, Some(*opponent)),
            RelayState::Lost(why) => (Some(why.clone()), None),
        };
        Self {
            latest: player.latest(),
            chain: Some(player.seen()),
            evidence: *player.evidence(),
            draw_offer: match (player.offer(), player.offered()) {
                (Some(_), _) => Some(ours.opponent()),
                (None, Some(_)) => Some(ours),
                (None, None) => None,
            },
            press: player.can_press().is_ok().then_some(ours),
            relay_missing,
            opponent,
        }
    }

    pub(super) fn of_watcher(guard: &Guard, latest: Game, relay_missing: Option<String>) -> Self {
        Self {
            latest,
            chain: None,
            evidence: *guard.evidence(),
            draw_offer: None,
            press: None,
            relay_missing,
            opponent: None,
        }
    }

    /// Number of the moves that both players have signed. The last move is signed by who made it alone,
    /// until the answer.
    #[must_use]
    pub fn signed_by_both(&self, number: u32) -> u8 {
        signed_by_both(number, &self.evidence)
    }
}

/// What the seats and the watcher of a fast game know together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// By the seats that are played here.
    pub seats: ByPlayer<Option<State>>,
    /// By the watcher, if no seat is played here.
    pub watcher: Option<State>,
}

impl Known {
    /// The state with the most moves; of two, the one that has ended.
    #[must_use]
    pub fn newest(&self) -> Option<&State> {
        let ByPlayer { one, two } = &self.seats;
        [one, two, &self.watcher]
            .into_iter()
            .flatten()
            .max_by_key(|state| (state.latest.turns(), state.latest.is_over()))
    }

    /// The game as the chain knows it after the newest block that a seat has seen.
    #[must_use]
    pub fn chain(&self) -> Option<Seen<FastGame>> {
        let seen = self.states().filter_map(|state| state.chain);
        seen.max_by_key(|seen| seen.block.number)
    }

    /// All states.
    pub fn states(&self) -> impl Iterator<Item = &State> {
        let ByPlayer { one, two } = &self.seats;
        [one, two, &self.watcher].into_iter().flatten()
    }
}
