//! What the honest player does: as its program does where that decides, and anything that the rules allow
//! where the player does.

use connect4_protocol::fast::{Evidence, FastGame};
use connect4_rules::Bin;
use connect4_seat::{Duty, Journal, Moved, OFFER_STANDS, SeatError};

use super::check::{Violation, told};
use super::state::{Sent, State, World};
use super::steps::Steps;

/// For how long a press can be brought, in seconds.
const PRESS_STANDS: u64 = 60;
/// Blocks that can be replaced at once.
const DEPTH: usize = 2;

impl World {
    /// A block is made: what the honest player has sent gets into it, after whatever the cheat did.
    pub fn block(&self, state: &State) -> State {
        let mut next = state.clone();
        let is_late = state.chain.is_final();
        next.held.must_win |= state.held.acted_winning && !is_late;
        next.held.must_not_lose |= state.held.acted_drawn && !is_late;
        next.held.acted_winning = false;
        next.held.acted_drawn = false;
        next.is_idle = false;
        if let Some(sent) = next.sent.take()
            && let Some(chain) = self.land(&next.chain, &sent, next.now)
        {
            if let Sent::Advance(evidence, _) = &sent {
                next.known = self.known_after(&next, &chain, evidence);
            }
            next.chain = chain;
        }
        if next.left.forks > 0 {
            next.blocks.push(next.chain);
            if next.blocks.len() > DEPTH + 1 {
                next.blocks.remove(0);
            }
        }
        next
    }

    /// A block is made. Then the honest player's program looks at the chain, and acts.
    pub fn tick(&self, state: &State, steps: &mut Steps) {
        let mut next = self.block(state);
        if next.is_over() {
            steps.push(|| "a block".into(), Ok(next));
            return;
        }
        self.look(&next, None, steps);
        let Some(left) = next.left.lies.checked_sub(1) else {
            return;
        };
        let chain = next.chain;
        next.left.lies = left;
        let mut shown = vec![(self.start(), String::from("nothing"))];
        let old = next.blocks.iter().rev().skip(1);
        shown.extend(old.map(|block| (*block, String::from("an old block"))));
        for (bin, fake) in self.fakes(&next) {
            shown.push((fake, format!("a disc in {} that is not there", bin.index())));
        }
        for (view, what) in shown {
            if view != chain {
                self.look(&next, Some((view, &what)), steps);
            }
        }
    }

    /// The honest player looks at the chain, or at what a node shows instead, and acts.
    fn look(&self, state: &State, lie: Option<(FastGame, &str)>, steps: &mut Steps) {
        let mut state = state.clone();
        state.view = lie.map_or(state.chain, |(view, _)| view);
        state.seen_at = state.now;
        let is_true = lie.is_none();
        let mut seat = self.seat(&state);
        seat.concede().expect("the disk works");
        let says = |did: &str| match lie {
            Some((_, what)) => format!("the node shows {what}; honest: {did}"),
            None => format!("honest: {did}"),
        };
        if let Err(violation) = self.take_from(&mut state, seat.journal()) {
            steps.push(|| says("agrees"), Err(violation));
            return;
        }
        self.hold(&mut state);
        if seat.duty().is_some() {
            self.finish(state, is_true, steps, |did| says(did));
            return;
        }
        let latest = seat.latest();
        if latest.to_move() == Some(self.honest) {
            let is_legal = |bin: &Bin| self.subject.make(*bin, &mut latest.clone()).is_ok();
            for bin in self.bins().filter(is_legal) {
                let mut seat = self.seat(&state);
                let mut next = state.clone();
                let moved = match seat.drop(bin) {
                    // The move was made before, on the chain.
                    Err(SeatError::Bound(bound)) if bound != bin.index() => continue,
                    moved => moved,
                };
                let done = match moved {
                    Ok(Moved::Signed(evidence)) => {
                        next.offer = None;
                        self.take_journal(&mut next, seat.journal())
                            .and_then(|()| self.learn_position(&mut next, evidence.moves))
                    }
                    // Its duty is to bring it.
                    Ok(Moved::ForChain(evidence)) => {
                        next.offer = None;
                        self.take_journal(&mut next, seat.journal())
                            .and_then(|()| self.learn_position(&mut next, evidence.moves))
                    }
                    Ok(Moved::OnChain(bin)) => {
                        next.sent = Some(Sent::Drop(bin.index(), next.view));
                        self.take_journal(&mut next, seat.journal())
                            .and_then(|()| self.check_disc(&next))
                    }
                    Err(_) => continue,
                };
                let says = |did: &str| says(&format!("drops {}{did}", bin.index()));
                match done {
                    Ok(()) => self.finish(next, is_true, steps, says),
                    Err(violation) => steps.push(|| says(""), Err(violation)),
                }
            }
        }
        let press = match self.is_by_terms() {
            true => seat
                .sign_press(state.now + PRESS_STANDS)
                .map(|press| Sent::Advance(press, false)),
            false => seat.press().map(Sent::from),
        };
        if let Ok(press) = press {
            let mut next = state.clone();
            next.sent = Some(press);
            self.finish(next, is_true, steps, |did| says(&format!("presses{did}")));
        }
        if let Some(left) = state.left.accepts.checked_sub(1)
            && seat.offer().is_some()
            && self.is_by_terms()
        {
            let mut seat = self.seat(&state);
            let mut next = state.clone();
            next.left.accepts = left;
            if let Ok(accepted) = seat.accept_draw_for_good() {
                next.offers.push(accepted);
                next.held.has_accepted = true;
                next.journal = seat.journal().clone();
                self.finish(next, is_true, steps, |did| {
                    says(&format!("accepts for good{did}"))
                });
            }
        }
        if let Some(left) = state.left.accepts.checked_sub(1)
            && seat.offer().is_some()
        {
            let mut seat = self.seat(&state);
            let mut next = state.clone();
            next.left.accepts = left;
            if let Ok(draw) = seat.accept_draw() {
                next.endings.push(draw);
                next.held.has_accepted = true;
                let done = self.take_journal(&mut next, seat.journal());
                let says = |did: &str| says(&format!("accepts {}{did}", told(&draw)));
                match done {
                    Ok(()) => self.finish(next, is_true, steps, says),
                    Err(violation) => steps.push(|| says(""), Err(violation)),
                }
            }
        }
        if let Some(left) = state.left.offers.checked_sub(1) {
            let mut seat = self.seat(&state);
            if let Ok(offer) = seat.offer_draw(state.now + OFFER_STANDS) {
                let mut next = state.clone();
                next.left.offers = left;
                next.offers.push(offer);
                next.journal = seat.journal().clone();
                self.finish(next, is_true, steps, |did| {
                    says(&format!("offers a draw{did}"))
                });
            }
        }
        if let Some(left) = state.left.resigns.checked_sub(1) {
            let mut seat = self.seat(&state);
            if let Ok(resigned) = seat.resign() {
                let mut next = state.clone();
                next.left.resigns = left;
                next.endings.push(resigned);
                next.held.has_resigned = true;
                next.journal = seat.journal().clone();
                self.finish(next, is_true, steps, |did| says(&format!("resigns{did}")));
            }
        }
        self.finish(state, is_true, steps, |did| says(&format!("waits{did}")));
    }

