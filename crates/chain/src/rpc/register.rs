//! Registering methods.

use std::sync::Arc;

use jsonrpsee::{Extensions, RpcModule, types::Params};
use serde::Serialize;

use super::error::RpcResult;
use crate::Chain;

/// Panics if a method was not registered: its name was taken. The first test finds such a fault.
pub fn must<T>(registered: Result<T, impl std::fmt::Display>) {
    if let Err(error) = registered {
        panic!("a method was registered twice: {error}");
    }
}

pub type Read<R> = fn(&Chain, &Params) -> RpcResult<R>;

/// Registers a method under all of its names. It runs on a thread that may wait for the store.
pub fn read<R>(module: &mut RpcModule<Chain>, names: &[&'static str], method: Read<R>)
where
    R: Serialize + Clone + Send + 'static,
{
    for name in names {
        must(module.register_blocking_method(
            name,
            move |params: Params, chain: Arc<Chain>, _: Extensions| method(&chain, &params),
        ));
    }
}
