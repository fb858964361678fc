//! Balances, nonces, codes, storage, and calls that are tried: what the runtime answers on the state
//! after a block.

use std::sync::Arc;

use codec::{Decode, Encode};
use jsonrpsee::{RpcModule, types::Params};
use pallet_revive::{
    EthTransactError, EthTransactInfo, GetStorageResult,
    evm::{BlockNumberOrTagOrHash, BlockTag, GenericTransaction},
};
use serde_json::Value;
use sp_core::{Bytes, Get, H160, U256};

use super::{
    Ethereum, Index,
    error::{failed_call, refused, unreadable},
    locate, method,
};
use crate::{
    Chain, ReadError,
    rpc::error::{RpcResult, invalid_params},
    runtime::{AccountId, Balance, Header, Nonce, Runtime},
};

/// The chain's number by EIP-155, which is the same in all versions of the runtime.
pub fn chain_id() -> U256 {
    let id: u64 = <Runtime as pallet_revive::Config>::ChainId::get();
    id.into()
}

/// Calls a function of pallet-revive's API on the state after a block.
pub fn ask<T: Decode>(
    chain: &Chain,
    header: &Header,
    function: &str,
    arguments: &impl Encode,
) -> RpcResult<T> {
    let answer = chain
        .call(header, function, &arguments.encode())
        .map_err(unreadable)?;
    T::decode(&mut &answer[..]).map_err(|reason| {
        unreadable(ReadError::Undecodable {
            function: function.to_owned(),
            reason,
        })
    })
}

/// What can be spent, in the unit of Ethereum, without what the account has to keep.
pub fn balance(chain: &Chain, header: &Header, address: H160) -> RpcResult<U256> {
    ask(chain, header, "ReviveApi_balance", &address)
}

pub fn gas_price(chain: &Chain, header: &Header) -> RpcResult<U256> {
    ask(chain, header, "ReviveApi_gas_price", &())
}

pub fn nonce(chain: &Chain, header: &Header, address: H160) -> RpcResult<Nonce> {
    ask(chain, header, "ReviveApi_nonce", &address)
}

/// Tries a transaction on the state after a block.
///
/// A price of 0, which some clients name when they mean none, is taken as none: the runtime refuses
/// a price below its own.
fn dry_run(
    chain: &Chain,
    header: &Header,
    mut call: GenericTransaction,
) -> RpcResult<EthTransactInfo<Balance>> {
    for price in [&mut call.gas_price, &mut call.max_fee_per_gas] {
        if price.is_some_and(|price| price.is_zero()) {
            *price = None;
        }
    }
    if call.max_fee_per_gas.is_none() {
        call.max_priority_fee_per_gas = None;
    }
    let tried: Result<EthTransactInfo<Balance>, EthTransactError> =
        ask(chain, header, "ReviveApi_eth_transact", &call)?;
    tried.map_err(failed_call)
}

fn account(ethereum: &Ethereum, params: &Params) -> RpcResult<(H160, Header)> {
    let mut params = params.sequence();
    Ok((params.next()?, locate::next(ethereum, &mut params)?))
}

fn transaction_count(ethereum: &Ethereum, params: &Params) -> RpcResult<U256> {
    let (address, header) = account(ethereum, params)?;
    let mut params = params.sequence();
    let _: H160 = params.next()?;
    let block: Option<BlockNumberOrTagOrHash> = params.optional_next()?;
    let chain = &ethereum.chain;
    if block == Some(BlockNumberOrTagOrHash::BlockTag(BlockTag::Pending)) {
        let account: AccountId = ask(chain, &header, "ReviveApi_account_id", &address)?;
        return Ok(chain.next_nonce(&account).map_err(unreadable)?.into());
    }
    Ok(nonce(chain, &header, address)?.into())
}

fn storage_at(ethereum: &Ethereum, params: &Params) -> RpcResult<Bytes> {
    let mut params = params.sequence();
    let (address, slot): (H160, U256) = (params.next()?, params.next()?);
    let header = locate::next(ethereum, &mut params)?;
    let key: [u8; 32] = slot.to_big_endian();
    let found: GetStorageResult = ask(
        &ethereum.chain,
        &header,
        "ReviveApi_get_storage",
        &(address, key),
    )?;
    // What is not there reads as 0, at an address without a contract, too.
    let value = found.ok().flatten();
    Ok(Bytes(value.unwrap_or_else(|| vec![0; 32])))
}

fn call(ethereum: &Ethereum, params: &Params) -> RpcResult<Bytes> {
    let mut params = params.sequence();
    let call: GenericTransaction = params.next()?;
    let header = locate::next(ethereum, &mut params)?;
    // To ignore it would answer another question than the one that was asked.
    if params.optional_next::<Value>()?.is_some() {
        return Err(invalid_params("the state can't be overridden"));
    }
    Ok(Bytes(dry_run(&ethereum.chain, &header, call)?.data))
}

fn estimate_gas(ethereum: &Ethereum, params: &Params) -> RpcResult<U256> {
    let mut params = params.sequence();
    let mut call: GenericTransaction = params.next()?;
    let header = locate::next(ethereum, &mut params)?;
    // A limit that the caller names is no amount to pay for: some wallets name that of the block,
    // for which nobody has the funds.
    let limit = call.gas.take();
    let gas = dry_run(&ethereum.chain, &header, call)?.eth_gas;
    match limit {
        Some(limit) if limit < gas => Err(refused(format!(
            "gas required exceeds allowance ({limit}): it takes {gas}"
        ))),
        _ => Ok(gas),
    }
}

pub fn register(module: &mut RpcModule<Chain>, index: &Arc<Index>) {
    method(module, index, "eth_getBalance", |ethereum, params| {
        let (address, header) = account(ethereum, params)?;
        balance(&ethereum.chain, &header, address)
    });
    method(module, index, "eth_getCode", |ethereum, params| {
        let (address, header) = account(ethereum, params)?;
        ask(&ethereum.chain, &header, "ReviveApi_code", &address).map(Bytes)
    });
    method(module, index, "eth_getTransactionCount", transaction_count);
    method(module, index, "eth_getStorageAt", storage_at);
    method(module, index, "eth_call", call);
    method(module, index, "eth_estimateGas", estimate_gas);
}
