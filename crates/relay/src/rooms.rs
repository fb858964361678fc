//! All rooms of a relay.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use connect4_protocol::fast::GameNumber;

use crate::addresses::Guest;
use crate::clock::now;
use crate::hall::Hosted;
use crate::limits::Limits;
use crate::room::Room;
use crate::source::Found;

/// The rooms of the games on the chain, or those of the signed games, with those that nobody is in: a player who comes
/// back finds its position there.
///
/// Signed games cost their players nothing. So an empty room of one is kept for a while only.
pub struct Rooms<R = Room> {
    limits: Limits,
    all: Mutex<All<R>>,
}

struct All<R> {
    rooms: HashMap<GameNumber, Kept<R>>,
    /// Games of the chain whose rooms are empty, by the time at which they were left.
    empty: BTreeMap<u64, GameNumber>,
    /// Counts how often a room was left.
    left: u64,
    /// Signed games whose rooms are empty, by the time until which they are kept.
    empty_signed: BTreeMap<(Instant, u64), GameNumber>,
}

struct Kept<R> {
    room: Arc<R>,
    /// Sockets that are in the room.
    inside: usize,
    /// Key in [`All::empty`], or a part of that in [`All::empty_signed`], while nobody is; 0 if nobody ever was.
    left: u64,
    /// Of a signed game.
    signed: Option<Signed>,
}

/// What is kept of the room of a signed game.
struct Signed {
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
                empty: BTreeMap::new(),
                left: 0,
                empty_signed: BTreeMap::new(),
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

    /// Enters the room of a signed game. Its players are never kept out, and it is counted as opened by a visitor until it is
    /// dropped. It is refused to nobody and takes the place of empty ones alone: there are no more rooms than sockets
    /// and [`Limits::rooms_by_terms`] together.
    pub fn keep(self: &Arc<Self>, room: R, opened: Option<Guest>) -> Stay<R> {
        let all = &mut *self.lock();
        let number = room.number();
        let entered = all.enter(number).unwrap_or_else(|| {
            let now = Instant::now();
            all.drop_old(now);
            while all.rooms.len() >= self.limits.rooms_by_terms && all.drop_empty_signed() {}
            let signed = Signed {
                until: now,
                _opened: opened,
            };
            all.insert_signed(room, signed)
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

    /// Drops the rooms of signed games that have been empty for too long.
    pub fn drop_old(&self) {
        self.lock().drop_old(Instant::now());
    }

    /// Drops the room of a game, unless somebody is in it.
    pub fn forget(&self, number: GameNumber) {
        self.lock().forget(number);
    }

    fn stay(self: &Arc<Self>) -> impl FnOnce(Arc<R>) -> Stay<R> {
        let rooms = Arc::clone(self);
        |room| Stay { rooms, room }
    }

    fn lock(&self) -> MutexGuard<'_, All<R>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Rooms {
    /// Enters the room of a game, if somebody is in it and the game is beyond doubt.
    pub fn enter_busy(self: &Arc<Self>, number: GameNumber) -> Option<Stay> {
        let mut all = self.lock();
        let is_busy = |kept: &Kept<Room>| kept.inside > 0 && !kept.room.is_doubtful();
        let is_busy = all.rooms.get(&number).is_some_and(is_busy);
        is_busy
            .then(|| all.enter(number))
            .flatten()
            .map(self.stay())
    }

    /// Enters the room of a game that is on the chain by this number; none if there are too many rooms.
    pub fn enter(self: &Arc<Self>, number: u32, found: Found) -> Option<Stay> {
        let all = &mut *self.lock();
        let game = found.game.number(number);
        match all.rooms.get(&game) {
            Some(kept) if !kept.room.is_for(&found) => all.close(game),
            Some(kept) => kept.room.confirm(),
            None => {}
        }
        if !all.rooms.contains_key(&game) {
            if all.rooms.len() >= self.limits.rooms {
                let (_, &oldest) = all.empty.first_key_value()?;
                all.forget(oldest);
            }
            all.rooms
                .insert(game, Kept::of(Room::new(number, found), None));
        }
        all.enter(game).map(self.stay())
    }
}

impl<R> Kept<R> {
    fn of(room: R, signed: Option<Signed>) -> Self {
        Self {
            room: Arc::new(room),
            inside: 0,
            left: 0,
            signed,
        }
    }
}

impl<R: Hosted> All<R> {
    fn enter(&mut self, number: GameNumber) -> Option<Arc<R>> {
        let kept = self.rooms.get_mut(&number)?;
        if kept.inside == 0 {
            match &kept.signed {
                Some(signed) => self.empty_signed.remove(&(signed.until, kept.left)),
                None => self.empty.remove(&kept.left),
            };
        }
        kept.inside += 1;
        Some(Arc::clone(&kept.room))
    }

    /// Adds the room of a signed game, and enters it.
    fn insert_signed(&mut self, room: R, signed: Signed) -> Arc<R> {
        let number = room.number();
        let mut kept = Kept::of(room, Some(signed));
        kept.inside = 1;
        let room = Arc::clone(&kept.room);
        self.rooms.insert(number, kept);
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
        match &kept.signed {
            Some(signed) => self.empty_signed.remove(&(signed.until, kept.left)),
            None => self.empty.remove(&kept.left),
        };
        Some(kept)
    }

    /// Drops the rooms of signed games that have been empty for too long.
    fn drop_old(&mut self, now: Instant) {
        while let Some((&(until, _), &oldest)) = self.empty_signed.first_key_value()
            && until <= now
        {
            self.forget(oldest);
        }
    }

    /// Drops the empty room of a signed game that would be kept for the shortest time. Returns whether
    /// there was one.
    fn drop_empty_signed(&mut self) -> bool {
        let first = self.empty_signed.first_key_value();
        let oldest = first.map(|(_, oldest)| *oldest);
        oldest.and_then(|oldest| self.remove(oldest)).is_some()
    }
}

/// Keeps a room until it is dropped.
pub struct Stay<R: Hosted = Room> {
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
        match &mut kept.signed {
            None => {
                all.empty.insert(kept.left, number);
            }
            Some(signed) => {
                let limits = &self.rooms.limits;
                let keep = match kept.room.has_ended(now()) {
                    true => limits.keep_ended,
                    false => limits.keep_unfinished,
                };
                signed.until = Instant::now() + keep;
                all.empty_signed.insert((signed.until, kept.left), number);
            }
        }
    }
}
