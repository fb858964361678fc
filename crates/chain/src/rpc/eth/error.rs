//! Errors with the codes that clients of Ethereum know.

use jsonrpsee::types::ErrorObjectOwned;
use pallet_revive::{EthTransactError, evm::decode_revert_reason};
use sp_core::Bytes;

use crate::ReadError;
use crate::rpc::error::unreadable_as;

/// A contract has reverted. The data are what it returned.
const REVERTED: i32 = 3;
/// The request is valid, and its execution failed.
const REFUSED: i32 = -32000;
const NOT_FOUND: i32 = -32001;
/// The request asks for more than is answered at once.
const LIMIT: i32 = -32005;

/// How what a contract of Solidity returns begins: `Error(string)` and `Panic(uint256)`.
const SOLIDITY: [[u8; 4]; 2] = [[0x08, 0xc3, 0x79, 0xa0], [0x4e, 0x48, 0x7b, 0x71]];

pub(crate) fn refused(why: impl Into<String>) -> ErrorObjectOwned {
    ErrorObjectOwned::owned(REFUSED, why, None::<()>)
}

pub(crate) fn no_block() -> ErrorObjectOwned {
    ErrorObjectOwned::owned(NOT_FOUND, "block not found", None::<()>)
}

pub(crate) fn too_much(what: impl Into<String>) -> ErrorObjectOwned {
    ErrorObjectOwned::owned(LIMIT, what, None::<()>)
}

pub(crate) fn unreadable(error: ReadError) -> ErrorObjectOwned {
    unreadable_as(error, |error| refused(error.to_string()))
}

/// A call that has failed: with code 3 and what the contract returned as data if it has reverted. The words of a reason by
/// Solidity are in the message.
#[must_use]
pub fn failed_call(error: EthTransactError) -> ErrorObjectOwned {
    match error {
        EthTransactError::Message(message) => refused(message),
        EthTransactError::Data(data) => {
            // Contracts of Solidity return a reason in words. What those of ink! return, the client
            // decodes from the data: any bytes that are text would be taken for a reason here.
            let is_solidity = SOLIDITY.iter().any(|kind| data.starts_with(kind));
            let reason = is_solidity.then(|| decode_revert_reason(&data)).flatten();
            let message = match reason {
                Some(reason) => format!("execution reverted: {reason}"),
                None => "execution reverted".to_owned(),
            };
            ErrorObjectOwned::owned(REVERTED, message, Some(Bytes(data)))
        }
    }
}
