//! Games by signed terms in the rooms of a relay elsewhere, as far as somebody asks for them here.
//!
//! That relay is believed nothing but that a game goes on: a room is kept here for each game, as the own relay does,
//! and takes what both players have signed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use connect4_client::fast::{Feed, LobbyError, RoomWatch};
use connect4_protocol::fast::feed::{FromFeed, LiveGame};
use connect4_protocol::fast::wire::FromRelay;
use connect4_protocol::fast::{Domain, GameNumber};
use connect4_relay::{Room, ShownGame, Source as _, Visitor, now};
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::{Instant, timeout, timeout_at};

use crate::relay::Games;

/// Games of the relay's list that are watched for those who look at the live games. A relay gives an address some
/// 64 places.
const LISTED: usize = 24;
/// Games that are watched at the same time, at most.
const WATCHED: usize = 48;
/// A game that nobody has asked for so long is not watched any more.
const ASKED: Duration = Duration::from_secs(30);
/// How long the list is used before the relay is asked again, and after it has not answered.
const FRESH: Duration = Duration::from_secs(2);
const FRESH_IF_AWAY: Duration = Duration::from_secs(10);
/// How long who asks waits for the relay.
const PATIENCE: Duration = Duration::from_secs(2);

type Known = Option<Arc<Room>>;

/// The rooms of a relay elsewhere.
pub struct Elsewhere {
    url: String,
    chain: Games,
    watched: Mutex<HashMap<GameNumber, Watched>>,
    list: tokio::sync::Mutex<List>,
}

/// A game that is watched until this is dropped.
struct Watched {
    /// The room, once the relay has sent the terms and the position.
    room: watch::Receiver<Known>,
    /// Until when who asks waits for it.
    until: Instant,
    asked: Instant,
    task: AbortHandle,
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// What the relay has listed last.
#[derive(Default)]
struct List {
    games: Arc<[LiveGame]>,
    /// Until when it is used.
    until: Option<Instant>,
    /// The connection, if the relay has answered.
    feed: Option<Feed>,
}

impl Elsewhere {
    /// The rooms of the relay with this URL, for the games of a chain.
    pub fn at(url: String, chain: Games) -> Self {
        Self {
            url,
            chain,
            watched: Mutex::default(),
            list: tokio::sync::Mutex::default(),
        }
    }

    /// The newest games that are played there, with what is signed of them.
    pub async fn live(&self) -> Vec<(LiveGame, ShownGame)> {
        let Some(domain) = self.domain().await else {
            return Vec::new();
        };
        let listed = self.list(domain).await;
        let rooms: Vec<_> = listed
            .iter()
            .map(|of| (of.since, self.watch(of.number, domain)))
            .collect();
        let at = now();
        let mut games = Vec::new();
        for (since, room) in rooms {
            let Some(room) = opened(room).await else {
                continue;
            };
            if let Some(game) = room.going_on(at)
                && let Some(shown) = room.shown_game(at)
            {
                let since = since.min(at);
                games.push((LiveGame { since, ..game }, shown));
            }
        }
        games
    }

    /// A game as its room shows it; none if that relay has no such room.
    pub async fn shown(&self, game: GameNumber) -> Option<ShownGame> {
        let room = opened(self.watch(game, self.domain().await?)).await;
        if room.is_none() {
            // Another one may be asked for in its place.
            self.lock().remove(&game);
        }
        room?.shown_game(now())
    }

    /// The contract for which games are signed; none while it is not known.
    async fn domain(&self) -> Option<Domain> {
        self.chain.domain().await.ok()?
    }

    async fn list(&self, domain: Domain) -> Arc<[LiveGame]> {
        let list = &mut *self.list.lock().await;
        if list.until.is_some_and(|until| Instant::now() < until) {
            return Arc::clone(&list.games);
        }
        // A connection whose answer was not waited for is not used again.
        let kept = list.feed.take();
        let asked = timeout(PATIENCE, self.ask(kept, domain)).await;
        let fresh = if let Ok(Ok((feed, games))) = asked {
            list.feed = Some(feed);
            list.games = games.into();
            FRESH
        } else {
            list.games = Arc::default();
            FRESH_IF_AWAY
        };
        list.until = Some(Instant::now() + fresh);
        Arc::clone(&list.games)
    }

    async fn ask(
        &self,
        kept: Option<Feed>,
        domain: Domain,
    ) -> Result<(Feed, Vec<LiveGame>), LobbyError> {
        if let Some(mut feed) = kept
            && feed.domain() == domain
            && let Ok(games) = newest(&mut feed).await
        {
            return Ok((feed, games));
        }
        // It was lost since it was asked last.
        let mut feed = Feed::enter(&self.url).await?;
        if feed.domain() != domain {
            return Err(LobbyError::Lost("it has games of another contract".into()));
        }
        let games = newest(&mut feed).await?;
        Ok((feed, games))
    }

    /// Watches a game, if not too many are; returns its room, and until when it is waited for.
    fn watch(&self, game: GameNumber, domain: Domain) -> Option<(watch::Receiver<Known>, Instant)> {
        let asked = Instant::now();
        let mut watched = self.lock();
        watched.retain(|_, watched| asked.saturating_duration_since(watched.asked) < ASKED);
        let is_full = watched.len() >= WATCHED;
        let before = match watched.get_mut(&game) {
            Some(watched) if !watched.task.is_finished() => {
                watched.asked = asked;
                return Some((watched.room.clone(), watched.until));
            }
            Some(watched) => watched.room.borrow().clone(),
            None if is_full => return None,
            None => None,
        };
        let (known, room) = watch::channel(before);
        let url = self.url.clone();
        let following = async move {
            // It is begun again when somebody asks.
            let _ = follow(&url, game, domain, &known).await;
        };
        let task = tokio::spawn(following).abort_handle();
        let of = Watched {
            room: room.clone(),
            until: asked + PATIENCE,
            asked,
            task,
        };
        let until = of.until;
        watched.insert(game, of);
        Some((room, until))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<GameNumber, Watched>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A room, once the relay has sent what it holds; none if it does not in time.
async fn opened(watched: Option<(watch::Receiver<Known>, Instant)>) -> Known {
    let (mut room, until) = watched?;
    let told = timeout_at(until, room.wait_for(Option::is_some)).await;
    told.ok()?.ok()?.clone()
}

/// The newest games that are played at a relay.
async fn newest(feed: &mut Feed) -> Result<Vec<LiveGame>, LobbyError> {
    feed.list().await?;
    let mut games = Vec::new();
    loop {
        match feed.next().await? {
            FromFeed::Live(game) if games.len() < LISTED => games.push(game),
            FromFeed::Live(_) => {}
            _ => return Ok(games),
        }
    }
}

/// Takes what the room of a game says, until the connection is lost.
async fn follow(
    url: &str,
    game: GameNumber,
    domain: Domain,
    known: &watch::Sender<Known>,
) -> Result<(), LobbyError> {
    let mut relay = RoomWatch::enter(url, game).await?;
    let mut room = known.borrow().clone();
    loop {
        match relay.next().await? {
            FromRelay::Terms(terms) if room.is_none() => {
                let opened = Room::by_terms(game, &terms, domain, Visitor::Uncounted, now());
                room = opened.ok().map(Arc::new);
            }
            // Nothing is shown that is not signed by both.
            FromRelay::Position(position) => {
                if let Some(room) = &room
                    && room.take(&position, now()).is_ok()
                {
                    known.send_replace(Some(Arc::clone(room)));
                }
            }
            _ => {}
        }
    }
}
