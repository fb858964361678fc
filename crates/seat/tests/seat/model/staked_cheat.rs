//! What the cheat, the network and time do in a game with a stake, and the search through it.

use std::collections::HashSet;

use connect4_protocol::signed::last_mover;
use connect4_protocol::signed::staked_room::Offer;
use connect4_protocol::signed::{Evidence, Kind, Moves, SignedEnd};
use connect4_rules::{Bin, ByPlayer, Player as Side};
use connect4_seat::{Call, Journal, Message};

use super::cheating::{Has, Signs, evidence_by, papers, sign};
use super::check::{Violation, text};
use super::clock;
use super::key::ModelKey;
use super::search::{Searched, identity};
use super::staked::{State, UNTIL, World, says_call};
use super::steps::Steps;
use crate::staked_world::Stakes;
use crate::world::account;

/// For how many seconds the cheat's offers stand: as usual, and much too long.
const OFFERS: [u64; 2] = [60, 1_000_000];
/// Steps after which a game has ended that nobody disturbs.
const PATIENCE: usize = 60;
/// When the honest player asks for its stake back by itself.
const LATE: u64 = UNTIL + 601;

impl World {
    /// All evidence that the cheat can have: what the honest player has signed, with anything of its own.
    pub fn papers(&self, state: &State) -> Vec<Evidence> {
        let has = Has {
            positions: &state.positions,
            endings: &state.endings,
            offers: &state.offers,
            signed: &state.signed,
        };
        papers(&self.subject, self.cheat, &has)
    }

    /// All legal lists that go on from a position from which the search begins, in which the honest player's moves are
    /// the cheat's own invention: its signatures there are the cheat's, or none. Also ends that nobody has agreed to.
    fn make_up(&self, base: &[u8]) -> Vec<Evidence> {
        let mut found = Vec::new();
        let from = base.len().saturating_sub(2);
        for turns in from..=base.len() {
            let mut moves = base[..turns].to_vec();
            self.invent(
                &mut moves,
                if self.is_funding || self.has_moves {
                    2
                } else {
                    4
                },
                &mut found,
            );
        }
        found.sort_unstable();
        found.dedup();
        let own = ByPlayer {
            one: self.cheat,
            two: self.cheat,
        };
        let mut papers = Vec::new();
        for moves in &found {
            let forged = evidence_by(&self.subject, None, moves, own);
            let mut unsigned = forged;
            unsigned.signatures[self.honest] = connect4_protocol::signed::Signature::NONE;
            papers.extend([forged, unsigned]);
        }
        let longest = found.last().map_or(&[][..], |moves| &moves[..]);
        for ending in [
            SignedEnd::Resignation(self.honest),
            SignedEnd::Draw {
                until: u64::MAX - 1,
            },
            SignedEnd::Draw { until: u64::MAX },
        ] {
            papers.push(evidence_by(&self.subject, Some(ending), longest, own));
            papers.push(evidence_by(&self.subject, Some(ending), base, own));
        }
        papers
    }

    fn invent(&self, moves: &mut Vec<u8>, depth: usize, found: &mut Vec<Vec<u8>>) {
        let Ok(game) = self.subject.replay(moves) else {
            return;
        };
        found.push(moves.clone());
        if depth == 0 || game.is_over() {
            return;
        }
        for bin in self.bins() {
            let mut after = game;
            if self.subject.make(bin, &mut after).is_ok() {
                moves.push(bin.index());
                self.invent(moves, depth - 1, found);
                moves.pop();
            }
        }
    }

    fn cheat_steps(&self, state: &State, steps: &mut Steps<State>) {
        if state.begun().is_some() {
            self.statements(state, steps);
            self.calls(state, steps);
            self.offers(state, steps);
        } else {
            self.payments(state, steps);
        }
        self.network(state, steps);
        self.restarts(state, steps);
    }

    fn statements(&self, state: &State, steps: &mut Steps<State>) {
        for evidence in self.papers(state) {
            let mut signed = state.clone();
            if self.sign(&mut signed, &evidence) {
                self.tell(&signed, &evidence, steps);
                self.bring(state, &signed, &evidence, steps);
            }
        }
        self.inventions(state, steps);
    }

