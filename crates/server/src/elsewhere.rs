//! Signed games in the rooms of a relay elsewhere, as far as somebody asks for them here.
//!
//! That relay is believed nothing but that a game goes on: what is shown of it both players and the witness have signed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use connect4_client::signed::{Feed, Lobby, LobbyError, RoomWatch};
use connect4_protocol::signed::Chain as SigningChain;
use connect4_protocol::signed::GameNumber;
use connect4_protocol::signed::feed::{FromFeed, LiveGame};
use connect4_protocol::signed::lobby::WitnessAt;
use connect4_relay::{Bucket, Rate, ShownGame};
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::{Instant, interval_at, timeout, timeout_at};

use crate::link::Chain;
use crate::refusal::Refusal;

/// Games of the relay's list that are read, and those that are watched for who looks at the live games. A relay
/// gives an address some 64 places.
const LISTED: usize = 100;
const SHOWN: usize = 24;
/// Games that are watched besides, as somebody asks for their pictures.
const ASKED_FOR: usize = 24;
/// A game that nobody has asked for so long is not watched any more.
const ASKED: Duration = Duration::from_secs(30);
/// How long the list is used before the relay is asked again, and after it has not answered.
const FRESH: Duration = Duration::from_secs(2);
const FRESH_IF_AWAY: Duration = Duration::from_secs(10);
/// How long who asks waits for the relay.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long after it was begun the watching of a game is begun again, if the connection was lost.
const AGAIN: Duration = Duration::from_secs(5);
/// How often the relay is asked for games that it does not list, by all who ask: their numbers may be made up, and the
/// relay lets this address in so often.
const UNLISTED: Rate = Rate {
    burst: 16,
    per_second: 1,
};

type Known = Option<Arc<ShownGame>>;

pub struct Elsewhere(Arc<Inner>);

struct Inner {
    url: String,
    chain: Chain,
    watched: Mutex<HashMap<GameNumber, Watched>>,
    unlisted: Mutex<Bucket>,
    list: tokio::sync::Mutex<List>,
}

/// A game that is watched until this is dropped.
struct Watched {
    /// The game, once the relay has sent the terms.
    room: watch::Receiver<Known>,
    began: Instant,
    asked: Instant,
    /// Whether it is watched as one of the relay's list.
    is_listed: bool,
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
    /// The connection, and the witness that the relay is, if it has answered.
    at: Option<(Feed, WitnessAt)>,
}

impl Elsewhere {
    pub fn at(url: String, chain: Chain) -> Self {
        Self(Arc::new(Inner {
            url,
            chain,
            watched: Mutex::default(),
            unlisted: Mutex::new(Bucket::full(UNLISTED, Instant::now().into_std())),
            list: tokio::sync::Mutex::default(),
        }))
    }

    /// The newest games that are played there, with what is signed of them.
    pub async fn live(&self) -> Vec<(LiveGame, ShownGame)> {
        let (listed, Some(at)) = self.list().await else {
            return Vec::new();
        };
        let rooms: Vec<_> = listed
            .iter()
            .take(SHOWN)
            .filter_map(|of| Some((of.number, self.watch(of.number, at, true)?)))
            .collect();
        let mut games = Vec::new();
        for (number, room) in rooms {
            let Some(shown) = opened(room).await else {
                continue;
            };
            if !shown.game.is_over() {
                let live = LiveGame::of(number, &shown.terms, shown.moves.turns());
                games.push((live, (*shown).clone()));
            }
        }
        games
    }

    /// A game as its room shows it; none if that relay has no such room.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] if the relay does not tell at the moment.
    pub async fn shown(&self, game: GameNumber) -> Result<Option<ShownGame>, Refusal> {
        let busy = || Refusal::busy("the relay of this game does not tell of it: try again later");
        let (listed, at) = self.list().await;
        let at = at.ok_or_else(busy)?;
        let is_listed = listed.iter().any(|of| of.number == game);
        let is_watched = self.0.watched().contains_key(&game);
        if !is_listed && !is_watched && !self.0.may_ask() {
            return Err(busy());
        }
        let watching = self.watch(game, at, false).ok_or_else(busy)?;
        match opened(watching).await {
            Some(shown) => Ok(Some((*shown).clone())),
            None if is_listed => Err(busy()),
            None => Ok(None),
        }
    }

    /// The games that the relay lists, which are asked for to the end although nobody may wait for them any more; and the
    /// witness that it is.
    async fn list(&self) -> (Arc<[LiveGame]>, Option<WitnessAt>) {
        let rooms = Arc::clone(&self.0);
        let asked = tokio::spawn(async move { rooms.list().await });
        asked.await.unwrap_or_default()
    }

