//! Submitting transactions.
//!
//! The runtime says with a few numbers only why it does not take a transaction. What wallets show is
//! found out before it is asked, in the words that libraries of Ethereum tell errors apart by.

use std::sync::Arc;

use jsonrpsee::{
    RpcModule,
    types::{ErrorObjectOwned, Params},
};
use pallet_revive::evm::TransactionSigned;
use sp_core::{Bytes, H256, U256};
use sp_runtime::transaction_validity::{InvalidTransaction, TransactionValidityError};

use super::{
    Ethereum, Index,
    api::{ask, balance, chain_id, gas_price, nonce},
    block::Transaction,
    error::{refused, unreadable},
    method,
};
use crate::{
    Chain, PoolError, SubmitError,
    rpc::error::{RpcResult, internal},
    runtime::AccountId,
};

/// By how much the nonce of a transaction may be above that of the next one, for clients that send several at once, out
/// of order. One far above would wait for ever: its wallet counts on from a chain that was thrown away.
const MAX_GAP: u32 = 32;

fn not_taken(error: SubmitError) -> ErrorObjectOwned {
    let why = match error {
        SubmitError::Invalid(TransactionValidityError::Invalid(InvalidTransaction::Stale)) => {
            "nonce too low".to_owned()
        }
        // What the sender owns, and the price, were looked at before.
        SubmitError::Invalid(TransactionValidityError::Invalid(InvalidTransaction::Payment)) => {
            "intrinsic gas too low: it does not pay for the length and the weight".to_owned()
        }
        SubmitError::Pool(PoolError::AlreadyImported) => "already known".to_owned(),
        SubmitError::Pool(PoolError::TooLowPriority) => {
            "replacement transaction underpriced: another one with this nonce waits".to_owned()
        }
        SubmitError::Pool(PoolError::Full) => format!("txpool is full: {error}"),
        SubmitError::Malformed(_) | SubmitError::Invalid(_) | SubmitError::Read(_) => {
            error.to_string()
        }
        SubmitError::Halted(_) | SubmitError::Stopped | SubmitError::Lost(_) => {
            return internal(error);
        }
    };
    refused(why)
}

/// Reads a transaction that this chain may take.
///
/// # Errors
/// Returned if it is none, if its type is not supported, if it names no chain or another one, and if
/// its signature is not valid, in this order.
fn read(payload: &[u8]) -> RpcResult<Transaction> {
    // A transaction without a type begins as a list, with a larger byte.
    if matches!(payload.first(), Some(kind @ ..=0x7f) if ![1, 2].contains(kind)) {
        return Err(refused("transaction type not supported"));
    }
    let signed = TransactionSigned::decode(payload)
        .map_err(|error| refused(format!("not a transaction: {error}")))?;
    let chain = match &signed {
        TransactionSigned::TransactionLegacySigned(signed) => {
            signed.transaction_legacy_unsigned.chain_id
        }
        TransactionSigned::Transaction2930Signed(signed) => {
            Some(signed.transaction_2930_unsigned.chain_id)
        }
        TransactionSigned::Transaction1559Signed(signed) => {
            Some(signed.transaction_1559_unsigned.chain_id)
        }
        TransactionSigned::Transaction4844Signed(_)
        | TransactionSigned::Transaction7702Signed(_) => {
            return Err(refused("transaction type not supported"));
        }
    };
    // Anybody could repeat it on another chain.
    let chain = chain
        .ok_or_else(|| refused("only replay-protected (EIP-155) transactions allowed over RPC"))?;
    if chain != chain_id() {
        return Err(refused(format!(
            "invalid chain id: have {chain} want {}",
            chain_id()
        )));
    }
    Transaction::read(payload).ok_or_else(|| refused("invalid sender: the signature is not valid"))
}

/// Checks what the runtime would refuse without a reason, or would include only to fail.
///
/// # Errors
/// Returned if the nonce was used, if it is far above the next one, if less is offered for gas than it costs, and if the sender does
/// not own what the transaction pays at most, in this order.
fn check(chain: &Chain, transaction: &Transaction) -> RpcResult<()> {
    let best = chain.best().1;
    let base_fee = gas_price(chain, &best)?;
    let generic = transaction.generic(base_fee);
    let (next, given) = (
        U256::from(nonce(chain, &best, transaction.from)?),
        generic.nonce.unwrap_or_default(),
    );
    if given < next {
        return Err(refused(format!(
            "nonce too low: next nonce {next}, tx nonce {given}"
        )));
    }
    if given > next + U256::from(MAX_GAP) {
        let account: AccountId = ask(chain, &best, "ReviveApi_account_id", &transaction.from)?;
        let waiting = U256::from(chain.next_nonce(&account).map_err(unreadable)?);
        if given > waiting + U256::from(MAX_GAP) {
            return Err(refused(format!(
                "nonce too high: next nonce {waiting}, tx nonce {given}; a wallet may remember transactions \
                 of another chain: have it forget its activity"
            )));
        }
    }
    let price = generic.gas_price.unwrap_or_default();
    if price < base_fee {
        let offered = generic.max_fee_per_gas.unwrap_or(price);
        return Err(refused(format!(
            "max fee per gas less than block base fee: transaction underpriced, \
             maxFeePerGas: {offered} baseFee: {base_fee}"
        )));
    }
    let owned = balance(chain, &best, transaction.from)?;
    let cost = price
        .saturating_mul(generic.gas.unwrap_or_default())
        .saturating_add(generic.value.unwrap_or_default());
    if owned < cost {
        return Err(refused(format!(
            "insufficient funds for gas * price + value: address {:?} have {owned} want {cost}",
            transaction.from
        )));
    }
    Ok(())
}

fn send(ethereum: &Ethereum, params: &Params) -> RpcResult<H256> {
    let payload: Bytes = params.sequence().next()?;
    let chain = &ethereum.chain;
    let transaction = read(&payload)?;
    check(chain, &transaction)?;
    let code = chain.code(&chain.best().1).map_err(unreadable)?;
    chain
        .submit_encoded(code.carry_ethereum(payload.0))
        .map_err(not_taken)?;
    Ok(transaction.hash)
}

pub fn register(module: &mut RpcModule<Chain>, index: &Arc<Index>) {
    method(module, index, "eth_sendRawTransaction", send);
}
