//! A witness at work, and what is asked of it.

use std::sync::{Arc, Condvar, Mutex, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use connect4_protocol::Address;
use connect4_protocol::signed::Native;
use connect4_protocol::signed::listing::{Asked, FromListing};
use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::wire::{Spoken, Told};
use connect4_protocol::signed::{
    Chain, Digest, Domain, Ends, GameNumber, Said, SignedTerms, Terms, WitnessedEnd,
};
use connect4_rules::{ByPlayer, Player};
use tokio::sync::watch;
use tokio::task::yield_now;
use tokio::time::{MissedTickBehavior, interval};

use super::checked::Checked;
use super::core::{Bounds, Core, Heard, Opening};
use super::fair::TURN;
use super::game::Known;
use super::lists::Lists;
use super::opened::{Witness, wall};
use super::room::SignedRoom;
use super::shared::{Shared, State, signed};
use super::writer::{Dead, Writer, next_length};
use crate::feed::Feed;
use crate::hall::Hosted as _;
use crate::limits::Limits;
use crate::rooms::Rooms;
use crate::shares::Shares;
use crate::stop::Stop;
use crate::visitor::Visitor;

/// What a game of these terms adds to the log at most: each move alone in a group, a start between two of them now and
/// then, terms and end. On a small board it counts as on the standard one, as its end is kept for as long.
fn kilobytes(terms: &Terms) -> u64 {
    let cells = u64::from(terms.shape.bins) * u64::from(terms.shape.capacity);
    (1_000 + 160 * cells.max(42)).div_ceil(1_000)
}

/// A witness at work.
pub struct Keeper {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    lists: Lists,
}

impl Keeper {
    /// Has a witness work for these rooms. Its clocks are looked at by the runtime from which this is called, which has to
    /// be the one that reads the sockets. Once that is told to stop no clock runs any more, as nobody can come back. Each
    /// later key is told to those who follow `keys`.
    ///
    /// # Panics
    ///
    /// Outside of a runtime.
    pub fn start(
        witness: Witness,
        limits: &Limits,
        rooms: Arc<Rooms<SignedRoom>>,
        feed: Arc<Feed>,
        stop: Stop,
        keys: watch::Sender<Option<Address>>,
    ) -> Self {
        let bounds = Bounds {
            games: limits.signed_games,
            of_key: limits.signed_games_of_key,
        };
        let Witness {
            folder,
            found,
            mut core,
            key,
            past,
            since,
        } = witness;
        core.set_bounds(bounds);
        let shared = Arc::new(Shared {
            chain: found.key.chain(),
            since,
            state: Mutex::new(State {
                core,
                key,
                past,
                shares: Shares::new(limits.signed_log, Instant::now()),
                is_full: false,
                is_ended: false,
            }),
            wake: Condvar::new(),
        });
        let writer = Writer {
            shared: Arc::clone(&shared),
            folder,
            long: next_length(found.log.bytes(), limits.signed_log_growth),
            growth: limits.signed_log_growth,
            log: found.log,
            bounds,
            rooms,
            feed,
            keys,
            anew: None,
        };
        tokio::spawn(take_turns(Arc::downgrade(&shared), stop));
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
            lists: Lists::default(),
        }
    }

    pub fn key(&self) -> Address {
        self.shared.lock().key.address()
    }

    /// Its key, and those of the same folder whose logs are lost, the newest first.
    pub fn keys(&self) -> Vec<Address> {
        let state = self.shared.lock();
        let present = std::iter::once(state.key.address());
        present.chain(state.past.iter().copied()).collect()
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

    pub fn take(
        &self,
        game: GameNumber,
        spoken: &Checked<Spoken>,
        round_trip: u64,
    ) -> Result<Heard, Refusal> {
        self.ask(|core, now| core.take(game, spoken, round_trip, now))
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

    /// A game that the log has, without signatures of the witness.
    pub fn known_unsigned(&self, game: GameNumber) -> Option<Known> {
        self.shared.lock().core.known(game)
    }

    /// A game that the log has, with what the witness has told of it signed.
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

    /// The signature by this key on the list of the ends of these games, or the first game of which the log has no end
    /// that can be recorded. It takes some tenths of a millisecond, as it reads all games and signs.
    ///
    /// # Errors
    ///
    /// [`Refusal::OtherWitness`] if that is not its key.
    pub fn list(&self, by: Address, games: &[GameNumber]) -> Result<FromListing, Refusal> {
        let hash = |game: &GameNumber| {
            // One at a time: moves wait for the same lock.
            let Some(Known::Over(told)) = self.known_unsigned(*game) else {
                return Err(*game);
            };
            match told.said(*game, &told.moves) {
                Said::Ended(ended) if ended.end != WitnessedEnd::Void => Ok(ended.hash(&Native)),
                Said::Ended(_) | Said::Receipt(_) => Err(*game),
            }
        };
        let hashes: Result<Vec<Digest>, GameNumber> = games.iter().map(hash).collect();
        // Last, as the log is replaced together with the key.
        let state = self.shared.lock();
        let key = state.key.clone();
        if key.address() != by || state.core.is_outdated() {
            return Err(Refusal::OtherWitness);
        }
        drop(state);
        Ok(match hashes {
            Ok(hashes) => {
                let ends = Ends { hashes: &hashes };
                FromListing::Signed(key.sign(&ends.digest(&self.domain(), &Native)))
            }
            Err(game) => FromListing::Lacks(game),
        })
    }

    /// The answer to a request for a list that is to be signed by this key, on a thread that may take its time.
    ///
    /// # Errors
    ///
    /// As [`Self::list`], and [`Refusal::Full`] if the thread ends before it has answered.
    pub async fn answer_list(
        self: Arc<Self>,
        key: Address,
        asked: Asked,
    ) -> Result<FromListing, Refusal> {
        let signing = Arc::clone(&self);
        let sign = move |asked: &Asked| signing.list(key, asked.games());
        self.lists.answer(key, asked, sign).await
    }

    /// The lists that it has signed last.
    pub const fn lists(&self) -> &Lists {
        &self.lists
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

/// Looks at the clocks, as long as there is a witness. The runtime that reads the sockets does so: where it has too much to
/// do the turns are late as well, and nobody's time is over while a move waits to be read.
async fn take_turns(shared: Weak<Shared>, stop: Stop) {
    let mut turns = interval(Duration::from_millis(TURN));
    turns.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut stopped = std::pin::pin!(stop.stopped());
    loop {
        tokio::select! {
            () = &mut stopped => return,
            _ = turns.tick() => {}
        }
        // What is to be read already comes first.
        yield_now().await;
        let Some(shared) = shared.upgrade() else {
            return;
        };
        let (now, wall) = (shared.now(), wall());
        shared.lock().core.tick(now, wall);
        shared.wake.notify_one();
    }
}
