//! A game as its witness has it.

use codec::{Decode, Encode};
use connect4_protocol::Game;
use connect4_protocol::signed::wire::{Spoken, Telling, Told};
use connect4_protocol::signed::{GameNumber, Moves, Refused, Signature, SignedTerms, WitnessedEnd};
use connect4_rules::{Bin, ByPlayer, Player};
use ipnet::IpNet;

use super::entry::Moment;
use super::line::Allowance;

/// Time for each of the first two moves, if the game has a clock. Then it is void.
pub const FIRST_MOVE: u64 = 30_000;
/// Time without a move after which a game without a clock is void.
pub const IDLE: u64 = 14 * 24 * 60 * 60 * 1_000;
/// Time after a restart in which the player to move can come back before the clock goes on.
pub const BACK: u64 = 15_000;

/// A game that goes on, or whose end is being written. Times are in milliseconds.
pub struct Running {
    pub terms: SignedTerms,
    pub game: Game,
    pub moves: Moves,
    /// What each player has signed last of the moves.
    pub signatures: ByPlayer<Signature>,
    pub left: ByPlayer<u64>,
    /// What the line of each player takes, as far as it is known, and what can be taken off for it.
    round_trips: ByPlayer<u64>,
    allowances: ByPlayer<Allowance>,
    /// The fair time from which on the clock runs.
    since: u64,
    /// Since when it stands, by fair time; none while it runs.
    stopped: Option<u64>,
    /// Which players have not come back since the last restart, and until when their clocks stand for that at most.
    away: ByPlayer<bool>,
    back_until: u64,
    /// When the last entry about the game was made, since 1970.
    pub at: u64,
    pub offers: ByPlayer<Option<Spoken>>,
    /// Decided, and not in the log for certain.
    pub end: Option<WitnessedEnd>,
    /// What is in the log: whether the game, and what was said last of it, without the signature of the witness.
    pub is_logged: bool,
    pub told: Option<Told>,
    /// By whose network the game was opened, since the last restart.
    pub opened_by: Option<IpNet>,
}

impl Running {
    /// A game that begins at this moment.
    pub fn open(
        terms: SignedTerms,
        time: Moment,
        opened_by: Option<IpNet>,
    ) -> Result<Self, Refused> {
        let bank = terms.terms.clock.map_or(0, |clock| clock.bank);
        let left = u64::from(bank) * 1_000;
        Ok(Self {
            game: terms.terms.play(&Moves::new())?,
            terms,
            moves: Moves::new(),
            signatures: ByPlayer::default(),
            left: ByPlayer {
                one: left,
                two: left,
            },
            round_trips: ByPlayer::default(),
            allowances: ByPlayer::default(),
            since: time.fair,
            stopped: None,
            away: ByPlayer::default(),
            back_until: 0,
            at: time.at,
            offers: ByPlayer::default(),
            end: None,
            is_logged: false,
            told: None,
            opened_by,
        })
    }

    /// Makes a move, by which so much is left to the players. Returns whether it is legal.
    pub fn make(
        &mut self,
        bin: u8,
        signature: Signature,
        left: ByPlayer<u64>,
        time: Moment,
    ) -> bool {
        let Some(mover) = self.game.to_move() else {
            return false;
        };
        let mut moves = self.moves;
        if !moves.push(Bin::new(bin)) {
            return false;
        }
        let Ok(game) = self.terms.terms.play(&moves) else {
            return false;
        };
        (self.moves, self.game) = (moves, game);
        self.signatures[mover] = signature;
        self.left = left;
        self.since = time.fair;
        self.away[mover] = false;
        let next = self.game.to_move();
        let is_away = next.is_some_and(|next| *self.away.get(next));
        self.stopped = (is_away && time.fair < self.back_until).then_some(time.fair);
        self.at = time.at;
        self.offers = ByPlayer::default();
        true
    }

    /// What is left to each player if the player to move, whose line takes so long, has moved at this fair time; what is
    /// taken was in time. Returns with it what is taken off for the line.
    pub fn left_after_move(&self, fair: u64, round_trip: u64) -> (ByPlayer<u64>, u64) {
        let mut left = self.left;
        let (Some(clock), Some(mover)) = (self.terms.terms.clock, self.game.to_move()) else {
            return (left, 0);
        };
        if self.is_first() {
            return (left, 0);
        }
        let allowed = self.allowances.get(mover).of(round_trip);
        let elapsed = self.elapsed(fair);
        let most = left.get(mover).saturating_add(allowed).saturating_sub(1);
        let counted = elapsed.min(most);
        let given = allowed.min(counted);
        let increment = u64::from(clock.increment) * 1_000;
        left[mover] = left.get(mover).saturating_sub(counted - given) + increment;
        // The end was waited for as long as the line took before, whatever it takes now.
        let waited = self.allowance(mover).saturating_sub(allowed);
        (left, given + (elapsed - counted).min(waited))
    }

