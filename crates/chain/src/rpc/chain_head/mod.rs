//! `chainHead_v1`: following the head, and requests about the blocks that were announced.

mod follow;
mod followers;
mod operation;

use std::sync::Arc;

use codec::Encode;
use jsonrpsee::RpcModule;
use serde_json::json;
use sp_core::{Bytes, storage::ChildInfo};

use self::{follow::follow, followers::Followers, operation::operation};
use super::{
    error::{RpcResult, internal, invalid_params},
    read::header,
    register::must,
    storage_query::{StorageQuery, answer},
};
use crate::{
    Chain,
    runtime::{Hash, Header},
    state::Backend,
};

/// The header of a pinned block, and the state after it, which is kept as long as it is pinned.
fn pinned(chain: &Chain, block: Hash) -> RpcResult<(Header, Backend)> {
    let header = header(chain, Some(block))?;
    let backend = chain.pinned_state(&header).map_err(internal)?;
    Ok((header, backend))
}

pub fn register(module: &mut RpcModule<Chain>) {
    let followers = Arc::<Followers>::default();

    let all = followers.clone();
    must(module.register_subscription(
        "chainHead_v1_follow",
        "chainHead_v1_followEvent",
        "chainHead_v1_unfollow",
        move |params, pending, chain, _| {
            let (all, with_runtime) = (all.clone(), params.one::<bool>());
            async move {
                match with_runtime {
                    Ok(with_runtime) => {
                        follow(pending, Chain::clone(&chain), all, with_runtime).await;
                    }
                    Err(error) => pending.reject(error).await,
                }
            }
        },
    ));
    let all = followers.clone();
    must(module.register_blocking_method(
        "chainHead_v1_header",
        move |params, chain, _| -> RpcResult<_> {
            let mut params = params.sequence();
            let follower: String = params.next()?;
            let block: Hash = params.next()?;
            if !all.check(&follower, &block)? {
                return Ok(None);
            }
            let header = chain.header(&block).map_err(internal)?;
            Ok(header.map(|header| Bytes(header.encode())))
        },
    ));
    let all = followers.clone();
    must(
        module.register_method("chainHead_v1_unpin", move |params, _, _| -> RpcResult<_> {
            #[derive(serde::Deserialize)]
            #[serde(untagged)]
            enum Blocks {
                One(Hash),
                Many(Vec<Hash>),
            }
            let mut params = params.sequence();
            let follower: String = params.next()?;
            let blocks = match params.next()? {
                Blocks::One(block) => vec![block],
                Blocks::Many(blocks) => blocks,
            };
            all.unpin(&follower, &blocks)
        }),
    );
    operation(
        module,
        &followers,
        "chainHead_v1_body",
        |chain, block, _| {
            let block = chain.block(&block).map_err(internal)?;
            let extrinsics = block.map(|block| block.extrinsics).unwrap_or_default();
            Ok(vec![
                json!({ "event": "operationBodyDone", "value": extrinsics }),
            ])
        },
    );
    operation(
        module,
        &followers,
        "chainHead_v1_call",
        |chain, block, params| {
            let mut params = params.sequence();
            let _: (String, Hash) = (params.next()?, params.next()?);
            let function: String = params.next()?;
            let input: Bytes = params.next()?;
            let (header, backend) = pinned(chain, block)?;
            let output = chain
                .call_on(&backend, &header, &function, &input)
                .map_err(invalid_params)?;
            Ok(vec![
                json!({ "event": "operationCallDone", "output": Bytes(output) }),
            ])
        },
    );
    operation(
        module,
        &followers,
        "chainHead_v1_storage",
        |chain, block, params| {
            let mut params = params.sequence();
            let _: (String, Hash) = (params.next()?, params.next()?);
            let queries: Vec<StorageQuery> = params.next()?;
            let child = params
                .optional_next::<Bytes>()?
                .map(|key| ChildInfo::new_default(&key));
            let (_, backend) = pinned(chain, block)?;
            let items = answer(&backend, child.as_ref(), &queries)?;
            Ok(vec![
                json!({ "event": "operationStorageItems", "items": items }),
                json!({ "event": "operationStorageDone" }),
            ])
        },
    );
    // An operation never waits for the client to continue it, and ends too soon to be stopped.
    for method in ["chainHead_v1_continue", "chainHead_v1_stopOperation"] {
        must(
            module.register_method(method, |params, _, _| -> RpcResult<_> {
                let mut params = params.sequence();
                let _: (String, String) = (params.next()?, params.next()?);
                Ok(())
            }),
        );
    }
}