    /// Watches a game, if not too many are; returns its room, and until when it is waited for.
    fn watch(&self, game: GameNumber, at: WitnessAt, is_listed: bool) -> Option<Watching> {
        let asked = Instant::now();
        let mut watched = self.0.watched();
        if let Some(watched) = watched.get_mut(&game) {
            watched.asked = asked;
            watched.is_listed |= is_listed;
            if !watched.task.is_finished() || asked < watched.began + AGAIN {
                return Some((watched.room.clone(), watched.began + PATIENCE));
            }
        } else {
            let others = watched.values().filter(|of| of.is_listed == is_listed);
            if others.count() >= if is_listed { SHOWN } else { ASKED_FOR } {
                let is_over = |of: &Watched| of.task.is_finished() || of.asked + FRESH < asked;
                let mut places = watched.iter();
                let place = places.find(|(_, of)| of.is_listed == is_listed && is_over(of));
                let place = *place?.0;
                watched.remove(&place);
            }
        }
        let (known, room) = watch::channel(None);
        let rooms = Arc::downgrade(&self.0);
        let url = self.0.url.clone();
        let following = async move {
            // It is begun again when somebody asks.
            let _ = follow(&url, game, at, &known, rooms).await;
        };
        let task = tokio::spawn(following).abort_handle();
        let of = Watched {
            room: room.clone(),
            began: asked,
            asked,
            is_listed,
            task,
        };
        watched.insert(game, of);
        Some((room, asked + PATIENCE))
    }
}

impl Inner {
    /// The chain for which games are signed; none while it is not known.
    fn chain(&self) -> Option<SigningChain> {
        let at = self.chain.connected().ok()?;
        at.connection.client.signing_chain().ok()
    }

    async fn list(&self) -> (Arc<[LiveGame]>, Option<WitnessAt>) {
        let list = &mut *self.list.lock().await;
        let witness = |list: &List| list.at.as_ref().map(|(_, witness)| *witness);
        if list.until.is_some_and(|until| Instant::now() < until) {
            return (Arc::clone(&list.games), witness(list));
        }
        // A connection whose answer was not waited for is not used again.
        let kept = list.at.take();
        let asked = timeout(PATIENCE, self.ask(kept)).await;
        let fresh = if let Ok(Ok((feed, witness, games))) = asked {
            list.at = Some((feed, witness));
            list.games = games.into();
            FRESH
        } else {
            list.games = Arc::default();
            FRESH_IF_AWAY
        };
        list.until = Some(Instant::now() + fresh);
        (Arc::clone(&list.games), witness(list))
    }

    async fn ask(
        &self,
        kept: Option<(Feed, WitnessAt)>,
    ) -> Result<(Feed, WitnessAt, Vec<LiveGame>), LobbyError> {
        if let Some((mut feed, witness)) = kept
            && let Ok(games) = newest(&mut feed).await
        {
            return Ok((feed, witness, games));
        }
        // It was lost since it was asked last.
        let lacks = |what: &str| LobbyError::Lost(what.into());
        let chain = self.chain().ok_or_else(|| lacks("the chain is away"))?;
        let lobby = Lobby::enter(&self.url).await?;
        let witness = lobby.witness().ok_or_else(|| lacks("it is no witness"))?;
        if (witness.chain_id, witness.genesis) != (chain.id, chain.genesis) {
            return Err(lacks("it has games of another chain"));
        }
        let mut feed = Feed::enter(&self.url).await?;
        let games = newest(&mut feed).await?;
        Ok((feed, witness, games))
    }

    /// Whether the relay may be asked for one more game that it does not list.
    fn may_ask(&self) -> bool {
        let unlisted = self.unlisted.lock();
        let mut unlisted = unlisted.unwrap_or_else(PoisonError::into_inner);
        unlisted.take(Instant::now().into_std())
    }

    /// Forgets a game that nobody has asked for in a while. Returns whether it does.
    fn leave(&self, game: GameNumber) -> bool {
        let mut watched = self.watched();
        let is_over = watched
            .get(&game)
            .is_none_or(|of| of.asked.elapsed() >= ASKED);
        if is_over {
            watched.remove(&game);
        }
        is_over
    }

    fn watched(&self) -> MutexGuard<'_, HashMap<GameNumber, Watched>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A room, and until when it is waited for.
type Watching = (watch::Receiver<Known>, Instant);

/// A room, once the relay has sent what it holds; none if it does not in time.
async fn opened((mut room, until): Watching) -> Known {
    let told = timeout_at(until, room.wait_for(Option::is_some)).await;
    told.ok()?.ok()?.clone()
}

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

/// Takes what the room of a game says, until the connection is lost, the relay has said too much that is not signed, or
/// nobody asks for the game any more.
async fn follow(
    url: &str,
    game: GameNumber,
    at: WitnessAt,
    known: &watch::Sender<Known>,
    rooms: Weak<Inner>,
) -> Result<(), LobbyError> {
    let mut room = RoomWatch::enter(url, at, game).await?;
    let mut looks = interval_at(Instant::now() + ASKED, ASKED);
    loop {
        tokio::select! {
            heard = room.hear() => heard?,
            _ = looks.tick() => match rooms.upgrade() {
                Some(rooms) if !rooms.leave(game) => continue,
                _ => return Ok(()),
            },
        }
        if let Some((terms, moves, game)) = room.shown() {
            known.send_replace(Some(Arc::new(ShownGame { terms, moves, game })));
        }
    }
}
