//! A relay: what all of its sockets share.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use connect4_protocol::signed::feed::LiveGame;
use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::wire::Told;
use connect4_protocol::signed::{GameNumber, Native};
use connect4_protocol::{Address, signed};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::addresses::{Addresses, Guest};
use crate::counters::{Counters, Counts, Present};
use crate::feed::Feed;
use crate::limits::Limits;
use crate::lobby::Lobby;
use crate::places::SocketId;
use crate::rooms::{Rooms, Stay};
use crate::staked::StakedRoom;
use crate::stop::Stop;
use crate::visitor::Visitor;
use crate::witness::{Checked, Keeper, Known, Opening, ShownGame, SignedRoom, Witness};

/// A relay: its rooms, lobby and feed, and its witness.
#[derive(Clone)]
pub struct Relay(Arc<Shared>);

struct Shared {
    limits: Limits,
    staked: Arc<Rooms<StakedRoom>>,
    lobby: Arc<Lobby>,
    feed: Arc<Feed>,
    witness: OnceLock<Witnessing>,
    /// Its key, for those who follow it; none until there is one.
    witness_key: watch::Sender<Option<Address>>,
    /// Whether it becomes a witness if it is none yet.
    awaits_witness: bool,
    addresses: Addresses,
    /// What each address has of the rooms of signed games.
    openers: Addresses,
    /// What each address has of lists of ends.
    recorders: Addresses,
    sockets: Arc<Semaphore>,
    counters: Counters,
    stop: Stop,
    last_socket: AtomicU64,
}

/// The witness of a relay, and the rooms of its games.
#[derive(Clone)]
pub(crate) struct Witnessing {
    pub keeper: Arc<Keeper>,
    pub rooms: Arc<Rooms<SignedRoom>>,
}

/// What there is of a signed game.
pub(crate) enum Entered {
    Room(Stay<SignedRoom>),
    /// It has ended, and nobody is in its room.
    Over(Box<Told>),
    /// The log does not have it.
    Unknown,
}

