//! What the cheat, the network and time do. Of what the cheat could sign it signs what it uses at once, so
//! that a statement is counted when it has an effect.

use connect4_protocol::Match;
use connect4_protocol::fast::wire::Offer;
use connect4_protocol::fast::{Ending, Evidence, FastGame, Kind};
use connect4_rules::Bin;

use super::cheating::{Has, Signs, papers, sign};
use super::check::{Violation, text, told};
use super::clock;
use super::state::{State, World};
use super::steps::Steps;
use crate::world::account;

/// For how many seconds the cheat's offers stand: as usual, and much too long.
const OFFERS: [u64; 2] = [60, 1_000_000];

impl World {
    pub fn cheat_steps(&self, state: &State, steps: &mut Steps) {
        self.statements(state, steps, |state, evidence| self.send(state, evidence));
        self.calls(state, steps);
        self.offers(state, steps);
        self.acceptances(state, steps);
        self.network(state, steps);
        self.restarts(state, steps);
    }

    /// The cheat signs, and has the honest player hear of it by `send`, or the chain.
    pub fn statements(
        &self,
        state: &State,
        steps: &mut Steps,
        send: impl Fn(&State, &Evidence) -> Option<Result<State, Violation>>,
    ) {
        for evidence in self.papers(state) {
            let mut signed = state.clone();
            if !self.sign(&mut signed, &evidence) {
                continue;
            }
            if let Some(next) = send(&signed, &evidence) {
                steps.push(|| format!("cheat: sends {}", told(&evidence)), next);
            }
            for press in [None, Some(self.cheat)] {
                let after = self.advance(&state.chain, &evidence, press, state.now);
                let Some(chain) = after else { continue };
                // Without an effect of the press.
                if press.is_some() && chain.game.is_over() {
                    continue;
                }
                let next = State {
                    chain,
                    known: self.known_after(state, &chain, &evidence),
                    ..signed.clone()
                };
                let with = if press.is_some() { ", and presses" } else { "" };
                steps.push(
                    || format!("cheat: brings {}{with}", told(&evidence)),
                    Ok(next),
                );
            }
        }
    }

    /// Blocks are replaced, and time passes.
    pub fn network(&self, state: &State, steps: &mut Steps) {
        for (says, next) in Self::forks(state) {
            steps.push(|| says, Ok(next));
        }
        if state.left.jumps > 0 && state.is_waiting() {
            for now in self.moments(state) {
                if let Some(next) = state.at(now) {
                    steps.push(|| format!("time passes until {}", clock(now)), Ok(next));
                }
            }
        }
    }

    /// All evidence that the cheat can have: with what the honest player has signed, and anything of its
    /// own.
    pub fn papers(&self, state: &State) -> Vec<Evidence> {
        let has = Has {
            positions: &state.positions,
            endings: &state.endings,
            offers: &state.offers,
            signed: &state.signed,
        };
        let mut papers = papers(&self.subject, self.cheat, &has);
        if self.is_by_terms() {
            self.papers_by_terms(state, &mut papers);
        }
        papers
    }

    /// Has the cheat sign what it needs for this evidence. Returns whether it may.
    fn sign(&self, state: &mut State, evidence: &Evidence) -> bool {
        let signs = Signs {
            signed: &mut state.signed,
            resigned: &mut state.resigned,
            left: &mut state.left.statements,
        };
        sign(self.cheat, evidence, signs)
    }

    /// The honest player receives evidence. None if that changes nothing.
    pub fn send(&self, state: &State, evidence: &Evidence) -> Option<Result<State, Violation>> {
        let mut seat = self.seat(state);
        seat.receive(evidence).ok()?;
        if *seat.journal() == state.journal {
            return None;
        }
        let mut next = state.clone();
        // It has not acted since.
        next.is_idle = false;
        let done = self.take_from(&mut next, seat.journal());
        Some(done.map(|()| next))
    }

