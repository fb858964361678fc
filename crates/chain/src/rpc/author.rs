//! `author_`, `payment_`, `transaction_v1` and `transactionWatch_v1`: sending transactions.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use codec::{Decode, Encode};
use jsonrpsee::{PendingSubscriptionSink, RpcModule, types::Params};
use pallet_transaction_payment::{FeeDetails, RuntimeDispatchInfo};
use parking_lot::Mutex;
use serde_json::{Value, json};
use sp_core::Bytes;

use super::{
    chain_methods::send,
    error::{RpcResult, client, internal, invalid_params, submit},
    must,
    state_methods::header,
};
use crate::{
    Chain, SubmitError, TxStatus,
    runtime::{Balance, Hash},
};

/// How many broadcasts are remembered, to be stopped by their names; the oldest is forgotten.
const MAX_BROADCASTS: usize = 1024;

/// How long after a block's "inBlock" its "finalized" is told by the older family. Elsewhere
/// seconds lie between the two, and @polkadot/api counts on that: told both in one breath, it
/// never reports the first, for which programs wait.
const BEFORE_FINALIZED: Duration = Duration::from_millis(200);

/// A status in the words of the older family; the newest goes out last.
fn legacy(status: &TxStatus) -> Vec<Value> {
    match status {
        TxStatus::Future => vec![json!("future")],
        TxStatus::Ready => vec![json!("ready")],
        // Final at once.
        TxStatus::InBlock(hash, _) => {
            vec![json!({ "inBlock": hash }), json!({ "finalized": hash })]
        }
        TxStatus::Usurped(by) => vec![json!({ "usurped": by })],
        TxStatus::Invalid => vec![json!("invalid")],
        TxStatus::Dropped => vec![json!("dropped")],
    }
}

/// A status in the words of `transactionWatch_v1`.
fn modern(status: &TxStatus) -> Vec<Value> {
    match status {
        TxStatus::Future | TxStatus::Ready => vec![json!({ "event": "validated" })],
        TxStatus::InBlock(hash, index) => {
            let block = json!({ "hash": hash, "index": index });
            vec![
                json!({ "event": "bestChainBlockIncluded", "block": block }),
                json!({ "event": "finalized", "block": block }),
            ]
        }
        TxStatus::Usurped(by) => {
            vec![json!({ "event": "invalid", "error": format!("replaced by {by:?}") })]
        }
        TxStatus::Invalid => vec![json!({ "event": "invalid", "error": "no longer valid" })],
        TxStatus::Dropped => vec![json!({ "event": "dropped", "error": "thrown out" })],
    }
}

/// Validates on a thread that may wait.
async fn submit_and_watch(
    chain: Chain,
    params: Params<'static>,
) -> RpcResult<tokio::sync::mpsc::UnboundedReceiver<TxStatus>> {
    let transaction: Bytes = params.one()?;
    let submitted =
        tokio::task::spawn_blocking(move || chain.submit_and_watch(transaction.0)).await;
    Ok(submitted.map_err(internal)?.map_err(submit)?.1)
}

async fn watch(
    pending: PendingSubscriptionSink,
    chain: Chain,
    params: Params<'static>,
    words: fn(&TxStatus) -> Vec<Value>,
    between: Duration,
) {
    let mut statuses = match submit_and_watch(chain, params).await {
        Ok(statuses) => statuses,
        Err(error) => return pending.reject(error).await,
    };
    let Ok(sink) = pending.accept().await else {
        return;
    };
    loop {
        let status = tokio::select! {
            () = sink.closed() => return,
            status = statuses.recv() => status,
        };
        let Some(status) = status else { return };
        for (told, words) in words(&status).into_iter().enumerate() {
            if told > 0 {
                tokio::time::sleep(between).await;
            }
            if !send(&sink, &words).await {
                return;
            }
        }
        if !matches!(status, TxStatus::Future | TxStatus::Ready) {
            return;
        }
    }
}

/// Asks the runtime what a transaction costs.
fn query<T: Decode>(chain: &Chain, params: &Params, function: &str) -> RpcResult<T> {
    let mut params = params.sequence();
    let transaction: Bytes = params.next()?;
    let block: Option<Hash> = params.optional_next()?;
    let header = header(chain, block)?;
    let mut input = transaction.0;
    (input.len() as u32).encode_to(&mut input);
    let output = chain.call(&header, function, &input).map_err(client)?;
    Decode::decode(&mut &output.unwrap_or_default()[..]).map_err(internal)
}

/// What the newer family calls an operation: any text that names it.
fn operation(hash: Hash) -> String {
    format!("{hash:?}")
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
            // This family tells of an invalid transaction by an event.
            let chain = Chain::clone(&chain);
            watch(pending, chain, params.into_owned(), modern, Duration::ZERO).await
        },
    ));
    let broadcasts: Arc<Mutex<VecDeque<String>>> = Arc::default();
    let running = broadcasts.clone();
    must(module.register_blocking_method(
        "transaction_v1_broadcast",
        move |params, chain, _| -> RpcResult<_> {
            let transaction: Bytes = params.one()?;
            let name = operation(sp_core::hashing::blake2_256(&transaction).into());
            // By its rules the client learns of a fault by the transaction not coming into a
            // block; one that can't be decoded is an error at once.
            if let Err(SubmitError::Malformed(why)) = chain.submit_encoded(transaction.0) {
                return Err(invalid_params(why));
            }
            let mut running = running.lock();
            if running.len() == MAX_BROADCASTS {
                running.pop_front();
            }
            running.push_back(name.clone());
            Ok(name)
        },
    ));
    must(
        module.register_method("transaction_v1_stop", move |params, _, _| -> RpcResult<_> {
            let name: String = params.one()?;
            let mut running = broadcasts.lock();
            // It waits in the pool already and can't be called back; the name is forgotten.
            let at = running.iter().position(|running| *running == name);
            at.and_then(|at| running.remove(at))
                .map(|_| ())
                .ok_or_else(|| invalid_params("no such operation"))
        }),
    );
    must(module.register_blocking_method(
        "payment_queryInfo",
        |params, chain, _| -> RpcResult<_> {
            let info: RuntimeDispatchInfo<Balance> =
                query(&chain, &params, "TransactionPaymentApi_query_info")?;
            Ok(json!(info))
        },
    ));
    must(module.register_blocking_method(
        "payment_queryFeeDetails",
        |params, chain, _| -> RpcResult<_> {
            let details: FeeDetails<Balance> =
                query(&chain, &params, "TransactionPaymentApi_query_fee_details")?;
            Ok(json!({
                "inclusionFee": details.inclusion_fee.map(|fee| json!({
                    "baseFee": format!("{:#x}", fee.base_fee),
                    "lenFee": format!("{:#x}", fee.len_fee),
                    "adjustedWeightFee": format!("{:#x}", fee.adjusted_weight_fee),
                })),
            }))
        },
    ));
}
