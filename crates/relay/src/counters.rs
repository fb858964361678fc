//! Counts of what happened.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A count that only grows.
#[derive(Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// One more.
    pub fn add(&self) {
        self.0.fetch_add(1, Relaxed);
    }

    /// How many.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// Counts of one relay.
#[derive(Default)]
pub struct Counters {
    pub opened: Counter,
    pub positions: Counter,
    pub repeated: Counter,
    pub offers: Counter,
    pub invalid: Counter,
    pub bad: Counter,
    pub flooding: Counter,
    pub stalled: Counter,
    pub silent: Counter,
    pub turned_away: Counter,
}

impl Counters {
    /// The counts, with how many sockets and rooms there are.
    pub fn read(&self, sockets: usize, rooms: usize) -> Counts {
        Counts {
            sockets,
            rooms,
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
        }
    }
}

/// What a relay counts. All but the first two grow from its start on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Open sockets.
    pub sockets: usize,
    /// Rooms, with those that nobody is in.
    pub rooms: usize,
    /// Sockets that entered a room.
    pub opened: u64,
    /// New positions, passed on.
    pub positions: u64,
    /// Positions that said nothing new.
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
}

/// As Prometheus reads it.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, count) in [("sockets", self.sockets), ("rooms", self.rooms)] {
            writeln!(f, "# TYPE connect4_relay_{name} gauge")?;
            writeln!(f, "connect4_relay_{name} {count}")?;
        }
        for (name, count) in [
            ("opened", self.opened),
            ("positions", self.positions),
            ("repeated", self.repeated),
            ("offers", self.offers),
            ("invalid", self.invalid),
            ("bad", self.bad),
            ("flooding", self.flooding),
            ("stalled", self.stalled),
            ("silent", self.silent),
            ("turned_away", self.turned_away),
        ] {
            writeln!(f, "# TYPE connect4_relay_{name}_total counter")?;
            writeln!(f, "connect4_relay_{name}_total {count}")?;
        }
        Ok(())
    }
}
