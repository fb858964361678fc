//! What the games are played with, put together.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use connect4_client::{Address, Lookup};
use connect4_relay::{Limits, Relay, Stop};
use tokio::sync::Semaphore;

use crate::app::{App, Public};
use crate::computers::Computers;
use crate::elsewhere::Elsewhere;
use crate::feed::Feed;
use crate::guard::Guard;
use crate::host::{Gate, Metrics};
use crate::indexing::Indexing;
use crate::keys::Keys;
use crate::link::Chain;
use crate::pictures::Pictures;
use crate::room::{Following, Rooms};
use crate::seats::Seats;
use crate::signers::Signers;
use crate::text::of_links;

/// Games that are followed at the same time, at most, for those who watch them.
const MOST_ROOMS: usize = 200;

/// What it is put together from, beside the chain.
pub struct Parts {
    pub lookup: Lookup,
    pub folder: Option<PathBuf>,
    /// URL of the relay that was named; none: the server itself.
    pub relay: Option<String>,
    pub of_relay: Limits,
    pub keys: Keys,
    pub guard: Arc<Guard>,
    pub signers: Arc<Signers>,
    pub public: Option<Public>,
    pub gate: Option<Arc<Gate>>,
    pub metrics: Arc<Metrics>,
    pub most_sockets: usize,
    pub indexing: Option<Arc<Indexing>>,
    /// Whether the relay becomes a witness later.
    pub awaits_witness: bool,
    pub witnesses: Vec<Address>,
}

/// What plays on the contracts of a chain, as long as it is held.
pub struct Played {
    pub app: Arc<App>,
    pub relay: Relay,
    _feed: Option<Feed>,
}

impl Played {
    /// Plays on a chain.
    pub fn on(chain: &Chain, parts: Parts) -> Self {
        let seats = Arc::new(match &parts.folder {
            Some(folder) => Seats::kept_in(folder),
            None => Seats::default(),
        });
        let operation = parts.public.as_ref().map(|public| &public.operation);
        let rooms = Rooms::new(
            chain.clone(),
            Arc::clone(&seats),
            match operation {
                Some(operation) => Following::Events {
                    most: operation.limits.rooms,
                },
                None => Following::Blocks { most: MOST_ROOMS },
            },
        );
        let feed = operation.map(|_| Feed::of(chain, rooms.clone()));
        let signers = Arc::clone(&parts.signers);
        let computers = Computers::new(seats, chain.clone(), rooms.clone(), signers);
        let relay = match parts.awaits_witness {
            true => Relay::awaiting_witness(parts.of_relay),
            false => Relay::new(parts.of_relay),
        };
        let named = parts.relay.clone();
        let app = App {
            chain: chain.clone(),
            links: of_links(chain.links()),
            rooms,
            computers: Arc::new(computers),
            keys: parts.keys,
            guard: parts.guard,
            signers: parts.signers,
            lookup: parts.lookup,
            gate: parts.gate,
            metrics: parts.metrics,
            stop: Stop::default(),
            started: SystemTime::now(),
            most_sockets: parts.most_sockets,
            sockets: Arc::new(Semaphore::new(parts.most_sockets)),
            indexing: parts.indexing,
            public: parts.public,
            relay: parts.relay,
            witnesses: parts.witnesses,
            pictures: Pictures::default(),
            signed_rooms: relay.clone(),
            elsewhere: named.map(|url| Elsewhere::at(url, chain.clone())),
        };
        Self {
            app: Arc::new(app),
            relay,
            _feed: feed,
        }
    }
}
