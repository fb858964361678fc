//! `node`: the local chain for other programs.

use std::net::SocketAddr;

use connect4_chain::{Finality, Options, rpc};

use crate::args::{Global, Node};
use crate::failure::Failure;
use crate::local;
use crate::place::Place;
use crate::words::remark;

/// Runs the chain until the program is told to stop, or the chain makes no more blocks.
pub async fn node(global: &Global, args: &Node) -> Result<(), Failure> {
    if global.url.is_some() {
        return Err(Failure::Usage(
            "a node runs a chain of its own: leave --url out".into(),
        ));
    }
    let place = if args.tmp {
        Place::Memory
    } else {
        Place::folder(global)?
    };
    let options = rpc::Options {
        addr: SocketAddr::new(args.rpc_addr, args.rpc_port),
        max_connections: args.max_connections,
        dev: args.dev_rpc,
        ..rpc::Options::default()
    };
    let chain = Options {
        block_time: args.block_time,
        finality: args.finality_lag.map_or(Finality::AtOnce, Finality::Lag),
        keep_states: args.keep_states,
        ..Options::default()
    };
    let local = local::run(&place, chain, options).await?;
    let addr = local.addr();
    // Tools that start a node wait for this line, and may close standard error after it.
    remark(format!("Running JSON-RPC server: addr={addr}"));
    match &place {
        Place::Folder(folder) => remark(format!("The chain is kept in {}", folder.display())),
        Place::Memory | Place::Url(_) => remark("The chain is kept in memory only"),
    }
    if addr.ip().is_unspecified() {
        remark(format!(
            "Others reach it with --url ws://<this machine's address>:{}; Ctrl-C stops it",
            addr.port()
        ));
    } else {
        remark(format!("Reach it with --url ws://{addr}; Ctrl-C stops it"));
    }
    // A signal ends this by dropping it, which closes the chain. A chain that can't be written is opened again by who
    // starts the program again.
    Err(local.until_halted().await)
}
