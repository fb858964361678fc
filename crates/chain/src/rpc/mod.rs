//! The Polkadot SDK's JSON-RPC and that of Ethereum, over WebSocket and HTTP on one port.
//!
//! It has the methods that the clients of the Polkadot SDK use: the older families `system_`,
//! `chain_`, `state_`, `childstate_`, `author_` and `payment_`, and the newer ones `chainHead_v1`,
//! `transaction_v1`, `transactionWatch_v1`, `archive_v1` and `chainSpec_v1`. Error codes are those
//! of a Substrate node. For wallets and libraries of Ethereum it has `eth_`, `net_` and `web3_`, as
//! Parity's eth-rpc has them for a public chain.
//!
//! With [`Options::dev`] it has a family of its own for development and tests, too:
//!
//! | method | parameters | does | returns |
//! |---|---|---|---|
//! | `dev_seal` | | makes a block | its hash |
//! | `dev_advanceClock` | seconds | moves the clock forward for the blocks made from now on | `null` |
//! | `dev_upgrade` | | upgrades the runtime ([`Chain::upgrade`]) | the hash of the upgrade's block |
//! | `dev_stallFinality` | | lets no block become final | `null` |
//! | `dev_resumeFinality` | | lets blocks become final again, at once those that would be by now | `null` |
//! | `dev_reorganise` | depth, `"requeue"` or `"drop"` | replaces the last `depth` blocks by a longer branch; their transactions are tried again, or dropped ([`Chain::reorganise`]) | the best block's hash afterwards |
//!
//! cargo-contract 6.0.0-beta.2 expects an earlier pallet-revive. It works with the path
//! `/cargo-contract` after the port.

mod archive;
mod author;
mod chain_head;
mod chain_methods;
mod child_state;
mod dev;
mod earlier;
mod error;
pub mod eth;
mod feed;
mod payment;
mod read;
mod register;
mod state_methods;
mod storage_query;
mod system;

use std::net::SocketAddr;

use jsonrpsee::{
    RpcModule,
    server::{BatchRequestConfig, HttpBody, RandomStringIdProvider, ServerBuilder, ServerHandle},
};
use tower::ServiceBuilder;
use tower_http::cors::{Any, CorsLayer};

use self::register::must;
use crate::Chain;

#[derive(Clone, Debug)]
pub struct Options {
    /// The address to listen on. With port 0 the system chooses the port.
    pub addr: SocketAddr,
    /// How many connections are served at once. Others are refused with HTTP 429.
    pub max_connections: u32,
    pub max_request_bytes: u32,
    pub max_response_bytes: u32,
    /// How many subscriptions a connection may hold.
    pub max_subscriptions: u32,
    /// How many calls a batch may have.
    pub max_batch: u32,
    /// Whether there are methods to make blocks, to move the clock, to stall finality and to
    /// reorganise the chain. Anybody who reaches the server may call them.
    pub dev: bool,
}

impl Default for Options {
    /// Port 9944 of this machine alone, with a Substrate node's limits.
    fn default() -> Self {
        Self {
            addr: SocketAddr::from(([127, 0, 0, 1], 9944)),
            max_connections: 100,
            max_request_bytes: 15 << 20,
            max_response_bytes: 15 << 20,
            max_subscriptions: 1024,
            max_batch: 1024,
            dev: false,
        }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {addr}: {reason}; choose another port, or 0 to have one chosen")]
pub struct Error {
    addr: SocketAddr,
    reason: String,
}

/// A running server. It stops when it is dropped.
pub struct Server {
    addr: SocketAddr,
    handle: ServerHandle,
}

impl Server {
    pub fn local_addr(&self) -> SocketAddr {
        self.addr
    }

    /// Stops the server and waits until every connection is closed.
    pub async fn stop(self) {
        // An error means that it has stopped already.
        let _ = self.handle.stop();
        self.handle.stopped().await;
    }
}

/// Serves a chain. Must be called inside a tokio runtime.
///
/// # Errors
/// Returned if the server can't listen on the address, for example because it is taken.
pub async fn serve(chain: Chain, options: Options) -> Result<Server, Error> {
    let fail = |reason: std::io::Error| Error {
        addr: options.addr,
        reason: reason.to_string(),
    };
    let server = ServerBuilder::default()
        .max_connections(options.max_connections)
        .max_request_body_size(options.max_request_bytes)
        .max_response_body_size(options.max_response_bytes)
        .max_subscriptions_per_connection(options.max_subscriptions)
        .set_batch_request_config(BatchRequestConfig::Limit(options.max_batch))
        // How many messages wait for a slow client before its subscriptions are paused.
        .set_message_buffer_capacity(1024)
        .set_tcp_no_delay(true)
        // The newer families specify ids as text, and polkadot-api accepts nothing else.
        .set_id_provider(RandomStringIdProvider::new(16))
        .set_http_middleware(
            ServiceBuilder::new()
                .layer(cors())
                .map_request(earlier::mark::<HttpBody>),
        )
        .build(options.addr)
        .await
        .map_err(fail)?;
    let addr = server.local_addr().map_err(fail)?;
    let handle = server.start(methods(chain, addr, options.dev));
    Ok(Server { addr, handle })
}

/// Which pages may use the chain over HTTP: all of them.
///
/// A page may open a WebSocket to any address, so that over HTTP nothing would be protected that it
/// does not reach already. Nor is there anything that a page could use because its visitor may: the
/// server has no cookies and no keys, and whoever sends a transaction has to sign it. What remains is
/// [`Options::dev`], which is for tests, and reading a chain that is public anyway.
fn cors() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods(Any)
        .allow_headers(Any)
}

fn methods(chain: Chain, addr: SocketAddr, with_dev: bool) -> RpcModule<Chain> {
    let mut module = RpcModule::new(chain);
    system::register(&mut module, addr);
    chain_methods::register(&mut module);
    state_methods::register(&mut module);
    child_state::register(&mut module);
    author::register(&mut module);
    payment::register(&mut module);
    chain_head::register(&mut module);
    archive::register(&mut module);
    eth::register(&mut module);
    if with_dev {
        dev::register(&mut module);
    }
    let mut names: Vec<&'static str> = module.method_names().collect();
    names.push("rpc_methods");
    names.sort_unstable();
    let list = serde_json::json!({ "methods": names });
    must(module.register_method("rpc_methods", move |_, _, _| list.clone()));
    module
}
