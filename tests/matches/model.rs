//! The terms of a match a second time: as plainly as a person would tell them, and written without
//! a look at the contracts.
//!
//! From the rules it takes legal drops and lines; from the protocol, types alone.

mod calls;

use std::collections::BTreeMap;

use connect4_protocol::{self as protocol, ClockSpec, End, Score, Terms};
use connect4_rules::{Player, Position, ShapeSpec};
use connect4_testing::{Account, address};

/// In seconds.
const DAY: u64 = 86_400;

/// Seat of a player: 0 moves first, 1 second.
type Seat = usize;

#[derive(Clone, Debug)]
pub struct Challenge {
    pub by: Account,
    pub to: Option<Account>,
    pub first: bool,
    pub shape: ShapeSpec,
    pub clock: Option<ClockSpec>,
    /// Last second at which it can be accepted.
    pub expires: Option<u64>,
    pub stake: u128,
}

impl Challenge {
    pub fn has_expired(&self, now: u64) -> bool {
        self.expires.is_some_and(|last| last < now)
    }

    /// As the contract shows it.
    pub fn shown(&self) -> protocol::Challenge {
        protocol::Challenge {
            challenger: address(self.by),
            opponent: self.to.map(address),
            challenger_first: self.first,
            expires: self.expires,
            terms: Terms {
                shape: self.shape,
                clock: self.clock,
                stake: self.stake,
            },
        }
    }
}

/// The banks of the two players, in seconds; one of them runs.
#[derive(Clone, Debug)]
pub struct Timer {
    pub banks: [u64; 2],
    pub running: Seat,
    /// Second at which the running bank started to run.
    pub since: u64,
}

impl Timer {
    /// Last second at which the player to move may move.
    pub fn deadline(&self) -> u64 {
        self.since + self.banks[self.running]
    }
}

#[derive(Clone, Debug)]
pub struct Game {
    pub seats: [Account; 2],
    pub payer: Account,
    pub position: Position,
    /// How it ended, and the winner's seat; none while it goes on.
    pub over: Option<(End, Option<Seat>)>,
    pub clock: Option<ClockSpec>,
    pub timer: Option<Timer>,
    pub stake: u128,
    pub paid_out: bool,
    /// Seat of the player who offers a draw; see `standing_draw`.
    pub draw: Option<Seat>,
    /// How many moves of that player the offer has outlived.
    pub outlived: u32,
    /// Seat of the player who offers a rematch.
    pub rematch: Option<Seat>,
    pub previous: Option<u32>,
    pub next: Option<u32>,
    /// Winner of each earlier game of its series, aborted games left out.
    pub series: Vec<Option<Account>>,
}

impl Game {
    /// Whether the player in a seat is to move, and has not moved in time.
    fn is_late(&self, seat: Seat, now: u64) -> bool {
        self.to_move() == seat && self.deadline().is_some_and(|deadline| now > deadline)
    }

    /// Seat of the player whose offer of a draw stands: it lapses when who could accept it is late.
    pub fn standing_draw(&self, now: u64) -> Option<Seat> {
        self.draw.filter(|by| !self.is_late(1 - by, now))
    }

    /// Seat of an account, if it plays.
    pub fn seat(&self, who: Account) -> Option<Seat> {
        self.seats.iter().position(|seat| *seat == who)
    }

    /// Seat of the player to move, or who would be if the game had not ended.
    pub fn to_move(&self) -> Seat {
        match self.position.to_move() {
            Player::One => 0,
            Player::Two => 1,
        }
    }

    pub fn deadline(&self) -> Option<u64> {
        match self.over {
            None => self.timer.as_ref().map(Timer::deadline),
            Some(_) => None,
        }
    }

    /// Last second at which nobody can claim yet: a player who has not moved before is waited for
    /// a day at most.
    pub fn patience(&self) -> Option<u64> {
        let timer = self.timer.as_ref().filter(|_| self.over.is_none())?;
        let bank = timer.banks[timer.running];
        Some(match self.position.plies() {
            0 | 1 => timer.since + bank.min(DAY),
            _ => timer.since + bank,
        })
    }

    /// The stakes that the contract keeps until the game is settled.
    pub fn pot(&self) -> u128 {
        if self.paid_out { 0 } else { 2 * self.stake }
    }

    pub fn score(&self) -> Score {
        let wins = |of: Option<Account>| {
            let count = self.series.iter().filter(|won| **won == of).count();
            u16::try_from(count).unwrap()
        };
        Score {
            one: wins(Some(self.seats[0])),
            two: wins(Some(self.seats[1])),
            draws: wins(None),
        }
    }
}

/// The state of both contracts, and all payments so far.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub now: u64,
    /// How many challenges were made.
    pub made: u32,
    pub challenges: BTreeMap<u32, Challenge>,
    /// How many games were started.
    pub started: u32,
    pub games: BTreeMap<u32, Game>,
    /// Amount that each account is owed.
    pub credits: BTreeMap<Account, u128>,
    /// Amount that each account has been paid in all.
    pub received: BTreeMap<Account, u128>,
}

impl Model {
    /// Balance that the contract of the matches has to have.
    pub fn funds(&self) -> u128 {
        let challenges: u128 = self.challenges.values().map(|open| open.stake).sum();
        let games = self.games.values();
        let pots: u128 = games.clone().map(Game::pot).sum();
        let rematches: u128 = games
            .filter(|game| game.rematch.is_some())
            .map(|game| game.stake)
            .sum();
        challenges + pots + rematches + self.credits.values().sum::<u128>()
    }

    pub fn credit(&self, who: Account) -> u128 {
        self.credits.get(&who).copied().unwrap_or_default()
    }
}
