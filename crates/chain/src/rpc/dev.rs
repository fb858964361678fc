//! `dev_`: what happens on public chains, on request. [`rpc`](super) lists the methods.

use std::time::Duration;

use jsonrpsee::RpcModule;
use serde::Deserialize;

use super::{
    error::{RpcResult, client, internal, invalid_params},
    register::must,
};
use crate::{Chain, ReorganiseError, Retracted, UpgradeError};

/// What becomes of the transactions of retracted blocks.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Back {
    Requeue,
    Drop,
}

impl From<Back> for Retracted {
    fn from(back: Back) -> Self {
        match back {
            Back::Requeue => Self::Requeue,
            Back::Drop => Self::Drop,
        }
    }
}

pub fn register(module: &mut RpcModule<Chain>) {
    must(
        module.register_blocking_method("dev_seal", |_, chain, _| -> RpcResult<_> {
            chain.seal().map_err(internal)
        }),
    );
    must(
        module.register_method("dev_advanceClock", |params, chain, _| -> RpcResult<_> {
            chain.advance_clock(Duration::from_secs(params.one()?));
            Ok(())
        }),
    );
    must(
        module.register_blocking_method("dev_upgrade", |_, chain, _| -> RpcResult<_> {
            chain.upgrade().map_err(|error| match error {
                UpgradeError::Newest(_) => client(error),
                UpgradeError::Block(error) => internal(error),
            })
        }),
    );
    must(
        module.register_blocking_method("dev_stallFinality", |_, chain, _| -> RpcResult<_> {
            chain.stall_finality().map_err(internal)
        }),
    );
    must(
        module.register_blocking_method("dev_resumeFinality", |_, chain, _| -> RpcResult<_> {
            chain.resume_finality().map_err(internal)
        }),
    );
    must(
        module.register_blocking_method("dev_reorganise", |params, chain, _| -> RpcResult<_> {
            let mut params = params.sequence();
            let depth: u32 = params.next()?;
            let back: Back = params.next()?;
            chain
                .reorganise(depth, back.into())
                .map_err(|error| match error {
                    ReorganiseError::Final { .. } => invalid_params(error),
                    ReorganiseError::Block(error) => internal(error),
                })
        }),
    );
}