    /// What the cheat has made up is sent and brought. Whether it is taken depends on the game and the time alone, so
    /// that it is tried once for each.
    fn inventions(&self, state: &State, steps: &mut Steps<State>) {
        if self.has_moves {
            // On top of what the honest player holds, which changes from step to step.
            let position = state.known.record.journal.position.moves;
            let made_up = self.make_up(&position);
            for evidence in made_up.iter().filter(|evidence| self.would_take(evidence)) {
                self.tell(state, evidence, steps);
            }
            return self.bring_all(state, &made_up, steps);
        }
        let made_up = self.made_up.get_or_init(|| self.make_up(&self.base));
        let taken = self.taken.get_or_init(|| {
            let taken = made_up.iter().filter(|evidence| self.would_take(evidence));
            taken.copied().collect()
        });
        for evidence in taken {
            self.tell(state, evidence, steps);
        }
        self.bring_all(state, made_up, steps);
    }

    fn bring_all(&self, state: &State, made_up: &[Evidence], steps: &mut Steps<State>) {
        let position = state.known.record.journal.position.moves;
        let on = self.has_moves.then_some(position);
        let (id, _) = identity(&(state.chain.game, state.now, on));
        if self.refused.borrow().contains(&id) {
            return;
        }
        let before = steps.list.len();
        for evidence in made_up {
            self.bring(state, state, evidence, steps);
        }
        if steps.list.len() == before {
            self.refused.borrow_mut().insert(id);
        }
    }

    /// Whether a program that holds nothing takes it.
    fn would_take(&self, evidence: &Evidence) -> bool {
        let key = ModelKey(self.honest);
        let taken = Journal::default().receive(&self.subject, evidence, &key);
        taken.is_ok_and(|journal| journal.is_some())
    }

    fn tell(&self, signed: &State, evidence: &Evidence, steps: &mut Steps<State>) {
        if let Some(next) = self.send(signed, Message::Evidence(*evidence)) {
            steps.push(|| format!("cheat: sends {}", Self::says(evidence)), next);
        }
    }

    fn bring(&self, state: &State, signed: &State, evidence: &Evidence, steps: &mut Steps<State>) {
        for press in [false, true] {
            let call = Call::Advance {
                evidence: *evidence,
                press,
            };
            let says = || format!("cheat: brings {}, press {press}", Self::says(evidence));
            let is_over = |state: &State| state.game().is_some_and(|game| game.game.game.is_over());
            if let Some(next) = self.called(state, signed, &call) {
                // Without an effect of the press.
                if !(press && next.as_ref().is_ok_and(is_over)) {
                    steps.push(says, next);
                }
            } else if !press {
                return;
            }
        }
    }

    /// The state after a transaction of the cheat; none if it is refused.
    fn called(
        &self,
        state: &State,
        signed: &State,
        call: &Call,
    ) -> Option<Result<State, Violation>> {
        let mut chain = state.chain.clone();
        let key = ModelKey(self.cheat);
        let called = chain.call(self.cheat, self.number, call, state.now, &key);
        called.ok()?;
        if let Call::Advance { evidence, .. } = call
            && let Some(made_up) = self.made_up_move(state, &evidence.moves)
        {
            let made_up = text(&made_up);
            return Some(Err(format!(
                "the chain takes {made_up}, which it has not signed"
            )));
        }
        Some(self.with_chain(signed, chain))
    }

    /// The longest of these positions after a move of the honest player, if it has not signed that.
    pub fn made_up_move(&self, state: &State, moves: &Moves) -> Option<Moves> {
        let len = match last_mover(moves.len()) == Some(self.honest) {
            true => moves.len(),
            false => moves.len().saturating_sub(1),
        };
        let own = Moves::from_bins(moves.get(..len)?)?;
        let is_old = self.base.get(..len) == Some(&own[..]);
        (len > 0 && !is_old && !state.positions.contains(&own)).then_some(own)
    }

    /// Has the cheat sign what it needs. Returns whether it may.
    fn sign(&self, state: &mut State, evidence: &Evidence) -> bool {
        let signs = Signs {
            signed: &mut state.signed,
            resigned: &mut state.resigned,
            left: &mut state.left.statements,
        };
        sign(self.cheat, evidence, signs)
    }

