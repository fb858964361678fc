//! Two honest players in a game with a stake, and a relay between them that does with their messages as it likes: what
//! it does not pass on at once it passes on later, again, or never.
//!
//! The newest message of each kind may come at any time. One that was sent before comes by a *trick*, of which each is
//! counted.

use std::collections::HashSet;

use codec::{Decode, Encode};
use connect4_rules::{ByPlayer, Player as Side};
use connect4_seat::{Input, Message};

use super::check::{Violation, told};
use super::clock;
use super::search::{Searched, identity};
use super::staked::{State, World};
use super::state::Left;
use super::steps::Steps;

/// Steps of each player after which a game has ended that nobody disturbs.
const PATIENCE: usize = 120;
/// Rounds of messages after which both programs know what either knew.
const ROUNDS: usize = 4;

/// The game as each player sees it. Chain, time, blocks and bounds are the same in both.
#[derive(Clone, Encode, Decode)]
pub struct TableState(ByPlayer<State>);

/// What does not change in a search.
pub struct Table(ByPlayer<World>);

impl TableState {
    /// The state after a step of one player.
    fn with(&self, side: Side, next: State) -> Self {
        let mut after = self.clone();
        let other = &mut after.0[side.opponent()];
        other.chain = next.chain.clone();
        other.now = next.now;
        other.blocks.clone_from(&next.blocks);
        other.left = next.left;
        after.0[side] = next;
        after
    }

    const fn shared(&self) -> &State {
        &self.0.one
    }
}

impl Table {
    /// Each player's world by this function.
    pub fn new(world: impl Fn(Side) -> World) -> Self {
        Self(ByPlayer::from_fn(|side| World {
            has_mail: true,
            ..world(side)
        }))
    }

    pub fn state(&self, left: Left) -> TableState {
        TableState(ByPlayer::from_fn(|side| {
            let world = self.0.get(side);
            let mut state = world.state(left);
            if world.is_funding && side == Side::Two {
                state.mail.push(Message::Taken(world.terms));
            }
            state
        }))
    }

    /// A message of the other player comes to this one. None if that changes nothing.
    fn deliver(
        &self,
        state: &TableState,
        to: Side,
        message: &Message,
    ) -> Option<Result<TableState, Violation>> {
        let own = state.0.get(to);
        let next = self.0.get(to).send(own, message.clone())?;
        Some(next.map(|next| state.with(to, next)))
    }

    /// The newest message of each kind that a player has sent, and those before.
    fn mail(state: &TableState, from: Side) -> (Vec<Message>, Vec<Message>) {
        let mut kinds = Vec::new();
        let mail = state.0.get(from).mail.iter().rev().cloned();
        mail.partition(|message| {
            let kind = std::mem::discriminant(message);
            let is_newest = !kinds.contains(&kind);
            kinds.push(kind);
            is_newest
        })
    }

    /// The connection of a player was lost and is there again. None if that changes nothing.
    fn connect(&self, state: &TableState, side: Side) -> Option<Result<TableState, Violation>> {
        let own = state.0.get(side);
        let mut next = own.clone();
        let run = self.0.get(side).run(&mut next, Input::Connected);
        let is_same = next.mail == own.mail && next.known.record == own.known.record;
        (run.is_err() || !is_same).then(|| run.map(|_| state.with(side, next)))
    }

    fn messages(&self, state: &TableState, steps: &mut Steps<TableState>) {
        for to in Side::ALL {
            let from = to.opponent();
            let (newest, before) = Self::mail(state, from);
            for message in newest {
                if let Some(next) = self.deliver(state, to, &message) {
                    steps.push(|| format!("{to} hears {}", says(&message)), next);
                }
            }
            if let Some(next) = self.connect(state, to) {
                steps.push(|| format!("{to} connects again"), next);
            }
            let Some(left) = state.shared().left.tricks.checked_sub(1) else {
                continue;
            };
            for message in before {
                if let Some(next) = self.deliver(state, to, &message) {
                    let next = next.map(|mut next| {
                        for side in Side::ALL {
                            next.0[side].left.tricks = left;
                        }
                        next
                    });
                    steps.push(|| format!("{to} hears again {}", says(&message)), next);
                }
            }
        }
    }

    /// Times to which it may jump: while nobody has anything to do, and not past the time until when a program waits
    /// with its duty.
    fn moments(&self, state: &TableState) -> Vec<u64> {
        let both = Side::ALL.map(|side| (side, state.0.get(side)));
        if !both.iter().all(|(_, own)| own.is_waiting()) {
            return Vec::new();
        }
        match both.iter().filter_map(|(_, own)| own.waits).min() {
            Some(first) => vec![first],
            None => {
                let of = |(side, own): &(Side, &State)| self.0.get(*side).moments(own);
                let mut moments: Vec<u64> = both.iter().flat_map(of).collect();
                moments.sort_unstable();
                moments.dedup();
                moments
            }
        }
    }

