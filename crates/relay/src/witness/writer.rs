//! The thread that writes the log of a witness, and tells what is in it.

use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use connect4_protocol::Address;
use connect4_protocol::signed::SessionKey;
use tokio::sync::watch;

use super::core::Bounds;
use super::entry::{Entry, Key};
use super::fair::TURN;
use super::game::Output;
use super::log::{Folder, Log};
use super::opened::{begun, new_key};
use super::room::SignedRoom;
use super::shared::{Shared, State, signed};
use crate::feed::Feed;
use crate::rooms::Rooms;

/// Time after which what could not be written is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// How long a log gets before it is written anew: twice as long at least, so that this takes a part of the time alone.
pub fn next_length(len: u64, growth: u64) -> u64 {
    len + growth.max(len)
}

/// The thread that writes the log.
pub struct Writer {
    pub shared: Arc<Shared>,
    pub folder: Folder,
    pub log: Log,
    /// By how many bytes it grows at least before it is written anew, and up to where it has not.
    pub growth: u64,
    pub long: u64,
    pub bounds: Bounds,
    pub rooms: Arc<Rooms<SignedRoom>>,
    /// What those who record games follow.
    pub feed: Arc<Feed>,
    /// Tells the key to those who follow it.
    pub keys: watch::Sender<Option<Address>>,
    /// The key of the log that takes the place of one that was put aside, until it has begun.
    pub anew: Option<Key>,
}

impl Writer {
    pub fn run(mut self) {
        let shared = Arc::clone(&self.shared);
        let mut state = shared.lock();
        loop {
            if state.core.is_outdated() {
                state = self.begin_anew(&shared, state);
            }
            if self.log.bytes() >= self.long && !state.is_ended && !state.core.is_outdated() {
                state = self.shorten(&shared, state);
            }
            if let Some((entries, count)) = state.core.to_write() {
                drop(state);
                let Some((after, was_full)) = self.write(&shared, &entries) else {
                    return;
                };
                state = after;
                let outputs = state.core.written(count, shared.now());
                let key = state.key.clone();
                drop(state);
                self.tell(outputs, &key);
                if was_full {
                    for room in self.rooms.busy() {
                        room.tell_again();
                    }
                }
                state = shared.lock();
                continue;
            }
            let outputs = state.core.outputs();
            if !outputs.is_empty() {
                let key = state.key.clone();
                drop(state);
                self.tell(outputs, &key);
                state = shared.lock();
                continue;
            }
            if state.is_ended {
                return;
            }
            let turn = Duration::from_millis(TURN);
            let woken = shared.wake.wait_timeout(state, turn);
            (state, _) = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Writes entries, however often it takes, and says whether something was refused meanwhile; none if the witness ends.
    /// Nothing is said of what is not written.
    fn write<'a>(
        &mut self,
        shared: &'a Shared,
        entries: &[Entry],
    ) -> Option<(MutexGuard<'a, State>, bool)> {
        let mut was_full = false;
        loop {
            let is_written = self.log.add(entries).is_ok();
            let mut state = shared.lock();
            state.is_full = !is_written;
            if is_written {
                return Some((state, was_full));
            }
            was_full = true;
            state.core.full(shared.now());
            drop(state);
            if Self::pause(shared).is_ended {
                return None;
            }
        }
    }

    /// Writes the log anew, with what is needed of it. Until it is written nothing else is, and no time counts. If that
    /// fails the log goes on as it is, until it has grown once more.
    fn shorten<'a>(
        &mut self,
        shared: &'a Shared,
        mut state: MutexGuard<'a, State>,
    ) -> MutexGuard<'a, State> {
        state.core.rewrites(shared.now());
        let kept = state.core.kept();
        drop(state);
        if let Ok(log) = self.folder.shorten(&self.log, |entry| kept.keeps(entry)) {
            self.log = log;
        }
        self.long = next_length(self.log.bytes(), self.growth);
        let mut state = shared.lock();
        state.core.rewritten(shared.now());
        state
    }

    /// Signs and tells what the log has.
    fn tell(&self, outputs: Vec<Output>, key: &SessionKey) {
        for output in outputs {
            match output {
                Output::Opened(game) => {
                    if let Some(room) = self.rooms.kept(game) {
                        room.begin();
                    }
                }
                Output::Offer(game, offer) => {
                    if let Some(room) = self.rooms.kept(game) {
                        room.offer(&offer);
                    }
                }
                // It is signed for those who are there, and for others when they come.
                Output::Told(game, told) => {
                    if let Some(room) = self.rooms.kept(game) {
                        let told = signed(told, game, key, &self.shared.domain());
                        room.tell(&told);
                        if let Some(finished) = told.finished(room.terms()) {
                            self.feed.add_signed(&room, finished);
                        }
                    }
                }
            }
        }
    }

    /// Puts the log aside, and goes on under a new key. If that fails nothing is taken, and it is tried again after a
    /// pause.
    fn begin_anew<'a>(
        &mut self,
        shared: &'a Shared,
        mut state: MutexGuard<'a, State>,
    ) -> MutexGuard<'a, State> {
        let now = shared.now();
        let at = state.core.look(now).at;
        drop(state);
        let found = self
            .folder
            .begin_anew(&mut self.anew, || new_key(shared.chain, at));
        let mut state = shared.lock();
        let has_begun = if let Ok(found) = found
            && let Some((key, mut core)) = begun(&found.key, shared.now())
        {
            core.set_bounds(self.bounds);
            self.log = found.log;
            self.long = next_length(self.log.bytes(), self.growth);
            state.core = core;
            self.keys.send_replace(Some(key.address()));
            let past = std::mem::replace(&mut state.key, key);
            state.past.insert(0, past.address());
            true
        } else {
            false
        };
        drop(state);
        self.rooms.close_all();
        match has_begun {
            true => shared.lock(),
            false => Self::pause(shared),
        }
    }

    /// Waits before something is tried again, unless the witness ends.
    fn pause(shared: &Shared) -> MutexGuard<'_, State> {
        let mut state = shared.lock();
        let until = Instant::now() + RETRY;
        while !state.is_ended && Instant::now() < until {
            let woken = shared.wake.wait_timeout(state, RETRY);
            (state, _) = woken.unwrap_or_else(PoisonError::into_inner);
        }
        state
    }
}

/// Has nothing be taken any more once the thread is gone that writes the log.
pub struct Dead(pub Arc<Shared>);

impl Drop for Dead {
    fn drop(&mut self) {
        let now = self.0.now();
        let mut state = self.0.lock();
        state.core.full(now);
        state.is_full = true;
    }
}
