//! What all games of a bot share.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use connect4_client::signed::{Seeker, SignedGames};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::{Instant, sleep_until};

use super::mind::Mind;
use crate::said::BotNews;

/// Rooms that a relay keeps for a session key. Games whose opponents are silent take those that are not needed to play.
pub const ROOMS: usize = 8;

/// What all games of a bot share.
pub struct Table {
    pub mind: Mind,
    /// Who it is at the relay.
    pub seeker: Seeker,
    /// Where it goes what happens.
    pub news: mpsc::Sender<BotNews>,
    /// How long an opponent may be away before another game is begun beside this one.
    pub patience: Duration,
    /// A permit for each game that is played at the same time.
    pub places: Arc<Semaphore>,
    /// Whether the bot ends.
    pub stop: watch::Receiver<bool>,
    /// Whether no other game begins after those that are played.
    pub is_last: AtomicBool,
    /// How many games may wait for silent opponents.
    pub most_waiting: usize,
    waiting: Mutex<BTreeSet<u64>>,
    last_ticket: AtomicU64,
}

impl Table {
    pub fn new(
        mind: Mind,
        seeker: Seeker,
        at_once: usize,
        patience: Duration,
        news: mpsc::Sender<BotNews>,
        stop: watch::Receiver<bool>,
    ) -> Self {
        Self {
            mind,
            seeker,
            patience,
            news,
            places: Arc::new(Semaphore::new(at_once)),
            stop,
            is_last: AtomicBool::new(false),
            // One room is left for a game that begins.
            most_waiting: ROOMS.saturating_sub(at_once + 1),
            waiting: Mutex::new(BTreeSet::new()),
            last_ticket: AtomicU64::new(0),
        }
    }

    /// Counts one more game that waits for its opponent, by this number.
    pub fn wait(&self) -> u64 {
        let ticket = self.last_ticket.fetch_add(1, Ordering::Relaxed);
        self.waiting().insert(ticket);
        ticket
    }

    /// The game with this number waits no more.
    pub fn wait_no_more(&self, ticket: u64) {
        self.waiting().remove(&ticket);
    }

    /// Whether so many games wait that this one, which is among the oldest of them, has to go.
    pub fn is_surplus(&self, ticket: u64) -> bool {
        let waiting = self.waiting();
        waiting.range(ticket..).count() > self.most_waiting
    }

    /// The records of its games.
    pub const fn games(&self) -> &SignedGames {
        &self.seeker.games
    }

    /// Says what has happened. It is lost if nobody listens any more.
    pub async fn say(&self, news: BotNews) {
        let _ = self.news.send(news).await;
    }

    fn waiting(&self) -> MutexGuard<'_, BTreeSet<u64>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits until the bot ends.
pub async fn stopped(stop: &mut watch::Receiver<bool>) {
    if stop.wait_for(|stops| *stops).await.is_err() {
        // Nobody can end it any more, so it does.
    }
}

/// Waits until this time; for ever if there is none.
pub async fn until(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}
