//! `host`: the page for everyone, without any account of its own.

use connect4_client::{Client, Error};
use connect4_server::{Config, Connect, Connection, IndexPlace, Keys, Public, Server};

use super::serve::{Again, indexed};
use crate::args::{Global, Host};
use crate::failure::Failure;
use crate::open_files;
use crate::place::Place;
use crate::report::{Hosting, Report};
use crate::session;
use crate::stopped::stopped;

/// Serves the page until the program is told to stop.
pub async fn host(global: &Global, args: &Host, report: &mut dyn Report) -> Result<(), Failure> {
    open_files::allow_most();
    let Place::Url(url) = Place::of(global, false)? else {
        return Err(Failure::Usage(
            "a host serves a chain that others reach as well: name a node of it with --url".into(),
        ));
    };
    let mut stopped = std::pin::pin!(stopped());
    let server = tokio::select! {
        biased;
        _ = &mut stopped => return Ok(()),
        server = start(global, args, url, report) => server?,
    };
    let told = async {
        stopped.await;
    };
    Ok(server.run_until(told).await?)
}

async fn start(
    global: &Global,
    args: &Host,
    url: String,
    report: &mut dyn Report,
) -> Result<Server, Failure> {
    let place = Place::Url(url.clone());
    let index = match &args.index {
        Some(url) => Some(IndexPlace::at(url).map_err(|error| Failure::Usage(error.to_string()))?),
        None => place.index(global).map(IndexPlace::Folder),
    };
    let progress = report.progress();
    progress.say(&format!("connecting to {url}"));
    let connection = match Client::connect(&url).await {
        Ok(client) => Some(session::prepared(client, global, &place)),
        // The page is served until it answers, and says that it does not.
        Err(Error::Connect { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    let chain = connection.as_ref().map(|client| client.chain().to_owned());
    let config = Config {
        listen: args.listen,
        host_names: Vec::new(),
        host_naming: "",
        signers: Vec::new(),
        lookup: session::lookup(global),
        // The address of the node is not for everybody: it may contain a key to it.
        place: chain
            .clone()
            .unwrap_or_else(|| "the chain of this host".into()),
        // They open nothing, as there is no account.
        keys: Keys::new(),
        folder: None,
        relay: args.relay.clone(),
        index: indexed(index),
        public: Some(Public {
            wallet_rpc: args.wallet_rpc.clone(),
            operation: args.operating.operation(),
        }),
    };
    progress.say("looking for the contract");
    let again = Discreet {
        again: Again {
            global: global.clone(),
            memory: false,
        },
        url: url.clone(),
    };
    let started = Server::start(config, connection.map(Connection::to), again).await;
    let server = started.map_err(|error| match error {
        connect4_server::Error::Listen { .. } => Failure::Other(format!(
            "{error}. Name another address with --listen or --metrics; port 0 has one chosen"
        )),
        error => error.into(),
    })?;
    progress.clear();
    let place = match chain {
        Some(chain) => format!("{chain} at {url}"),
        None => format!("a chain that does not answer yet at {url}"),
    };
    let hosting = Hosting {
        addr: server.local_addr(),
        place: &place,
    };
    report.hosting(&hosting)?;
    Ok(server)
}

/// Opens the chain again, and does not tell pages where its node is.
struct Discreet {
    again: Again,
    url: String,
}

impl Connect for Discreet {
    async fn connect(&self) -> Result<Connection, String> {
        self.again.connect().await
    }

    fn told(&self, why: String) -> String {
        why.replace(&self.url, "the node of this host")
    }
}
