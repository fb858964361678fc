//! The signed games that are played in the rooms of the witness, and those that it has ended, for everybody who follows
//! the relay.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use codec::Encode as _;
use connect4_protocol::signed::Finished;
use connect4_protocol::signed::feed::{EndedId, FromFeed, LiveGame, Origin};
use connect4_protocol::signed::{Crypto as _, GameNumber, Native};
use connect4_rules::ByPlayer;
use tokio::sync::watch;

use crate::addresses::{Addresses, Guest};
use crate::hall::Hosted as _;
use crate::limits::Limits;
use crate::rooms::Rooms;
use crate::visitor::Visitor;
use crate::witness::SignedRoom;

/// Games in the list of those that are played, at most.
const LISTED: usize = 100;
/// Games in that list that one address plays.
const LISTED_OF_ADDRESS: usize = 8;
/// How long the list is used before it is made anew.
const LIST_FOR: Duration = Duration::from_secs(1);

/// What the followers of a relay are told.
///
/// Ended games are kept once, and each follower reads on from its own place: nothing is queued for a socket. One
/// address can take a share of what is kept, and its games then take the place of its own.
pub struct Feed {
    /// The rooms of the witness, once there is one.
    rooms: OnceLock<Arc<Rooms<SignedRoom>>>,
    most: usize,
    most_of_address: usize,
    /// Different in each run.
    pub run: u64,
    secret: [u8; 32],
    followers: Addresses,
    most_followers: usize,
    /// The number of the last game that has ended. Its receivers are the followers.
    last: watch::Sender<EndedId>,
    ended: Mutex<Ended>,
    live: Mutex<Option<Live>>,
}

/// The games that were played at some moment.
struct Live {
    made: Instant,
    games: Arc<[LiveGame]>,
    /// How many there were, with those that are not listed as there are too many. Of one address so many count as are
    /// listed.
    count: usize,
}

#[derive(Default)]
struct Ended {
    games: BTreeMap<EndedId, Kept>,
    of_number: HashMap<GameNumber, EndedId>,
    of_origin: HashMap<Origin, BTreeSet<EndedId>>,
    last: EndedId,
    /// The largest number of a game that is not kept any more.
    dropped: EndedId,
}

struct Kept {
    number: GameNumber,
    /// From where the room was opened first.
    opened_from: Origin,
    frame: Bytes,
}

impl Feed {
    pub fn new(limits: &Limits) -> Self {
        Self {
            rooms: OnceLock::new(),
            most: limits.ended,
            most_of_address: limits.ended_of_address,
            run: rand::random(),
            secret: rand::random(),
            followers: Addresses::new(limits.followers_of_address()),
            most_followers: limits.followers,
            last: watch::Sender::new(0),
            ended: Mutex::default(),
            live: Mutex::default(),
        }
    }

    /// Lists the games in these rooms of its witness from now on.
    pub fn list_rooms(&self, rooms: &Arc<Rooms<SignedRoom>>) {
        self.rooms.get_or_init(|| Arc::clone(rooms));
    }

    /// How many ended games are kept, and how many follow them.
    pub fn count(&self) -> (usize, usize) {
        (self.lock().games.len(), self.last.receiver_count())
    }

    /// A place for one more follower, as long as it is held; none if there are too many.
    pub fn follow(&self, from: Visitor) -> Option<(Guest, watch::Receiver<EndedId>)> {
        if self.last.receiver_count() >= self.most_followers {
            return None;
        }
        let guest = self.followers.enter(from, Instant::now())?;
        Some((guest, self.last.subscribe()))
    }

    /// Takes a signed game that its witness has ended; not again.
    pub fn add_signed(&self, room: &SignedRoom, finished: Finished) {
        let number = room.number();
        let origins = room.players_from().map(|from| match from {
            Some(from) => self.origin(from),
            None => Origin::default(),
        });
        let ended = self.lock();
        if ended.of_number.contains_key(&number) {
            return;
        }
        self.keep(ended, |id| {
            let told = FromFeed::Finished {
                id,
                origins,
                finished,
            };
            Kept {
                number,
                opened_from: origins.one,
                frame: told.encode().into(),
            }
        });
    }

