//! `author_`, `transaction_v1` and `transactionWatch_v1`: submitting transactions.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use jsonrpsee::{PendingSubscriptionSink, RpcModule, types::Params};
use parking_lot::Mutex;
use serde_json::{Value, json};
use sp_core::Bytes;
use tokio::{sync::mpsc::UnboundedReceiver, time::Instant};

use super::{
    error::{RpcResult, internal, invalid_params, submit},
    feed::send,
    register::must,
};
use crate::{Chain, SubmitError, TxStatus};

/// How many broadcasts are remembered, so that clients can stop them. The oldest is forgotten.
const MAX_BROADCASTS: usize = 1024;

/// The time between the statuses "inBlock" and "finalized" of `author_`. Other chains take seconds
/// from one to the other, and @polkadot/api relies on that: if both come at once it never reports
/// "inBlock", for which programs wait.
const BEFORE_FINALIZED: Duration = Duration::from_millis(200);

/// The message of `author_` for a status.
fn legacy(status: &TxStatus) -> Value {
    match status {
        TxStatus::Future => json!("future"),
        TxStatus::Ready => json!("ready"),
        TxStatus::InBlock(hash, _) => json!({ "inBlock": hash }),
        TxStatus::Retracted(hash) => json!({ "retracted": hash }),
        TxStatus::Finalized(hash, _) => json!({ "finalized": hash }),
        TxStatus::FinalityTimeout(hash) => json!({ "finalityTimeout": hash }),
        TxStatus::Usurped(by) => json!({ "usurped": by }),
        TxStatus::Invalid => json!("invalid"),
        TxStatus::Dropped => json!("dropped"),
    }
}

/// The message of `transactionWatch_v1` for a status.
fn modern(status: &TxStatus) -> Value {
    let block = |hash, index| json!({ "hash": hash, "index": index });
    let included = |block| json!({ "event": "bestChainBlockIncluded", "block": block });
    match status {
        TxStatus::Future | TxStatus::Ready => json!({ "event": "validated" }),
        TxStatus::InBlock(hash, index) => included(block(hash, index)),
        TxStatus::Retracted(_) => included(Value::Null),
        TxStatus::Finalized(hash, index) => {
            json!({ "event": "finalized", "block": block(hash, index) })
        }
        TxStatus::Usurped(_) | TxStatus::Invalid => {
            json!({ "event": "invalid", "error": status.to_string() })
        }
        TxStatus::FinalityTimeout(_) | TxStatus::Dropped => {
            json!({ "event": "dropped", "error": status.to_string() })
        }
    }
}

/// Submits on a thread that may wait for the store.
async fn submit_and_watch(
    chain: Chain,
    params: Params<'static>,
) -> RpcResult<UnboundedReceiver<TxStatus>> {
    let transaction: Bytes = params.one()?;
    let submitted =
        tokio::task::spawn_blocking(move || chain.submit_and_watch(transaction.0)).await;
    Ok(submitted.map_err(internal)?.map_err(submit)?.1)
}

/// Submits a transaction and sends its statuses until the last one. The status "finalized" is sent
/// at least `before_finalized` after the one before.
async fn watch(
    pending: PendingSubscriptionSink,
    chain: Chain,
    params: Params<'static>,
    message: fn(&TxStatus) -> Value,
    before_finalized: Duration,
) {
    let mut statuses = match submit_and_watch(chain, params).await {
        Ok(statuses) => statuses,
        Err(error) => return pending.reject(error).await,
    };
    let Ok(sink) = pending.accept().await else {
        return;
    };
    let mut sent = Instant::now();
    loop {
        let status = tokio::select! {
            () = sink.closed() => return,
            status = statuses.recv() => status,
        };
        let Some(status) = status else { return };
        if let TxStatus::Finalized(..) = status {
            tokio::time::sleep_until(sent + before_finalized).await;
        }
        if !send(&sink, &message(&status)).await || status.is_last() {
            return;
        }
        sent = Instant::now();
    }
}

pub fn register(module: &mut RpcModule<Chain>) {
    must(module.register_blocking_method(
        "author_submitExtrinsic",
        |params, chain, _| -> RpcResult<_> {
            let transaction: Bytes = params.one()?;
            chain.submit_encoded(transaction.0).map_err(submit)
        },
    ));
    must(
        module.register_method("author_pendingExtrinsics", |_, chain, _| {
            chain.pending().into_iter().map(Bytes).collect::<Vec<_>>()
        }),
    );
    must(module.register_subscription(
        "author_submitAndWatchExtrinsic",
        "author_extrinsicUpdate",
        "author_unwatchExtrinsic",
        |params, pending, chain, _| {
            let chain = Chain::clone(&chain);
            watch(
                pending,
                chain,
                params.into_owned(),
                legacy,
                BEFORE_FINALIZED,
            )
        },
    ));
    must(module.register_subscription(
        "transactionWatch_v1_submitAndWatch",
        "transactionWatch_v1_watchEvent",
        "transactionWatch_v1_unwatch",
        |params, pending, chain, _| async move {
            let chain = Chain::clone(&chain);
            watch(pending, chain, params.into_owned(), modern, Duration::ZERO).await;
        },
    ));
    let broadcasts: Arc<Mutex<VecDeque<String>>> = Arc::default();
    let running = broadcasts.clone();
    must(module.register_blocking_method(
        "transaction_v1_broadcast",
        move |params, chain, _| -> RpcResult<_> {
            let transaction: Bytes = params.one()?;
            // Any text serves as the operation's id.
            let id = format!(
                "0x{}",
                hex::encode(sp_core::hashing::blake2_256(&transaction))
            );
            // By the specification only a transaction that can't be decoded is an error. A client
            // notices any other fault by the transaction not coming into a block.
            if let Err(SubmitError::Malformed(why)) = chain.submit_encoded(transaction.0) {
                return Err(invalid_params(why));
            }
            let mut running = running.lock();
            if running.len() == MAX_BROADCASTS {
                running.pop_front();
            }
            running.push_back(id.clone());
            Ok(id)
        },
    ));
    must(
        module.register_method("transaction_v1_stop", move |params, _, _| -> RpcResult<_> {
            let id: String = params.one()?;
            let mut running = broadcasts.lock();
            // The transaction stays in the pool. Only its id is forgotten.
            let at = running.iter().position(|running| *running == id);
            at.and_then(|at| running.remove(at))
                .map(|_| ())
                .ok_or_else(|| invalid_params("no such operation"))
        }),
    );
}