impl Relay {
    /// A relay that is no witness.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self::with(limits, false)
    }

    /// The same, which becomes a [witness](Self::begin_witness) later. Until then the rooms of signed games are refused by
    /// [`Refusal::ChainUnreachable`]: a witness signs for a chain.
    #[must_use]
    pub fn awaiting_witness(limits: Limits) -> Self {
        Self::with(limits, true)
    }

    /// The same, with a witness of signed games.
    ///
    /// # Panics
    ///
    /// As [`Self::begin_witness`].
    #[must_use]
    pub fn witnessed(limits: Limits, witness: Witness) -> Self {
        let relay = Self::awaiting_witness(limits);
        relay.begin_witness(witness);
        relay
    }

    /// Makes it a witness of signed games, once. It has to be called inside of the runtime that serves the sockets, which
    /// looks at the clocks of the witness.
    ///
    /// # Panics
    ///
    /// Outside of a runtime.
    pub fn begin_witness(&self, witness: Witness) {
        let shared = &self.0;
        let witnessing = shared.witness.get_or_init(|| {
            let rooms = Arc::new(Rooms::new(&shared.limits));
            let (stop, keys) = (shared.stop.clone(), shared.witness_key.clone());
            shared.feed.list_rooms(&rooms);
            let (limits, feed) = (&shared.limits, Arc::clone(&shared.feed));
            let keeper = Keeper::start(witness, limits, Arc::clone(&rooms), feed, stop, keys);
            let keeper = Arc::new(keeper);
            Witnessing { keeper, rooms }
        });
        // It may have another one since, which it tells by itself.
        let first = witnessing.keeper.key();
        shared.witness_key.send_if_modified(|key| {
            let is_first = key.is_none();
            *key = Some(key.unwrap_or(first));
            is_first
        });
    }

    fn with(limits: Limits, awaits_witness: bool) -> Self {
        let feed = Arc::new(Feed::new(&limits));
        Self(Arc::new(Shared {
            limits,
            lobby: Arc::new(Lobby::beside(&limits, &feed)),
            feed,
            witness: OnceLock::new(),
            witness_key: watch::Sender::new(None),
            awaits_witness,
            staked: Arc::new(Rooms::new(&limits)),
            addresses: Addresses::new(limits.of_address()),
            openers: Addresses::new(limits.rooms_of_address()),
            recorders: Addresses::new(limits.lists_of_address()),
            sockets: Arc::new(Semaphore::new(limits.sockets)),
            counters: Counters::default(),
            stop: Stop::default(),
            last_socket: AtomicU64::new(0),
        }))
    }

    #[must_use]
    pub fn counts(&self) -> Counts {
        let free = self.0.sockets.available_permits();
        let sockets = self.0.limits.sockets.saturating_sub(free);
        let (kept_ended, followers) = self.0.feed.count();
        let witness = self.0.witness.get();
        let signed_rooms = witness.map_or(0, |witness| witness.rooms.count());
        let (signed_games, signed_ended, log_full) =
            witness.map_or((0, 0, false), |witness| witness.keeper.count());
        let signed_lists = witness.map_or(0, |witness| witness.keeper.lists().signed());
        let present = Present {
            signed_lists,
            signed_rooms,
            signed_games,
            signed_ended,
            log_full,
            sockets,
            staked_rooms: self.0.staked.count(),
            seeking: self.0.lobby.count(),
            kept_ended,
            followers,
        };
        self.0.counters.read(present)
    }

    /// What has it close its sockets and take no more: players are told to connect again.
    #[must_use]
    pub fn stop(&self) -> &Stop {
        &self.0.stop
    }

    /// The signed games in the rooms of its witness that are played at the moment, the newest first, at most 100: those
    /// that have not ended, and in which both players are connected. It is worked out once a second at most.
    #[must_use]
    pub fn live(&self) -> Arc<[LiveGame]> {
        self.0.feed.live()
    }

    /// A signed game, as its room shows it, or its witness has it if nobody is there; none if it goes on nowhere here. It
    /// counts for nobody.
    #[must_use]
    pub fn shown(&self, game: GameNumber) -> Option<ShownGame> {
        let Witnessing { keeper, rooms } = self.0.witness.get()?;
        if let Some(room) = rooms.kept(game) {
            return room.shown();
        }
        match keeper.known_unsigned(game)? {
            Known::Running { terms, told, .. } => ShownGame::of(&terms.terms, told.as_ref()),
            // The log has no terms of it.
            Known::Over(_) => None,
        }
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

    pub(crate) fn feed(&self) -> &Arc<Feed> {
        &self.0.feed
    }

    pub(crate) fn lobby(&self) -> &Arc<Lobby> {
        &self.0.lobby
    }

    pub(crate) fn recorders(&self) -> &Addresses {
        &self.0.recorders
    }

    /// The key of its witness from now on; none until there is one.
    pub(crate) fn witness_key(&self) -> watch::Receiver<Option<Address>> {
        self.0.witness_key.subscribe()
    }

    /// Its witness; none of a relay without one.
    pub(crate) fn keeper(&self) -> Option<&Keeper> {
        self.0.witness.get().map(|witness| &*witness.keeper)
    }

    /// The key of its witness, which a new one follows if the log is lost; none of a relay without one.
    #[must_use]
    pub fn witness(&self) -> Option<Address> {
        let witness = self.0.witness.get()?;
        Some(witness.keeper.key())
    }

    /// That key, then those of the same folder whose logs are lost, the newest first; empty if it is no witness.
    #[must_use]
    pub fn witnesses(&self) -> Vec<Address> {
        let witness = self.0.witness.get();
        witness.map_or_else(Vec::new, |witness| witness.keeper.keys())
    }

    /// Its witness, whatever key it has.
    pub(crate) fn any_witness(&self) -> Result<&Witnessing, Refusal> {
        match self.0.witness.get() {
            Some(witness) => Ok(witness),
            None if self.0.awaits_witness => Err(Refusal::ChainUnreachable),
            None => Err(Refusal::OtherWitness),
        }
    }

    /// The witness with this key.
    pub(crate) fn witness_of(&self, key: Address) -> Result<&Witnessing, Refusal> {
        let witness = self.any_witness()?;
        match witness.keeper.key() == key {
            true => Ok(witness),
            false => Err(Refusal::OtherWitness),
        }
    }

    /// Enters the room of a signed game that the log has. Nobody is kept out of one that goes on, however full it is
    /// elsewhere: its player would lose on time.
    pub(crate) fn enter_signed(witness: &Witnessing, game: GameNumber) -> Entered {
        if let Some(stay) = witness.rooms.enter_kept(game) {
            return Entered::Room(stay);
        }
        match witness.keeper.known(game) {
            None => Entered::Unknown,
            Some(Known::Over(told)) => Entered::Over(Box::new(told)),
            Some(Known::Running { terms, .. }) => {
                Entered::Room(Self::room_of(witness, game, &terms, None))
            }
        }
    }

    /// Begins a signed game by its terms, and opens its room for this visitor.
    pub(crate) fn open_signed(
        &self,
        witness: &Witnessing,
        from: Visitor,
        game: GameNumber,
        terms: &signed::SignedTerms,
    ) -> Result<Stay<SignedRoom>, Refusal> {
        // The cheapest comes first, and what is bounded is taken before anything is written.
        let chain = witness.keeper.chain();
        if terms.number(chain, &Native) != game {
            return Err(Refusal::NoSuchGame);
        }
        let is_full = |refusal: &Refusal| {
            if *refusal == Refusal::Full {
                self.0.counters.busy.add();
            }
        };
        let opening = witness.keeper.may_open(terms, from).inspect_err(is_full)?;
        let opened = match opening {
            Opening::Known => None,
            Opening::New => {
                let opened = self.opener(from);
                Some(opened.ok_or(Refusal::Full).inspect_err(is_full)?)
            }
        };
        let checked = Checked::terms(*terms, chain, &Native);
        let checked = checked.map_err(|_| Refusal::Unsupported)?;
        let done = witness.keeper.open(&checked, from);
        done.inspect_err(is_full)?;
        Ok(Self::room_of(witness, game, terms, opened))
    }

    /// Enters the room of a signed game that has begun, which is opened by a guest if the game is new.
    fn room_of(
        witness: &Witnessing,
        game: GameNumber,
        terms: &signed::SignedTerms,
        opened: Option<Guest>,
    ) -> Stay<SignedRoom> {
        let room = SignedRoom::new(game, *terms, witness.keeper.domain());
        let stay = witness.rooms.keep(room, opened);
        // What was told before the room was open.
        witness.keeper.refresh(stay.room(), game);
        stay
    }

    /// Enters the room of a game with a stake, which this visitor opens by its terms if it is not there. Its players are
    /// never kept out of one that is there.
    pub(crate) fn enter_staked(
        &self,
        game: GameNumber,
        domain: signed::Domain,
        terms: &signed::Terms,
        from: Visitor,
    ) -> Result<Stay<StakedRoom>, Refusal> {
        let rooms = &self.0.staked;
        if let Some(stay) = rooms.enter_kept(game) {
            return Ok(stay);
        }
        let room = StakedRoom::new(game, domain, terms)?;
        match self.opener(from) {
            Some(opened) => Ok(rooms.keep(room, Some(opened))),
            None => {
                self.0.counters.busy.add();
                Err(Refusal::Full)
            }
        }
    }

    /// A place for one more room that this visitor opens; none if it has enough. Each counts for it until it is dropped, so
    /// that those which have been empty for too long are dropped first, of all kinds.
    fn opener(&self, from: Visitor) -> Option<Guest> {
        let shared = &self.0;
        let enter = || shared.openers.enter(from, Instant::now());
        enter().or_else(|| {
            shared.staked.drop_old();
            if let Some(witness) = shared.witness.get() {
                witness.rooms.drop_old();
            }
            enter()
        })
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
