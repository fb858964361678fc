//! The chain a command works on: another program's, or the local one in this process.

use std::ffi::OsString;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use connect4_chain::{Chain, OpenError, Options, Storage, rpc};
use connect4_client::{Client, Code, Contract, Deployment, Lookup, Named, Signer, Wait};

use crate::args::Global;
use crate::failure::Failure;
use crate::output::Progress;

/// The contracts, built from this repository.
pub const CODE: Code = Code {
    games: include_bytes!("../../../artifacts/connect4.polkavm"),
    matches: include_bytes!("../../../artifacts/connect4_matches.polkavm"),
};
/// In the local chain's folder: where the program that has it open serves it.
const URL_FILE: &str = "node.url";
/// How long a program that has the folder open may take to say where, or to leave.
const TAKEOVER: Duration = Duration::from_secs(4);

/// Where the chain is.
#[derive(Clone, Debug)]
pub enum Place {
    /// Where the user said.
    Url(String),
    /// In this folder.
    Folder(PathBuf),
    /// In memory.
    Memory,
}

impl Place {
    /// Where the command line says, else where the environment does, else in the usual folder.
    pub fn of(global: &Global, memory: bool) -> Result<Self, Failure> {
        if memory {
            Ok(Self::Memory)
        } else if let Some(url) = &global.url {
            Ok(Self::Url(url.clone()))
        } else if let Some(folder) = &global.data {
            Ok(Self::Folder(folder.clone()))
        } else if let Some(url) = set("CONNECT4_URL") {
            match url.into_string() {
                Ok(url) => Ok(Self::Url(url)),
                Err(_) => Err(Failure::Usage("CONNECT4_URL is no text".into())),
            }
        } else {
            Self::folder(global)
        }
    }

    /// The local chain's folder, whatever chain the environment names.
    pub fn folder(global: &Global) -> Result<Self, Failure> {
        global
            .data
            .clone()
            .or_else(|| set("CONNECT4_DATA").map(PathBuf::from))
            .or_else(default_folder)
            .map(Self::Folder)
            .ok_or_else(|| {
                Failure::Usage(
                    "there is no home folder to keep the chain in: name a folder with --data, or \
                     use --url"
                        .into(),
                )
            })
    }
}

