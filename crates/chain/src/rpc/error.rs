//! Error codes, as a Substrate node gives them.

use jsonrpsee::types::{ErrorObjectOwned, error::INTERNAL_ERROR_CODE};
use sp_runtime::transaction_validity::TransactionValidityError;

use crate::{PoolError, SubmitError, runtime::Hash};

/// What a method returns.
pub type RpcResult<T> = Result<T, ErrorObjectOwned>;

/// Parameters that decode but make no sense.
pub fn invalid_params(what: impl std::fmt::Display) -> ErrorObjectOwned {
    let code = jsonrpsee::types::error::INVALID_PARAMS_CODE;
    ErrorObjectOwned::owned(code, what.to_string(), None::<()>)
}

/// The store failed, or a task was lost.
pub fn internal(error: impl std::fmt::Display) -> ErrorObjectOwned {
    ErrorObjectOwned::owned(INTERNAL_ERROR_CODE, error.to_string(), None::<()>)
}

/// What the client asked of the state can't be had.
pub fn client(error: impl std::fmt::Display) -> ErrorObjectOwned {
    ErrorObjectOwned::owned(4003, format!("Client error: {error}"), None::<()>)
}

/// There is no such block.
pub fn unknown_block(hash: &Hash) -> ErrorObjectOwned {
    client(format!(
        "UnknownBlock: Header was not found in the database: {hash:?}"
    ))
}

/// More was asked for than is given at once.
pub fn too_many(asked: u64, most: u64) -> ErrorObjectOwned {
    let message = format!("count exceeds maximum value. value: {asked}, max: {most}");
    ErrorObjectOwned::owned(4002, message, None::<()>)
}

/// A transaction that was not taken.
pub fn submit(error: SubmitError) -> ErrorObjectOwned {
    let reason = error.to_string();
    let (code, message) = match error {
        SubmitError::Malformed(_) => (1001, "Extrinsic has invalid format"),
        SubmitError::Panicked(_) => (1002, "Verification Error"),
        SubmitError::Invalid(TransactionValidityError::Invalid(_)) => (1010, "Invalid Transaction"),
        SubmitError::Invalid(TransactionValidityError::Unknown(_)) => {
            (1011, "Unknown Transaction Validity")
        }
        SubmitError::Pool(PoolError::AlreadyImported) => (1013, "Transaction Already Imported"),
        SubmitError::Pool(PoolError::TooLowPriority) => (1014, "Priority is too low"),
        SubmitError::Pool(PoolError::Full) => (1016, "Immediately Dropped"),
        SubmitError::Store(_) | SubmitError::Stopped | SubmitError::Lost(_) => {
            return internal(reason);
        }
    };
    ErrorObjectOwned::owned(code, message, Some(reason))
}
