//! The page's server: Connect Four in a browser.
//!
//! The program that serves opens the chain, see [`Connect`], and says who signs, see [`Config`];
//! [`Server`] does the rest. Inside, `link` keeps the connection to the chain, `room` follows a game
//! for everybody who watches it, `view` says what they see, `computer` plays seats, `api` and
//! `challenges` take what players ask for and `guard` refuses who may not; [`Keys`] tell who may.
//! The page itself is in `web/`.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod api;
mod challenges;
mod computer;
mod guard;
pub mod json;
mod keys;
mod link;
mod page;
mod room;
mod view;
pub mod wire;
pub mod words;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use axum::serve::ListenerExt as _;
use connect4_client::{Address, Lookup, Signer};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

pub use self::keys::{Keys, KeysError};
pub use self::link::{Connect, Connection};

use self::computer::Computers;
use self::guard::Guard;
use self::link::Chain;
use self::room::Rooms;

/// More pages are not open at once.
const MOST_SOCKETS: usize = 256;

/// What a server needs to know.
pub struct Config {
    /// The address to listen on; port 0 has one chosen.
    pub listen: SocketAddr,
    /// Names, besides localhost and addresses, by which browsers may reach the server.
    pub host_names: Vec<String>,
    /// The accounts that the server signs for, in the order in which the page proposes them.
    pub signers: Vec<Signer>,
    /// Which contract to use.
    pub lookup: Lookup,
    /// Where the chain is, in words.
    pub place: String,
    /// What opens the accounts.
    pub keys: Keys,
    /// Where to keep which seats computers play, so that they play on after the next start. None:
    /// that is forgotten.
    pub folder: Option<PathBuf>,
}

/// Why the page cannot be served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The address cannot be listened on.
    #[error("cannot listen on {addr}: {error}")]
    Listen {
        /// The address.
        addr: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
    /// The chain does not answer, or has another contract than the one that is wanted.
    #[error(transparent)]
    Chain(#[from] connect4_client::Error),
    /// Connections cannot be accepted any more.
    #[error("cannot serve: {0}")]
    Serve(io::Error),
}

/// A server that listens and knows its chain.
pub struct Server {
    listener: TcpListener,
    addr: SocketAddr,
    app: Arc<App>,
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
        let computers = Arc::new(match &config.folder {
            Some(folder) => Computers::kept_in(folder),
            None => Computers::default(),
        });
        let app = Arc::new(App {
            rooms: Rooms::new(chain.clone(), Arc::clone(&computers)),
            computers,
            chain: chain.clone(),
            keys: config.keys,
            guard: Guard::new(&config.host_names),
            signers: config.signers,
            sockets: Arc::new(Semaphore::new(MOST_SOCKETS)),
            reviewing: Arc::new(Semaphore::new(1)),
            lookup: config.lookup,
        });
        Ok(Self {
            listener,
            addr,
            app,
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

    /// Serves the page, and closes the chain when this future is dropped.
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
        axum::serve(listener, api::router(self.app))
            .await
            .map_err(Error::Serve)
    }
}

/// What all requests share.
pub(crate) struct App {
    chain: Chain,
    rooms: Rooms,
    computers: Arc<Computers>,
    keys: Keys,
    guard: Guard,
    /// The accounts that this program signs for, in the order in which they are proposed.
    signers: Vec<Signer>,
    /// How many more pages may be open.
    sockets: Arc<Semaphore>,
    /// One review at a time: it takes a processor.
    reviewing: Arc<Semaphore>,
    lookup: Lookup,
}

impl App {
    /// Who signs for an address; none if this program does not.
    fn signer(&self, address: Address) -> Option<&Signer> {
        self.signers
            .iter()
            .find(|signer| signer.address() == address)
    }
}

/// Closes the chain when the program is told to stop: the tasks that hold it may outlive that.
struct Closing(Chain);

impl Drop for Closing {
    fn drop(&mut self) {
        if let Ok(at) = self.0.connected() {
            at.connection.close();
        }
    }
}
