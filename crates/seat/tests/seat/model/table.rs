//! Two honest players whose programs talk by the relay's real room, and a relay that does with what it is
//! sent as it likes.
//!
//! What a program sends may come at once, later or never, as each step may be left out for as long as one
//! likes: so lost and delayed messages need no steps. What has come to the room before the newest message
//! is passed on by a *trick*, of which each is counted, and so is a room that begins anew. A relay has no
//! keys; what it could make of what it has, the programs refuse.
//!
//! An opponent who cheats is not at this table: it can hand the honest player all that it has without a
//! room, which is searched in [`cheat`](super::cheat).

use std::collections::HashSet;

use codec::{Decode, Encode};
use connect4_protocol::fast::wire::Offer;
use connect4_protocol::fast::{Ending, Evidence, Signature};
use connect4_relay::{Found, Room, Shown};
use connect4_rules::{Bin, ByPlayer, Player};

use super::check::{Violation, told};
use super::clock;
use super::key::ModelKey;
use super::search::{Searched, identity};
use super::starts::Start;
use super::state::{Left, START, State, World};
use super::steps::Steps;
use crate::world::{DOMAIN, NUMBER};

/// Steps of each player after which a game has ended that nobody disturbs.
const PATIENCE: usize = 120;
/// Rounds of messages after which both programs know what either knew.
const ROUNDS: usize = 4;

/// Both players as each sees the game, and what the room shows.
#[derive(Clone, Encode, Decode)]
pub struct TableState {
    /// Chain, time, blocks and bounds are the same in both.
    players: ByPlayer<State>,
    room: Shown,
}

/// What does not change in a search.
pub struct Table {
    worlds: ByPlayer<World>,
    found: Found,
}

impl TableState {
    /// The state after a step of one player.
    fn with(&self, player: Player, next: State) -> Self {
        let mut after = self.clone();
        let other = &mut after.players[player.opponent()];
        other.chain = next.chain;
        other.now = next.now;
        other.blocks.clone_from(&next.blocks);
        other.left = next.left;
        after.players[player] = next;
        after
    }

    fn shared(&self) -> &State {
        &self.players.one
    }
}

impl Table {
    pub fn new() -> Self {
        let worlds = ByPlayer::from_fn(|player| World::new(player, 0));
        let game = worlds.one.start();
        Self {
            worlds,
            found: Found {
                game,
                domain: DOMAIN,
            },
        }
    }

    /// Both hold the same, and the room shows it.
    pub fn state(&self, moves: &[u8], left: Left) -> TableState {
        let players = ByPlayer::from_fn(|honest| Start::new(moves.to_vec(), honest).state(left));
        TableState {
            room: Shown {
                position: players.one.journal.position,
                ..Shown::start()
            },
            players,
        }
    }

    /// The same after a draw that nobody has brought in its time: the room still shows it.
    pub fn lapsed(&self, moves: &[u8], left: Left) -> TableState {
        let mut state = self.state(moves, left);
        let until = START - 1;
        let draw = self
            .worlds
            .one
            .evidence(Some(Ending::Draw { until }), moves);
        for player in Player::ALL {
            state.players[player].journal.draws.push(draw);
        }
        state.room.position = draw;
        state
    }

    fn room(&self, state: &TableState) -> Room<ModelKey> {
        Room::showing(state.room, NUMBER, &self.found, ModelKey(Player::One))
    }

    /// A player's program sends what it holds to the relay, which passes it on to the room. None if that
    /// changes nothing.
    fn tell(&self, state: &TableState, player: Player) -> Option<Result<TableState, Violation>> {
        let seat = self.worlds.get(player).seat(state.players.get(player));
        let room = self.room(state);
        let now = state.shared().now;
        if let Err(error) = room.take(seat.evidence(), now) {
            let held = told(seat.evidence());
            return Some(Err(format!("the room refuses {held} of {player}: {error}")));
        }
        if let Some(offer) = seat.offered() {
            // At another position than the room has it is none any more.
            let _ = room.offer(offer, now);
        }
        let room = room.shown();
        (room != state.room).then(|| {
            Ok(TableState {
                room,
                ..state.clone()
            })
        })
    }

    /// The room tells a player's program what it shows. None if that changes nothing.
    fn show(&self, state: &TableState, player: Player) -> Option<Result<TableState, Violation>> {
        let world = self.worlds.get(player);
        let own = state.players.get(player);
        let position = &state.room.position;
        if *position != Evidence::start() && world.seat(own).receive(position).is_err() {
            let shown = told(position);
            return Some(Err(format!(
                "{player} refuses {shown}, which the room shows"
            )));
        }
        let received = match world.send(own, position) {
            Some(Err(violation)) => return Some(Err(violation)),
            Some(Ok(received)) => Some(received),
            None => None,
        };
        let offer = (*state.room.offers.get(player.opponent()))
            .and_then(|offer| self.offered(received.as_ref().unwrap_or(own), player, &offer));
        let next = offer.or(received)?;
        Some(Ok(state.with(player, next)))
    }

