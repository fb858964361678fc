//! What runs a witness: the thread that writes its log, and what is asked of it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use connect4_protocol::Address;
use connect4_protocol::fast::wire::Refusal;
use connect4_protocol::fast::{Native, SessionKey};
use connect4_protocol::signed::wire::{FRESH, Spoken, Told};
use connect4_protocol::signed::{Chain, Domain, GameNumber, SignedTerms, Terms};
use connect4_rules::{ByPlayer, Player};
use tokio::task::yield_now;
use tokio::time::{MissedTickBehavior, interval};

use super::checked::Checked;
use super::core::{Bounds, Core, Heard, Opening};
use super::entry::{Entry, Key, Moment};
use super::fair::TURN;
use super::game::{Known, Output};
use super::log::{Disk, Folder, Found, Log, LogError};
use super::room::SignedRoom;
use crate::hall::Hosted as _;
use crate::limits::Limits;
use crate::rooms::Rooms;
use crate::shares::Shares;
use crate::visitor::Visitor;

/// Time after which what could not be written is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// A witness whose log is open, until a relay has it.
pub struct Witness {
    folder: Folder,
    found: Found,
    core: Core<Native>,
    key: SessionKey,
    since: Instant,
}

impl Witness {
    /// The witness of games of this chain, whose log is in this folder. A log that is missing or damaged is begun anew, by
    /// a new key.
    ///
    /// # Errors
    ///
    /// [`LogError::InUse`], [`LogError::OtherChain`], [`LogError::OtherVersion`], [`LogError::UnknownEntry`],
    /// [`LogError::Ahead`], or as the system says. Then the log is as it was.
    pub fn open(path: &Path, chain: Chain) -> Result<Self, LogError> {
        let folder = Folder::lock(path)?;
        let since = Instant::now();
        let start = |key: &Key| {
            let session = SessionKey::from_secret(&key.secret)?;
            let core = Core::new(session.address(), chain, Native, key.made);
            Some((session, core))
        };
        let step = |(_, core): &mut (SessionKey, Core<Native>), entry| core.replay(&entry).ok();
        let aside = match folder.read(chain, start, step) {
            Ok(Some((old, (key, mut core)))) => {
                let (last, wall) = (core.last(), wall());
                let ahead = last.at.saturating_sub(wall) / 1_000;
                if ahead > FRESH {
                    return Err(LogError::Ahead(ahead));
                }
                core.forget_until(last.at.max(wall));
                let log = folder.go_on(&old, last, |entry| core.keeps(entry))?;
                let found = Found {
                    log,
                    key: old.key().clone(),
                    aside: None,
                };
                core.begin(wall, 0);
                return Ok(Self {
                    folder,
                    found,
                    core,
                    key,
                    since,
                });
            }
            Ok(None) => None,
            Err(LogError::Damaged) => Some(folder.put_aside()?),
            Err(error) => return Err(error),
        };
        let found = Found {
            aside,
            ..folder.begin(new_key(chain, wall()))?
        };
        let broken = || LogError::Io(std::io::ErrorKind::InvalidData.into());
        let (key, core) = begun(&found.key, 0).ok_or_else(broken)?;
        Ok(Self {
            folder,
            found,
            core,
            key,
            since,
        })
    }

    /// The key by which it signs, as an address.
    #[must_use]
    pub fn key(&self) -> Address {
        self.key.address()
    }

    /// Where a damaged log was put.
    #[must_use]
    pub fn aside(&self) -> Option<&Path> {
        self.found.aside.as_deref()
    }

    /// Writes its log to another disk, which `wrap` makes of the one that there is.
    #[must_use]
    pub fn on(self, wrap: impl FnOnce(Box<dyn Disk>) -> Box<dyn Disk>) -> Self {
        let found = Found {
            log: self.found.log.on(wrap),
            ..self.found
        };
        Self { found, ..self }
    }
}

/// The witness of a log that has its key alone; none if that is no key.
fn begun(key: &Key, now: u64) -> Option<(SessionKey, Core<Native>)> {
    let session = SessionKey::from_secret(&key.secret)?;
    let mut core = Core::new(session.address(), key.chain(), Native, key.made);
    core.begin(wall(), now);
    Some((session, core))
}

fn new_key(chain: Chain, at: u64) -> Key {
    let secret = loop {
        let secret: [u8; 32] = rand::random();
        if SessionKey::from_secret(&secret).is_some() {
            break secret;
        }
    };
    Key {
        secret,
        chain_id: chain.id,
        genesis: chain.genesis,
        made: Moment { at, fair: 0 },
    }
}

/// What a game of these terms adds to the log at most: each move alone in a group, a start between two of them now and
/// then, terms and end.
fn kilobytes(terms: &Terms) -> u64 {
    let cells = u64::from(terms.shape.bins) * u64::from(terms.shape.capacity);
    (1_000 + 160 * cells).div_ceil(1_000)
}

/// Time by the clock of this machine, in milliseconds since 1970.
fn wall() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    })
}

