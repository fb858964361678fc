//! All rooms of a relay.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::room::Room;
use crate::source::Found;

/// The rooms, with those that nobody is in: a player who comes back finds its position there.
pub struct Rooms {
    most: usize,
    all: Mutex<All>,
}

#[derive(Default)]
struct All {
    rooms: HashMap<u32, Kept>,
    /// Games whose rooms are empty, by the time at which they were left.
    empty: BTreeMap<u64, u32>,
    /// Counts how often a room was left.
    left: u64,
}

struct Kept {
    room: Arc<Room>,
    /// Sockets that are in the room.
    inside: usize,
    /// Key in [`All::empty`] while nobody is; 0 if nobody ever was.
    left: u64,
}

impl Rooms {
    /// No rooms, of at most so many.
    pub fn new(most: usize) -> Self {
        Self {
            most,
            all: Mutex::default(),
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.lock().rooms.len()
    }

    /// Enters the room of a game, if somebody is in it and the game is beyond doubt.
    pub fn enter_busy(self: &Arc<Self>, number: u32) -> Option<Stay> {
        let mut all = self.lock();
        let is_busy = |kept: &Kept| kept.inside > 0 && !kept.room.is_doubtful();
        let is_busy = all.rooms.get(&number).is_some_and(is_busy);
        is_busy
            .then(|| all.enter(number))
            .flatten()
            .map(self.stay())
    }

    /// Enters the room of a game, if there is one.
    pub fn enter_kept(self: &Arc<Self>, number: u32) -> Option<Stay> {
        self.lock().enter(number).map(self.stay())
    }

    /// Enters the room of a game that is on the chain; none if there are too many rooms.
    pub fn enter(self: &Arc<Self>, number: u32, found: Found) -> Option<Stay> {
        let all = &mut *self.lock();
        match all.rooms.get(&number) {
            Some(kept) if !kept.room.is_for(&found) => all.close(number),
            Some(kept) => kept.room.confirm(),
            None => {}
        }
        if !all.rooms.contains_key(&number) {
            if all.rooms.len() >= self.most {
                let (_, &oldest) = all.empty.first_key_value()?;
                all.forget(oldest);
            }
            all.rooms.insert(
                number,
                Kept {
                    room: Arc::new(Room::new(number, found)),
                    inside: 0,
                    left: 0,
                },
            );
        }
        all.enter(number).map(self.stay())
    }

    /// Drops the room of a game, unless somebody is in it.
    pub fn forget(&self, number: u32) {
        self.lock().forget(number);
    }

    fn stay(self: &Arc<Self>) -> impl FnOnce(Arc<Room>) -> Stay {
        let rooms = Arc::clone(self);
        |room| Stay { rooms, room }
    }

    fn lock(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl All {
    fn enter(&mut self, number: u32) -> Option<Arc<Room>> {
        let kept = self.rooms.get_mut(&number)?;
        if kept.inside == 0 {
            self.empty.remove(&kept.left);
        }
        kept.inside += 1;
        Some(Arc::clone(&kept.room))
    }

    /// Drops the room of a game, with all who are in it.
    fn close(&mut self, number: u32) {
        if let Some(kept) = self.rooms.remove(&number) {
            self.empty.remove(&kept.left);
            kept.room.close();
        }
    }

    fn forget(&mut self, number: u32) {
        if let Entry::Occupied(kept) = self.rooms.entry(number)
            && kept.get().inside == 0
        {
            self.empty.remove(&kept.get().left);
            kept.remove();
        }
    }
}

/// Keeps a room until it is dropped.
pub struct Stay {
    rooms: Arc<Rooms>,
    room: Arc<Room>,
}

impl Stay {
    /// The room.
    pub const fn room(&self) -> &Arc<Room> {
        &self.room
    }
}

impl Drop for Stay {
    fn drop(&mut self) {
        let number = self.room.number();
        let all = &mut *self.rooms.lock();
        if let Some(kept) = all.rooms.get_mut(&number)
            && Arc::ptr_eq(&kept.room, &self.room)
        {
            kept.inside = kept.inside.saturating_sub(1);
            if kept.inside == 0 {
                all.left += 1;
                kept.left = all.left;
                all.empty.insert(kept.left, number);
            }
        }
    }
}