    /// A player's program receives an offer. None if that changes nothing.
    fn offered(&self, own: &State, player: Player, offer: &Offer) -> Option<State> {
        if own.offer == Some(*offer) {
            return None;
        }
        let mut seat = self.worlds.get(player).seat(own);
        seat.receive_offer(offer).ok()?;
        Some(State {
            offer: Some(*offer),
            is_idle: false,
            ..own.clone()
        })
    }

    /// All that the programs have signed, and so may have sent.
    fn sent(&self, state: &TableState) -> Vec<Evidence> {
        let worlds = &self.worlds;
        let of = |player: Player| {
            let own = state.players.get(player);
            let positions = own.positions.iter();
            let positions = positions.map(move |moves| worlds.one.evidence(None, moves));
            positions.chain(own.endings.iter().copied())
        };
        Player::ALL.into_iter().flat_map(of).collect()
    }

    /// The relay brings what it has kept, out of order or again, forges, and forgets.
    fn tricks(&self, state: &TableState, steps: &mut Steps<TableState>) {
        let Some(left) = state.shared().left.tricks.checked_sub(1) else {
            return;
        };
        let tricked = |next: TableState| {
            let mut next = next;
            for player in Player::ALL {
                next.players[player].left.tricks = left;
            }
            next
        };
        let sent = self.sent(state);
        for player in Player::ALL {
            let (world, own) = (self.worlds.get(player), state.players.get(player));
            for evidence in &sent {
                if let Some(next) = world.send(own, evidence) {
                    let next = next.map(|next| tricked(state.with(player, next)));
                    steps.push(
                        || format!("the relay brings {} to {player}", told(evidence)),
                        next,
                    );
                }
                for forged in forgeries(evidence) {
                    if !sent.contains(&forged) && world.send(own, &forged).is_some() {
                        let violation = format!("{player} takes a forgery, {}", told(&forged));
                        steps.push(|| "the relay forges".into(), Err(violation));
                    }
                }
            }
            let offers = &state.players.get(player.opponent()).offers;
            for offer in offers {
                if let Some(next) = self.offered(own, player, offer) {
                    steps.push(
                        || {
                            let until = clock(offer.until);
                            format!("the relay brings the offer until {until} to {player}")
                        },
                        Ok(tricked(state.with(player, next))),
                    );
                }
            }
        }
        if state.room != Shown::start() {
            let next = TableState {
                room: Shown::start(),
                ..state.clone()
            };
            steps.push(|| "the relay begins anew".into(), Ok(tricked(next)));
        }
    }

    /// Times to which it may jump: while nobody has anything to do, and not past the time until when a program
    /// waits with its duty.
    fn moments(&self, state: &TableState) -> Vec<u64> {
        let both = Player::ALL.map(|player| (player, state.players.get(player)));
        let is_waiting = both.iter().all(|(_, own)| own.is_waiting());
        if state.shared().left.jumps == 0 || !is_waiting {
            return Vec::new();
        }
        let of = |(player, own): &(Player, &State)| self.worlds.get(*player).moments(own);
        let waits = both.iter().filter(|(_, own)| own.has_waited);
        match waits.flat_map(of).min() {
            Some(first) => vec![first],
            None => both.iter().flat_map(of).collect(),
        }
    }

    /// Each has given the game up, and neither has heard of it: a player may have that settled.
    fn has_given_up(&self, state: &TableState) -> bool {
        let has = |player: Player| {
            let world = self.worlds.get(player);
            world.has_given_up(state.players.get(player))
        };
        has(Player::One) && has(Player::Two)
    }

    /// Everything arrives, until nothing is new: then both programs know the same.
    fn exchange(&self, mut state: TableState) -> Result<TableState, Violation> {
        for _ in 0..ROUNDS {
            for player in Player::ALL {
                for step in [Self::tell, Self::show] {
                    if let Some(next) = step(self, &state, player) {
                        state = next?;
                    }
                }
            }
        }
        for player in Player::ALL {
            if self.tell(&state, player).is_some() || self.show(&state, player).is_some() {
                return Err(format!("the room has still something new for {player}"));
            }
        }
        let journals = ByPlayer::from_fn(|player| &state.players.get(player).journal);
        let is_same = match state.room.position.ending {
            Some(Ending::Resignation(by)) => {
                let has = |player: Player| journals.get(player).resignations.get(by).is_some();
                has(Player::One) && has(Player::Two)
            }
            // While it can be brought, the room shows nothing else.
            Some(Ending::Draw { until }) if until >= state.shared().now => {
                !journals.one.draws.is_empty() && !journals.two.draws.is_empty()
            }
            _ => journals.one.position.moves == journals.two.position.moves,
        };
        match is_same {
            true => Ok(state),
            false => Err("the room keeps them apart".into()),
        }
    }
}

