//! Rooms: a game or the lobby, followed for everybody who watches it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use connect4_client::{Error, GameId};
use connect4_protocol::Event;
use connect4_wire::Live;
use tokio::sync::{Notify, Semaphore, watch};

use crate::link::{Chain, Connected, Link};
use crate::lobby::Lobby;
use crate::seats::Seats;
use crate::text::Told;
use crate::watched_game::WatchedGame;

/// Looks at the chain at the same time, at most: when the connection is a new one, all rooms look.
const LOOKS: usize = 64;
/// A game of a public host, or its lobby, is read again after so many blocks without an event of its own.
const REST: u32 = 32;
/// Who comes in is shown what was read so long ago, at most: the time for a move runs without an event.
const FRESH: Duration = Duration::from_secs(5);
/// When to look again after a read that failed although the chain answers.
const RETRY: Duration = Duration::from_secs(1);
/// The lobby is not read more often than this.
const LOBBY_PAUSE: Duration = Duration::from_millis(300);

/// What there is to see; none until something was read.
pub type Seen = Option<Told>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Subject {
    Game(GameId),
    Lobby,
}

/// When rooms look at the chain, and how many there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Following {
    /// At every block.
    Blocks {
        /// Rooms that are open at the same time, at most: each sends requests at every block.
        most: usize,
    },
    /// After events of their own, of which a [`Feed`](crate::feed::Feed) tells.
    Events {
        /// Rooms that are open at the same time, at most.
        most: usize,
    },
}

impl Following {
    const fn most(self) -> usize {
        match self {
            Self::Blocks { most } | Self::Events { most } => most,
        }
    }
}

/// The open rooms. Clones share them.
#[derive(Clone)]
pub struct Rooms {
    chain: Chain,
    seats: Arc<Seats>,
    following: Following,
    looks: Arc<Semaphore>,
    open: Arc<Mutex<HashMap<Subject, Room>>>,
}

#[derive(Clone)]
struct Room {
    seen: watch::Sender<Seen>,
    again: Arc<Notify>,
    joined: Arc<Notify>,
}

impl Room {
    fn change(&self) {
        self.again.notify_one();
    }
}

impl Rooms {
    pub fn new(chain: Chain, seats: Arc<Seats>, following: Following) -> Self {
        Self {
            chain,
            seats,
            following,
            looks: Arc::new(Semaphore::new(LOOKS)),
            open: Arc::default(),
        }
    }

    /// What is seen of a game from now on; none if too many rooms are open.
    pub fn game(&self, game: GameId) -> Option<watch::Receiver<Seen>> {
        self.enter(Subject::Game(game))
    }

    /// What is seen of the lobby from now on; none if too many rooms are open.
    pub fn lobby(&self) -> Option<watch::Receiver<Seen>> {
        self.enter(Subject::Lobby)
    }

    /// Looks at a game again, although the chain has nothing new.
    pub fn look_again(&self, game: GameId) {
        if let Ok(open) = self.open.lock()
            && let Some(room) = open.get(&Subject::Game(game))
        {
            room.again.notify_one();
        }
    }

    /// Has all rooms look again.
    pub fn all_changed(&self) {
        if let Ok(open) = self.open.lock() {
            open.values().for_each(Room::change);
        }
    }

    /// Has those rooms look again that an event may have changed, or an event whose block was replaced.
    pub fn changed_by(&self, event: &Event) {
        let Ok(open) = self.open.lock() else { return };
        for (subject, room) in &*open {
            let is_changed = match subject {
                Subject::Game(id) => event.game() == Some(*id),
                Subject::Lobby => true,
            };
            if is_changed {
                room.change();
            }
        }
    }

    /// Whether somebody watches a game, so that another watcher costs nothing.
    pub fn is_open(&self, game: GameId) -> bool {
        let subject = Subject::Game(game);
        self.open
            .lock()
            .is_ok_and(|open| open.contains_key(&subject))
    }

    pub fn count(&self) -> usize {
        self.open.lock().map_or(0, |open| open.len())
    }

    fn enter(&self, subject: Subject) -> Option<watch::Receiver<Seen>> {
        let mut open = self.open.lock().ok()?;
        if let Some(room) = open.get(&subject) {
            room.joined.notify_one();
            return Some(room.seen.subscribe());
        }
        // Who looks at many games keeps nobody out of the lobby.
        if open.len() >= self.following.most() && subject != Subject::Lobby {
            return None;
        }
        let (seen, receiver) = watch::channel(None);
        let room = Room {
            seen,
            again: Arc::default(),
            joined: Arc::default(),
        };
        open.insert(subject, room.clone());
        let follower = Follower {
            rooms: self.clone(),
            subject,
            room,
        };
        tokio::spawn(follower.run());
        Some(receiver)
    }
}

