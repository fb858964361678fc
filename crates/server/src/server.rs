//! The server: its parts put together.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{ConnectInfo, Request};
use axum::middleware::map_request;
use axum::serve::ListenerExt as _;
use connect4_client::signed::rooms_at;
use connect4_client::{Address, Contracts, Lookup, Signer};
use connect4_index::Notice;
use connect4_relay::{Limits, Visitor};
use tokio::net::{TcpListener, TcpSocket};

pub use crate::app::{Operation, Public};
use crate::counting::Counting;
use crate::error::Error;
use crate::guard::Guard;
use crate::host::{Entry, Gate, Logging, Metrics, operator_router};
use crate::indexing::{IndexPlace, Indexing};
use crate::keys::Keys;
use crate::link::{Chain, Closing, Connect, Connection};
use crate::played::{Parts, Played};
use crate::routes;
use crate::signers::Signers;
use crate::witness::{self, WitnessLog, Witnessed};

/// Pages that are open at the same time, at most.
const MOST_SOCKETS: usize = 256;
/// Bytes that wait in the system for a reader of a public host, at most: for many slow ones, what the
/// system chooses by itself would be too much.
const SEND_BUFFER: u32 = 64 * 1024;
/// Connections that wait to be accepted, at most.
const BACKLOG: u32 = 1024;
/// Time that pages and players have to leave when the server ends.
const FAREWELL: Duration = Duration::from_secs(3);
/// Pause before contracts are looked for again that are not there yet.
const LOOK: Duration = Duration::from_secs(2);

pub struct Config {
    /// The address to listen on; for port 0 the system selects one.
    pub listen: SocketAddr,
    /// Names, besides localhost and addresses, by which browsers may reach the server.
    pub host_names: Vec<String>,
    /// How the user gives the server another such name, as in `start it with ...`.
    pub host_naming: &'static str,
    /// The accounts that the server signs for, in the order in which the page proposes them.
    pub signers: Vec<Signer>,
    pub lookup: Lookup,
    /// Where the chain is, in words.
    pub place: String,
    /// What opens the accounts.
    pub keys: Keys,
    /// Where to keep which seats computers play, so that they play on after the next start.
    /// None: nothing is kept.
    pub folder: Option<PathBuf>,
    /// URL of the relay for signed games, as `ws://host:port`, or of its page. None: the rooms of this
    /// server.
    pub relay: Option<String>,
    /// The log by which its relay is the witness of signed games. None: it is no witness.
    pub witness: Option<WitnessLog>,
    /// Keys of the other witnesses whose games count here.
    pub witnesses: Vec<Address>,
    /// Where to keep an index of games and accounts, and who is told what happens to it. None: there is
    /// none, and the page shows no profiles and standings.
    pub index: Option<(IndexPlace, Notice)>,
    /// Whether it is a public host, which signs for nobody and lets every page in.
    pub public: Option<Public>,
}

/// A server that listens and knows its chain.
pub struct Server {
    listener: TcpListener,
    addr: SocketAddr,
    /// Where the operator of a public host is told its metrics.
    metrics: Option<TcpListener>,
    played: Played,
    witnessed: Option<Witnessed>,
    /// The log that is opened once the chain answers.
    awaited: Option<WitnessLog>,
    closing: Closing,
}

/// Access to the chain of a server for what acts there beside it. It does not keep the chain open.
pub struct Beside(Chain);

impl Beside {
    /// Does some work with the contracts, once they are there; again when the chain has gone away and come back. Ends with
    /// the work.
    pub async fn on_contracts<T>(&self, mut work: impl AsyncFnMut(Contracts) -> Option<T>) -> T {
        loop {
            if let Ok(at) = self.0.connected()
                && let Some(contract) = at.contract()
                && let Some(Some(done)) = self.0.unless_gone(work(contract)).await
            {
                return done;
            }
            tokio::time::sleep(LOOK).await;
        }
    }
}

