//! A guard in the place of the honest player's program, which does not run: it receives what the cheat sends,
//! and does on the chain what it has to.
//!
//! A player who is away makes no moves. So it may lose on time where it is to move, and by a line that a
//! move of its own had contested; but never by less than the last position that it has signed itself.
//!
//! What a guard brings beside a program that runs is not searched: the cheat may bring the same.

use std::collections::HashSet;

use connect4_protocol::End;
use connect4_protocol::fast::{Evidence, Moves};
use connect4_protocol::signed::last_mover;
use connect4_seat::Guard;

use super::check::{Violation, text};
use super::key::ModelKey;
use super::search::Searched;
use super::state::{State, World};
use super::steps::Steps;

/// The world in which the honest player is guarded.
pub struct Watch(pub World);

impl Watch {
    /// The guard receives evidence. None if that changes nothing.
    fn receive(&self, state: &State, evidence: &Evidence) -> Option<Result<State, Violation>> {
        let Self(world) = self;
        let key = ModelKey(world.honest);
        let received = state.journal.receive(&world.subject, evidence, &key);
        let journal = received.ok().flatten()?;
        let mut next = state.clone();
        next.is_idle = false;
        let done = world.take_journal(&mut next, &journal);
        Some(done.map(|()| next))
    }

    /// A block is made, and the guard acts.
    fn tick(&self, state: &State, steps: &mut Steps) {
        let Self(world) = self;
        let mut next = world.block(state);
        if next.is_over() {
            steps.push(|| "a block".into(), Ok(next));
            return;
        }
        next.view = next.chain;
        next.seen_at = next.now;
        world.hold(&mut next);
        let guard = Guard::new(world.subject, next.chain, next.now);
        let guard = guard.with_journal(next.journal.clone());
        let duty = guard.duty();
        next.held.acted_winning = world.is_winning(&next);
        next.is_idle = duty.is_none();
        next.sent = duty.map(Into::into);
        let says = || match duty {
            Some(_) => "the guard acts".into(),
            None => "the guard waits".into(),
        };
        steps.push(says, Ok(next));
    }

    /// The longest position that the player has signed itself.
    fn own(&self, moves: &Moves) -> Moves {
        let Self(world) = self;
        match last_mover(moves.len()) {
            Some(mover) if mover == world.cheat => {
                Moves::from_bins(moves.before_last()).expect("fewer moves")
            }
            _ => *moves,
        }
    }
}

impl Searched for Watch {
    type State = State;

    fn steps(&self, state: &State, steps: &mut Steps) -> usize {
        let Self(world) = self;
        self.tick(state, steps);
        let ticks = steps.list.len();
        world.statements(state, steps, |state, evidence| {
            self.receive(state, evidence)
        });
        world.calls(state, steps);
        world.network(state, steps);
        ticks
    }

    fn is_over(&self, state: &State) -> bool {
        state.is_over()
    }

    fn check_end(&self, state: &State) -> Result<(), Violation> {
        let Self(world) = self;
        let game = &state.chain.game;
        let own = self.own(&state.held.position);
        match (game.winner(), game.end()) {
            (Some(winner), _) if winner == world.honest => Ok(()),
            _ if state.held.must_win => Err("the cheat had resigned, or it had made a line".into()),
            (_, Some(End::Agreement | End::Resignation)) => Err("it has agreed to nothing".into()),
            (_, Some(End::Abort)) if own.turns() > 1 => Err("aborted after both had moved".into()),
            _ if !world.is_part(game, &own) => Err(format!("it had signed {}", text(&own))),
            _ => Ok(()),
        }
    }

    /// A guard has nobody's clock started, so a game may stay as it is.
    fn outlast(
        &self,
        _: &State,
        _: &mut HashSet<u128>,
        _: Option<&mut Vec<String>>,
    ) -> Result<(), Violation> {
        Ok(())
    }
}
