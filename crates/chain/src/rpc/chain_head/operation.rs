//! Operations on pinned blocks. The response has the operation's id, and its results follow as
//! events of the subscription.

use std::sync::Arc;

use jsonrpsee::{Extensions, ResponsePayload, RpcModule, types::Params};
use serde_json::{Value, json};

use super::followers::Followers;
use crate::{
    Chain,
    rpc::{error::RpcResult, register::must},
    runtime::Hash,
};

/// What an operation does: from the chain, the block and the parameters to its events.
pub type Run = fn(&Chain, Hash, &Params) -> RpcResult<Vec<Value>>;

/// Registers a method whose first two parameters are the follower and the block.
pub fn operation(
    module: &mut RpcModule<Chain>,
    followers: &Arc<Followers>,
    method: &'static str,
    run: Run,
) {
    let followers = followers.clone();
    let start = move |params: &Params<'static>, chain: &Chain| -> RpcResult<_> {
        let mut sequence = params.sequence();
        let follower: String = sequence.next()?;
        let block: Hash = sequence.next()?;
        if !followers.check(&follower, &block)? {
            return Ok(None);
        }
        let id = followers.next_operation();
        let started = json!({ "result": "started", "operationId": id });
        let (chain, params, followers) = (chain.clone(), params.clone(), followers.clone());
        let work = move || {
            let mut events = run(&chain, block, &params).unwrap_or_else(|error| {
                vec![json!({ "event": "operationError", "error": error.message() })]
            });
            for event in &mut events {
                event["operationId"] = json!(id);
            }
            followers.send(&follower, events);
        };
        Ok(Some((started, work)))
    };
    must(module.register_method(
        method,
        move |params: Params, chain: &Chain, _: &Extensions| -> ResponsePayload<'static, Value> {
            match start(&params.into_owned(), chain) {
                Err(error) => ResponsePayload::error(error),
                Ok(None) => ResponsePayload::success(json!({ "result": "limitReached" })),
                Ok(Some((started, work))) => {
                    let (response, sent) = ResponsePayload::success(started).notify_on_completion();
                    tokio::spawn(async move {
                        // The events must not overtake the response that has the operation's id.
                        if sent.await.is_ok() {
                            let _ = tokio::task::spawn_blocking(work).await;
                        }
                    });
                    response
                }
            }
        },
    ));
}