impl Server {
    /// Listens, and looks for the contract at a connection that `connect` gave; without one, serves what
    /// needs no chain until `connect` gives one.
    ///
    /// # Errors
    ///
    /// [`Error::Listen`], then [`Error::Chain`]; a public host waits until its chain is of use. Then
    /// [`Error::Unnumbered`] and [`Error::Witness`] if nobody else is told that the log cannot be used.
    pub async fn start(
        config: Config,
        connection: impl Into<Option<Connection>>,
        connect: impl Connect,
    ) -> Result<Self, Error> {
        let failed = |error| Error::Listen {
            addr: config.listen,
            error,
        };
        let listener = match config.public {
            Some(_) => listen(config.listen).map_err(failed)?,
            None => TcpListener::bind(config.listen).await.map_err(failed)?,
        };
        let addr = listener.local_addr().map_err(failed)?;
        let operation = config.public.as_ref().map(|public| &public.operation);
        let metrics = match operation.and_then(|operation| operation.metrics) {
            Some(addr) => {
                let failed = |error| Error::Listen { addr, error };
                Some(TcpListener::bind(addr).await.map_err(failed)?)
            }
            None => None,
        };
        let chain = Chain::follow(
            connection.into(),
            connect,
            config.place,
            config.lookup.clone(),
            config.signers.first().cloned(),
            config.public.is_some(),
        )
        .await?;
        let closing = Closing(chain.clone());
        // It signs for a chain.
        let (witness, awaited) = match (config.witness, chain.connected()) {
            (Some(log), Ok(at)) => (log.open(&at.connection.client)?, None),
            (log, _) => (None, log),
        };
        let witnessed = witness.as_ref().map(Witnessed::from);
        let counted = Arc::new(Metrics::default());
        let limits = operation.map(|operation| operation.limits);
        let most_sockets = limits.map_or(MOST_SOCKETS, |limits| limits.sockets);
        // One option sets how many sockets an address may have, for either purpose.
        let of_relay = limits.map_or_else(Limits::default, |limits| Limits {
            sockets_of_address: limits.of_address.at_once,
            openings_of_address: limits.of_address.rate,
            ..Limits::default()
        });
        let indexing = match config.index {
            Some((place, notice)) => {
                let lookup = config.lookup.clone();
                Some(Arc::new(Indexing::of(&chain, lookup, place, notice).await))
            }
            None => None,
        };
        let parts = Parts {
            lookup: config.lookup,
            folder: config.folder,
            relay: config.relay.as_deref().map(rooms_at),
            of_relay,
            keys: config.keys,
            guard: Arc::new(Guard::new(&config.host_names, config.host_naming)),
            signers: Arc::new(Signers::new(config.signers)),
            gate: limits.map(|limits| Arc::new(Gate::new(&limits, Arc::clone(&counted)))),
            metrics: counted,
            most_sockets,
            indexing,
            public: config.public,
            awaits_witness: awaited.is_some(),
            witnesses: config.witnesses,
        };
        let played = Played::on(&chain, parts);
        if let Some(witness) = witness {
            played.relay.begin_witness(witness);
        }
        Ok(Self {
            listener,
            addr,
            metrics,
            played,
            witnessed,
            awaited,
            closing,
        })
    }

    /// The address that it listens on, with the port that was chosen.
    #[must_use]
    pub const fn local_addr(&self) -> SocketAddr {
        self.addr
    }

    /// The key that opens every account.
    #[must_use]
    pub fn host_key(&self) -> String {
        self.played.app.keys.host()
    }

    /// The witness of signed games that it is; none if it is none, or has to wait for its chain.
    #[must_use]
    pub const fn witnessed(&self) -> Option<&Witnessed> {
        self.witnessed.as_ref()
    }

    /// The address of the metrics of a public host, with the port that was chosen; none if they are not
    /// told.
    #[must_use]
    pub fn metrics_addr(&self) -> Option<SocketAddr> {
        self.metrics.as_ref()?.local_addr().ok()
    }

    /// What acts on its chain beside it.
    #[must_use]
    pub fn beside(&self) -> Beside {
        Beside(self.closing.0.clone())
    }

