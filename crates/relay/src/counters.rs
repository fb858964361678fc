//! Counts of what happened.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A count that only grows.
#[derive(Default)]
pub struct Counter(AtomicU64);

impl Counter {
    pub fn add(&self) {
        self.0.fetch_add(1, Relaxed);
    }

    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

#[derive(Default)]
pub struct Counters {
    pub(crate) opened: Counter,
    pub(crate) positions: Counter,
    pub(crate) repeated: Counter,
    pub(crate) offers: Counter,
    pub(crate) invalid: Counter,
    pub(crate) bad: Counter,
    pub(crate) flooding: Counter,
    pub(crate) stalled: Counter,
    pub(crate) silent: Counter,
    pub(crate) turned_away: Counter,
    pub(crate) seeks: Counter,
    pub(crate) answers: Counter,
    pub(crate) pairs: Counter,
    pub(crate) busy: Counter,
}

impl Counters {
    /// The counts, and what there is.
    pub(crate) fn read(&self, present: Present) -> Counts {
        let Present {
            sockets,
            staked_rooms,
            seeking,
            kept_ended,
            followers,
            signed_rooms,
            signed_games,
            signed_ended,
            log_full,
            signed_lists,
        } = present;
        Counts {
            sockets,
            staked_rooms,
            seeking,
            kept_ended,
            followers,
            signed_rooms,
            signed_games,
            signed_ended,
            log_full,
            signed_lists,
            opened: self.opened.get(),
            positions: self.positions.get(),
            repeated: self.repeated.get(),
            offers: self.offers.get(),
            invalid: self.invalid.get(),
            bad: self.bad.get(),
            flooding: self.flooding.get(),
            stalled: self.stalled.get(),
            silent: self.silent.get(),
            turned_away: self.turned_away.get(),
            seeks: self.seeks.get(),
            answers: self.answers.get(),
            pairs: self.pairs.get(),
            busy: self.busy.get(),
        }
    }
}

pub struct Present {
    pub sockets: usize,
    pub staked_rooms: usize,
    pub seeking: usize,
    pub kept_ended: usize,
    pub followers: usize,
    pub signed_rooms: usize,
    pub signed_games: usize,
    pub signed_ended: usize,
    pub log_full: bool,
    pub signed_lists: u64,
}

/// What a relay counts. All but what there is now grow from its start on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub sockets: usize,
    /// Rooms of games on the chain, with those that nobody is in.
    pub staked_rooms: usize,
    pub seeking: usize,
    /// Ended signed games that are kept for followers.
    pub kept_ended: usize,
    /// Sockets that follow the games.
    pub followers: usize,
    /// Rooms of signed games without a stake, with those that nobody is in.
    pub signed_rooms: usize,
    /// Signed games that go on, with those in whose room nobody is.
    pub signed_games: usize,
    /// Ends of signed games that are kept.
    pub signed_ended: usize,
    /// Whether the log of the witness takes no more, so that no signed game goes on.
    pub log_full: bool,
    /// Lists of ends that the witness has signed, each counted once while it is kept.
    pub signed_lists: u64,
    /// Sockets that entered a room or the lobby.
    pub opened: u64,
    /// Positions of games with a stake, passed on.
    pub positions: u64,
    /// What was signed and said nothing new.
    pub repeated: u64,
    /// Offers of a draw, passed on.
    pub offers: u64,
    /// Positions, offers and joinings without the right signatures, or with moves that are not legal.
    pub invalid: u64,
    /// Frames that are no message, or too long.
    pub bad: u64,
    /// Sockets closed for sending too many messages.
    pub flooding: u64,
    /// Sockets closed for not reading.
    pub stalled: u64,
    /// Sockets closed for not answering pings.
    pub silent: u64,
    /// Connections that were refused, as there were too many.
    pub turned_away: u64,
    pub seeks: u64,
    /// Answers to seeks, passed on.
    pub answers: u64,
    /// Answers that were accepted.
    pub pairs: u64,
    /// Seeks, rooms of signed games, followers and requests for lists of ends that were refused, as there were too many.
    pub busy: u64,
}

/// As Prometheus reads them.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        type Read = fn(&Counts) -> u64;
        let (gauge, counter) = ("gauge", "counter");
        let families: [(&str, &str, Read); 24] = [
            ("sockets", gauge, |counts| counts.sockets as u64),
            ("staked_rooms", gauge, |counts| counts.staked_rooms as u64),
            ("seeking", gauge, |counts| counts.seeking as u64),
            ("kept_ended", gauge, |counts| counts.kept_ended as u64),
            ("followers", gauge, |counts| counts.followers as u64),
            ("signed_rooms", gauge, |counts| counts.signed_rooms as u64),
            ("signed_games", gauge, |counts| counts.signed_games as u64),
            ("signed_ended", gauge, |counts| counts.signed_ended as u64),
            ("log_full", gauge, |counts| counts.log_full.into()),
            ("signed_lists_total", counter, |counts| counts.signed_lists),
            ("opened_total", counter, |counts| counts.opened),
            ("positions_total", counter, |counts| counts.positions),
            ("repeated_total", counter, |counts| counts.repeated),
            ("offers_total", counter, |counts| counts.offers),
            ("invalid_total", counter, |counts| counts.invalid),
            ("bad_total", counter, |counts| counts.bad),
            ("flooding_total", counter, |counts| counts.flooding),
            ("stalled_total", counter, |counts| counts.stalled),
            ("silent_total", counter, |counts| counts.silent),
            ("turned_away_total", counter, |counts| counts.turned_away),
            ("seeks_total", counter, |counts| counts.seeks),
            ("answers_total", counter, |counts| counts.answers),
            ("pairs_total", counter, |counts| counts.pairs),
            ("busy_total", counter, |counts| counts.busy),
        ];
        for (name, kind, read) in families {
            writeln!(f, "# TYPE connect4_relay_{name} {kind}")?;
            writeln!(f, "connect4_relay_{name} {}", read(self))?;
        }
        Ok(())
    }
}
