//! `chain_`: headers and blocks.

use jsonrpsee::{PendingSubscriptionSink, RpcModule};
use serde::Deserialize;
use serde_json::json;

use super::{
    error::{RpcResult, internal, too_many},
    feed::{next_update, send},
    register::must,
};
use crate::{
    Chain, Follow, Update,
    runtime::{BlockNumber, Hash, Header},
};

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

/// Which headers a subscription sends.
#[derive(Clone, Copy)]
enum Heads {
    /// Those of blocks that are the best one when they are made. When a branch becomes the best
    /// one, that is its last block alone.
    Best,
    All,
    /// That of the last final block, whenever it moves. If it moves by more than one block, the
    /// others are left out.
    Final,
}

impl Heads {
    fn of(self, update: Update) -> Option<Header> {
        match (self, update) {
            (Self::Best, Update::Block(block)) if block.is_best => Some(block.header),
            (Self::All, Update::Block(block)) => Some(block.header),
            (Self::Final, Update::Final(blocks)) => Some(blocks.header),
            (Self::Best | Self::All | Self::Final, _) => None,
        }
    }
}

/// Sends the header of this moment, and then those to come, as a Substrate node does.
async fn heads(pending: PendingSubscriptionSink, chain: Chain, which: Heads) {
    let Follow {
        best,
        finalized,
        mut updates,
        ..
    } = chain.follow();
    // With this handle the chain would run as long as the subscription.
    drop(chain);
    let Ok(sink) = pending.accept().await else {
        return;
    };
    let first = match which {
        Heads::Best | Heads::All => best,
        Heads::Final => finalized,
    };
    let mut next = Some(first.header.clone());
    loop {
        if let Some(header) = next
            && !send(&sink, &header).await
        {
            return;
        }
        next = match next_update(&sink, &mut updates).await {
            Some(update) => which.of(update),
            None => return,
        };
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
        must(module.register_method(name, |_, chain, _| json!(chain.finalized().0)));
    }
    for (which, subscribe, notification, unsubscribe) in [
        (
            Heads::Best,
            "chain_subscribeNewHeads",
            "chain_newHead",
            "chain_unsubscribeNewHeads",
        ),
        (
            Heads::Best,
            "chain_subscribeNewHead",
            "chain_newHead",
            "chain_unsubscribeNewHead",
        ),
        (
            Heads::Best,
            "subscribe_newHead",
            "chain_newHead",
            "unsubscribe_newHead",
        ),
        (
            Heads::All,
            "chain_subscribeAllHeads",
            "chain_allHead",
            "chain_unsubscribeAllHeads",
        ),
        (
            Heads::Final,
            "chain_subscribeFinalizedHeads",
            "chain_finalizedHead",
            "chain_unsubscribeFinalizedHeads",
        ),
        (
            Heads::Final,
            "chain_subscribeFinalisedHeads",
            "chain_finalisedHead",
            "chain_unsubscribeFinalisedHeads",
        ),
    ] {
        must(module.register_subscription(
            subscribe,
            notification,
            unsubscribe,
            move |_, pending, chain, _| heads(pending, Chain::clone(&chain), which),
        ));
    }
}