    /// Serves the page and the rooms of the relay, and closes the chain when this future is dropped.
    ///
    /// # Errors
    ///
    /// As [`Self::run_until`].
    pub async fn run(self) -> Result<(), Error> {
        self.run_until(std::future::pending()).await
    }

    /// Serves until `told` is done, then tells pages and players to connect again, answers what was
    /// asked, and ends within seconds. Closes the chain when this future is dropped.
    ///
    /// # Errors
    ///
    /// [`Error::Serve`]. [`Error::Unnumbered`] and [`Error::Witness`] if the chain answers later, and the log cannot be
    /// used then.
    pub async fn run_until(self, told: impl Future<Output = ()>) -> Result<(), Error> {
        let app = Arc::clone(&self.played.app);
        let log = app.public.as_ref().and_then(|public| public.operation.log);
        let tell = |entry| {
            if let Some(log) = log {
                log.tell(&entry);
            }
        };
        tell(Entry::Started {
            version: env!("CARGO_PKG_VERSION"),
            listen: self.addr,
            metrics: self.metrics_addr(),
        });
        if let Some(witnessed) = &self.witnessed {
            witness::tell(witnessed, log);
        }
        let (chain, relay) = (self.closing.0.clone(), self.played.relay.clone());
        let witnessing = async {
            if let Some(awaited) = self.awaited
                && let Some(witness) = awaited.open_later(chain).await
            {
                witness::tell(&(&witness).into(), log);
                relay.begin_witness(witness);
            }
            std::future::pending().await
        };
        let _logging = log.map(|log| Logging::of(Arc::clone(&app), log));
        let _counted = Counting::of(&app);
        let ending = async {
            told.await;
            tell(Entry::Stopping);
            app.stop.stop();
            self.played.relay.stop().stop();
            tokio::time::sleep(FAREWELL).await;
        };
        let counting = self.metrics.map(|listener| {
            let routes = operator_router(Arc::clone(&app));
            axum::serve(listener, routes).into_future()
        });
        let counting = async {
            match counting {
                Some(counting) => counting.await.map_err(Error::Serve),
                None => std::future::pending().await,
            }
        };
        let ended = tokio::select! {
            served = serve(self.listener, &self.played) => served,
            failed = counting => failed,
            failed = witnessing => failed,
            () = ending => Ok(()),
        };
        tell(Entry::Stopped);
        ended
    }
}

/// Serves until the server ends and the last socket is closed.
async fn serve(listener: TcpListener, played: &Played) -> Result<(), Error> {
    let app = &played.app;
    if let (Some(public), Some(gate)) = (&app.public, &app.gate) {
        let entrance = public.operation.entrance();
        let routes = routes::open_router(Arc::clone(gate), played);
        let turned_away = &app.metrics.turned_away;
        entrance
            .serve(listener, routes, turned_away, &app.stop)
            .await;
        let most = u32::try_from(app.most_sockets).unwrap_or(u32::MAX);
        let _ = app.sockets.acquire_many(most).await;
        played.relay.left().await;
        return Ok(());
    }
    // A move is a small message, which should not wait to be sent with the next one. If the system
    // refuses the option, moves are only slower.
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    let routes = routes::router(played).layer(map_request(tell_visitor));
    let routes = routes.into_make_service_with_connect_info::<SocketAddr>();
    axum::serve(listener, routes).await.map_err(Error::Serve)
}

/// Tells whom the relay counts a request for.
async fn tell_visitor(ConnectInfo(from): ConnectInfo<SocketAddr>, mut request: Request) -> Request {
    request.extensions_mut().insert(Visitor::from(from.ip()));
    request
}

fn listen(addr: SocketAddr) -> io::Result<TcpListener> {
    let socket = match addr {
        SocketAddr::V4(_) => TcpSocket::new_v4(),
        SocketAddr::V6(_) => TcpSocket::new_v6(),
    }?;
    // A host that is started again finds connections of the one before it.
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(addr)?;
    socket.listen(BACKLOG)
}
