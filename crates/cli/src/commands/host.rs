//! `host`: the page for everyone, without any account of its own.

use std::sync::Arc;

use connect4_client::Client;
use connect4_server::{Config, Connect, Connection, IndexPlace, Keys, Public, Server};
use url::Url;

use super::serve::{Again, indexed};
use crate::args::{Global, Host};
use crate::failure::Failure;
use crate::open_files;
use crate::output::Output;
use crate::place::Place;
use crate::said::Said;
use crate::session;
use crate::stopped::stopped;
use crate::words::remark;

/// Serves the page until the program is told to stop.
pub async fn host(global: &Global, args: &Host, out: &mut Output) -> Result<(), Failure> {
    open_files::allow_most();
    let Place::Url(url) = Place::of(global, false)? else {
        return Err(Failure::Usage(
            "a host serves a public chain: give the URL of its node with --url".into(),
        ));
    };
    let mut stopped = std::pin::pin!(stopped());
    let server = tokio::select! {
        biased;
        _ = &mut stopped => return Ok(()),
        server = start(global, args, url, out) => server?,
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
    out: &mut Output,
) -> Result<Server, Failure> {
    let place = Place::Url(url.clone());
    let index = match &args.index {
        Some(url) => Some(IndexPlace::at(url).map_err(|error| Failure::Usage(error.to_string()))?),
        None => place.index(global).map(IndexPlace::Folder),
    };
    let folder = place.own_folder(global);
    let unusable = Arc::new(remark);
    let witness = args.witnessing.log(folder, args.relay.as_ref(), unusable);
    if witness.is_none() && args.relay.is_none() && !args.witnessing.no_witness {
        remark(
            "not a witness of signed games: there is no home folder for its log; name one with --witness-log",
        );
    }
    let progress = out.progress();
    progress.say(&format!("connecting to {url}"));
    // The page is served until the node is of use, and says that it is not: the host tries again, and
    // logs why.
    let connection = Client::connect(&url).await.ok();
    let connection = connection.map(|client| session::prepared(client, global, &place));
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
        witness,
        witnesses: args.witnessing.witnesses.clone(),
        index: indexed(index),
        public: Some(Public {
            wallet_rpc: args.wallet_rpc.clone(),
            url: args.public_url.clone(),
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
            "{error}. Name another address with --listen or --metrics; port 0 selects a free one"
        )),
        error => error.into(),
    })?;
    progress.clear();
    let shown = without_key(&url, &url);
    let place = match chain {
        Some(chain) => format!("{chain} at {shown}"),
        None => format!("a chain that is not ready yet at {shown}"),
    };
    out.say(Said::Hosting {
        addr: server.local_addr(),
        place: &place,
        witness: server.witnessed(),
    })?;
    Ok(server)
}

/// Opens the chain again. Pages are not told where its node is and what it says, and the log not what
/// opens it to others.
struct Discreet {
    again: Again,
    url: String,
}

impl Connect for Discreet {
    async fn connect(&self) -> Result<Connection, String> {
        let connected = self.again.connect().await;
        connected.map_err(|why| without_key(&why, &self.url))
    }

    fn told(&self, _why: &str) -> String {
        "its node does not respond or is not usable".into()
    }
}

/// A text in which a node's URL is without what may be a key to it: user, password, path and query.
fn without_key(text: &str, url: &str) -> String {
    let Ok(read) = Url::parse(url) else {
        return text.replace(url, "the node");
    };
    let port = read.port().map(|port| format!(":{port}"));
    let shown = format!(
        "{}://{}{}",
        read.scheme(),
        read.host_str().unwrap_or_default(),
        port.unwrap_or_default()
    );
    let query = read.query().map(|query| format!("?{query}"));
    let way = format!("{}{}", read.path(), query.unwrap_or_default());
    [&way, read.username(), read.password().unwrap_or_default()]
        .iter()
        .filter(|secret| secret.len() > 1)
        .fold(text.replace(url, &shown), |text, secret| {
            text.replace(secret, "…")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_to_a_node_is_in_no_log() {
        let shown = |text| without_key(text, "wss://me:secret@node.example:9944/v2/KEY?token=T");
        assert_eq!(
            shown("no response from wss://me:secret@node.example:9944/v2/KEY?token=T: refused"),
            "no response from wss://node.example:9944: refused"
        );
        assert_eq!(shown("GET /v2/KEY?token=T: 401"), "GET …: 401");
        assert_eq!(
            without_key("no response from ws://node:9944: refused", "ws://node:9944"),
            "no response from ws://node:9944: refused"
        );
    }
}
