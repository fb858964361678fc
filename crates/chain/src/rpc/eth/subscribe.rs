//! `eth_subscribe`: new blocks, and logs of new blocks.

use std::collections::VecDeque;

use jsonrpsee::{PendingSubscriptionSink, RpcModule, types::Params};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{block::Block, logs::Wanted};
use crate::{
    Chain, Follow, Update,
    rpc::{
        error::{RpcResult, internal},
        feed::{next_update, send},
        register::must,
    },
    runtime::{Hash, Header},
};

/// How many blocks of the best branch are remembered, to tell which of them were retracted.
const REMEMBERED: usize = 1024;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Kind {
    NewHeads,
    Logs,
}

/// What a subscriber is told of.
enum Topic {
    /// Headers of new blocks.
    Heads,
    /// Logs of new blocks, and once more those of retracted blocks, as removed.
    Logs(Wanted),
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

    /// What a block brings, or takes back.
    fn messages(&self, chain: &Chain, header: &Header, is_removed: bool) -> RpcResult<Vec<Value>> {
        let block = Block::read(chain, header)?;
        match self {
            Self::Heads if is_removed => Ok(Vec::new()),
            Self::Heads => Ok(vec![block.show_header()]),
            Self::Logs(wanted) => {
                let mut logs = wanted.of(chain, &block)?;
                for log in &mut logs {
                    log.removed = is_removed;
                }
                if is_removed {
                    logs.reverse();
                }
                Ok(logs.iter().map(|log| json!(log)).collect())
            }
        }
    }
}

/// What a subscriber was told, and what it is told next.
struct Feed {
    chain: Chain,
    topic: Topic,
    /// The last blocks of the branch that it was told of, the oldest first.
    branch: VecDeque<(Hash, Header)>,
}

impl Feed {
    /// The messages that lead to a new best block: of what was retracted, the newest first, then of
    /// all blocks up to the new one, the oldest first.
    fn lead_to(&mut self, best: Header) -> RpcResult<Vec<Value>> {
        let (mut removed, mut added) = (Vec::new(), Vec::new());
        let mut next = best;
        loop {
            while let Some((hash, header)) = self.branch.pop_back() {
                if header.number < next.number {
                    self.branch.push_back((hash, header));
                    break;
                }
                removed.push(header);
            }
            let parent = next.parent_hash;
            added.push(next);
            match self.branch.back() {
                Some((hash, _)) if *hash != parent => {
                    match self.chain.header(&parent).map_err(internal)? {
                        Some(header) => next = header,
                        None => break,
                    }
                }
                // They meet, or nothing is remembered that far back.
                Some(_) | None => break,
            }
        }
        let mut messages = Vec::new();
        for header in removed {
            messages.extend(self.topic.messages(&self.chain, &header, true)?);
        }
        for header in added.into_iter().rev() {
            messages.extend(self.topic.messages(&self.chain, &header, false)?);
            self.branch.push_back((header.hash(), header));
        }
        let forgotten = self.branch.len().saturating_sub(REMEMBERED);
        self.branch.drain(..forgotten);
        Ok(messages)
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
    let mut feed = Feed {
        chain,
        topic,
        branch: VecDeque::from([(best.hash, best.header.clone())]),
    };
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
            let messages = feed.lead_to(block.header);
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