/// A witness at work.
pub struct Keeper {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    chain: Chain,
    since: Instant,
    state: Mutex<State>,
    /// Something is to be written, or it ends.
    wake: Condvar,
}

struct State {
    core: Core<Native>,
    key: SessionKey,
    shares: Shares,
    is_full: bool,
    is_ended: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Milliseconds since the start.
    fn now(&self) -> u64 {
        u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn domain(&self) -> Domain {
        Domain::without_stake(self.chain)
    }
}

impl Keeper {
    /// Has a witness work for these rooms. Its clocks are looked at by the runtime from which this is called, which has to
    /// be the one that reads the sockets.
    ///
    /// # Panics
    ///
    /// Outside of a runtime.
    pub fn start(witness: Witness, limits: &Limits, rooms: Arc<Rooms<SignedRoom>>) -> Self {
        let bounds = Bounds {
            games: limits.signed_games,
            of_key: limits.signed_games_of_key,
        };
        let Witness {
            folder,
            found,
            mut core,
            key,
            since,
        } = witness;
        core.set_bounds(bounds);
        let shared = Arc::new(Shared {
            chain: found.key.chain(),
            since,
            state: Mutex::new(State {
                core,
                key,
                shares: Shares::new(limits.signed_log, Instant::now()),
                is_full: false,
                is_ended: false,
            }),
            wake: Condvar::new(),
        });
        let writer = Writer {
            shared: Arc::clone(&shared),
            folder,
            log: found.log,
            bounds,
            rooms,
        };
        tokio::spawn(take_turns(Arc::downgrade(&shared)));
        let thread = thread::Builder::new().name("witness".to_owned());
        let thread = thread.spawn(move || {
            // Also if it panics.
            let _dead = Dead(Arc::clone(&writer.shared));
            writer.run();
        });
        if thread.is_err() {
            drop(Dead(Arc::clone(&shared)));
        }
        Self {
            shared,
            thread: thread.ok(),
        }
    }

    pub fn key(&self) -> Address {
        self.shared.lock().key.address()
    }

    pub fn chain(&self) -> Chain {
        self.shared.chain
    }

    pub fn domain(&self) -> Domain {
        self.shared.domain()
    }

    /// The time, in milliseconds since 1970.
    pub fn time(&self) -> u64 {
        let now = self.shared.now();
        self.shared.lock().core.look(now).at
    }

    /// Games that go on, those that have ended and are kept, and whether the log takes no more.
    pub fn count(&self) -> (usize, usize, bool) {
        let state = self.shared.lock();
        let (running, over) = state.core.count();
        (running, over, state.is_full)
    }

    /// Whether the game of these terms, whose signatures were not checked, has begun already or can begin now.
    pub fn may_open(&self, terms: &SignedTerms, from: Visitor) -> Result<Opening, Refusal> {
        let now = self.shared.now();
        self.shared.lock().core.may_open(terms, from, now)
    }

    /// Begins the game of these terms, if it has not begun.
    ///
    /// # Errors
    ///
    /// As [`Core::open`], and [`Refusal::Full`] if the visitor's network has used its share of the log.
    pub fn open(&self, terms: &Checked<SignedTerms>, from: Visitor) -> Result<(), Refusal> {
        let now = self.shared.now();
        let mut state = self.shared.lock();
        let State { core, shares, .. } = &mut *state;
        if core.may_open(terms.get(), from, now)? == Opening::New {
            let needed = kilobytes(&terms.get().terms);
            if !shares.spend(from, needed, Instant::now()) {
                return Err(Refusal::Full);
            }
        }
        let opened = core.open(terms, from, now);
        drop(state);
        self.shared.wake.notify_one();
        opened
    }

    pub fn take(&self, game: GameNumber, spoken: &Checked<Spoken>) -> Result<Heard, Refusal> {
        self.ask(|core, now| core.take(game, spoken, now))
    }

    /// A player is in the room.
    pub fn back(&self, game: GameNumber, player: Player) {
        self.ask(|core, now| core.back(game, player, now));
    }

    /// A player shows what the witness has said.
    ///
    /// # Errors
    ///
    /// [`Refusal::Unsupported`] if it has not, [`Refusal::OtherWitness`] if the log does not have it: then it is put
    /// aside.
    pub fn held(&self, game: GameNumber, told: &Told) -> Result<(), Refusal> {
        let key = self.key();
        let checked = Checked::told(*told, key, game, &self.domain(), &Native);
        let checked = checked.ok_or(Refusal::Unsupported)?;
        self.ask(|core, now| {
            // Another key has signed it if the log was put aside meanwhile.
            let is_of_key = core.witness() == key;
            match !is_of_key || core.is_older_than(game, &checked, now) {
                true => Err(Refusal::OtherWitness),
                false => Ok(()),
            }
        })
    }

    /// A game that the log has, whose end is signed.
    pub fn known(&self, game: GameNumber) -> Option<Known> {
        let state = self.shared.lock();
        let known = state.core.known(game)?;
        let key = state.key.clone();
        drop(state);
        let sign = |told| signed(told, game, &key, &self.domain());
        Some(match known {
            Known::Running {
                terms,
                is_logged,
                told,
                offers,
            } => Known::Running {
                terms,
                is_logged,
                told: told.map(sign),
                offers,
            },
            Known::Over(told) => Known::Over(sign(told)),
        })
    }

