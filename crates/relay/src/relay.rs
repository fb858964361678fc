//! A relay: what all of its sockets share.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use connect4_protocol::Error;
use connect4_protocol::fast::wire::Refusal;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::addresses::{Addresses, Guest};
use crate::counters::{Counters, Counts};
use crate::limits::Limits;
use crate::places::SocketId;
use crate::rooms::{Rooms, Stay};
use crate::source::{Source, Unreachable};
use crate::stop::Stop;
use crate::visitor::Visitor;

/// A relay: its rooms, and where it learns of games.
pub struct Relay<S>(Arc<Shared<S>>);

struct Shared<S> {
    version: u32,
    source: S,
    limits: Limits,
    rooms: Arc<Rooms>,
    addresses: Addresses,
    sockets: Arc<Semaphore>,
    lookups: Semaphore,
    counters: Counters,
    stop: Stop,
    last_socket: AtomicU64,
}

impl<S> Clone for Relay<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S: Source> Relay<S> {
    /// A relay of the games of this source, which are of contracts of this version.
    #[must_use]
    pub fn new(version: u32, source: S, limits: Limits) -> Self {
        Self(Arc::new(Shared {
            version,
            source,
            limits,
            rooms: Arc::new(Rooms::new(limits.rooms)),
            addresses: Addresses::new(limits.of_address()),
            sockets: Arc::new(Semaphore::new(limits.sockets)),
            lookups: Semaphore::new(limits.lookups),
            counters: Counters::default(),
            stop: Stop::default(),
            last_socket: AtomicU64::new(0),
        }))
    }

    /// What it has counted.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let free = self.0.sockets.available_permits();
        let sockets = self.0.limits.sockets.saturating_sub(free);
        self.0
            .counters
            .read(self.0.version, sockets, self.0.rooms.count())
    }

    /// What has it close its sockets and take no more: players are told to connect again.
    #[must_use]
    pub fn stop(&self) -> &Stop {
        &self.0.stop
    }

    /// Waits until no socket is open.
    pub async fn left(&self) {
        let all = u32::try_from(self.0.limits.sockets).unwrap_or(u32::MAX);
        // It is never closed.
        let _ = self.0.sockets.acquire_many(all).await;
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    pub(crate) fn counters(&self) -> &Counters {
        &self.0.counters
    }

    pub(crate) fn next_socket(&self) -> SocketId {
        self.0.last_socket.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Enters the room of a game. Asks the chain if nobody is there, or the game is in doubt.
    pub(crate) async fn enter(&self, number: u32) -> Result<Stay, Refusal> {
        let rooms = &self.0.rooms;
        if let Some(stay) = rooms.enter_busy(number) {
            return Ok(stay);
        }
        let asked = timeout(self.0.limits.lookup, async {
            // It is never closed.
            let _permit = self.0.lookups.acquire().await;
            self.0.source.game(number).await
        });
        match asked.await.unwrap_or(Err(Unreachable)) {
            Ok(Some(found)) if found.game.is_final() => {
                rooms.forget(number);
                Err(Refusal::Invalid(Error::GameOver))
            }
            Ok(Some(found)) => rooms.enter(number, found).ok_or(Refusal::Full),
            Ok(None) => {
                rooms.forget(number);
                Err(Refusal::NoSuchGame)
            }
            // Session keys change by a fork alone: what is known of the game is enough until then.
            Err(Unreachable) => rooms.enter_kept(number).ok_or(Refusal::ChainUnreachable),
        }
    }

    /// A place for one more socket of this visitor, as long as it is held; none if it has enough.
    pub(crate) fn guest(&self, from: Visitor) -> Option<Guest> {
        self.0.addresses.enter(from, Instant::now())
    }

    /// A place for one more socket of all, as long as it is held; none if there are enough.
    pub(crate) fn socket(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0.sockets).try_acquire_owned().ok()
    }
}