/// The variable, if it is set to anything.
fn set(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// A connection to a chain, and the chain if it runs in this process.
pub struct Session {
    pub client: Client,
    pub place: Place,
    /// The chain, if it runs in this process.
    pub own: Option<Own>,
}

/// A chain that this process runs.
pub struct Own {
    pub server: rpc::Server,
    _url: Option<UrlFile>,
}

/// Says where the chain of a folder is served, as long as it is.
struct UrlFile {
    path: PathBuf,
    url: String,
}

impl UrlFile {
    fn write(folder: &Path, addr: SocketAddr) -> Result<Self, Failure> {
        let path = folder.join(URL_FILE);
        let url = format!("ws://{addr}");
        fs::write(&path, format!("{url}\n"))
            .map_err(|error| Failure::Other(format!("cannot write {}: {error}", path.display())))?;
        Ok(Self { path, url })
    }
}

impl Drop for UrlFile {
    fn drop(&mut self) {
        // Another program may have taken the folder over.
        if fs::read_to_string(&self.path).is_ok_and(|url| url.trim() == self.url) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl Session {
    /// Reaches the chain that the command line names.
    pub async fn open(global: &Global, memory: bool) -> Result<Self, Failure> {
        let wait = wait(global);
        let progress = Progress::new(global.json);
        let place = Place::of(global, memory)?;
        if let Place::Url(url) = &place {
            progress.say(&format!("connecting to {url}"));
            return Ok(Self {
                client: Client::connect(url).await?.waiting(wait),
                place,
                own: None,
            });
        }
        progress.say("opening the local chain");
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        let deadline = Instant::now() + TAKEOVER;
        let (url, own) = loop {
            let options = rpc::Options {
                addr: any,
                ..rpc::Options::default()
            };
            match run(&place, None, options).await {
                Ok(own) => break (format!("ws://{}", own.server.local_addr()), Some(own)),
                Err(Started::Open(OpenError::InUse(folder))) => {
                    // Another program has it open, and says where once it is ready.
                    if let Ok(url) = fs::read_to_string(folder.join(URL_FILE))
                        && let Ok(client) = Client::connect(url.trim()).await
                    {
                        return Ok(Self {
                            client: client.waiting(wait),
                            place,
                            own: None,
                        });
                    }
                    if Instant::now() > deadline {
                        return Err(OpenError::InUse(folder).into());
                    }
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
                Err(Started::Open(error)) => return Err(error.into()),
                Err(Started::Other(failure)) => return Err(failure),
            }
        };
        Ok(Self {
            client: Client::connect(&url).await?.waiting(wait),
            place,
            own,
        })
    }

    /// Where the chain is, in words.
    pub fn whereabouts(&self) -> String {
        match &self.place {
            Place::Url(url) => format!("{} at {url}", self.client.chain()),
            Place::Folder(folder) => format!("the local chain in {}", folder.display()),
            Place::Memory => "a chain in memory".into(),
        }
    }

    /// What to give to another command so that it reaches the same chain.
    pub fn arguments(&self) -> String {
        match &self.place {
            Place::Url(url) => format!(" --url {url}"),
            Place::Folder(path) if default_folder().as_ref() == Some(path) => String::new(),
            Place::Folder(path) => format!(" --data '{}'", path.display()),
            Place::Memory => String::new(),
        }
    }

    /// The contract, which has to be there.
    pub async fn contract(
        &self,
        global: &Global,
        signer: Option<&Signer>,
    ) -> Result<Contract, connect4_client::Error> {
        lookup(global).open(&self.client, signer).await
    }

    /// The contract, deployed if it is not there; with the receipt if it was.
    pub async fn contract_or_deploy(
        &self,
        global: &Global,
        signer: &Signer,
        progress: &Progress,
    ) -> Result<(Contract, Option<Deployment>), Failure> {
        let lookup = lookup(global);
        match lookup.open(&self.client, Some(signer)).await {
            Err(connect4_client::Error::NoContract(_)) if lookup.may_deploy() => {}
            result => return Ok((result?, None)),
        }
        progress.say("deploying the contract");
        let (contract, deployment) = lookup.deploy(&self.client, signer).await?;
        Ok((contract, Some(deployment)))
    }
}

/// When a transaction counts as done, as the command line says.
pub const fn wait(global: &Global) -> Wait {
    if global.finalized {
        Wait::Finalized
    } else {
        Wait::Best
    }
}

/// Which contract the command line says to use.
pub fn lookup(global: &Global) -> Lookup {
    Lookup {
        code: CODE,
        contract: global.contract,
        deployer: global.deployer.as_ref().map(Named::address),
        any_code: global.any_code,
    }
}

/// Why a chain was not started.
pub enum Started {
    Open(OpenError),
    Other(Failure),
}

impl From<Started> for Failure {
    fn from(started: Started) -> Self {
        match started {
            Started::Open(OpenError::InUse(folder)) => {
                let url = fs::read_to_string(folder.join(URL_FILE));
                let failure = Self::from(OpenError::InUse(folder));
                match url {
                    Ok(url) => failure.and(&format!("it is served at {}", url.trim())),
                    Err(_) => failure,
                }
            }
            Started::Open(error) => error.into(),
            Started::Other(failure) => failure,
        }
    }
}

/// Runs the local chain in this process and serves it.
pub async fn run(
    place: &Place,
    block_time: Option<Duration>,
    options: rpc::Options,
) -> Result<Own, Started> {
    let storage = match place {
        Place::Folder(folder) => Storage::Folder(folder.clone()),
        Place::Memory | Place::Url(_) => Storage::Temporary,
    };
    let opening = tokio::task::spawn_blocking(move || {
        Chain::open(Options {
            storage,
            block_time,
            ..Options::default()
        })
    });
    let chain = opening
        .await
        .map_err(|error| Started::Other(Failure::Other(format!("the chain failed: {error}"))))?
        .map_err(Started::Open)?;
    let server = rpc::serve(chain, options)
        .await
        .map_err(|error| Started::Other(error.into()))?;
    let url = match place {
        Place::Folder(folder) => {
            let addr = server.local_addr();
            // Whoever listens everywhere is reached here from here.
            let here = if addr.ip().is_unspecified() {
                SocketAddr::from(([127, 0, 0, 1], addr.port()))
            } else {
                addr
            };
            Some(UrlFile::write(folder, here).map_err(Started::Other)?)
        }
        _ => None,
    };
    Ok(Own { server, _url: url })
}

fn default_folder() -> Option<PathBuf> {
    set("XDG_DATA_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(set("HOME")?).join(".local/share")))
        .map(|data| data.join("connect4"))
}