    /// Has a room tell what the log has of its game. If it has none, as the log was put aside meanwhile, all leave.
    pub fn refresh(&self, room: &SignedRoom, game: GameNumber) {
        match self.known(game) {
            Some(Known::Running {
                is_logged,
                told,
                offers: ByPlayer { one, two },
                ..
            }) => {
                if is_logged {
                    room.begin();
                }
                if let Some(told) = &told {
                    room.tell(told);
                }
                for offer in [one, two].iter().flatten() {
                    room.offer(offer);
                }
            }
            Some(Known::Over(told)) => {
                room.begin();
                room.tell(&told);
            }
            None => room.close(),
        }
    }

    fn ask<T>(&self, question: impl FnOnce(&mut Core<Native>, u64) -> T) -> T {
        let now = self.shared.now();
        let answer = question(&mut self.shared.lock().core, now);
        self.shared.wake.notify_one();
        answer
    }
}

/// What was written last is on the disk afterwards.
impl Drop for Keeper {
    fn drop(&mut self) {
        self.shared.lock().is_ended = true;
        self.shared.wake.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic there was told there.
            let _ = thread.join();
        }
    }
}

fn signed(mut told: Told, game: GameNumber, key: &SessionKey, domain: &Domain) -> Told {
    told.witness = key.sign(&told.digest(game, domain, &Native));
    told
}

/// Looks at the clocks, as long as there is a witness. The runtime that reads the sockets does so: where it has too much to
/// do the turns are late as well, and nobody's time is over while a move waits to be read.
async fn take_turns(shared: Weak<Shared>) {
    let mut turns = interval(Duration::from_millis(TURN));
    turns.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        turns.tick().await;
        // What is to be read already comes first.
        yield_now().await;
        let Some(shared) = shared.upgrade() else {
            return;
        };
        let now = shared.now();
        shared.lock().core.tick(now, wall());
        shared.wake.notify_one();
    }
}

/// Has nothing be taken any more once the thread is gone that writes the log.
struct Dead(Arc<Shared>);

impl Drop for Dead {
    fn drop(&mut self) {
        let now = self.0.now();
        let mut state = self.0.lock();
        state.core.full(now);
        state.is_full = true;
    }
}

/// The thread that writes the log.
struct Writer {
    shared: Arc<Shared>,
    folder: Folder,
    log: Log,
    bounds: Bounds,
    rooms: Arc<Rooms<SignedRoom>>,
}

impl Writer {
    fn run(mut self) {
        let shared = Arc::clone(&self.shared);
        let mut state = shared.lock();
        loop {
            if state.core.is_outdated() {
                state = self.begin_anew(&shared, state);
            }
            if let Some((entries, count)) = state.core.to_write() {
                drop(state);
                let Some(after) = self.write(&shared, &entries) else {
                    return;
                };
                state = after;
                let outputs = state.core.written(count, shared.now());
                let key = state.key.clone();
                drop(state);
                self.tell(outputs, &key);
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

    /// Writes entries, however often it takes; none if the witness ends meanwhile. Nothing is said of what is not
    /// written.
    fn write<'a>(
        &mut self,
        shared: &'a Shared,
        entries: &[Entry],
    ) -> Option<MutexGuard<'a, State>> {
        loop {
            let is_written = self.log.add(entries).is_ok();
            let mut state = shared.lock();
            state.is_full = !is_written;
            if is_written {
                return Some(state);
            }
            state.core.full(shared.now());
            let until = Instant::now() + RETRY;
            while !state.is_ended && Instant::now() < until {
                let woken = shared.wake.wait_timeout(state, RETRY);
                (state, _) = woken.unwrap_or_else(PoisonError::into_inner);
            }
            if state.is_ended {
                return None;
            }
        }
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
                        room.tell(&signed(told, game, key, &self.shared.domain()));
                    }
                }
            }
        }
    }

    /// Puts the log aside, and goes on under a new key. If that fails nothing is taken, and it is tried again.
    fn begin_anew<'a>(
        &mut self,
        shared: &'a Shared,
        mut state: MutexGuard<'a, State>,
    ) -> MutexGuard<'a, State> {
        let now = shared.now();
        let at = state.core.look(now).at;
        let found = self
            .put_aside()
            .and_then(|()| self.folder.begin(new_key(shared.chain, at)));
        if let Ok(found) = found
            && let Some((key, mut core)) = begun(&found.key, now)
        {
            core.set_bounds(self.bounds);
            self.log = found.log;
            state.core = core;
            state.key = key;
        }
        drop(state);
        self.rooms.close_all();
        shared.lock()
    }

    fn put_aside(&self) -> std::io::Result<()> {
        match self.folder.put_aside() {
            // It was put aside, and the new one could not be begun.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            done => done.map(|_: PathBuf| ()),
        }
    }
}
