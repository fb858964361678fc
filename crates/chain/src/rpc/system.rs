//! `system_`, `chainSpec_v1` and `account_nextIndex`: about the node and its accounts.

use std::net::SocketAddr;

use codec::Encode;
use jsonrpsee::RpcModule;
use serde_json::json;
use sp_core::{Bytes, crypto::Ss58Codec};
use sp_runtime::AccountId32;

use super::{
    error::{RpcResult, client, internal, invalid_params},
    read::at,
    register::must,
};
use crate::{
    Chain, execute,
    runtime::{self, Hash, currency},
    state,
};

const NAME: &str = "Connect Four Local";

fn properties() -> serde_json::Value {
    json!({
        "ss58Format": runtime::SS58_FORMAT,
        "tokenDecimals": currency::DECIMALS,
        "tokenSymbol": "DOT",
        "isEthereum": false,
    })
}

/// Reads an account in SS58, or as 32 bytes in hex.
fn account(text: &str) -> RpcResult<AccountId32> {
    let bytes = text
        .strip_prefix("0x")
        .and_then(|text| hex::decode(text).ok());
    if let Some(account) = bytes.and_then(|bytes| <[u8; 32]>::try_from(bytes).ok()) {
        return Ok(account.into());
    }
    AccountId32::from_ss58check(text)
        .map_err(|error| invalid_params(format!("{text:?} is not an account: {error:?}")))
}

pub fn register(module: &mut RpcModule<Chain>, addr: SocketAddr) {
    must(module.register_method("system_name", |_, _, _| "connect4"));
    must(module.register_method("system_version", |_, _, _| env!("CARGO_PKG_VERSION")));
    must(module.register_method("system_chain", |_, _, _| NAME));
    must(module.register_method("system_chainType", |_, _, _| "Local"));
    must(module.register_method("system_properties", |_, _, _| properties()));
    must(module.register_method("system_health", |_, chain, _| {
        let mut health = json!({ "peers": 0, "isSyncing": false, "shouldHavePeers": false });
        // A field that a Substrate node does not have, where there is something to say.
        if let Some(cause) = chain.halted() {
            health["halted"] = json!(cause.to_string());
        }
        health
    }));
    // The chain has no network. A hash that differs between chains stands in for the peer id.
    must(module.register_method("system_localPeerId", |_, chain, _| {
        format!("local-{:?}", chain.genesis_hash())
    }));
    must(
        module.register_method("system_localListenAddresses", move |_, _, _| {
            let family = if addr.is_ipv4() { "ip4" } else { "ip6" };
            vec![format!("/{family}/{}/tcp/{}/ws", addr.ip(), addr.port())]
        }),
    );
    must(module.register_method("system_peers", |_, _, _| json!([])));
    must(module.register_method("system_nodeRoles", |_, _, _| vec!["Authority"]));
    must(module.register_method("system_syncState", |_, chain, _| {
        let number = chain.best().1.number;
        json!({ "startingBlock": 0, "currentBlock": number, "highestBlock": number })
    }));
    for name in ["system_accountNextIndex", "account_nextIndex"] {
        must(
            module.register_blocking_method(name, |params, chain, _| -> RpcResult<_> {
                let text: String = params.one()?;
                chain.next_nonce(&account(&text)?).map_err(internal)
            }),
        );
    }
    for name in ["system_dryRun", "system_dryRunAt"] {
        must(
            module.register_blocking_method(name, |params, chain, _| -> RpcResult<_> {
                let mut params = params.sequence();
                let transaction: Bytes = params.next()?;
                let block: Option<Hash> = params.optional_next()?;
                let (_, backend) = at(&chain, block)?;
                let code = state::code(&backend).map_err(internal)?;
                code.check(&transaction).map_err(invalid_params)?;
                let result = execute::peek(&backend, || code.apply(&transaction));
                Ok(Bytes(result.map_err(client)?.encode()))
            }),
        );
    }
    must(module.register_method("chainSpec_v1_chainName", |_, _, _| NAME));
    must(
        module.register_method("chainSpec_v1_genesisHash", |_, chain, _| {
            json!(chain.genesis_hash())
        }),
    );
    must(module.register_method("chainSpec_v1_properties", |_, _, _| properties()));
}
