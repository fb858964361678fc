//! `serve`: the game in a browser. Opens the chain, and has `connect4-server` serve the page.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use connect4_client::signed::rooms_at;
use connect4_client::{Client, DEVELOPMENT, Signer};
use connect4_index::Notice;
use connect4_relay::witness::LogError;
use connect4_server::{Beside, Config, Connect, Connection, Error, IndexPlace, Keys, Server};
use tempfile::TempDir;

use super::guard_stakes::StakedGuards;
use crate::accounts;
use crate::args::{Global, Serve};
use crate::failure::Failure;
use crate::open_files;
use crate::output::{Output, Progress};
use crate::place::Place;
use crate::play::relay::Announced;
use crate::said::{Said, from_here};
use crate::session::{self, Session, stakes_of};
use crate::words::remark;

/// Serves the page until the program is told to stop.
pub async fn serve(global: &Global, args: &Serve, out: &mut Output) -> Result<(), Failure> {
    open_files::allow_most();
    let own = own_signers(args)?;
    let signers = signers(&own)?;
    // Anybody plays as a development account, and its games are at nobody's cost who has named an account of their own.
    let guarded = if own.is_empty() { signers.clone() } else { own };
    let session = Session::open(global, args.tmp, out).await?;
    if let Some(local) = &session.local {
        let halted = local.until_halted();
        // The page goes on showing what there is.
        tokio::spawn(async move { remark(halted.await) });
    }
    // What belongs to a chain in memory is gone with it.
    let temporary = args.tmp.then(TempDir::new).transpose();
    let temporary = temporary.unwrap_or_else(|error| {
        remark(format!(
            "there are no profiles: cannot create a temporary \
             folder ({error})"
        ));
        None
    });
    // Links stay valid and computers play on when the program starts again.
    let folder = match &temporary {
        Some(folder) => Some(folder.path().to_owned()),
        None => session.place.own_folder(global),
    };
    let index = folder.as_ref().filter(|_| !global.no_index);
    let index = index.map(|folder| IndexPlace::Folder(folder.join("index")));
    let keys = match &folder {
        Some(folder) => Keys::kept_in(folder).unwrap_or_else(|error| {
            remark(format!(
                "links will be invalid after this program ends: {error}"
            ));
            Keys::new()
        }),
        None => Keys::new(),
    };
    let unusable: Notice = Arc::new(remark);
    let witness = args
        .witnessing
        .log(folder.clone(), args.relay.as_ref(), unusable);
    let place = session.whereabouts();
    let config = Config {
        listen: SocketAddr::new(args.addr, args.port),
        host_names: args.host_names.clone(),
        host_naming: "start it with --host-name",
        signers,
        lookup: session::lookup(global),
        place: place.clone(),
        keys,
        folder: folder.clone(),
        relay: args.relay.clone(),
        witness,
        witnesses: args.witnessing.witnesses.clone(),
        index: indexed(index),
        public: None,
    };
    let progress = out.progress();
    progress.say("looking for the contract");
    let again = Again {
        global: global.clone(),
        memory: args.tmp,
    };
    let server = Server::start(config, Connection::from(session), again).await?;
    progress.clear();
    let addr = server.local_addr();
    let url = format!("http://{}", from_here(addr));
    let guard = Guard {
        beside: server.beside(),
        signers: guarded,
        relay: rooms_at(args.relay.as_deref().unwrap_or(&url)),
        folder: folder.clone(),
    };
    out.say(Said::Serving {
        addr,
        key: &server.host_key(),
        place: &place,
        witness: server.witnessed(),
        is_kept: temporary.is_none() || args.witnessing.witness_log.is_some(),
    })?;
    let _announced = Announced::at(&url, folder.as_deref());
    tokio::select! {
        served = server.run() => Ok(served?),
        never = guard.run() => match never {},
    }
}

/// For how long a page is left to do what the guard would do.
const PATIENCE: Duration = Duration::from_secs(12);

/// Guards the games for a stake of the program's accounts, as their page may be closed while they go on.
struct Guard {
    beside: Beside,
    signers: Vec<Signer>,
    relay: String,
    folder: Option<PathBuf>,
}

impl Guard {
    async fn run(self) -> Infallible {
        let guarding = self.beside.on_contracts(async |contract| {
            let stakes = stakes_of(&contract).await.ok()??;
            let mut said = StakedGuards {
                stakes,
                signers: self.signers.clone(),
                accounts: self.signers.iter().map(Signer::address).collect(),
                relay: Some(self.relay.clone()),
                folder: self.folder.clone(),
                patience: PATIENCE,
            }
            .begin();
            while let Some(text) = said.recv().await {
                remark(text);
            }
            None
        });
        guarding.await
    }
}

/// An index at a place, of which the operator is told by lines on standard error.
pub fn indexed(place: Option<IndexPlace>) -> Option<(IndexPlace, Notice)> {
    let notice: Notice = Arc::new(remark);
    Some((place?, notice))
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Listen { .. } => Self::Other(format!(
                "{error}. Name another port with --port; 0 selects a free one"
            )),
            Error::Chain(error) => error.into(),
            Error::Witness {
                error: LogError::InUse,
                ..
            } => Self::Other(format!(
                "{error}. End that process, or name another folder with --witness-log"
            )),
            Error::Witness {
                error: LogError::OtherChain | LogError::Io(_),
                ..
            } => Self::Other(format!("{error}. Name another folder with --witness-log")),
            error => Self::Other(error.to_string()),
        }
    }
}

impl From<Session> for Connection {
    fn from(session: Session) -> Self {
        let connection = Self::to(session.client);
        match session.local {
            Some(local) => connection.with_own(local),
            None => connection,
        }
    }
}

/// Opens the chain again after the connection was lost.
pub struct Again {
    pub global: Global,
    pub memory: bool,
}

impl Connect for Again {
    async fn connect(&self) -> Result<Connection, String> {
        match Place::of(&self.global, self.memory) {
            Ok(ref place @ Place::Url(ref url)) => match Client::connect(url).await {
                Ok(client) => Ok(Connection::to(session::prepared(
                    client,
                    &self.global,
                    place,
                ))),
                // For people who see the page and not a terminal.
                Err(connect4_client::Error::Connect { url, reason }) => Err(format!(
                    "no response from {url}: {reason}; check that its node runs"
                )),
                Err(error) => Err(error.to_string()),
            },
            _ => {
                let progress = Progress::hidden();
                match Session::connect(&self.global, self.memory, &progress).await {
                    Ok(session) => Ok(session.into()),
                    Err(failure) => Err(failure.to_string()),
                }
            }
        }
    }
}

/// The signers whose secrets are given.
fn own_signers(args: &Serve) -> Result<Vec<Signer>, Failure> {
    let files = args.secret_files.iter();
    let mut signers = files
        .map(|path| accounts::from_file(path))
        .collect::<Result<Vec<_>, _>>()?;
    signers.extend(accounts::of_environment()?);
    Ok(signers)
}

/// The signers of the page: the owner's, then the development accounts.
fn signers(own: &[Signer]) -> Result<Vec<Signer>, Failure> {
    let mut signers = own.to_vec();
    for name in DEVELOPMENT {
        signers.push(accounts::development(name)?);
    }
    let mut known = Vec::new();
    signers.retain(|signer| {
        let address = signer.address();
        let is_new = !known.contains(&address);
        known.push(address);
        is_new
    });
    Ok(signers)
}
