//! The game in a browser: opens the chain, and has `connect4-server` serve the page.

use std::net::SocketAddr;

use connect4_client::{Client, DEVELOPMENT, Signer};
use connect4_server::{Config, Connect, Connection, Error, Keys, Server};

use crate::accounts;
use crate::args::{Global, Serve};
use crate::failure::Failure;
use crate::output::{Progress, line, remark};
use crate::session::{self, Place, Session};

/// Serves the page until the program is told to stop.
pub async fn serve(global: &Global, args: &Serve) -> Result<(), Failure> {
    let signers = signers(args)?;
    let session = Session::open(global, args.tmp).await?;
    // Links stay valid when the program starts again, and computers play on.
    let folder = match &session.place {
        Place::Memory => None,
        Place::Folder(folder) => Some(folder.clone()),
        Place::Url(_) => match Place::folder(global) {
            Ok(Place::Folder(folder)) => Some(folder),
            _ => None,
        },
    };
    let keys = match &folder {
        Some(folder) => Keys::kept_in(folder).unwrap_or_else(|error| {
            remark(format!("links will not outlive this program: {error}"));
            Keys::new()
        }),
        None => Keys::new(),
    };
    let place = session.whereabouts();
    let config = Config {
        listen: SocketAddr::new(args.addr, args.port),
        host_names: args.host_names.clone(),
        signers,
        lookup: session::lookup(global),
        place: place.clone(),
        keys,
        folder,
    };
    let progress = Progress::new(global.json);
    progress.say("looking for the contract");
    let again = Again {
        global: Global {
            // Nothing is said on the terminal.
            json: true,
            ..global.clone()
        },
        memory: args.tmp,
    };
    let server = Server::start(config, session.into(), again).await?;
    progress.clear();
    let (addr, key) = (server.local_addr(), server.host_key());
    let reached = if addr.ip().is_unspecified() {
        SocketAddr::from(([127, 0, 0, 1], addr.port()))
    } else {
        addr
    };
    let url = format!("http://{reached}");
    if global.json {
        line(serde_json::json!({ "event": "serving", "url": url, "key": key }))?;
    } else {
        line(format!("Play at {url}/#key={key}"))?;
        remark(format!(
            "On {place}. Who has that link may play with your accounts; {url} alone lets others \
             watch. Ctrl-C stops it"
        ));
        if !addr.ip().is_loopback() {
            remark(format!(
                "Other machines reach it at http://<this machine's address>:{}; what they send is \
                 not encrypted",
                addr.port()
            ));
        }
    }
    Ok(server.run().await?)
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Listen { .. } => Self::Other(format!(
                "{error}. Name another port with --port; 0 has one chosen"
            )),
            Error::Chain(error) => error.into(),
            error => Self::Other(error.to_string()),
        }
    }
}

impl From<Session> for Connection {
    fn from(session: Session) -> Self {
        let connection = Self::to(session.client);
        match session.own {
            Some(own) => connection.with_own(own),
            None => connection,
        }
    }
}

/// Opens the chain again.
struct Again {
    global: Global,
    memory: bool,
}

impl Connect for Again {
    async fn connect(&self) -> Result<Connection, String> {
        match Place::of(&self.global, self.memory) {
            Ok(Place::Url(url)) => match Client::connect(&url).await {
                Ok(client) => Ok(Connection::to(client.waiting(session::wait(&self.global)))),
                // For people who see the page and not a terminal.
                Err(connect4_client::Error::Connect { url, reason }) => Err(format!(
                    "nothing answers at {url}: {reason}; see that its node runs"
                )),
                Err(error) => Err(error.to_string()),
            },
            _ => match Session::open(&self.global, self.memory).await {
                Ok(session) => Ok(session.into()),
                Err(failure) => Err(failure.to_string()),
            },
        }
    }
}

/// Who this program signs for: those whose secrets it is given, then the development accounts.
fn signers(args: &Serve) -> Result<Vec<Signer>, Failure> {
    let mut signers = Vec::new();
    for path in &args.secret_files {
        signers.push(accounts::from_file(path)?);
    }
    signers.extend(accounts::usual()?);
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