    /// What the cheat does on the chain by its account.
    pub fn calls(&self, state: &State, steps: &mut Steps) {
        let now = state.now;
        let caller = account(self.cheat);
        let with = |chain| {
            Ok(State {
                chain,
                ..state.clone()
            })
        };
        let mut chain = state.chain;
        if chain.press(caller, now).is_ok() {
            steps.push(|| "cheat: presses".into(), with(chain));
        }
        for bin in self.bins() {
            let mut chain = state.chain;
            if chain.drop(caller, bin, now).is_ok() {
                let says = || format!("cheat: drops {} on the chain", bin.index());
                steps.push(says, with(chain));
            }
        }
        let mut chain = state.chain;
        if chain.claim_timeout(&Match::default(), now).is_ok() {
            steps.push(|| "cheat: claims".into(), with(chain));
        }
        let mut chain = state.chain;
        if chain.resign(caller).is_ok() {
            steps.push(|| "cheat: resigns on the chain".into(), with(chain));
        }
    }

    /// The cheat offers draws at what the honest player holds. Elsewhere it is no offer.
    fn offers(&self, state: &State, steps: &mut Steps) {
        let Some(left) = state.left.statements.checked_sub(1) else {
            return;
        };
        let moves = state.journal.position.moves;
        for stands in OFFERS {
            let until = state.now + stands;
            let offer = Offer {
                by: self.cheat,
                until,
                moves,
                signature: self.forge(Kind::Draw { until }, &moves),
            };
            if state.offer == Some(offer) {
                continue;
            }
            let mut seat = self.seat(state);
            if seat.receive_offer(&offer).is_err() {
                continue;
            }
            let mut next = state.clone();
            next.offer = Some(offer);
            next.left.statements = left;
            let says = || {
                let moves = text(&moves);
                format!("cheat: offers a draw at {moves} until {}", clock(until))
            };
            steps.push(says, Ok(next));
        }
    }

    pub fn forks(state: &State) -> Vec<(String, State)> {
        let Some(left) = state.left.forks.checked_sub(1) else {
            return Vec::new();
        };
        let replaced = state.blocks.iter().rev().skip(1);
        let fork = |(depth, block): (usize, &FastGame)| {
            let mut next = state.clone();
            next.chain = *block;
            next.blocks.truncate(state.blocks.len() - 1 - depth);
            next.left.forks = left;
            next.lose_transaction();
            if left == 0 {
                next.blocks.clear();
            }
            (format!("the last {} blocks are replaced", depth + 1), next)
        };
        replaced.enumerate().map(fork).collect()
    }

    pub fn restarts(&self, state: &State, steps: &mut Steps) {
        if let Some(left) = state.left.restarts.checked_sub(1) {
            let mut next = state.clone();
            next.left.restarts = left;
            next.offer = None;
            let seat = self.restarted(&next);
            let done = self.take_journal(&mut next, seat.journal());
            let is_changed = state.offer.is_some() || next.journal != state.journal;
            if is_changed || done.is_err() {
                let next = done.map(|()| next.clone());
                steps.push(|| "the honest program is restarted".into(), next);
            }
            if state.sent.is_some() {
                next.sent = None;
                next.lose_transaction();
                let says = || "the honest program is restarted, its transaction is lost".into();
                steps.push(says, Ok(next));
            }
        }
    }

    /// Times just after one that matters; if the honest player waits, the time until when it does.
    pub fn moments(&self, state: &State) -> Vec<u64> {
        let deadline = self.subject.deadline(&state.chain);
        if state.has_waited {
            let short = deadline.map(|deadline| deadline.saturating_sub(30));
            return short
                .into_iter()
                .filter(|short| *short > state.now)
                .collect();
        }
        let draws = state.journal.draws.iter().chain(&state.endings);
        let untils = draws.filter_map(|draw| match draw.ending {
            Some(Ending::Draw { until }) => Some(until),
            _ => None,
        });
        let offers = state.offers.iter().chain(&state.offer);
        let mut moments: Vec<u64> = untils
            .chain(offers.map(|offer| offer.until))
            .chain(deadline)
            .filter(|until| *until >= state.now && *until < Ending::FOR_GOOD)
            .map(|until| until + 1)
            .collect();
        moments.sort_unstable();
        moments.dedup();
        moments
    }

    /// A disc of the cheat that nobody has dropped, on top of what the honest player holds.
    pub fn fakes(&self, state: &State) -> Vec<(Bin, FastGame)> {
        let Ok(game) = self.subject.game_of(&state.journal.position) else {
            return Vec::new();
        };
        let mut shown = state.chain;
        shown.contest = None;
        shown.game = game;
        self.bins()
            .filter_map(|bin| {
                let mut shown = shown;
                shown.drop(account(self.cheat), bin, state.now).ok()?;
                Some((bin, shown))
            })
            .collect()
    }
}
