//! The witness without input and output: what it decides, and what it writes before it says so.

mod games;
mod kept;
mod pending;
mod replay;

use connect4_protocol::Address;
use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::wire::{Act, FRESH, Spoken, Telling, Told};
use connect4_protocol::signed::{
    Chain, Crypto, GameNumber, Moves, Signature, SignedTerms, WitnessedEnd,
};
use connect4_rules::{ByPlayer, Player};

use self::games::Games;
use self::pending::Pending;
use super::checked::Checked;
use super::entry::{Entry, Moment};
use super::fair::Clock;
use super::game::{Known, Output, Running, keep};
use crate::visitor::Visitor;

pub use games::Bounds;
pub use kept::Kept;
pub use replay::Damaged;

/// How often an entry says that the witness was there while clocks run, in milliseconds of fair time.
const ALIVE: u64 = 1_000;
/// The same while games without a clock alone go on: of what is not written, as much is nobody's after a crash.
const ALIVE_WITHOUT_CLOCK: u64 = 60 * 60 * 1_000;

/// What terms would open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// A game that has begun already.
    Known,
    /// A game that begins.
    New,
}

/// What became of what a player said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// It was taken.
    New,
    /// It is an offer of a draw.
    Offer,
    /// It was taken before.
    Repeated,
}

/// The witness: games that go on, those that have ended, and what has still to be written.
pub struct Core<C> {
    witness: Address,
    chain: Chain,
    crypto: C,
    clock: Clock,
    games: Games,
    pending: Pending,
    is_full: bool,
    is_outdated: bool,
    /// The fair time of the last entry.
    written: u64,
}

impl<C: Crypto + Clone> Core<C> {
    pub const fn set_bounds(&mut self, bounds: Bounds) {
        self.games.bounds = bounds;
    }

    #[must_use]
    pub const fn witness(&self) -> Address {
        self.witness
    }

    /// The moment while the clock of the machine shows `now`.
    pub fn look(&mut self, now: u64) -> Moment {
        self.clock.look(now)
    }

    /// How many games go on, and how many that have ended are kept.
    #[must_use]
    pub fn count(&self) -> (usize, usize) {
        self.games.count()
    }

    #[must_use]
    pub fn known(&self, number: GameNumber) -> Option<Known> {
        // Nothing more is signed by the key of a log that was lost.
        if self.is_outdated {
            return None;
        }
        if let Some(game) = self.games.running(number) {
            return Some(Known::Running {
                terms: game.terms,
                is_logged: game.is_logged,
                told: game.told,
                offers: game.offers,
            });
        }
        self.games.over(number).map(Known::Over)
    }

    /// Why nothing is taken at the moment.
    fn refuses(&self) -> Result<(), Refusal> {
        let is_full = self.is_full || self.pending.is_full();
        match (self.is_outdated, is_full) {
            (true, _) => Err(Refusal::OtherWitness),
            (false, true) => Err(Refusal::LogFull),
            (false, false) => Ok(()),
        }
    }

    /// Whether these terms, whose signatures need not be checked yet, can begin a game now.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Refusal::OtherWitness`] if the log was lost, or the terms name another witness,
    /// 2. [`Refusal::LogFull`],
    /// 3. [`Refusal::OtherTime`] if the terms are not of this time,
    /// 4. [`Refusal::Full`] if there are too many games, of all, of this visitor's network or of a player.
    pub fn may_open(
        &mut self,
        signed: &SignedTerms,
        from: Visitor,
        now: u64,
    ) -> Result<Opening, Refusal> {
        let time = self.look(now);
        let number = signed.number(self.chain, &self.crypto);
        if self.games.is_known(number) {
            return Ok(Opening::Known);
        }
        self.refuses()?;
        if signed.terms.witness != Some(self.witness) {
            return Err(Refusal::OtherWitness);
        }
        if signed.terms.time.abs_diff(time.at / 1_000) > FRESH {
            return Err(Refusal::OtherTime);
        }
        match self.games.has_place(&signed.terms, from) {
            true => Ok(Opening::New),
            false => Err(Refusal::Full),
        }
    }

    /// Begins the game of these terms, if it has not begun.
    ///
    /// # Errors
    ///
    /// As [`may_open`](Self::may_open).
    pub fn open(
        &mut self,
        signed: &Checked<SignedTerms>,
        from: Visitor,
        now: u64,
    ) -> Result<(), Refusal> {
        let time = self.look(now);
        let signed = signed.get();
        if self.may_open(signed, from, now)? == Opening::Known {
            return Ok(());
        }
        let number = signed.number(self.chain, &self.crypto);
        let game = Running::open(*signed, time, from.widest());
        let game = game.map_err(|_| Refusal::Unsupported)?;
        self.games.insert(number, game);
        self.games.reschedule(number, None);
        self.write(Entry::Opened {
            terms: *signed,
            time,
        });
        self.pending.say(Output::Opened(number));
        Ok(())
    }