/// What somebody without keys could make of evidence.
fn forgeries(evidence: &Evidence) -> Vec<Evidence> {
    let mut swapped = *evidence;
    swapped.signatures = swapped.signatures.swapped();
    let resigned = Player::ALL.map(|player| Evidence {
        ending: Some(Ending::Resignation(player)),
        ..*evidence
    });
    let missing = Player::ALL.map(|player| {
        let mut missing = *evidence;
        missing.signatures[player] = Signature::NONE;
        missing.moves.push(Bin::new(0));
        missing
    });
    let drawn = Evidence {
        ending: Some(Ending::Draw { until: u64::MAX }),
        ..*evidence
    };
    let mut forged = vec![swapped, drawn];
    forged.extend(resigned);
    forged.extend(missing);
    forged
}

impl Searched for Table {
    type State = TableState;

    fn steps(&self, state: &TableState, steps: &mut Steps<TableState>) -> usize {
        let add = |player: Player, own: Steps, steps: &mut Steps<TableState>| {
            for (says, next) in own.list {
                let next = next.map(|next| state.with(player, next));
                steps.push(|| format!("{player}: {says}"), next);
            }
        };
        for player in Player::ALL {
            let mut own = Steps::new(steps.is_told);
            let world = self.worlds.get(player);
            world.tick(state.players.get(player), &mut own);
            add(player, own, steps);
        }
        let ticks = steps.list.len();
        for player in Player::ALL {
            if let Some(next) = self.tell(state, player) {
                steps.push(|| format!("{player} tells the room what it holds"), next);
            }
            if let Some(next) = self.show(state, player) {
                steps.push(|| format!("the room shows {player} what it has"), next);
            }
            let mut own = Steps::new(steps.is_told);
            let world = self.worlds.get(player);
            world.restarts(state.players.get(player), &mut own);
            add(player, own, steps);
        }
        let [ones, twos] = Player::ALL.map(|player| World::forks(state.players.get(player)));
        for ((says, one), (_, two)) in ones.into_iter().zip(twos) {
            let next = TableState {
                players: ByPlayer { one, two },
                room: state.room,
            };
            steps.push(|| says, Ok(next));
        }
        for now in self.moments(state) {
            if let Some(next) = state.shared().at(now) {
                let says = || format!("time passes until {}", clock(now));
                steps.push(says, Ok(state.with(Player::One, next)));
            }
        }
        self.tricks(state, steps);
        ticks
    }

    fn is_over(&self, state: &TableState) -> bool {
        state.shared().is_over()
    }

    fn check_end(&self, state: &TableState) -> Result<(), Violation> {
        for player in Player::ALL {
            let check = self.worlds.get(player).check_end(state.players.get(player));
            check.map_err(|violation| format!("{player}: {violation}"))?;
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
        for is_silent in [true, false] {
            let is_told = path.is_some();
            let mut tell = |step: String| {
                if let Some(path) = &mut path {
                    path.push(step);
                }
            };
            tell(match is_silent {
                true => "the relay is silent from here on".into(),
                false => "everything arrives from here on".into(),
            });
            let mut state = state.clone();
            let mut passed = Vec::new();
            loop {
                // Which of both is told in one bit.
                let (id, _) = identity(&state);
                let id = id & !1 | u128::from(is_silent);
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
                for player in Player::ALL {
                    if self.is_over(&next) {
                        break;
                    }
                    let mut own = Steps::new(is_told);
                    let world = self.worlds.get(player);
                    world.tick(next.players.get(player), &mut own);
                    let (says, own) = own.list.swap_remove(0);
                    tell(format!("{player}: {says}"));
                    next = next.with(player, own?);
                }
                if identity(&next).0 == identity(&state).0 {
                    let shared = next.shared();
                    let deadline = self.worlds.one.subject.deadline(&shared.chain);
                    let both = Player::ALL.map(|player| next.players.get(player));
                    let is_waiting = both.into_iter().all(State::is_waiting);
                    if let Some(last) = deadline.filter(|last| *last >= shared.now && is_waiting) {
                        for player in Player::ALL {
                            next.players[player].now = last + 1;
                        }
                        tell("the time passes".into());
                    } else if is_silent && self.has_given_up(&next) {
                        break;
                    } else {
                        return Err("the game does not end".into());
                    }
                }
                state = next;
            }
            settled.extend(passed);
        }
        Ok(())
    }
}
