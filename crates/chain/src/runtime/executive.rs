//! The runtime's functions for checking transactions and making blocks. All but [`decode`] and
//! [`timestamp`] are to be called inside [`execute`](crate::execute).

use codec::DecodeLimit;
use sp_runtime::{
    ApplyExtrinsicResult, generic,
    transaction_validity::{TransactionSource, TransactionValidity},
};

use super::{Executive, Hash, Header, RuntimeCall, UncheckedExtrinsic};

/// Decodes a transaction from all of `bytes`. Calls in it may nest as deeply as FRAME allows.
///
/// # Errors
/// Returned if `bytes` is too short, too long, or not a transaction.
pub fn decode(bytes: &[u8]) -> Result<UncheckedExtrinsic, codec::Error> {
    let depth = frame_support::MAX_EXTRINSIC_DEPTH;
    UncheckedExtrinsic::decode_all_with_depth_limit(depth, &mut &bytes[..])
}

/// The unsigned transaction that sets a block's time, in milliseconds since 1970.
pub fn timestamp(now: u64) -> UncheckedExtrinsic {
    let call = RuntimeCall::Timestamp(pallet_timestamp::Call::set { now });
    generic::UncheckedExtrinsic::new_bare(call).into()
}

/// Starts a block.
pub fn initialize(header: &Header) {
    Executive::initialize_block(header);
}

/// Executes a transaction in the block that was started.
pub fn apply(transaction: UncheckedExtrinsic) -> ApplyExtrinsicResult {
    Executive::apply_extrinsic(transaction)
}

/// Ends the block that was started.
pub fn finalize() -> Header {
    Executive::finalize_block()
}

/// Checks a transaction on the state after block `at`.
pub fn validate(
    source: TransactionSource,
    transaction: UncheckedExtrinsic,
    at: Hash,
) -> TransactionValidity {
    Executive::validate_transaction(source, transaction, at)
}
