//! Errors with the codes of a Substrate node.

use jsonrpsee::types::{ErrorObjectOwned, error::INTERNAL_ERROR_CODE};
use sp_runtime::transaction_validity::TransactionValidityError;

use crate::{PoolError, ReadError, SubmitError, runtime::Hash};

pub type RpcResult<T> = Result<T, ErrorObjectOwned>;

/// The parameters can be decoded, but are not valid.
pub fn invalid_params(what: impl std::fmt::Display) -> ErrorObjectOwned {
    let code = jsonrpsee::types::error::INVALID_PARAMS_CODE;
    ErrorObjectOwned::owned(code, what.to_string(), None::<()>)
}

pub fn internal(error: impl std::fmt::Display) -> ErrorObjectOwned {
    ErrorObjectOwned::owned(INTERNAL_ERROR_CODE, error.to_string(), None::<()>)
}

/// The state can't answer the request.
pub fn client(error: impl std::fmt::Display) -> ErrorObjectOwned {
    ErrorObjectOwned::owned(4003, format!("Client error: {error}"), None::<()>)
}

pub fn unreadable(error: ReadError) -> ErrorObjectOwned {
    unreadable_as(error, client)
}

/// The state can't be read, which is told by `told` unless the fault is this machine's.
pub fn unreadable_as(
    error: ReadError,
    told: impl FnOnce(ReadError) -> ErrorObjectOwned,
) -> ErrorObjectOwned {
    match error {
        ReadError::Store(error) => internal(error),
        ReadError::Discarded(_)
        | ReadError::OtherVersion(_)
        | ReadError::Panicked(_)
        | ReadError::NoFunction(_)
        | ReadError::Undecodable { .. } => told(error),
    }
}

pub fn unknown_block(hash: &Hash) -> ErrorObjectOwned {
    client(format!(
        "UnknownBlock: Header was not found in the database: {hash:?}"
    ))
}

pub fn too_many(asked: u64, most: u64) -> ErrorObjectOwned {
    let message = format!("count exceeds maximum value. value: {asked}, max: {most}");
    ErrorObjectOwned::owned(4002, message, None::<()>)
}

pub fn submit(error: SubmitError) -> ErrorObjectOwned {
    let reason = error.to_string();
    let (code, message) = match error {
        SubmitError::Malformed(_) => (1001, "Extrinsic has invalid format"),
        SubmitError::Read(ReadError::Panicked(_)) => (1002, "Verification Error"),
        SubmitError::Invalid(TransactionValidityError::Invalid(_)) => (1010, "Invalid Transaction"),
        SubmitError::Invalid(TransactionValidityError::Unknown(_)) => {
            (1011, "Unknown Transaction Validity")
        }
        SubmitError::Pool(PoolError::AlreadyImported) => (1013, "Transaction Already Imported"),
        SubmitError::Pool(PoolError::TooLowPriority) => (1014, "Priority is too low"),
        SubmitError::Pool(PoolError::Full) => (1016, "Immediately Dropped"),
        SubmitError::Read(_)
        | SubmitError::Halted(_)
        | SubmitError::Stopped
        | SubmitError::Lost(_) => {
            return internal(reason);
        }
    };
    ErrorObjectOwned::owned(code, message, Some(reason))
}