    /// What the cheat does on the chain by its account.
    fn calls(&self, state: &State, steps: &mut Steps<State>) {
        let board = state.begun().map(|game| *game.game.game.board());
        let drops = board.into_iter().flat_map(|board| {
            let drop = move |bin: Bin| Call::Drop {
                board,
                bin: bin.index(),
            };
            self.bins().map(drop)
        });
        for call in [Call::Press, Call::Claim].into_iter().chain(drops) {
            if let Some(next) = self.called(state, state, &call) {
                steps.push(|| format!("cheat: {}", says_call(&call)), next);
            }
        }
        let mut chain = state.chain.clone();
        if let Some(game) = &mut chain.game
            && game.resign(account(self.cheat)).is_ok()
        {
            chain.pay_out();
            let next = self.with_chain(state, chain);
            steps.push(|| "cheat: resigns on the chain".into(), next);
        }
    }

    /// The cheat pays, asks for its stake back, and tells of terms: those of the offer, and others.
    fn payments(&self, state: &State, steps: &mut Steps<State>) {
        let fund = Call::Fund {
            terms: self.terms,
            payment: self.terms.stake,
        };
        for call in [fund, Call::Refund] {
            let is_refund = call == Call::Refund;
            let left = state.left.statements.checked_sub(is_refund.into());
            if let (Some(left), Some(next)) = (left, self.called(state, state, &call)) {
                let next = next.map(|mut next| {
                    next.left.statements = left;
                    next
                });
                let says = || {
                    String::from(if is_refund {
                        "cheat: takes its stake back"
                    } else {
                        "cheat: pays"
                    })
                };
                steps.push(says, next);
            }
        }
        if state.is_taken || self.honest == Side::Two {
            return;
        }
        let mut others = vec![self.terms; 5];
        others[1].stake += 1;
        others[2].nonce += 1;
        others[3].time = UNTIL + 1;
        others[4].players.two = others[4].players.one;
        for (place, terms) in others.into_iter().enumerate() {
            if let Some(next) = self.send(state, Message::Taken(terms)) {
                let next = next.and_then(|mut next| {
                    next.is_taken = true;
                    match place {
                        0 => Ok(next),
                        _ => Err("it takes terms that are not those of the offer".into()),
                    }
                });
                steps.push(|| "cheat: tells of terms".into(), next);
            }
        }
    }

    /// The cheat offers draws at what the honest player holds. Elsewhere it is no offer.
    fn offers(&self, state: &State, steps: &mut Steps<State>) {
        let Some(left) = state.left.statements.checked_sub(1) else {
            return;
        };
        if state.left.accepts == 0 {
            return;
        }
        let moves = state.known.record.journal.position.moves;
        for stands in OFFERS {
            let until = state.now + stands;
            let key = ModelKey(self.cheat);
            let offer = Offer {
                by: self.cheat,
                until,
                moves,
                signature: self.subject.sign(&key, Kind::Draw { until }, &moves),
            };
            if let Some(next) = self.send(state, Message::Draw(offer)) {
                let next = next.map(|mut next| {
                    next.left.statements = left;
                    next
                });
                let says = || {
                    let moves = text(&moves);
                    format!("cheat: offers a draw at {moves} until {}", clock(until))
                };
                steps.push(says, next);
            }
        }
    }

    /// Blocks are replaced, and time passes.
    fn network(&self, state: &State, steps: &mut Steps<State>) {
        for (says, next) in Self::forks(state) {
            steps.push(|| says, Ok(next));
        }
        if state.is_waiting() {
            for now in self.moments(state) {
                let is_free = state.waits == Some(now);
                if let Some(next) = state.at(now, is_free) {
                    steps.push(|| format!("time passes until {}", clock(now)), Ok(next));
                }
            }
        }
    }

    /// The last blocks are replaced.
    pub fn forks(state: &State) -> Vec<(String, State)> {
        let Some(left) = state.left.forks.checked_sub(1) else {
            return Vec::new();
        };
        let replace = |(depth, block): (usize, &Stakes)| {
            let mut next = state.clone();
            next.chain = block.clone();
            next.blocks.truncate(state.blocks.len() - 1 - depth);
            next.left.forks = left;
            next.lose_transaction();
            if left == 0 {
                next.blocks.clear();
            }
            (format!("the last {} blocks are replaced", depth + 1), next)
        };
        let before = state.blocks.iter().rev().skip(1);
        before.enumerate().map(replace).collect()
    }