/// What was read on a connection, and is not read again there. Another connection may lead to
/// another chain.
struct Read {
    over: Arc<Connected>,
    what: What,
}

enum What {
    Game(Box<WatchedGame>),
    Lobby(Lobby),
}

impl Read {
    fn new(over: &Arc<Connected>, subject: Subject) -> Self {
        Self {
            over: Arc::clone(over),
            what: match subject {
                Subject::Game(id) => What::Game(Box::new(WatchedGame::new(id))),
                Subject::Lobby => What::Lobby(Lobby::default()),
            },
        }
    }

    async fn look(&mut self, block: u32, rooms: &Rooms) -> Result<Option<Arc<Live>>, Error> {
        match &mut self.what {
            What::Game(game) => {
                let look = game.look(&self.over, block, &rooms.seats);
                look.await
            }
            What::Lobby(lobby) => lobby.look(&self.over).await.map(Some),
        }
    }
}

/// Follows the subject of a room as long as anybody watches it.
struct Follower {
    rooms: Rooms,
    subject: Subject,
    room: Room,
}

#[derive(Clone, Copy)]
struct Looked {
    block: u32,
    at: Instant,
}

impl Follower {
    async fn run(self) {
        let mut links = self.rooms.chain.links();
        let mut read = None;
        let mut last: Option<Looked> = None;
        let mut is_called = true;
        loop {
            let link = links.borrow_and_update().clone();
            let mut failed = false;
            if let Link::Up { at, block } = link
                && (is_called || self.is_due(read.as_ref(), &at, block, last))
            {
                // A look at an old game takes hundreds of requests: not for somebody who has left.
                failed = tokio::select! {
                    is_told = self.look(&mut read, &at, block) => !is_told,
                    () = self.room.seen.closed() => true,
                };
                if failed {
                    // It may have ended in the middle.
                    read = None;
                }
                last = Some(Looked {
                    block,
                    at: Instant::now(),
                });
                if self.subject == Subject::Lobby {
                    tokio::time::sleep(LOBBY_PAUSE).await;
                }
            }
            is_called = false;
            tokio::select! {
                changed = links.changed() => if changed.is_err() {
                    return;
                },
                () = self.room.again.notified() => is_called = true,
                () = self.room.joined.notified() => {
                    is_called = last.is_none_or(|last| last.at.elapsed() > FRESH);
                }
                () = tokio::time::sleep(RETRY), if failed => is_called = true,
                () = self.room.seen.closed() => {
                    let Ok(mut open) = self.rooms.open.lock() else {
                        return;
                    };
                    // Somebody may have come in meanwhile.
                    if self.room.seen.receiver_count() == 0 {
                        open.remove(&self.subject);
                        return;
                    }
                }
            }
        }
    }

    /// Whether it is time to look at a block, without anything that is known to have happened.
    fn is_due(
        &self,
        read: Option<&Read>,
        at: &Arc<Connected>,
        block: u32,
        last: Option<Looked>,
    ) -> bool {
        if matches!(self.rooms.following, Following::Blocks { .. }) {
            return true;
        }
        let is_known = read.is_some_and(|read| Arc::ptr_eq(&read.over, at));
        !is_known || last.is_none_or(|last| block.abs_diff(last.block) >= REST)
    }

    /// Looks, and tells the watchers what has changed. They are told of a chain that is away by its
    /// link, not from here. Returns false if it has to look again soon.
    async fn look(&self, read: &mut Option<Read>, at: &Arc<Connected>, block: u32) -> bool {
        // It is never closed.
        let _place = self.rooms.looks.acquire().await;
        let known = read.take_if(|read| Arc::ptr_eq(&read.over, at));
        let known = read.insert(known.unwrap_or_else(|| Read::new(at, self.subject)));
        let Ok(looked) = known.look(block, &self.rooms).await else {
            return false;
        };
        let Some(seen) = looked else {
            // The next block tells more; whether there is an event in it, nobody knows.
            return matches!(self.rooms.following, Following::Blocks { .. });
        };
        self.room.seen.send_if_modified(|before| {
            let is_known = before.as_ref().is_some_and(|told| told.live == seen);
            if !is_known {
                *before = Told::of(seen);
            }
            !is_known
        });
        true
    }
}