    /// A player, whose line takes so long, has moved, and so much was taken off for the line.
    pub fn give(&mut self, player: Player, round_trip: u64, given: u64) {
        self.round_trips[player] = round_trip;
        self.allowances[player].give(given);
    }

    /// Whether not both have moved: there is no bank to lose.
    pub fn is_first(&self) -> bool {
        self.moves.len() < 2
    }

    /// For how long the clock has run.
    fn elapsed(&self, fair: u64) -> u64 {
        let until = self.stopped.unwrap_or(fair);
        until.saturating_sub(self.since)
    }

    /// The fair time at which something happens without a message: the clock goes on, or it is over; none of a game
    /// that has ended.
    pub fn due(&self) -> Option<u64> {
        let mover = self.game.to_move()?;
        if self.end.is_some() {
            return None;
        }
        Some(match (self.stopped, self.terms.terms.clock) {
            (Some(_), _) => self.back_until,
            (None, None) => self.since + IDLE,
            (None, Some(_)) if self.is_first() => self.since + FIRST_MOVE,
            (None, Some(_)) => self.since + self.left.get(mover) + self.allowance(mover),
        })
    }

    /// What is taken off the next move of a player at most.
    fn allowance(&self, player: Player) -> u64 {
        let round_trip = *self.round_trips.get(player);
        self.allowances.get(player).of(round_trip)
    }

    /// Stops the clock of each player until it is back, or has had the time for it: the witness was away.
    pub fn stop(&mut self, fair: u64) {
        self.stopped = self.stopped.or(Some(fair));
        self.away = ByPlayer {
            one: true,
            two: true,
        };
        self.back_until = fair + BACK;
    }

    /// A player is back, or has had the time for it: its clock does not stand any more.
    pub fn back(&mut self, player: Player, fair: u64) {
        self.away[player] = false;
        if self.to_move() == Some(player)
            && let Some(since) = self.stopped.take()
        {
            self.since += fair.saturating_sub(since);
        }
    }

    /// Whether a player has not come back since the last restart.
    pub fn is_away(&self, player: Player) -> bool {
        *self.away.get(player)
    }

    pub const fn is_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// How the game ends if nothing else is said at [`due`](Self::due).
    pub fn late_end(&self) -> WitnessedEnd {
        match self.game.to_move() {
            Some(late) if self.terms.terms.clock.is_some() && !self.is_first() => {
                WitnessedEnd::Lapse(late)
            }
            _ => WitnessedEnd::Void,
        }
    }

    /// The receipt for the last move, without the signature of the witness; none before the first.
    pub fn receipt(&self) -> Option<Told> {
        (!self.moves.is_empty()).then_some(Told {
            moves: self.moves,
            signatures: self.signatures,
            at: self.at,
            what: Telling::Receipt { left: self.left },
            witness: Signature::NONE,
        })
    }

    pub fn keys(&self) -> ByPlayer<connect4_protocol::Address> {
        self.terms.terms.players.map(|party| party.key())
    }

    pub fn is_over(&self) -> bool {
        self.game.is_over()
    }

    /// Whether a clock of a player runs, or the time for a first move.
    pub fn has_clock(&self) -> bool {
        self.end.is_none() && self.terms.terms.clock.is_some()
    }

    pub fn to_move(&self) -> Option<Player> {
        self.game.to_move()
    }
}

/// The end of a game, packed: there are many of them.
pub struct Over(Box<[u8]>);

impl Over {
    pub fn of(told: &Told) -> Self {
        let Told {
            moves,
            signatures,
            at,
            what,
            witness: _,
        } = told;
        Self((moves, signatures, at, what).encode().into())
    }

    /// The end, without the signature of the witness.
    pub fn told(&self) -> Option<Told> {
        let (moves, signatures, at, what) = Decode::decode(&mut &*self.0).ok()?;
        Some(Told {
            moves,
            signatures,
            at,
            what,
            witness: Signature::NONE,
        })
    }

    /// Until when it is kept, in milliseconds since 1970. A game in which not both have moved is recorded nowhere: it is
    /// kept until its terms open no room any more.
    pub fn until(told: &Told) -> u64 {
        told.at + keep(told)
    }
}

/// For how long what a witness has said is remembered, in milliseconds.
pub fn keep(told: &Told) -> u64 {
    match told.moves.len() {
        0 | 1 => 60 * 60 * 1_000,
        _ => connect4_protocol::signed::wire::KEPT * 1_000,
    }
}

/// What a game is known as to those who come to its room.
#[expect(clippy::large_enum_variant, reason = "one is held at a time")]
pub enum Known {
    Running {
        terms: SignedTerms,
        is_logged: bool,
        told: Option<Told>,
        offers: ByPlayer<Option<Spoken>>,
    },
    Over(Told),
}

/// What is signed and told once the log has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// The game begins.
    Opened(GameNumber),
    /// A player offers a draw.
    Offer(GameNumber, Spoken),
    /// A receipt or an end, without the signature of the witness.
    Told(GameNumber, Told),
}
