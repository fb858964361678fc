//! `eth_subscribe`: new blocks, and logs of new blocks.

use jsonrpsee::{PendingSubscriptionSink, RpcModule, types::Params};
use serde::Deserialize;

use super::{
    following::{Following, Topic},
    logs::Wanted,
};
use crate::{
    Chain, Follow, Update,
    rpc::{
        error::RpcResult,
        feed::{next_update, send},
        register::must,
    },
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Kind {
    NewHeads,
    Logs,
}

impl Topic {
    fn of(params: &Params) -> RpcResult<Self> {
        let mut params = params.sequence();
        match params.next()? {
            Kind::NewHeads => Ok(Self::Heads),
            Kind::Logs => {
                let wanted: Option<Wanted> = params.optional_next()?;
                let wanted = wanted.unwrap_or_default();
                wanted.check()?;
                Ok(Self::Logs(wanted))
            }
        }
    }
}

async fn subscribe(pending: PendingSubscriptionSink, chain: Chain, params: Params<'static>) {
    let topic = match Topic::of(&params) {
        Ok(topic) => topic,
        Err(error) => return pending.reject(error).await,
    };
    let Follow {
        best, mut updates, ..
    } = chain.follow();
    let Ok(sink) = pending.accept().await else {
        return;
    };
    let mut feed = Following::after(chain, topic, best.hash, best.header.clone());
    while let Some(update) = next_update(&sink, &mut updates).await {
        // Of a branch that becomes the best one, only the last block is told as that.
        let Update::Block(block) = update else {
            continue;
        };
        if !block.is_best {
            continue;
        }
        // On a thread that may wait for the store.
        let reading = tokio::task::spawn_blocking(move || {
            let messages = feed.lead_to(block.header, usize::MAX);
            (feed, messages)
        });
        let Ok((back, Ok(messages))) = reading.await else {
            return;
        };
        feed = back;
        for message in messages {
            if !send(&sink, &message).await {
                return;
            }
        }
    }
}

pub fn register(module: &mut RpcModule<Chain>) {
    must(module.register_subscription(
        "eth_subscribe",
        "eth_subscription",
        "eth_unsubscribe",
        |params, pending, chain, _| subscribe(pending, Chain::clone(&chain), params.into_owned()),
    ));
}
