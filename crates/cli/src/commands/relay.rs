//! `relay`: rooms for signed games, without a page.

use connect4_server::{RelayConfig, RelayServer};

use super::serve::Again;
use crate::args::{Global, Relay};
use crate::failure::Failure;
use crate::open_files;
use crate::output::Output;
use crate::play::relay::Announced;
use crate::said::{Said, from_here};
use crate::session::{self, Session};

/// Serves rooms until the program is told to stop.
pub async fn relay(global: &Global, args: &Relay, out: &mut Output) -> Result<(), Failure> {
    open_files::allow_most();
    let session = Session::open(global, false, out).await?;
    let place = session.whereabouts();
    let folder = session.place.own_folder(global);
    let config = RelayConfig {
        listen: args.listen,
        limits: args.limits(),
        witness_log: args.witness_log.clone(),
        proxies: args.arriving.proxies(),
        lookup: session::lookup(global),
        place: place.clone(),
    };
    let progress = out.progress();
    progress.say("looking for the contract");
    let again = Again {
        global: global.clone(),
        memory: false,
    };
    let started = RelayServer::start(config, session.into(), again).await;
    let server = started.map_err(|error| match error {
        connect4_server::Error::Listen { .. } => Failure::Other(format!(
            "{error}. Name another address with --listen; port 0 selects a free one"
        )),
        error => error.into(),
    })?;
    progress.clear();
    let addr = server.local_addr();
    out.say(Said::Relaying {
        addr,
        place: &place,
        witness: server.witnessed(),
    })?;
    let url = format!("ws://{}", from_here(addr));
    let _announced = Announced::at(&url, folder.as_deref());
    server.run().await;
    Ok(())
}
