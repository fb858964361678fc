//! Why a server can't start, or go on.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use connect4_relay::witness::LogError;

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error("cannot listen on {addr}: {error}")]
    Listen { addr: SocketAddr, error: io::Error },
    /// The chain does not answer, or has another contract than the one that is wanted.
    #[error(transparent)]
    Chain(#[from] connect4_client::Error),
    /// The chain has no number by which players sign games for it.
    #[error("cannot be a witness: the chain has no number for Ethereum's signatures")]
    Unnumbered,
    /// The log of the witness cannot be used.
    #[error("{error} (in {})", folder.display())]
    Witness { folder: PathBuf, error: LogError },
    #[error("cannot serve: {0}")]
    Serve(io::Error),
}
