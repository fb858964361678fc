//! `chain_`: headers and blocks.

use jsonrpsee::{PendingSubscriptionSink, RpcModule, SubscriptionMessage, SubscriptionSink};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::broadcast::{self, error::RecvError};

use super::{
    error::{RpcResult, internal, too_many},
    must,
};
use crate::{
    Chain, NewBlock,
    runtime::{BlockNumber, Hash, Header},
};

/// How many hashes are given at once.
const MAX_HASHES: usize = 4096;

/// A block's number, as a number or in hex.
#[derive(Deserialize)]
#[serde(untagged)]
enum Number {
    Plain(u64),
    Hex(sp_core::U256),
}

impl Number {
    /// `None`: there is never a block of that number.
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

/// Sends one message; `false` when the listener is gone.
pub async fn send(sink: &SubscriptionSink, message: &impl Serialize) -> bool {
    match SubscriptionMessage::from_json(message) {
        Ok(message) => sink.send(message).await.is_ok(),
        Err(_) => false,
    }
}

/// The next block, or `None` when the chain or the listener is gone. One that lags too far behind
/// misses blocks, as it does on a node.
pub async fn next_block(
    sink: &SubscriptionSink,
    blocks: &mut broadcast::Receiver<NewBlock>,
) -> Option<NewBlock> {
    loop {
        tokio::select! {
            () = sink.closed() => return None,
            block = blocks.recv() => match block {
                Ok(block) => return Some(block),
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            },
        }
    }
}

async fn heads(pending: PendingSubscriptionSink, chain: Chain) {
    let mut blocks = chain.subscribe();
    let mut header: Header = chain.best().1;
    // A handle kept here would keep the chain from stopping.
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
                // The first may have been made between the two lines above.
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
