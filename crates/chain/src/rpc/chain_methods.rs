//! `chain_`: headers and blocks.

use jsonrpsee::{PendingSubscriptionSink, RpcModule};
use serde::Deserialize;
use serde_json::json;

use super::{
    error::{RpcResult, internal, too_many},
    feed::{next_block, send},
    register::must,
};
use crate::{
    Chain,
    runtime::{BlockNumber, Hash, Header},
};

/// How many hashes one request may ask for.
const MAX_HASHES: usize = 4096;

/// A block's number, as a JSON number or in hex.
#[derive(Deserialize)]
#[serde(untagged)]
enum Number {
    Plain(u64),
    Hex(sp_core::U256),
}

impl Number {
    /// `None`: no block can have this number.
    fn get(&self) -> Option<BlockNumber> {
        match self {
            Self::Plain(number) => BlockNumber::try_from(*number).ok(),
            Self::Hex(number) => BlockNumber::try_from(*number).ok(),
        }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Numbers {
    One(Number),
    Many(Vec<Number>),
}

async fn heads(pending: PendingSubscriptionSink, chain: Chain) {
    let mut blocks = chain.subscribe();
    let mut header: Header = chain.best().1;
    // With this handle the chain would run as long as the subscription.
    drop(chain);
    let Ok(sink) = pending.accept().await else {
        return;
    };
    loop {
        if !send(&sink, &header).await {
            return;
        }
        loop {
            match next_block(&sink, &mut blocks).await {
                // It was made between `subscribe` and `best`, and is sent already.
                Some(block) if block.header.number <= header.number => {}
                Some(block) => {
                    header = block.header;
                    break;
                }
                None => return,
            }
        }
    }
}

pub fn register(module: &mut RpcModule<Chain>) {
    must(
        module.register_blocking_method("chain_getHeader", |params, chain, _| -> RpcResult<_> {
            let hash: Option<Hash> = params.sequence().optional_next()?;
            chain
                .header(&hash.unwrap_or_else(|| chain.best().0))
                .map_err(internal)
        }),
    );
    must(
        module.register_blocking_method("chain_getBlock", |params, chain, _| -> RpcResult<_> {
            let hash: Option<Hash> = params.sequence().optional_next()?;
            let block = chain
                .block(&hash.unwrap_or_else(|| chain.best().0))
                .map_err(internal)?;
            Ok(block.map(|block| {
                json!({
                    "block": { "header": block.header, "extrinsics": block.extrinsics },
                    "justifications": null,
                })
            }))
        }),
    );
    for name in ["chain_getBlockHash", "chain_getHead"] {
        must(
            module.register_blocking_method(name, |params, chain, _| -> RpcResult<_> {
                let hash_of = |number: Number| match number.get() {
                    Some(number) => chain.hash_of(number).map_err(internal),
                    None => Ok(None),
                };
                Ok(match params.sequence().optional_next()? {
                    None => json!(chain.best().0),
                    Some(Numbers::One(number)) => json!(hash_of(number)?),
                    Some(Numbers::Many(numbers)) if numbers.len() > MAX_HASHES => {
                        return Err(too_many(numbers.len() as u64, MAX_HASHES as u64));
                    }
                    Some(Numbers::Many(numbers)) => {
                        json!(
                            numbers
                                .into_iter()
                                .map(hash_of)
                                .collect::<RpcResult<Vec<_>>>()?
                        )
                    }
                })
            }),
        );
    }
    for name in ["chain_getFinalizedHead", "chain_getFinalisedHead"] {
        must(module.register_method(name, |_, chain, _| json!(chain.best().0)));
    }
    for (subscribe, notification, unsubscribe) in [
        (
            "chain_subscribeNewHeads",
            "chain_newHead",
            "chain_unsubscribeNewHeads",
        ),
        (
            "chain_subscribeNewHead",
            "chain_newHead",
            "chain_unsubscribeNewHead",
        ),
        ("subscribe_newHead", "chain_newHead", "unsubscribe_newHead"),
        (
            "chain_subscribeAllHeads",
            "chain_allHead",
            "chain_unsubscribeAllHeads",
        ),
        (
            "chain_subscribeFinalizedHeads",
            "chain_finalizedHead",
            "chain_unsubscribeFinalizedHeads",
        ),
        (
            "chain_subscribeFinalisedHeads",
            "chain_finalisedHead",
            "chain_unsubscribeFinalisedHeads",
        ),
    ] {
        must(module.register_subscription(
            subscribe,
            notification,
            unsubscribe,
            |_, pending, chain, _| heads(pending, Chain::clone(&chain)),
        ));
    }
}
