//! Filters: what is new since the client has asked the last time, for clients that cannot be told of it.
//!
//! Over HTTP nobody says when a client is gone. So there are at most [`MAX_FILTERS`]: one more takes the place of the
//! one that was not asked for longest. A filter that is asked again only after [`MAX_BLOCKS`] is gone, too.

use std::{
    collections::{HashMap, HashSet, hash_map::RandomState},
    hash::BuildHasher,
    sync::Arc,
};

use jsonrpsee::{
    RpcModule,
    types::{ErrorObjectOwned, Params},
};
use parking_lot::Mutex;
use serde_json::{Value, json};
use sp_core::U256;

use super::{
    Ethereum, Index,
    error::refused,
    following::{Following, Topic},
    logs::{Filter, MAX_BLOCKS, MAX_LOGS, find_logs},
    method, pending,
};
use crate::{Chain, rpc::error::RpcResult};

const MAX_FILTERS: usize = 256;

/// A filter, and what its client was told.
struct Polled {
    following: Following,
    kind: Kind,
}

enum Kind {
    /// New blocks, by their hashes.
    Blocks,
    /// Logs of new blocks. The filter says where to look for earlier ones.
    Logs(Box<Filter>),
    /// Transactions that wait, or waited in the meantime, by their hashes; of those that the client knows, the ones that
    /// waited when it asked.
    Pending(HashSet<String>),
}

impl Polled {
    fn changes(&mut self, ethereum: &Ethereum) -> RpcResult<Vec<Value>> {
        let best = ethereum.chain.best().1;
        let mut found = self.following.lead_to(best, MAX_LOGS)?;
        if let Kind::Pending(known) = &mut self.kind {
            let waiting = pending::transactions(&ethereum.chain)?;
            let waiting: Vec<_> = waiting.map(|transaction| json!(transaction.hash)).collect();
            found.extend(waiting.iter().cloned());
            let mut told = std::mem::take(known);
            found.retain(|hash| told.insert(hash.to_string()));
            *known = waiting.iter().map(Value::to_string).collect();
        }
        Ok(found)
    }
}

#[derive(Default)]
struct Filters {
    /// Each with the turn in which it was asked last.
    by_id: HashMap<U256, (u64, Arc<Mutex<Polled>>)>,
    turn: u64,
    /// For ids that no client guesses: a filter has no owner, and whoever names it takes its changes.
    ids: RandomState,
}

impl Filters {
    fn add(&mut self, polled: Polled) -> U256 {
        while self.by_id.len() >= MAX_FILTERS {
            let oldest = self.by_id.iter().min_by_key(|(_, (turn, _))| *turn);
            let Some(oldest) = oldest.map(|(id, _)| *id) else {
                break;
            };
            self.by_id.remove(&oldest);
        }
        self.turn += 1;
        let id = U256::from(self.ids.hash_one(self.turn));
        self.by_id
            .insert(id, (self.turn, Arc::new(Mutex::new(polled))));
        id
    }

    fn ask(&mut self, id: U256) -> RpcResult<Arc<Mutex<Polled>>> {
        self.turn += 1;
        let (turn, polled) = self.by_id.get_mut(&id).ok_or_else(not_found)?;
        *turn = self.turn;
        Ok(polled.clone())
    }
}

fn not_found() -> ErrorObjectOwned {
    refused("filter not found")
}

/// Adds a filter that begins with the next block.
fn add(ethereum: &Ethereum, filters: &Mutex<Filters>, topic: Topic, kind: Kind) -> U256 {
    let (hash, header) = ethereum.chain.best();
    let following = Following::after(ethereum.chain.clone(), topic, hash, header);
    filters.lock().add(Polled { following, kind })
}

fn changes(ethereum: &Ethereum, filters: &Mutex<Filters>, params: &Params) -> RpcResult<Value> {
    let id: U256 = params.sequence().next()?;
    let polled = filters.lock().ask(id)?;
    let mut polled = polled.lock();
    let best = ethereum.chain.best().1.number;
    let found = match best.saturating_sub(polled.following.number()) > MAX_BLOCKS {
        true => Err(not_found()),
        false => polled.changes(ethereum),
    };
    if found.is_err() {
        filters.lock().by_id.remove(&id);
    }
    found.map(Value::Array)
}

fn all_logs(ethereum: &Ethereum, filters: &Mutex<Filters>, params: &Params) -> RpcResult<Value> {
    let polled = filters.lock().ask(params.sequence().next()?)?;
    let filter = match &polled.lock().kind {
        Kind::Logs(filter) => filter.clone(),
        Kind::Blocks | Kind::Pending(_) => return Err(not_found()),
    };
    find_logs(ethereum, &filter).map(|logs| json!(logs))
}

pub fn register(module: &mut RpcModule<Chain>, index: &Arc<Index>) {
    let filters: Arc<Mutex<Filters>> = Arc::default();
    let of = || filters.clone();
    let all = of();
    method(module, index, "eth_newFilter", move |ethereum, params| {
        let filter: Filter = params.sequence().optional_next()?.unwrap_or_default();
        let wanted = filter.of_new_blocks()?;
        Ok(add(
            ethereum,
            &all,
            Topic::Logs(wanted),
            Kind::Logs(Box::new(filter)),
        ))
    });
    let all = of();
    method(module, index, "eth_newBlockFilter", move |ethereum, _| {
        Ok(add(ethereum, &all, Topic::Hashes, Kind::Blocks))
    });
    let all = of();
    method(
        module,
        index,
        "eth_newPendingTransactionFilter",
        move |ethereum, _| {
            let waiting = pending::transactions(&ethereum.chain)?;
            let known = waiting.map(|transaction| json!(transaction.hash).to_string());
            let kind = Kind::Pending(known.collect());
            Ok(add(ethereum, &all, Topic::Transactions, kind))
        },
    );
    let all = of();
    method(
        module,
        index,
        "eth_getFilterChanges",
        move |ethereum, params| changes(ethereum, &all, params),
    );
    let all = of();
    method(
        module,
        index,
        "eth_getFilterLogs",
        move |ethereum, params| all_logs(ethereum, &all, params),
    );
    let all = of();
    method(module, index, "eth_uninstallFilter", move |_, params| {
        let id: U256 = params.sequence().next()?;
        Ok(all.lock().by_id.remove(&id).is_some())
    });
}
