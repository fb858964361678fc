//! The relay of signed games on a chain.

use std::net::SocketAddr;
use std::path::PathBuf;

use connect4_client::Lookup;
use connect4_relay::{Counts, Limits, Proxies, Relay};
use tokio::net::TcpListener;

use crate::error::Error;
use crate::link::{Chain, Closing, Connect, Connection};
use crate::witness::{WitnessFolder, Witnessed};

pub struct RelayConfig {
    /// The address to listen on; for port 0 the system selects one.
    pub listen: SocketAddr,
    pub limits: Limits,
    /// The folder of the log by which it is the witness of signed games; none: it is no witness.
    pub witness_log: Option<PathBuf>,
    /// The reverse proxies in front of it, and whom its limits do not count.
    pub proxies: Proxies,
    pub lookup: Lookup,
    /// Where the chain is, in words.
    pub place: String,
}

/// A relay without a page, which listens and knows its chain.
pub struct RelayServer {
    listener: TcpListener,
    addr: SocketAddr,
    relay: Relay,
    proxies: Proxies,
    witnessed: Option<Witnessed>,
    _closing: Closing,
}

impl RelayServer {
    /// Listens, and looks for the contract at a connection that `connect` gave.
    ///
    /// # Errors
    ///
    /// [`Error::Listen`], then [`Error::Unnumbered`] and [`Error::Witness`] if it is to be a witness, then
    /// [`Error::Chain`].
    pub async fn start(
        config: RelayConfig,
        connection: Connection,
        connect: impl Connect,
    ) -> Result<Self, Error> {
        let failed = |error| Error::Listen {
            addr: config.listen,
            error,
        };
        let listener = TcpListener::bind(config.listen).await.map_err(failed)?;
        let addr = listener.local_addr().map_err(failed)?;
        let witness = match &config.witness_log {
            Some(folder) => Some(WitnessFolder::Of(folder.clone()).open(&connection.client)?),
            None => None,
        };
        let witnessed = witness.as_ref().map(Witnessed::from);
        let chain = Chain::follow(
            Some(connection),
            connect,
            config.place,
            config.lookup,
            None,
            false,
        )
        .await?;
        let relay = match witness {
            Some(witness) => Relay::witnessed(config.limits, witness),
            None => Relay::new(config.limits),
        };
        Ok(Self {
            listener,
            addr,
            relay,
            proxies: config.proxies,
            witnessed,
            _closing: Closing(chain),
        })
    }

    /// The address that it listens on, with the port that was chosen.
    #[must_use]
    pub const fn local_addr(&self) -> SocketAddr {
        self.addr
    }

    #[must_use]
    pub fn counts(&self) -> Counts {
        self.relay.counts()
    }

    /// The witness of signed games that it is; none if it is none.
    #[must_use]
    pub const fn witnessed(&self) -> Option<&Witnessed> {
        self.witnessed.as_ref()
    }

    /// Serves rooms, and closes the chain when this future is dropped.
    pub async fn run(self) {
        connect4_relay::serve(self.listener, self.relay, self.proxies).await;
    }
}