    /// Keeps a game under the next number, and tells the followers.
    fn keep(&self, mut ended: MutexGuard<'_, Ended>, kept: impl FnOnce(EndedId) -> Kept) {
        ended.last += 1;
        let id = ended.last;
        let kept = kept(id);
        let opened_from = kept.opened_from;
        ended.put(id, kept);
        if opened_from != Origin::default()
            && let Some(of_origin) = ended.of_origin.get(&opened_from)
            && of_origin.len() > self.most_of_address
            && let Some(&oldest) = of_origin.first()
        {
            ended.forget(oldest);
        }
        if ended.games.len() > self.most
            && let Some((&oldest, _)) = ended.games.first_key_value()
        {
            ended.forget(oldest);
        }
        drop(ended);
        self.last.send_replace(id);
    }

    /// The first ended game after this one.
    pub fn ended_after(&self, after: EndedId) -> Option<(EndedId, Bytes)> {
        let ended = self.lock();
        let mut later = ended.games.range(after.saturating_add(1)..);
        later.next().map(|(id, kept)| (*id, kept.frame.clone()))
    }

    /// The largest number of a game that was kept and is not any more.
    pub fn dropped(&self) -> EndedId {
        self.lock().dropped
    }

    /// The games that are played at the moment, the newest first.
    pub fn live(&self) -> Arc<[LiveGame]> {
        self.look(|live| Arc::clone(&live.games))
    }

    /// How many players play at the moment.
    pub fn playing(&self) -> usize {
        self.look(|live| 2 * live.count)
    }

    fn look<T>(&self, read: impl FnOnce(&Live) -> T) -> T {
        let at = Instant::now();
        let mut live = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = |live: &Live| at.saturating_duration_since(live.made) < LIST_FOR;
        let before = live.take().filter(is_new);
        read(live.insert(before.unwrap_or_else(|| self.list(at))))
    }

    fn list(&self, made: Instant) -> Live {
        let rooms = self.rooms.get().map(|rooms| rooms.busy());
        let mut playing: Vec<_> = rooms
            .iter()
            .flatten()
            .filter_map(|room| Some((room.live()?, room.players_from())))
            .collect();
        playing.sort_unstable_by_key(|(game, _)| (std::cmp::Reverse(game.since), game.number));
        let mut of_network = HashMap::<_, usize>::new();
        let mut games: Vec<_> = playing
            .into_iter()
            .filter(|(_, ByPlayer { one, two })| {
                let widest = |from: &Option<Visitor>| from.and_then(Visitor::widest);
                let (one, two) = (
                    widest(one),
                    widest(two).filter(|two| Some(*two) != widest(one)),
                );
                let mut is_listed = true;
                for network in [one, two].into_iter().flatten() {
                    let listed = of_network.entry(network).or_default();
                    *listed += 1;
                    is_listed &= *listed <= LISTED_OF_ADDRESS;
                }
                is_listed
            })
            .map(|(game, _)| game)
            .collect();
        let count = games.len();
        games.truncate(LISTED);
        Live {
            made,
            games: games.into(),
            count,
        }
    }

    fn origin(&self, visitor: Visitor) -> Origin {
        let mut origin = Origin::default();
        if let Some(network) = visitor.widest() {
            let text = network.to_string();
            let digest = Native.keccak256(&[&self.secret, text.as_bytes()].concat());
            let (first, _) = digest.split_at(origin.0.len());
            origin.0.copy_from_slice(first);
        }
        origin
    }

    fn lock(&self) -> MutexGuard<'_, Ended> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ended {
    fn put(&mut self, id: EndedId, kept: Kept) {
        self.of_number.insert(kept.number, id);
        let of_origin = self.of_origin.entry(kept.opened_from).or_default();
        of_origin.insert(id);
        self.games.insert(id, kept);
    }

    /// Drops a game whose place is needed.
    fn forget(&mut self, id: EndedId) {
        self.dropped = self.dropped.max(id);
        let Some(kept) = self.games.remove(&id) else {
            return;
        };
        self.of_number.remove(&kept.number);
        if let Some(of_origin) = self.of_origin.get_mut(&kept.opened_from) {
            of_origin.remove(&id);
            if of_origin.is_empty() {
                self.of_origin.remove(&kept.opened_from);
            }
        }
    }
}
