//! The local chain in this process.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use connect4_chain::{Chain, OpenError, Options, Storage, SubmitError, rpc};

use crate::failure::Failure;
use crate::place::Place;

/// File in the folder of a local chain with the address at which it is served. The program that has
/// the chain open writes and removes it.
const URL_FILE: &str = "node.url";

/// A local chain that this process runs and serves until it is dropped.
pub struct Local {
    server: rpc::Server,
    chain: Chain,
    _url: Option<UrlFile>,
}

impl Local {
    /// The address at which the chain is served.
    pub fn addr(&self) -> SocketAddr {
        self.server.local_addr()
    }

    /// Waits until the chain makes no more blocks, as on a full disk, and returns what to do.
    pub fn until_halted(&self) -> impl Future<Output = Failure> + Send + use<> {
        let halted = self.chain.until_halted();
        async move { Failure::Other(SubmitError::Halted(halted.await).to_string()) }
    }

    /// The URL by which this machine reaches it.
    pub fn url(&self) -> String {
        url_of(self.addr())
    }
}

/// The URL by which this machine reaches a server that listens at an address.
fn url_of(addr: SocketAddr) -> String {
    if addr.ip().is_unspecified() {
        format!("ws://127.0.0.1:{}", addr.port())
    } else {
        format!("ws://{addr}")
    }
}

/// A port of this machine alone, which the system chooses, for a chain that this program opens for
/// itself.
pub fn own_port() -> rpc::Options {
    rpc::Options {
        addr: SocketAddr::from(([127, 0, 0, 1], 0)),
        ..rpc::Options::default()
    }
}

/// The URL of the program that has the chain of a folder open; none if it has not written it yet.
pub fn served_at(folder: &Path) -> Option<String> {
    let url = fs::read_to_string(folder.join(URL_FILE)).ok()?;
    Some(url.trim().to_owned())
}

/// The file with the URL of a chain, which is removed when this is dropped.
struct UrlFile {
    path: PathBuf,
    url: String,
}

impl UrlFile {
    fn write(folder: &Path, url: String) -> Result<Self, Failure> {
        let path = folder.join(URL_FILE);
        fs::write(&path, format!("{url}\n"))
            .map_err(|error| Failure::Other(format!("cannot write {}: {error}", path.display())))?;
        Ok(Self { path, url })
    }
}

impl Drop for UrlFile {
    fn drop(&mut self) {
        // Another program may have opened the chain and written its own URL.
        if fs::read_to_string(&self.path).is_ok_and(|url| url.trim() == self.url) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

pub enum NotStarted {
    Open(OpenError),
    Other(Failure),
}

impl From<NotStarted> for Failure {
    fn from(error: NotStarted) -> Self {
        match error {
            NotStarted::Open(OpenError::InUse(folder)) => {
                let url = served_at(&folder);
                let failure = Self::from(OpenError::InUse(folder));
                match url {
                    Some(url) => failure.and(&format!("it is served at {url}")),
                    None => failure,
                }
            }
            NotStarted::Open(error) => error.into(),
            NotStarted::Other(failure) => failure,
        }
    }
}

/// Runs the local chain in this process and serves it. `chain` applies except for the storage, which
/// is that of `place`.
pub async fn run(
    place: &Place,
    chain: Options,
    options: rpc::Options,
) -> Result<Local, NotStarted> {
    let storage = match place {
        Place::Folder(folder) => Storage::Folder(folder.clone()),
        Place::Memory | Place::Url(_) => Storage::Temporary,
    };
    let chain = Options { storage, ..chain };
    let opening = tokio::task::spawn_blocking(move || Chain::open(chain));
    let chain = opening
        .await
        .map_err(|error| NotStarted::Other(Failure::Other(format!("the chain failed: {error}"))))?
        .map_err(NotStarted::Open)?;
    let server = rpc::serve(chain.clone(), options)
        .await
        .map_err(|error| NotStarted::Other(error.into()))?;
    let url = match place {
        Place::Folder(folder) => {
            let url = url_of(server.local_addr());
            Some(UrlFile::write(folder, url).map_err(NotStarted::Other)?)
        }
        Place::Memory | Place::Url(_) => None,
    };
    Ok(Local {
        server,
        chain,
        _url: url,
    })
}
