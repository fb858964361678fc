//! The server: its parts put together.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use axum::serve::ListenerExt as _;
use connect4_client::fast::rooms_at;
use connect4_client::{Lookup, Signer};
use connect4_relay::{Limits, Relay};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::app::App;
use crate::computers::Computers;
use crate::error::Error;
use crate::fast::{self, FastTables};
use crate::guard::Guard;
use crate::keys::Keys;
use crate::link::{Chain, Closing, Connect, Connection};
use crate::relay::Games;
use crate::room::Rooms;
use crate::routes;
use crate::seats::Seats;
use crate::signers::Signers;
use crate::upkeep::Upkeep;

/// Pages that are open at the same time, at most.
const MOST_SOCKETS: usize = 256;

/// What a server needs to know.
pub struct Config {
    /// The address to listen on; port 0 has one chosen.
    pub listen: SocketAddr,
    /// Names, besides localhost and addresses, by which browsers may reach the server.
    pub host_names: Vec<String>,
    /// How the user gives the server another such name, as in `start it with ...`.
    pub host_naming: &'static str,
    /// The accounts that the server signs for, in the order in which the page proposes them.
    pub signers: Vec<Signer>,
    /// Which contract to use.
    pub lookup: Lookup,
    /// Where the chain is, in words.
    pub place: String,
    /// What opens the accounts.
    pub keys: Keys,
    /// Where to keep which seats computers play, so that they play on after the next start, and what is
    /// signed in fast games. None: nothing is kept, and fast games are only watched.
    pub folder: Option<PathBuf>,
    /// URL of the relay for fast games, as `ws://host:port`, or of its page. None: the rooms of this
    /// server.
    pub relay: Option<String>,
}

/// A server that listens and knows its chain.
pub struct Server {
    listener: TcpListener,
    addr: SocketAddr,
    app: Arc<App>,
    relay: Relay<Games>,
    _upkeep: Upkeep,
    _closing: Closing,
}

impl Server {
    /// Listens, and looks for the contract at a connection that `connect` gave.
    ///
    /// # Errors
    ///
    /// [`Error::Listen`], then [`Error::Chain`].
    pub async fn start(
        config: Config,
        connection: Connection,
        connect: impl Connect,
    ) -> Result<Self, Error> {
        let failed = |error| Error::Listen {
            addr: config.listen,
            error,
        };
        let listener = TcpListener::bind(config.listen).await.map_err(failed)?;
        let addr = listener.local_addr().map_err(failed)?;
        let chain = Chain::follow(
            connection,
            connect,
            config.place,
            config.lookup.clone(),
            config.signers.first().cloned(),
        )
        .await?;
        let seats = Arc::new(match &config.folder {
            Some(folder) => Seats::kept_in(folder),
            None => Seats::default(),
        });
        let signers = Arc::new(Signers::new(config.signers));
        let accounts = signers.iter().map(Signer::address).collect();
        let keyring = config.folder.as_deref().map(fast::keyring);
        let relay = match config.relay {
            Some(url) => rooms_at(&url),
            None => fast::own_relay(addr),
        };
        let fast = Arc::new(FastTables::new(keyring, relay, Arc::clone(&signers)));
        let rooms = Rooms::new(
            chain.clone(),
            Arc::clone(&seats),
            accounts,
            Arc::clone(&fast),
        );
        let computers = Computers::new(seats, chain.clone(), rooms.clone(), Arc::clone(&signers));
        let app = Arc::new(App {
            chain: chain.clone(),
            rooms,
            computers: Arc::new(computers),
            fast,
            keys: config.keys,
            guard: Arc::new(Guard::new(&config.host_names, config.host_naming)),
            signers,
            lookup: config.lookup,
            sockets: Arc::new(Semaphore::new(MOST_SOCKETS)),
            reviewing: Arc::new(Semaphore::new(1)),
        });
        Ok(Self {
            listener,
            addr,
            app,
            relay: Relay::new(Games(chain.clone()), Limits::default()),
            _upkeep: Upkeep::of(&chain),
            _closing: Closing(chain),
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
        self.app.keys.host()
    }

    /// Serves the page and the rooms of the relay, and closes the chain when this future is dropped.
    ///
    /// # Errors
    ///
    /// [`Error::Serve`].
    pub async fn run(self) -> Result<(), Error> {
        // A move is a small message, which should not wait to be sent with the next one. If the
        // system refuses the option, moves are only slower.
        let listener = self
            .listener
            .tap_io(|stream| drop(stream.set_nodelay(true)));
        let routes = routes::router(self.app, self.relay);
        // The relay counts the sockets of each address.
        let routes = routes.into_make_service_with_connect_info::<SocketAddr>();
        axum::serve(listener, routes).await.map_err(Error::Serve)
    }
}
