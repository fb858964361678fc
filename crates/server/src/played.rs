//! The contracts of one version, with all that their games are played with.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use connect4_client::{Address, Lookup, Signer};
use connect4_relay::{Limits, Relay, Stop};
use tokio::sync::Semaphore;

use crate::app::{App, Public};
use crate::computers::Computers;
use crate::elsewhere::Elsewhere;
use crate::fast::{self, FastTables, Reopening};
use crate::feed::Feed;
use crate::guard::Guard;
use crate::host::{Gate, Metrics};
use crate::indexing::Indexing;
use crate::keys::Keys;
use crate::link::Chain;
use crate::pictures::Pictures;
use crate::relay::{Games, path};
use crate::room::{Following, Rooms};
use crate::seats::Seats;
use crate::signers::Signers;
use crate::text::of_links;

/// Games that are followed at the same time, at most, for those who watch them.
const MOST_ROOMS: usize = 200;

/// What the contracts of all versions share.
pub struct Shared {
    pub folder: Option<PathBuf>,
    /// URL of the relay that was named; none: the server itself, at the next one.
    pub relay: Option<String>,
    pub own_relay: String,
    pub of_relay: Limits,
    pub keys: Arc<Keys>,
    pub guard: Arc<Guard>,
    pub signers: Arc<Signers>,
    pub public: Option<Public>,
    pub gate: Option<Arc<Gate>>,
    pub metrics: Arc<Metrics>,
    pub stop: Stop,
    pub most_sockets: usize,
    pub sockets: Arc<Semaphore>,
    pub indexing: Option<Arc<Indexing>>,
    /// Whether the relay of the newest contracts becomes a witness later.
    pub awaits_witness: bool,
    pub witnesses: Vec<Address>,
}

/// What plays on the contracts of one version, as long as it is held.
pub struct Played {
    pub app: Arc<App>,
    pub relay: Relay<Games>,
    _reopening: Reopening,
    _feed: Option<Feed>,
}

impl Shared {
    /// Plays on the newest contracts of a chain, and on those of earlier versions.
    pub fn play(&self, chain: &Chain, lookup: &Lookup) -> (Played, Vec<Played>) {
        let seats = match &self.folder {
            Some(folder) => Seats::kept_in(folder),
            None => Seats::default(),
        };
        let earlier: Vec<Played> = lookup
            .earlier_versions()
            .map(|lookup| {
                let seats = seats.beside();
                let at = Some(lookup.code.version);
                self.played(chain.beside(lookup.clone()), lookup, seats, at, Vec::new())
            })
            .collect();
        let apps = earlier.iter().map(|played| Arc::clone(&played.app));
        let newest = self.played(chain.clone(), lookup.clone(), seats, None, apps.collect());
        (newest, earlier)
    }

    fn played(
        &self,
        chain: Chain,
        lookup: Lookup,
        seats: Seats,
        is_earlier: Option<u32>,
        earlier: Vec<Arc<App>>,
    ) -> Played {
        let version = lookup.code.version;
        let path = is_earlier.map_or_else(String::new, path);
        let seats = Arc::new(seats);
        let operation = self.public.as_ref().map(|public| &public.operation);
        let accounts = self.signers.iter().map(Signer::address).collect();
        let keyring = self.folder.as_deref().map(fast::keyring);
        let named = self.relay.as_ref().map(|url| format!("{url}{path}"));
        let relay = named
            .clone()
            .unwrap_or_else(|| format!("{}{path}", self.own_relay));
        let fast = Arc::new(FastTables::new(keyring, relay, Arc::clone(&self.signers)));
        let reopening = Reopening::of(&chain, Arc::clone(&fast));
        let rooms = Rooms::new(
            chain.clone(),
            Arc::clone(&seats),
            accounts,
            Arc::clone(&fast),
            match operation {
                Some(operation) => Following::Events {
                    most: operation.limits.rooms,
                },
                None => Following::Blocks { most: MOST_ROOMS },
            },
        );
        let feed = operation.map(|_| Feed::of(&chain, rooms.clone()));
        let computers = Computers::new(
            seats,
            chain.clone(),
            rooms.clone(),
            Arc::clone(&self.signers),
        );
        let games = Games(chain.clone());
        let relay = match self.awaits_witness && is_earlier.is_none() {
            true => Relay::awaiting_witness(version, games, self.of_relay),
            false => Relay::new(version, games, self.of_relay),
        };
        let elsewhere = named.clone().map(|url| Elsewhere::at(url, chain.clone()));
        let app = App {
            chain: chain.clone(),
            links: of_links(chain.links()),
            rooms,
            computers: Arc::new(computers),
            fast,
            keys: Arc::clone(&self.keys),
            guard: Arc::clone(&self.guard),
            signers: Arc::clone(&self.signers),
            lookup,
            gate: self.gate.clone(),
            metrics: Arc::clone(&self.metrics),
            stop: self.stop.clone(),
            started: SystemTime::now(),
            most_sockets: self.most_sockets,
            sockets: Arc::clone(&self.sockets),
            indexing: self.indexing.clone(),
            public: self.public.clone(),
            relay: named,
            witnesses: self.witnesses.clone(),
            pictures: Pictures::default(),
            fast_rooms: relay.clone(),
            elsewhere,
            earlier,
            is_earlier: is_earlier.is_some(),
        };
        Played {
            app: Arc::new(app),
            relay,
            _reopening: reopening,
            _feed: feed,
        }
    }
}
