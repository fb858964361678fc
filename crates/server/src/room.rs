//! Rooms: a game or the lobby, followed for everybody who watches it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use connect4_client::{Address, Error, GameId};
use connect4_protocol::fast::is_fast;
use tokio::sync::{Notify, watch};

use crate::fast::FastTables;
use crate::link::{Chain, Connected, Link};
use crate::lobby::Lobby;
use crate::seats::Seats;
use crate::variant::WatchedVariant;
use crate::watched_game::WatchedGame;
use crate::wire::Live;

/// Rooms that are open at the same time, at most: each sends requests at every block.
const MOST_ROOMS: usize = 200;
/// When to look again after a read that failed although the chain answers.
const RETRY: Duration = Duration::from_secs(1);
/// The lobby is not read more often than this.
const LOBBY_PAUSE: Duration = Duration::from_millis(300);

/// What there is to see; none until something was read.
pub type Seen = Option<Arc<Live>>;

/// What a room follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Subject {
    Game(GameId),
    Lobby,
}

/// The open rooms. Clones share them.
#[derive(Clone)]
pub struct Rooms {
    chain: Chain,
    seats: Arc<Seats>,
    /// The accounts for which the server signs.
    accounts: Arc<[Address]>,
    fast: Arc<FastTables>,
    open: Arc<Mutex<HashMap<Subject, Room>>>,
}

struct Room {
    seen: watch::Sender<Seen>,
    /// To look again.
    again: Arc<Notify>,
}

impl Rooms {
    pub fn new(
        chain: Chain,
        seats: Arc<Seats>,
        accounts: Arc<[Address]>,
        fast: Arc<FastTables>,
    ) -> Self {
        Self {
            chain,
            seats,
            accounts,
            fast,
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

    fn enter(&self, subject: Subject) -> Option<watch::Receiver<Seen>> {
        let mut open = self.open.lock().ok()?;
        if let Some(room) = open.get(&subject) {
            return Some(room.seen.subscribe());
        }
        if open.len() >= MOST_ROOMS {
            return None;
        }
        let (seen, receiver) = watch::channel(None);
        let again = match subject {
            Subject::Game(GameId::Classic(number)) if is_fast(number) => self.fast.tell(number),
            _ => Arc::default(),
        };
        open.insert(
            subject,
            Room {
                seen: seen.clone(),
                again: Arc::clone(&again),
            },
        );
        let follower = Follower {
            rooms: self.clone(),
            subject,
            seen,
            again,
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
    Game(WatchedGame),
    Variant(WatchedVariant),
    Lobby(Lobby),
}

impl Read {
    fn new(over: &Arc<Connected>, subject: Subject) -> Self {
        Self {
            over: Arc::clone(over),
            what: match subject {
                Subject::Game(GameId::Classic(number)) => What::Game(WatchedGame::new(number)),
                Subject::Game(GameId::Variant(number)) => {
                    What::Variant(WatchedVariant::new(number))
                }
                Subject::Lobby => What::Lobby(Lobby::default()),
            },
        }
    }

    async fn look(&mut self, block: u32, rooms: &Rooms) -> Result<Seen, Error> {
        match &mut self.what {
            What::Game(game) => {
                let look = game.look(&self.over, block, &rooms.seats, &rooms.fast);
                look.await
            }
            What::Variant(game) => game.look(&self.over, block, &rooms.seats).await,
            What::Lobby(lobby) => lobby.look(&self.over, &rooms.accounts).await.map(Some),
        }
    }
}

/// Follows the subject of a room as long as anybody watches it.
struct Follower {
    rooms: Rooms,
    subject: Subject,
    seen: watch::Sender<Seen>,
    again: Arc<Notify>,
}

impl Follower {
    async fn run(self) {
        let mut links = self.rooms.chain.links();
        let mut read = None;
        loop {
            let link = links.borrow_and_update().clone();
            let mut failed = false;
            if let Link::Up { at, block } = link {
                failed = self.look(&mut read, &at, block).await.is_err();
                if self.subject == Subject::Lobby {
                    tokio::time::sleep(LOBBY_PAUSE).await;
                }
            }
            tokio::select! {
                changed = links.changed() => if changed.is_err() {
                    return;
                },
                () = self.again.notified() => {}
                () = tokio::time::sleep(RETRY), if failed => {}
                () = self.seen.closed() => {
                    let Ok(mut open) = self.rooms.open.lock() else {
                        return;
                    };
                    // Somebody may have come in meanwhile.
                    if self.seen.receiver_count() == 0 {
                        open.remove(&self.subject);
                        drop(open);
                        if let Subject::Game(GameId::Classic(number)) = self.subject
                            && is_fast(number)
                        {
                            self.rooms.fast.leave(number);
                        }
                        return;
                    }
                }
            }
        }
    }

    /// Looks, and tells the watchers what has changed. They are told of a chain that is away by its
    /// link, not from here.
    async fn look(
        &self,
        read: &mut Option<Read>,
        at: &Arc<Connected>,
        block: u32,
    ) -> Result<(), Error> {
        let known = read.take_if(|read| Arc::ptr_eq(&read.over, at));
        let known = read.insert(known.unwrap_or_else(|| Read::new(at, self.subject)));
        if let Some(seen) = known.look(block, &self.rooms).await? {
            self.seen.send_if_modified(|before| {
                let changed = before.as_ref() != Some(&seen);
                *before = Some(seen);
                changed
            });
        }
        Ok(())
    }
}