    /// Takes what a player says, over a line whose round trip is so long, in milliseconds.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Refusal::OtherWitness`] if the log was lost,
    /// 2. [`Refusal::LogFull`],
    /// 3. [`Refusal::NoSuchGame`],
    /// 4. [`Refusal::OtherPosition`] if the game has ended, or it is not said at the newest position,
    /// 5. [`Refusal::Unsupported`] if a move is not legal.
    pub fn take(
        &mut self,
        number: GameNumber,
        spoken: &Checked<Spoken>,
        round_trip: u64,
        now: u64,
    ) -> Result<Heard, Refusal> {
        let time = self.look(now);
        let spoken = spoken.get();
        self.refuses()?;
        // Without a turn that was on time it may have come in earlier.
        if self.clock.is_on_time() {
            self.settle(number, time);
        }
        let Some(game) = self.games.running_mut(number) else {
            return Err(match self.games.is_over(number) {
                true => Refusal::OtherPosition,
                false => Refusal::NoSuchGame,
            });
        };
        if game.end.is_some() {
            return Err(Refusal::OtherPosition);
        }
        if spoken.act == Act::Move {
            if spoken.moves == game.moves {
                return Ok(Heard::Repeated);
            }
            let Some((bin, before)) = spoken.moves.split_last() else {
                return Err(Refusal::OtherPosition);
            };
            if *before != *game.moves {
                return Err(Refusal::OtherPosition);
            }
            let bin = *bin;
            let due = game.due();
            let (left, given) = game.left_after_move(time.fair, round_trip);
            if !game.make(bin, spoken.signature, left, time) {
                return Err(Refusal::Unsupported);
            }
            game.give(spoken.by, round_trip, given);
            let (receipt, is_over) = (game.receipt(), game.is_over());
            self.games.reschedule(number, due);
            self.write(Entry::Moved {
                game: number,
                bin,
                signature: spoken.signature,
                left,
                time,
            });
            if let Some(receipt) = receipt {
                self.pending.say(Output::Told(number, receipt));
            }
            if is_over {
                self.end(number, WitnessedEnd::Board, time);
            }
            return Ok(Heard::New);
        }
        if spoken.moves != game.moves {
            return Err(Refusal::OtherPosition);
        }
        let end = match spoken.act {
            Act::Resign => WitnessedEnd::Resignation(spoken.by),
            Act::Draw | Act::Move => {
                if game.offers.get(spoken.by).is_some() {
                    return Ok(Heard::Repeated);
                }
                game.offers[spoken.by] = Some(*spoken);
                if game.offers.get(spoken.by.opponent()).is_none() {
                    self.pending.say(Output::Offer(number, *spoken));
                    return Ok(Heard::Offer);
                }
                WitnessedEnd::Draw
            }
        };
        match end {
            _ if game.is_first() => {}
            WitnessedEnd::Draw => {
                for offer in Player::ALL
                    .into_iter()
                    .filter_map(|by| *game.offers.get(by))
                {
                    game.signatures[offer.by] = offer.signature;
                }
            }
            _ => game.signatures[spoken.by] = spoken.signature,
        }
        self.end(number, end, time);
        Ok(Heard::New)
    }

    /// A player is in the room: its clock does not stand any more, if it stood since a restart.
    pub fn back(&mut self, number: GameNumber, player: Player, now: u64) {
        let time = self.look(now);
        if self.refuses().is_err() {
            return;
        }
        if let Some(game) = self.games.running(number)
            && game.end.is_none()
            && game.is_away(player)
        {
            self.go_on(number, player, time);
        }
    }

    fn go_on(&mut self, number: GameNumber, player: Player, time: Moment) {
        if let Some(game) = self.games.running_mut(number) {
            let due = game.due();
            game.back(player, time.fair);
            self.games.reschedule(number, due);
            self.write(Entry::Back {
                game: number,
                player,
                time,
            });
        }
    }

    /// A turn, while the clock of the wall shows `wall`: ends the games whose time is over, and has the clocks go on that
    /// stood since a restart. A turn that is late does neither, as moves may wait that came in before: the next one does.
    pub fn tick(&mut self, now: u64, wall: u64) {
        let (time, is_on_time) = self.clock.turn(now, wall);
        self.games.forget_until(time.at);
        if self.refuses().is_err() {
            return;
        }
        while is_on_time && let Some(number) = self.games.next_due(time.fair) {
            self.settle(number, time);
        }
        let often = match self.games.has_clocks() {
            true => ALIVE,
            false => ALIVE_WITHOUT_CLOCK,
        };
        let (running, _) = self.games.count();
        if running > 0 && time.fair >= self.written + often {
            self.write(Entry::Alive(time));
        }
    }

