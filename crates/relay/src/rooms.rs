//! All rooms of a relay.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use connect4_protocol::signed::GameNumber;

use crate::addresses::Guest;
use crate::clock::now;
use crate::hall::Hosted;
use crate::limits::Limits;

/// The rooms of signed games, with those that nobody is in: a player who comes back finds its position there.
///
/// Such games cost their players nothing. So an empty room is kept for a while only.
pub struct Rooms<R> {
    limits: Limits,
    all: Mutex<All<R>>,
}

struct All<R> {
    rooms: HashMap<GameNumber, Kept<R>>,
    /// Counts how often a room was left.
    left: u64,
    /// Games whose rooms are empty, by the time until which they are kept.
    empty: BTreeMap<(Instant, u64), GameNumber>,
}

struct Kept<R> {
    room: Arc<R>,
    /// Sockets that are in the room.
    inside: usize,
    /// A part of the key in [`All::empty`] while nobody is; 0 if nobody ever was.
    left: u64,
    /// Until when it is kept while nobody is in it.
    until: Instant,
    /// Counts the room for the address that has opened it, if it is counted.
    _opened: Option<Guest>,
}

impl<R: Hosted> Rooms<R> {
    pub fn new(limits: &Limits) -> Self {
        Self {
            limits: *limits,
            all: Mutex::new(All {
                rooms: HashMap::new(),
                left: 0,
                empty: BTreeMap::new(),
            }),
        }
    }

    pub fn count(&self) -> usize {
        let mut all = self.lock();
        all.drop_old(Instant::now());
        all.rooms.len()
    }

    /// Enters the room of a game, if there is one.
    pub fn enter_kept(self: &Arc<Self>, number: GameNumber) -> Option<Stay<R>> {
        self.lock().enter(number).map(self.stay())
    }

    /// The room of a game, if there is one.
    pub fn kept(&self, number: GameNumber) -> Option<Arc<R>> {
        let all = self.lock();
        all.rooms.get(&number).map(|kept| Arc::clone(&kept.room))
    }

    /// Enters the room of a game. Its players are never kept out, and it is counted as opened by a visitor until it is
    /// dropped. It is refused to nobody and takes the place of empty ones alone: there are no more rooms than sockets
    /// and [`Limits::rooms_by_terms`] together.
    pub fn keep(self: &Arc<Self>, room: R, opened: Option<Guest>) -> Stay<R> {
        let all = &mut *self.lock();
        let number = room.number();
        let entered = all.enter(number).unwrap_or_else(|| {
            let now = Instant::now();
            all.drop_old(now);
            while all.rooms.len() >= self.limits.rooms_by_terms && all.drop_empty() {}
            all.insert(Kept {
                room: Arc::new(room),
                inside: 1,
                left: 0,
                until: now,
                _opened: opened,
            })
        });
        self.stay()(entered)
    }

    /// The rooms that somebody is in.
    pub fn busy(&self) -> Vec<Arc<R>> {
        let all = self.lock();
        let busy = all.rooms.values().filter(|kept| kept.inside > 0);
        busy.map(|kept| Arc::clone(&kept.room)).collect()
    }

    /// Closes all rooms.
    pub fn close_all(&self) {
        let all = &mut *self.lock();
        let numbers: Vec<GameNumber> = all.rooms.keys().copied().collect();
        for number in numbers {
            all.close(number);
        }
    }

    /// Drops the rooms that have been empty for too long.
    pub fn drop_old(&self) {
        self.lock().drop_old(Instant::now());
    }

    fn stay(self: &Arc<Self>) -> impl FnOnce(Arc<R>) -> Stay<R> {
        let rooms = Arc::clone(self);
        |room| Stay { rooms, room }
    }

    fn lock(&self) -> MutexGuard<'_, All<R>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<R: Hosted> All<R> {
    fn enter(&mut self, number: GameNumber) -> Option<Arc<R>> {
        let kept = self.rooms.get_mut(&number)?;
        if kept.inside == 0 {
            self.empty.remove(&(kept.until, kept.left));
        }
        kept.inside += 1;
        Some(Arc::clone(&kept.room))
    }

    /// Adds a room that is entered.
    fn insert(&mut self, kept: Kept<R>) -> Arc<R> {
        let room = Arc::clone(&kept.room);
        self.rooms.insert(room.number(), kept);
        room
    }

    /// Drops the room of a game, with all who are in it.
    fn close(&mut self, number: GameNumber) {
        if let Some(kept) = self.remove(number) {
            kept.room.close();
        }
    }

    fn forget(&mut self, number: GameNumber) {
        if let Entry::Occupied(kept) = self.rooms.entry(number)
            && kept.get().inside == 0
        {
            self.remove(number);
        }
    }

    fn remove(&mut self, number: GameNumber) -> Option<Kept<R>> {
        let kept = self.rooms.remove(&number)?;
        self.empty.remove(&(kept.until, kept.left));
        Some(kept)
    }

    /// Drops the rooms that have been empty for too long.
    fn drop_old(&mut self, now: Instant) {
        while let Some((&(until, _), &oldest)) = self.empty.first_key_value()
            && until <= now
        {
            self.forget(oldest);
        }
    }

    /// Drops the empty room that would be kept for the shortest time. Returns whether there was one.
    fn drop_empty(&mut self) -> bool {
        let first = self.empty.first_key_value();
        let oldest = first.map(|(_, oldest)| *oldest);
        oldest.and_then(|oldest| self.remove(oldest)).is_some()
    }
}

/// Keeps a room until it is dropped.
pub struct Stay<R: Hosted> {
    rooms: Arc<Rooms<R>>,
    room: Arc<R>,
}

impl<R: Hosted> Stay<R> {
    pub const fn room(&self) -> &Arc<R> {
        &self.room
    }
}

impl<R: Hosted> Drop for Stay<R> {
    fn drop(&mut self) {
        let number = self.room.number();
        let all = &mut *self.rooms.lock();
        let Some(kept) = all.rooms.get_mut(&number) else {
            return;
        };
        if !Arc::ptr_eq(&kept.room, &self.room) {
            return;
        }
        kept.inside = kept.inside.saturating_sub(1);
        if kept.inside > 0 {
            return;
        }
        all.left += 1;
        kept.left = all.left;
        let limits = &self.rooms.limits;
        let keep = match kept.room.has_ended(now()) {
            true => limits.keep_ended,
            false => limits.keep_unfinished,
        };
        kept.until = Instant::now() + keep;
        all.empty.insert((kept.until, kept.left), number);
    }
}