    /// The program does its duty, if there is one after what the player did, and notes what it held by
    /// then.
    fn finish(
        &self,
        mut state: State,
        is_true: bool,
        steps: &mut Steps,
        says: impl Fn(&str) -> String,
    ) {
        let seat = self.seat(&state);
        if is_true && !state.view.is_final() {
            state.held.acted_winning = self.is_winning(&state);
            let Journal {
                resignations,
                draws,
                ..
            } = &state.journal;
            let has_resigned = resignations.get(self.honest).is_some();
            // One that the cheat has accepted can be overtaken by the cheat's own next move.
            let is_good = |draw: &&Evidence| state.endings.contains(draw);
            state.held.acted_drawn = !has_resigned
                && draws
                    .iter()
                    .filter(is_good)
                    .any(|draw| state.view.advanced_by(draw, state.now).is_ok());
        }
        let duty = if state.sent.is_some() {
            None
        } else {
            seat.duty()
        };
        // A claim that comes too early is refused for free.
        let is_early = |duty: &Duty| {
            *duty == Duty::Claim && self.land(&state.view, &Sent::Claim, state.now).is_none()
        };
        let Some(duty) = duty.filter(|duty| !is_early(duty)) else {
            let must_move =
                seat.deadline().is_some() && seat.latest().to_move() == Some(self.honest);
            state.has_waited = false;
            state.is_idle =
                is_true && state.sent.is_none() && !(must_move && self.can_move(&state));
            steps.push(|| says(""), Ok(state));
            return;
        };
        let patience = seat.patience(&duty);
        let mut sent = state.clone();
        sent.sent = Some(duty.into());
        sent.has_waited = false;
        let bringing = || match &duty {
            Duty::Advance(evidence) => format!(" [brings {}]", told(evidence)),
            Duty::Claim => " [claims]".into(),
        };
        steps.push(|| says(&bringing()), Ok(sent));
        if patience > 0 && !state.has_waited {
            state.has_waited = true;
            // It waits until the cheat's own time is short.
            state.is_idle = is_true && patience == u32::MAX;
            steps.push(|| says(" [waits with its duty]"), Ok(state));
        }
    }

    /// Whether the honest player holds what wins, by what it sees: the cheat's resignation, or an own line as
    /// long as the chain takes it, or has it and no block can be replaced.
    pub fn is_winning(&self, state: &State) -> bool {
        let Journal {
            position,
            resignations,
            ..
        } = &state.journal;
        let has_line = (self.winner_of(position) == Some(self.honest)
            && state.view.advanced_by(position, state.now).is_ok())
            || (state.view.game.winner() == Some(self.honest) && state.left.forks == 0);
        resignations.get(self.honest).is_none()
            && (has_line || resignations.get(self.cheat).is_some())
    }

    /// Whether the seat takes any move of its player.
    fn can_move(&self, state: &State) -> bool {
        let latest = self.seat(state).latest();
        latest.to_move() == Some(self.honest)
            && self.bins().any(|bin| self.seat(state).drop(bin).is_ok())
    }

    /// Takes a journal in which the program may have agreed to a line by itself, which it sends.
    pub fn take_from(&self, state: &mut State, journal: &Journal) -> Result<(), Violation> {
        let had_resigned = state.journal.resignations.get(self.honest).is_some();
        self.take_journal(state, journal)?;
        if let Some(resigned) = journal.resignations[self.honest].filter(|_| !had_resigned) {
            state.endings.push(resigned);
            let mut before = journal.clone();
            before.resignations[self.honest] = None;
            self.check_concession(state, &before)?;
        }
        Ok(())
    }
}