    /// Does what is due in a game.
    fn settle(&mut self, number: GameNumber, time: Moment) {
        let Some(game) = self.games.running_mut(number) else {
            return;
        };
        if game.due().is_none_or(|due| due > time.fair) {
            return;
        }
        if game.is_stopped()
            && let Some(player) = game.to_move()
        {
            self.go_on(number, player, time);
        } else {
            let end = game.late_end();
            self.end(number, end, time);
        }
    }

    /// Decides how a game has ended. Before both have moved it is void.
    fn end(&mut self, number: GameNumber, end: WitnessedEnd, time: Moment) {
        let Some(game) = self.games.running_mut(number) else {
            return;
        };
        let end = match game.is_first() {
            true => WitnessedEnd::Void,
            false => end,
        };
        let (moves, signatures) = (game.moves, game.signatures);
        self.games.decide(number, end);
        self.write(Entry::Ended {
            game: number,
            moves,
            end,
            signatures,
            time,
        });
        let told = ended(moves, signatures, end, time.at);
        self.pending.say(Output::Told(number, told));
    }

    fn write(&mut self, entry: Entry) {
        self.written = entry.time().fair;
        self.pending.add(entry);
    }

    /// What has to be written next, in one piece, with the number by which [`written`](Self::written) is told of it;
    /// none if there is nothing.
    pub fn to_write(&mut self) -> Option<(Vec<Entry>, u64)> {
        if self.is_outdated {
            return None;
        }
        let taken = self.pending.take()?;
        self.clock.begin_write();
        Some(taken)
    }

    /// The log has the entries up to this number. Returns what goes out for that, to be signed first.
    #[must_use]
    pub fn written(&mut self, count: u64, now: u64) -> Vec<Output> {
        self.rewritten(now);
        self.is_full = false;
        self.pending.has(count);
        self.outputs()
    }

    /// What goes out for what the log has, to be signed first.
    #[must_use]
    pub fn outputs(&mut self) -> Vec<Output> {
        if self.is_outdated {
            return Vec::new();
        }
        let mut outputs = Vec::new();
        while let Some(output) = self.pending.next_output() {
            match &output {
                Output::Opened(number) => {
                    if let Some(game) = self.games.running_mut(*number) {
                        game.is_logged = true;
                    }
                }
                Output::Offer(..) => {}
                Output::Told(number, told) => match told.what {
                    Telling::Receipt { .. } => {
                        if let Some(game) = self.games.running_mut(*number) {
                            game.told = Some(*told);
                        }
                    }
                    Telling::Ended(_) => self.games.end(*number, told),
                },
            }
            outputs.push(output);
        }
        outputs
    }

    /// The log takes no more: until it [does](Self::written) nothing is taken, and no time counts.
    pub fn full(&mut self, now: u64) {
        self.rewrites(now);
        self.is_full = true;
    }

    /// The log is being written anew: until that has [ended](Self::rewritten) no more time counts than while anything else
    /// is written.
    pub fn rewrites(&mut self, now: u64) {
        self.look(now);
        self.clock.begin_write();
    }

    pub fn rewritten(&mut self, now: u64) {
        self.look(now);
        self.clock.end_write();
    }

    /// A player shows what this witness has said. Returns whether the log is older: then nothing is taken any more.
    pub fn is_older_than(&mut self, number: GameNumber, told: &Checked<Told>, now: u64) -> bool {
        let time = self.look(now);
        let told = told.get();
        let is_older = if let Some(game) = self.games.running(number) {
            match told.what {
                // What was said was in the log before, so that it is not still being written.
                Telling::Receipt { .. } => match &game.told {
                    Some(said) if said.moves == told.moves => {
                        (said.what, said.at) != (told.what, told.at)
                    }
                    Some(said) => !said.moves.starts_with(&told.moves),
                    None => true,
                },
                Telling::Ended(_) => true,
            }
        } else if let Some(said) = self.games.over(number) {
            match told.what {
                Telling::Receipt { .. } => !said.moves.starts_with(&told.moves),
                Telling::Ended(_) => {
                    (said.moves, said.what, said.at) != (told.moves, told.what, told.at)
                }
            }
        } else {
            // What is older than that may be forgotten.
            told.at + keep(told) > time.at
        };
        self.is_outdated |= is_older;
        is_older
    }

    /// Whether a player has shown what the log does not have.
    #[must_use]
    pub const fn is_outdated(&self) -> bool {
        self.is_outdated
    }
}

fn ended(moves: Moves, signatures: ByPlayer<Signature>, end: WitnessedEnd, at: u64) -> Told {
    Told {
        moves,
        signatures,
        at,
        what: Telling::Ended(end),
        witness: Signature::NONE,
    }
}
