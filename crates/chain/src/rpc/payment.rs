//! `payment_`: the fee of a transaction.

use codec::{Decode, Encode};
use jsonrpsee::{RpcModule, types::Params};
use pallet_transaction_payment::{FeeDetails, RuntimeDispatchInfo};
use serde_json::json;
use sp_core::Bytes;

use super::{
    error::{RpcResult, client, internal},
    read::header,
    register::read,
};
use crate::{
    Chain,
    runtime::{Balance, Hash},
};

/// Calls a function of the runtime's API that takes a transaction and its length.
fn query<T: Decode>(chain: &Chain, params: &Params, function: &str) -> RpcResult<T> {
    let mut params = params.sequence();
    let transaction: Bytes = params.next()?;
    let block: Option<Hash> = params.optional_next()?;
    let header = header(chain, block)?;
    let mut input = transaction.0;
    (input.len() as u32).encode_to(&mut input);
    let output = chain.call(&header, function, &input).map_err(client)?;
    Decode::decode(&mut &output[..]).map_err(internal)
}

pub fn register(module: &mut RpcModule<Chain>) {
    read(module, &["payment_queryInfo"], |chain, params| {
        query::<RuntimeDispatchInfo<Balance>>(chain, params, "TransactionPaymentApi_query_info")
    });
    read(module, &["payment_queryFeeDetails"], |chain, params| {
        let details: FeeDetails<Balance> =
            query(chain, params, "TransactionPaymentApi_query_fee_details")?;
        Ok(json!({
            "inclusionFee": details.inclusion_fee.map(|fee| json!({
                "baseFee": format!("{:#x}", fee.base_fee),
                "lenFee": format!("{:#x}", fee.len_fee),
                "adjustedWeightFee": format!("{:#x}", fee.adjusted_weight_fee),
            })),
        }))
    });
}
