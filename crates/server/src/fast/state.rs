//! What is known of a fast game on top of the chain.

use connect4_client::fast::{FastPlayer, Guard, RelayState, signed_by_both};
use connect4_client::{GameId, Seen};
use connect4_protocol::Game;
use connect4_protocol::fast::{Evidence, FastGame, Moves};
use connect4_rules::{ByPlayer, Player};

/// What one seat, or a watcher, knows of a fast game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The game as it stands, on the chain or off it.
    pub latest: Game,
    /// The game as it is on the chain, which a seat follows; none by a watcher.
    pub chain: Option<Seen<FastGame>>,
    /// Whether the game has ended on the chain in a final block; a watcher does not look.
    pub is_settled: bool,
    /// The position, or the end, that both players have signed.
    pub evidence: Evidence,
    /// All moves of the latest position; none if they are the chain's.
    pub moves: Option<Moves>,
    /// The last second, by the chain's clock, at which the player to move there has to have answered, or
    /// at which a line there can be contested; none if no such time runs, or by a watcher.
    pub deadline: Option<u64>,
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
            is_settled: player.is_settled(),
            evidence: *player.evidence(),
            moves: player.moves(),
            deadline: player.deadline(),
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

    pub(super) fn of_watcher(guard: &Guard, relay_missing: Option<String>) -> Self {
        let latest = guard.latest();
        let signed = [guard.evidence(), &guard.journal().position];
        let mut moves = signed.into_iter().map(|evidence| evidence.moves);
        let leads = |moves: &Moves| {
            let replayed = guard.subject().replay(moves);
            replayed.is_ok_and(|game| game.board() == latest.board())
        };
        Self {
            latest,
            chain: None,
            is_settled: false,
            evidence: *guard.evidence(),
            moves: moves.find(leads),
            deadline: None,
            draw_offer: None,
            press: None,
            relay_missing,
            opponent: None,
        }
    }

    /// Number of the moves that both players have signed. The last move is signed by who made it alone,
    /// until the answer.
    #[must_use]
    pub fn signed_by_both(&self, id: GameId) -> u8 {
        signed_by_both(id.number(), &self.evidence)
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
        self.states().max_by_key(newness)
    }

    /// The state that is shown, and in which moves are made, if this much is on the chain; none if that is
    /// the chain's. A seat that is played here signs on its own position, so of two positions with as
    /// many moves it is that one.
    #[must_use]
    pub fn shown(&self, chain: &FastGame) -> Option<&State> {
        if chain.is_final() {
            return None;
        }
        let ByPlayer { one, two } = &self.seats;
        let seats = [one, two].into_iter().flatten();
        let seat = seats.max_by_key(newness);
        let known = chain.game.moves();
        let is_ahead = |state: &&State| {
            state.latest.moves() > known
                || (state.latest.moves() == known && state.latest.is_over())
        };
        let is_another = |state: &&State| {
            state.latest.moves() == known && state.latest.position() != chain.game.position()
        };
        seat.filter(|state| is_ahead(state) || is_another(state))
            .or_else(|| self.newest().filter(is_ahead))
    }

    /// The game as it is on the chain after the newest block that a seat has seen.
    #[must_use]
    pub fn chain(&self) -> Option<Seen<FastGame>> {
        let seen = self.states().filter_map(|state| state.chain);
        seen.max_by_key(|seen| seen.block.number)
    }

    pub fn states(&self) -> impl Iterator<Item = &State> {
        let ByPlayer { one, two } = &self.seats;
        [one, two, &self.watcher].into_iter().flatten()
    }
}

const fn newness(state: &&State) -> (u8, bool) {
    (state.latest.moves(), state.latest.is_over())
}