    /// Times just after one that matters; if the honest player waits with what is due, the time until when it does.
    pub fn moments(&self, state: &State) -> Vec<u64> {
        if let Some(waits) = state.waits {
            return vec![waits];
        }
        let journal = &state.known.record.journal;
        let draws = journal.draws.iter().chain(&state.endings);
        let untils = draws.filter_map(|draw| match draw.end {
            Some(SignedEnd::Draw { until }) => Some(until),
            _ => None,
        });
        let offers = state.offers.iter().chain(&state.known.draw);
        let deadline = state
            .begun()
            .and_then(|game| self.subject.deadline(&game.game));
        let payments = [UNTIL, LATE - 1]
            .into_iter()
            .filter(|_| state.begun().is_none());
        let mut moments: Vec<u64> = untils
            .chain(offers.map(|offer| offer.until))
            .chain(deadline)
            .chain(payments)
            .filter(|until| *until >= state.now && *until < Kind::FOR_GOOD)
            .map(|until| until + 1)
            .collect();
        moments.sort_unstable();
        moments.dedup();
        moments
    }

    /// Whether nothing more of a search about payments is looked at: the moves are searched elsewhere.
    fn is_past_funding(&self, state: &State) -> bool {
        let turns = state.known.record.journal.position.moves.turns();
        let on_chain = state.begun().map_or(0, |game| game.game.game.turns());
        self.is_funding && !self.has_moves && turns.max(on_chain) > 1
    }

    /// What the honest player has paid is there again, or in the game.
    pub fn check_payment(&self, state: &State) -> Result<(), Violation> {
        match (state.game(), *state.chain.spent.get(self.honest)) {
            (None, spent) if spent > 0 => Err("its stake is gone".into()),
            _ => Ok(()),
        }
    }
}

impl Searched for World {
    type State = State;

    fn steps(&self, state: &State, steps: &mut Steps<State>) -> usize {
        self.tick(state, steps);
        let ticks = steps.list.len();
        self.cheat_steps(state, steps);
        ticks
    }

    fn is_over(&self, state: &State) -> bool {
        state.is_final() || self.is_past_funding(state)
    }

    fn check_end(&self, state: &State) -> Result<(), Violation> {
        self.check_payment(state)?;
        match state.is_final() {
            true => self.check_final(state),
            false => Ok(()),
        }
    }

    /// The cheat is silent, and the honest player acts and waits.
    fn outlast(
        &self,
        state: &State,
        settled: &mut HashSet<u128>,
        mut path: Option<&mut Vec<String>>,
    ) -> Result<(), Violation> {
        // A guard has nobody's clock started, so a game may stay as it is.
        if self.is_guarded {
            return Ok(());
        }
        let mut state = state.clone();
        let mut passed = Vec::new();
        let is_told = path.is_some();
        let mut tell = |step: String| {
            if let Some(path) = &mut path {
                path.push(step);
            }
        };
        tell("the cheat is silent from here on".to_owned());
        for _ in 0..PATIENCE {
            let (id, _) = identity(&state);
            if self.is_over(&state) {
                self.check_end(&state)?;
                break;
            }
            if settled.contains(&id) {
                break;
            }
            passed.push(id);
            let mut steps = Steps::new(is_told);
            self.tick(&state, &mut steps);
            let (says, next) = steps.list.swap_remove(0);
            tell(says);
            let mut next = next?;
            if identity(&next).0 == id {
                let moments = self.moments(&next);
                let mut claimed = next.chain.clone();
                let key = ModelKey(self.cheat);
                let claim = claimed.call(self.cheat, self.number, &Call::Claim, next.now, &key);
                if let Some(now) = moments.first().filter(|_| next.is_idle) {
                    next.now = *now;
                    tell(format!("time passes until {}", clock(*now)));
                } else if claim.is_ok() {
                    next = self.with_chain(&next, claimed)?;
                    tell("the cheat claims".to_owned());
                } else if self.has_given_up(&next) {
                    break;
                } else if next.game().is_none() || *next.chain.spent.get(self.honest) <= 0 {
                    self.check_payment(&next)?;
                    break;
                } else {
                    return Err("the game does not end".to_owned());
                }
            }
            state = next;
            if passed.len() + 1 == PATIENCE {
                return Err("the game does not end in time".to_owned());
            }
        }
        settled.extend(passed);
        Ok(())
    }
}