    /// Everything arrives, until nothing is new: then both programs hold the same.
    fn exchange(&self, mut state: TableState) -> Result<TableState, Violation> {
        for _ in 0..ROUNDS {
            for side in Side::ALL {
                if let Some(next) = self.connect(&state, side) {
                    state = next?;
                }
                let (newest, _) = Self::mail(&state, side);
                for message in newest {
                    if let Some(next) = self.deliver(&state, side.opponent(), &message) {
                        state = next?;
                    }
                }
            }
        }
        let sure = |side: Side| {
            let known = &state.0.get(side).known;
            [&known.newest, &known.last_final].into_iter().all(|sight| {
                let game = sight.as_ref().and_then(|sight| sight.game);
                game.is_some_and(|game| game.paid_by.is_none())
            })
        };
        let journals = Side::ALL.map(|side| &state.0.get(side).known.record.journal);
        let ends = |journal: &connect4_seat::Journal| {
            let has_resigned = Side::ALL.map(|side| journal.resignations.get(side).is_some());
            has_resigned.contains(&true) || !journal.draws.is_empty()
        };
        let [one, two] = journals;
        let is_same = match (ends(one), ends(two)) {
            (false, false) => one.position.moves == two.position.moves,
            (one, two) => one == two,
        };
        match is_same || !Side::ALL.into_iter().all(sure) {
            true => Ok(state),
            false => Err("all has arrived, and they hold different games".into()),
        }
    }

    fn outlast_one(
        &self,
        state: &TableState,
        is_silent: bool,
        settled: &mut HashSet<u128>,
        tell: &mut dyn FnMut(String),
        is_told: bool,
    ) -> Result<(), Violation> {
        let mut state = state.clone();
        let mut passed = Vec::new();
        loop {
            // Which of the two it is is told in one bit.
            let id = identity(&state).0 & !1 | u128::from(is_silent);
            if self.is_over(&state) {
                self.check_end(&state)?;
                break;
            }
            if settled.contains(&id) {
                break;
            }
            if passed.len() == PATIENCE {
                return Err("the game does not end in time".into());
            }
            passed.push(id);
            let mut next = state.clone();
            if !is_silent {
                next = self.exchange(next)?;
            }
            for side in Side::ALL {
                if self.is_over(&next) {
                    break;
                }
                let mut own = Steps::new(is_told);
                self.0.get(side).tick(next.0.get(side), &mut own);
                let (says, own) = own.list.swap_remove(0);
                tell(format!("{side}: {says}"));
                next = next.with(side, own?);
            }
            if identity(&next).0 == identity(&state).0 {
                let has_given_up = |side: Side| self.0.get(side).has_given_up(next.0.get(side));
                if let Some(now) = self.moments(&next).first().copied() {
                    for side in Side::ALL {
                        next.0[side].now = now;
                    }
                    tell(format!("time passes until {}", clock(now)));
                } else if next.shared().begun().is_none() {
                    for side in Side::ALL {
                        self.0.get(side).check_payment(next.0.get(side))?;
                    }
                    break;
                } else if Side::ALL.into_iter().all(has_given_up) {
                    break;
                } else {
                    return Err("the game does not end".into());
                }
            }
            state = next;
        }
        settled.extend(passed);
        Ok(())
    }
}

fn says(message: &Message) -> String {
    match message {
        Message::Taken(_) | Message::Terms(_) | Message::Tossed(_) | Message::Decided { .. } => {
            "of the terms".into()
        }
        Message::Evidence(evidence) => told(evidence),
        Message::Accepted(_) => "that the taker is accepted".into(),
        Message::Draw(offer) => format!("an offer of a draw until {}", clock(offer.until)),
    }
}

impl Searched for Table {
    type State = TableState;

    fn steps(&self, state: &TableState, steps: &mut Steps<TableState>) -> usize {
        let add = |side: Side, own: Steps<State>, steps: &mut Steps<TableState>| {
            for (says, next) in own.list {
                let next = next.map(|next| state.with(side, next));
                steps.push(|| format!("{side}: {says}"), next);
            }
        };
        for side in Side::ALL {
            let mut own = Steps::new(steps.is_told);
            self.0.get(side).tick(state.0.get(side), &mut own);
            add(side, own, steps);
        }
        let ticks = steps.list.len();
        self.messages(state, steps);
        for side in Side::ALL {
            let mut own = Steps::new(steps.is_told);
            self.0.get(side).restarts(state.0.get(side), &mut own);
            add(side, own, steps);
        }
        let [ones, twos] = Side::ALL.map(|side| World::forks(state.0.get(side)));
        for ((says, one), (_, two)) in ones.into_iter().zip(twos) {
            steps.push(|| says, Ok(TableState(ByPlayer { one, two })));
        }
        for now in self.moments(state) {
            let is_free = Side::ALL
                .map(|side| state.0.get(side).waits)
                .contains(&Some(now));
            if let Some(next) = state.shared().at(now, is_free) {
                let says = || format!("time passes until {}", clock(now));
                steps.push(says, Ok(state.with(Side::One, next)));
            }
        }
        ticks
    }

    fn is_over(&self, state: &TableState) -> bool {
        let is_over = |side: Side| self.0.get(side).is_over(state.0.get(side));
        Side::ALL.into_iter().any(is_over)
    }

    fn check_end(&self, state: &TableState) -> Result<(), Violation> {
        for side in Side::ALL {
            let check = self.0.get(side).check_end(state.0.get(side));
            check.map_err(|violation| format!("{side}: {violation}"))?;
        }
        Ok(())
    }

    /// The relay is silent, or passes everything on.
    fn outlast(
        &self,
        state: &TableState,
        settled: &mut HashSet<u128>,
        mut path: Option<&mut Vec<String>>,
    ) -> Result<(), Violation> {
        let is_told = path.is_some();
        let mut tell = |step: String| {
            if let Some(path) = &mut path {
                path.push(step);
            }
        };
        for is_silent in [true, false] {
            tell(match is_silent {
                true => "the relay is silent from here on".into(),
                false => "the relay passes everything on from here on".into(),
            });
            self.outlast_one(state, is_silent, settled, &mut tell, is_told)?;
        }
        Ok(())
    }
}
