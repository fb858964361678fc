//! A guard in the place of the honest player's program, in a game with a stake: it has what both have signed and no
//! session key, receives what the cheat sends, and does on the chain what it has to.
//!
//! As in [`watch`](super::watch), a player who is away makes no moves, and never ends worse than by the last position
//! that it has signed itself.

use connect4_protocol::signed::last_mover;
use connect4_protocol::{End, Game};
use connect4_seat::{Call, Guard, Message};

use super::check::{Violation, text};
use super::key::ModelKey;
use super::staked::{State, World};
use super::steps::Steps;

impl World {
    /// The guard receives a message. None if that changes nothing.
    pub fn guard_receives(
        &self,
        state: &State,
        message: &Message,
    ) -> Option<Result<State, Violation>> {
        let Message::Evidence(evidence) = message else {
            return None;
        };
        let journal = &state.known.record.journal;
        let received = journal.receive(&self.subject, evidence, &ModelKey(self.honest));
        let journal = received.ok().flatten()?;
        if let Some(moves) = self.made_up_move(state, &evidence.moves) {
            let moves = text(&moves);
            return Some(Err(format!(
                "a guard takes {moves}, which nobody has signed"
            )));
        }
        let mut next = state.clone();
        next.is_idle = false;
        next.known.record.journal = journal;
        self.hold(&mut next);
        Some(Ok(next))
    }

    /// A block was made, and the guard acts.
    pub fn guard_looks(&self, mut next: State, block: &str, steps: &mut Steps<State>) {
        next.known.newest = Some(next.chain.sight(self.honest, Some(self.number), next.now));
        self.hold(&mut next);
        let game = next.begun().copied();
        let duty = game.and_then(|game| {
            let guard = Guard::new(self.subject, game.game, next.now);
            let guard = guard.with_journal(next.known.record.journal.clone());
            guard.duty()
        });
        next.held.acted_winning = self.is_winning(&next);
        next.is_idle = duty.is_none();
        next.sent.extend(duty.as_ref().map(Call::of));
        let says = || match duty {
            Some(_) => format!("{block}; the guard acts"),
            None => format!("{block}; the guard waits"),
        };
        steps.push(says, Ok(next));
    }

    /// The game has ended for good, and the player was away.
    pub fn check_guarded(&self, state: &State, game: &Game) -> Result<(), Violation> {
        let held = &state.held.position;
        let own = match last_mover(held.len()) == Some(self.cheat) {
            true => held.before_last(),
            false => &held[..],
        };
        match (game.winner(), game.end()) {
            (Some(winner), _) if winner == self.honest => Ok(()),
            _ if state.held.must_win => Err("the cheat had resigned, or it had made a line".into()),
            (_, Some(End::Agreement | End::Resignation)) => Err("it has agreed to nothing".into()),
            (_, Some(End::Abort)) if own.len() > 1 => Err("aborted after both had moved".into()),
            _ if !self.is_part(game, own) => Err(format!("it had signed {}", text(own))),
            _ => Ok(()),
        }
    }
}
