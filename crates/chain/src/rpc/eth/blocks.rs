//! Blocks, transactions and receipts.

use std::sync::Arc;

use jsonrpsee::{RpcModule, types::Params};
use pallet_revive::evm::BlockNumberOrTagOrHash;
use serde_json::{Value, json};
use sp_core::{H256, U256};

use super::{
    Ethereum, Index,
    block::{Block, Included},
    locate::{find, numbered},
    method, pending,
};
use crate::{Chain, rpc::error::RpcResult};

/// The block that is meant, if there is one.
fn block(ethereum: &Ethereum, which: &BlockNumberOrTagOrHash) -> RpcResult<Option<Block>> {
    match find(ethereum, which)? {
        Some(header) => Block::read(&ethereum.chain, &header).map(Some),
        None => Ok(None),
    }
}

/// The transaction of this hash in a block of the best branch.
fn included(ethereum: &Ethereum, hash: &H256) -> RpcResult<Option<Included>> {
    let chain = &ethereum.chain;
    let Some(number) = ethereum.index.transaction(chain, hash)? else {
        return Ok(None);
    };
    let Some(header) = numbered(ethereum, number)? else {
        return Ok(None);
    };
    let transactions = Block::read(chain, &header)?.transactions(chain)?;
    let mut transactions = transactions.into_iter();
    Ok(transactions.find(|it| it.transaction.hash == *hash))
}

/// The block by the first parameter, with transactions or hashes by the second.
fn shown_block(
    ethereum: &Ethereum,
    which: &BlockNumberOrTagOrHash,
    full: Option<bool>,
) -> RpcResult<Value> {
    match block(ethereum, which)? {
        Some(block) => block.show(&ethereum.chain, full.unwrap_or(false)),
        None => Ok(Value::Null),
    }
}

fn transaction_count(ethereum: &Ethereum, which: &BlockNumberOrTagOrHash) -> RpcResult<Value> {
    let block = block(ethereum, which)?;
    Ok(block.map_or(Value::Null, |block| json!(U256::from(block.hashes().len()))))
}

fn transaction_at(
    ethereum: &Ethereum,
    which: &BlockNumberOrTagOrHash,
    at: U256,
) -> RpcResult<Value> {
    let Some(block) = block(ethereum, which)? else {
        return Ok(Value::Null);
    };
    let transactions = block.transactions(&ethereum.chain)?;
    let found = usize::try_from(at).ok().and_then(|at| transactions.get(at));
    Ok(found.map_or(Value::Null, Included::show))
}

fn transaction(ethereum: &Ethereum, params: &Params) -> RpcResult<Value> {
    let hash: H256 = params.sequence().next()?;
    if let Some(included) = included(ethereum, &hash)? {
        return Ok(included.show());
    }
    let mut waiting = pending::transactions(&ethereum.chain)?;
    let found = waiting.find(|transaction| transaction.hash == hash);
    Ok(found.map_or(Value::Null, |transaction| transaction.waiting()))
}

pub fn register(module: &mut RpcModule<Chain>, index: &Arc<Index>) {
    method(module, index, "eth_blockNumber", |ethereum, _| {
        Ok(U256::from(ethereum.chain.best().1.number))
    });
    method(module, index, "eth_getBlockByNumber", |ethereum, params| {
        let mut params = params.sequence();
        shown_block(ethereum, &params.next()?, params.optional_next()?)
    });
    method(module, index, "eth_getBlockByHash", |ethereum, params| {
        let mut params = params.sequence();
        let hash = BlockNumberOrTagOrHash::BlockHash(params.next()?);
        shown_block(ethereum, &hash, params.optional_next()?)
    });
    method(
        module,
        index,
        "eth_getBlockTransactionCountByNumber",
        |ethereum, params| transaction_count(ethereum, &params.sequence().next()?),
    );
    method(
        module,
        index,
        "eth_getBlockTransactionCountByHash",
        |ethereum, params| {
            let hash = BlockNumberOrTagOrHash::BlockHash(params.sequence().next()?);
            transaction_count(ethereum, &hash)
        },
    );
    method(
        module,
        index,
        "eth_getTransactionByBlockNumberAndIndex",
        |ethereum, params| {
            let mut params = params.sequence();
            transaction_at(ethereum, &params.next()?, params.next()?)
        },
    );
    method(
        module,
        index,
        "eth_getTransactionByBlockHashAndIndex",
        |ethereum, params| {
            let mut params = params.sequence();
            let hash = BlockNumberOrTagOrHash::BlockHash(params.next()?);
            transaction_at(ethereum, &hash, params.next()?)
        },
    );
    method(module, index, "eth_getBlockReceipts", |ethereum, params| {
        let Some(block) = block(ethereum, &params.sequence().next()?)? else {
            return Ok(Value::Null);
        };
        let transactions = block.transactions(&ethereum.chain)?;
        Ok(transactions.iter().map(|it| json!(it.receipt)).collect())
    });
    method(module, index, "eth_getTransactionByHash", transaction);
    method(
        module,
        index,
        "eth_getTransactionReceipt",
        |ethereum, params| {
            let found = included(ethereum, &params.sequence().next()?)?;
            Ok(found.map_or(Value::Null, |it| json!(it.receipt)))
        },
    );
}
