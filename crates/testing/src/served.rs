//! Chains that serve their RPC.

use connect4_chain::{Chain, Options, rpc};

/// Serves a chain on a free port until the server is dropped; returns its URL, too. `options` apply
/// except for the address.
pub async fn serve(chain: Chain, options: rpc::Options) -> (rpc::Server, String) {
    let addr = ([127, 0, 0, 1], 0).into();
    let server = rpc::serve(chain, rpc::Options { addr, ..options })
        .await
        .expect("a port is free");
    let url = format!("ws://{}", server.local_addr());
    (server, url)
}

/// Opens a chain and serves it on a free port, with the methods `dev_*`, until the server is
/// dropped; returns the chain and its URL, too.
pub async fn open(options: Options) -> (Chain, rpc::Server, String) {
    let chain = Chain::open(options).expect("the chain opens");
    let options = rpc::Options {
        dev: true,
        ..rpc::Options::default()
    };
    let (server, url) = serve(chain.clone(), options).await;
    (chain, server, url)
}
