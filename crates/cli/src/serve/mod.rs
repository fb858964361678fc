//! The game in a browser: the page, and what it asks of the chain.
//!
//! [`link`] keeps a connection to the chain, [`room`] follows a game for all who look at it,
//! [`view`] says what they see, [`computer`] plays seats by itself, [`api`] and [`challenges`] take what players want
//! and [`guard`] refuses who may not; [`keys`] tells who may. The page itself is in `web/`.

mod api;
mod challenges;
mod computer;
mod guard;
mod keys;
mod link;
mod page;
mod room;
mod view;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::serve::ListenerExt as _;
use connect4_client::{Address, DEVELOPMENT, Signer};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::accounts;
use crate::args::{Global, Serve};
use crate::failure::Failure;
use crate::output::{Progress, line, remark};
use crate::session::{Place, Session};

use self::computer::Computers;
use self::guard::Guard;
use self::keys::Keys;
use self::link::Chain;
use self::room::Rooms;

/// More pages are not open at once.
const MOST_SOCKETS: usize = 256;

/// What all requests share.
pub struct App {
    chain: Chain,
    rooms: Rooms,
    computers: Arc<Computers>,
    keys: Keys,
    guard: Guard,
    /// Who this program signs for, in the order in which they are proposed.
    signers: Vec<Signer>,
    /// How many more pages may be open.
    sockets: Arc<Semaphore>,
    /// One review at a time: it takes a processor.
    reviewing: Arc<Semaphore>,
    global: Global,
}

impl App {
    /// Who signs for an address; none if this program does not.
    fn signer(&self, address: Address) -> Option<&Signer> {
        self.signers
            .iter()
            .find(|signer| signer.address() == address)
    }
}

/// Serves the page until the program is told to stop.
pub async fn serve(global: &Global, args: &Serve) -> Result<(), Failure> {
    let signers = signers(args)?;
    let session = Session::open(global, args.tmp).await?;
    // Links go on opening what they opened when the program starts again, and computers play on.
    let folder = match &session.place {
        Place::Memory => None,
        Place::Folder(folder) => Some(folder.clone()),
        Place::Url(_) => match Place::folder(global) {
            Ok(Place::Folder(folder)) => Some(folder),
            _ => None,
        },
    };
    let keys = match &folder {
        Some(folder) => Keys::kept_in(folder).unwrap_or_else(|failure| {
            remark(format!("links will not outlive this program: {failure}"));
            Keys::new()
        }),
        None => Keys::new(),
    };
    let listener = TcpListener::bind(SocketAddr::new(args.addr, args.port))
        .await
        .map_err(|error| {
            Failure::Other(format!(
                "cannot listen on {}:{}: {error}. Name another port with --port; 0 has one chosen",
                args.addr, args.port
            ))
        })?;
    let addr = listener
        .local_addr()
        .map_err(|error| Failure::Other(format!("cannot listen: {error}")))?;

    let progress = Progress::new(global.json);
    progress.say("looking for the contract");
    let chain = Chain::follow(global, args.tmp, session, signers.first()).await?;
    progress.clear();
    let _closing = Closing(chain.clone());
    let host = keys.host();
    let computers = Arc::new(match &folder {
        Some(folder) => Computers::kept_in(folder),
        None => Computers::default(),
    });
    let app = Arc::new(App {
        rooms: Rooms::new(chain.clone(), Arc::clone(&computers)),
        computers,
        chain,
        keys,
        guard: Guard::new(&args.host_names),
        signers,
        sockets: Arc::new(Semaphore::new(MOST_SOCKETS)),
        reviewing: Arc::new(Semaphore::new(1)),
        global: quiet(global),
    });
    let reached = if addr.ip().is_unspecified() {
        SocketAddr::from(([127, 0, 0, 1], addr.port()))
    } else {
        addr
    };
    let url = format!("http://{reached}");
    if global.json {
        line(serde_json::json!({ "event": "serving", "url": url, "key": host }))?;
    } else {
        line(format!("Play at {url}/#key={host}"))?;
        remark(format!(
            "On {}. Who has that link may play with your accounts; {url} alone lets others watch. \
             Ctrl-C stops it",
            app.chain.place()
        ));
        if !addr.ip().is_loopback() {
            remark(format!(
                "Other machines reach it at http://<this machine's address>:{}; what they send is \
                 not encrypted",
                addr.port()
            ));
        }
    }
    // A move is a small message that should not wait for another one to travel with. If the system
    // does not know how, it is only slower.
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    axum::serve(listener, api::router(app))
        .await
        .map_err(|error| Failure::Other(format!("cannot serve: {error}")))
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

/// Closes the chain when the program is told to stop: the tasks that hold it may outlive that.
struct Closing(Chain);

impl Drop for Closing {
    fn drop(&mut self) {
        if let Ok(at) = self.0.connected() {
            at.session.close();
        }
    }
}

/// The same, but nothing is said on the terminal.
fn quiet(global: &Global) -> Global {
    Global {
        json: true,
        ..global.clone()
    }
}
