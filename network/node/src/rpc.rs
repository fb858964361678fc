//! The methods of the RPC that are not in every node of the Polkadot SDK: an account's next nonce,
//! fees, and the state of finality.

use std::sync::Arc;

use jsonrpsee::RpcModule;
use pallet_transaction_payment_rpc::{TransactionPayment, TransactionPaymentApiServer};
use polkadot_sdk::{pallet_transaction_payment_rpc, substrate_frame_rpc_system};
use substrate_frame_rpc_system::{System, SystemApiServer};

use crate::parts::{Client, Pool};

/// All of them.
pub fn module(
    client: Arc<Client>,
    pool: Arc<Pool>,
) -> Result<RpcModule<()>, jsonrpsee::core::RegisterMethodError> {
    let mut module = RpcModule::new(());
    module.merge(System::new(client.clone(), pool).into_rpc())?;
    module.merge(TransactionPayment::new(client).into_rpc())?;
    Ok(module)
}
