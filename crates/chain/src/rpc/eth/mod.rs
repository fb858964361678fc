//! `eth_`, `net_` and `web3_`: what wallets and libraries of Ethereum use.
//!
//! A public chain has these methods from Parity's eth-rpc, a program of its own next to a node. Here
//! the chain answers them itself, so that a wallet can be pointed at it. Blocks, transactions and
//! receipts are those of pallet-revive: a block has the number of the chain's block, and the hash
//! that the runtime has computed as Ethereum does. It lists the transactions of Ethereum alone:
//! what Substrate accounts do changes balances and contracts, but has no hash here, no receipt and
//! no logs.
//!
//! - `latest` and `pending` are the best block, `safe` and `finalized` the last final one.
//! - Transactions and receipts are those of the best branch. A transaction of a retracted block is
//!   pending again, or unknown.
//! - A call that a contract refuses is an error with code 3 and what the contract returned as data.
//! - There is no priority fee: pallet-revive takes none.
//! - A filter tells what is new since its client asked the last time: blocks, logs with those of retracted blocks as
//!   removed, or transactions that wait. It begins with the next block, as in geth.
//! - Nobody's keys are here: `eth_accounts` is empty, and nothing signs.
//!
//! Blocks, transactions, receipts and logs are answered for all blocks, as eth-rpc answers them from
//! a database of its own. Balances, nonces, codes and calls need a state that is kept.

mod api;
mod block;
mod blocks;
pub mod error;
mod fees;
mod filters;
mod following;
mod index;
mod locate;
pub mod logs;
mod pending;
mod submit;
mod subscribe;

use std::sync::Arc;

use jsonrpsee::{Extensions, RpcModule, types::Params};
use serde::Serialize;
use serde_json::json;

use self::index::Index;
use super::{error::RpcResult, register::must};
use crate::Chain;

/// What answers the requests: the chain, and where its blocks and transactions are by their hashes.
#[derive(Clone)]
struct Ethereum {
    chain: Chain,
    index: Arc<Index>,
}

/// Registers a method that reads the chain. It runs on a thread that may wait for the store.
fn method<R>(
    module: &mut RpcModule<Chain>,
    index: &Arc<Index>,
    name: &'static str,
    method: impl Fn(&Ethereum, &Params) -> RpcResult<R> + Clone + Send + Sync + 'static,
) where
    R: Serialize + Clone + Send + 'static,
{
    let index = index.clone();
    must(module.register_blocking_method(
        name,
        move |params: Params, chain: Arc<Chain>, _: Extensions| {
            let ethereum = Ethereum {
                chain: Chain::clone(&chain),
                index: index.clone(),
            };
            method(&ethereum, &params)
        },
    ));
}

pub fn register(module: &mut RpcModule<Chain>) {
    let index = Arc::default();
    must(module.register_method("web3_clientVersion", |_, _, _| {
        concat!("connect4/", env!("CARGO_PKG_VERSION"))
    }));
    must(module.register_method("net_version", |_, _, _| api::chain_id().to_string()));
    must(module.register_method("net_listening", |_, _, _| true));
    must(module.register_method("eth_chainId", |_, _, _| json!(api::chain_id())));
    // There is nobody to catch up with.
    must(module.register_method("eth_syncing", |_, _, _| false));
    must(module.register_method("eth_accounts", |_, _, _| json!([])));
    api::register(module, &index);
    blocks::register(module, &index);
    fees::register(module, &index);
    filters::register(module, &index);
    logs::register(module, &index);
    submit::register(module, &index);
    subscribe::register(module);
}
