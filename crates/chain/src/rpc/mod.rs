//! The Polkadot SDK's JSON-RPC, over WebSocket and HTTP on one port.
//!
//! The methods are those that the ecosystem's own clients use: the older `system_`, `chain_`,
//! `state_`, `author_` families and the newer `chainHead_v1`, `transaction_v1`, `archive_v1` and
//! `chainSpec_v1`. Error codes are those of a Substrate node.
//!
//! cargo-contract 6.0.0-beta.2 is to be given the path `/cargo-contract` besides the port, as it
//! expects an earlier pallet-revive.

mod archive;
mod author;
mod chain_head;
mod chain_methods;
mod earlier;
mod error;
mod state_methods;
mod system;

use std::net::SocketAddr;

use jsonrpsee::{
    RpcModule,
    server::{BatchRequestConfig, HttpBody, RandomStringIdProvider, ServerBuilder, ServerHandle},
};
use tower::ServiceBuilder;

use crate::Chain;

/// How to serve.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where to listen; port 0 is chosen by the system.
    pub addr: SocketAddr,
    /// How many connections are served at once; one more is refused with HTTP 429.
    pub max_connections: u32,
    /// The largest request taken, in bytes.
    pub max_request_bytes: u32,
    /// The largest answer given, in bytes.
    pub max_response_bytes: u32,
    /// How many subscriptions a connection may hold.
    pub max_subscriptions: u32,
    /// How many calls one batch may hold.
    pub max_batch: u32,
}

impl Default for Options {
    /// 127.0.0.1:9944, and a Substrate node's limits.
    fn default() -> Self {
        Self {
            addr: SocketAddr::from(([127, 0, 0, 1], 9944)),
            max_connections: 100,
            max_request_bytes: 15 << 20,
            max_response_bytes: 15 << 20,
            max_subscriptions: 1024,
            max_batch: 1024,
        }
    }
}

/// Why it can't be served.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {addr}: {reason}; choose another port, or 0 to have one chosen")]
pub struct Error {
    addr: SocketAddr,
    reason: String,
}

/// A server at work. It stops when dropped or told to.
pub struct Server {
    addr: SocketAddr,
    handle: ServerHandle,
}

impl Server {
    /// Where it listens.
    pub fn local_addr(&self) -> SocketAddr {
        self.addr
    }

    /// Stops, and waits until every connection is closed.
    pub async fn stop(self) {
        // It had stopped already if this is an error.
        let _ = self.handle.stop();
        self.handle.stopped().await;
    }
}

/// Serves a chain. To be called inside a tokio runtime.
///
/// # Errors
/// Returned if the address can't be listened on.
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
        // What a slow reader has not fetched yet; past that its connection is slowed down.
        .set_message_buffer_capacity(1024)
        .set_tcp_no_delay(true)
        // The newer families' rules want text; polkadot-api takes nothing else.
        .set_id_provider(RandomStringIdProvider::new(16))
        .set_http_middleware(ServiceBuilder::new().map_request(earlier::mark::<HttpBody>))
        .build(options.addr)
        .await
        .map_err(fail)?;
    let addr = server.local_addr().map_err(fail)?;
    let handle = server.start(methods(chain, addr));
    Ok(Server { addr, handle })
}

fn methods(chain: Chain, addr: SocketAddr) -> RpcModule<Chain> {
    let mut module = RpcModule::new(chain);
    system::register(&mut module, addr);
    chain_methods::register(&mut module);
    state_methods::register(&mut module);
    author::register(&mut module);
    chain_head::register(&mut module);
    archive::register(&mut module);
    let mut names: Vec<&'static str> = module.method_names().collect();
    names.push("rpc_methods");
    names.sort_unstable();
    let list = serde_json::json!({ "methods": names });
    must(module.register_method("rpc_methods", move |_, _, _| list.clone()));
    module
}

/// Two methods of one name are a fault of this program, found by its first test.
fn must<T>(registered: Result<T, impl std::fmt::Display>) {
    if let Err(error) = registered {
        panic!("a method was registered twice: {error}");
    }
}
