//! What gas costs.

use std::sync::Arc;

use jsonrpsee::{RpcModule, types::Params};
use pallet_revive::evm::BlockNumberOrTagOrHash;
use serde::Deserialize;
use serde_json::{Value, json};
use sp_core::U256;

use super::{
    Ethereum, Index,
    api::gas_price,
    block::Block,
    error::no_block,
    locate::{find, numbered},
    method,
};
use crate::{
    Chain,
    rpc::error::{RpcResult, invalid_params},
};

/// For how many blocks the fees are told at once.
const MAX_BLOCKS: u32 = 1024;
const MAX_PERCENTILES: usize = 100;

/// A number, as a JSON number or in hex.
#[derive(Deserialize)]
#[serde(untagged)]
enum Count {
    Plain(u64),
    Hex(U256),
}

impl Count {
    /// The number, or `most` if it is larger.
    fn up_to(&self, most: u32) -> u32 {
        match self {
            Self::Plain(count) => (*count).min(most.into()) as u32,
            Self::Hex(count) => (*count).min(most.into()).as_u32(),
        }
    }
}

fn fee_history(ethereum: &Ethereum, params: &Params) -> RpcResult<Value> {
    let mut params = params.sequence();
    let count: Count = params.next()?;
    let newest: BlockNumberOrTagOrHash = params.next()?;
    let percentiles: Vec<f64> = params.optional_next()?.unwrap_or_default();
    let do_rise = percentiles.is_sorted_by(|before, after| before < after);
    if percentiles.len() > MAX_PERCENTILES
        || !do_rise
        || percentiles.iter().any(|it| !(0.0..=100.0).contains(it))
    {
        return Err(invalid_params(format!(
            "at most {MAX_PERCENTILES} percentiles from 0 to 100, each above the one before"
        )));
    }
    let newest = find(ethereum, &newest)?.ok_or_else(no_block)?;
    let count = count.up_to(MAX_BLOCKS).min(newest.number + 1);
    if count == 0 {
        return Ok(json!({ "oldestBlock": "0x0", "gasUsedRatio": [] }));
    }
    let oldest = newest.number + 1 - count;
    let (mut fees, mut ratios) = (Vec::new(), Vec::new());
    for number in oldest..=newest.number {
        let header = numbered(ethereum, number)?.ok_or_else(no_block)?;
        let block = Block::read(&ethereum.chain, &header)?.ethereum;
        fees.push(block.base_fee_per_gas);
        let (used, limit) = (block.gas_used.low_u64(), block.gas_limit.low_u64());
        ratios.push(used as f64 / limit.max(1) as f64);
    }
    // That of the block after the newest one.
    fees.push(gas_price(&ethereum.chain, &newest)?);
    let mut history = json!({
        "oldestBlock": U256::from(oldest),
        "baseFeePerGas": fees,
        "gasUsedRatio": ratios,
    });
    if !percentiles.is_empty() {
        // Nobody is paid for putting a transaction into a block.
        let nothing = vec![U256::zero(); percentiles.len()];
        history["reward"] = json!(vec![nothing; count as usize]);
    }
    Ok(history)
}

pub fn register(module: &mut RpcModule<Chain>, index: &Arc<Index>) {
    method(module, index, "eth_gasPrice", |ethereum, _| {
        gas_price(&ethereum.chain, &ethereum.chain.best().1)
    });
    method(module, index, "eth_maxPriorityFeePerGas", |_, _| {
        Ok(U256::zero())
    });
    method(module, index, "eth_feeHistory", fee_history);
}
