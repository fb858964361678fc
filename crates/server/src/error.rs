//! Why a server can't start, or go on.

use std::io;
use std::net::SocketAddr;

/// Why the page, or the rooms of the relay, cannot be served.
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
