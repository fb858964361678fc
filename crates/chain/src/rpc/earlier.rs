//! The chain in the encoding of an earlier pallet-revive, at a path of its own.
//!
//! cargo-contract 6.0.0-beta.2 was made for pallet-revive 0.10 and earlier. Its calls have a field
//! `gas_limit`, and its dry runs return fewer fields. ink_e2e 6.0.0-beta.2 was made for the
//! pallet-revive of this chain. Both send the same requests, so that the server can tell them apart
//! by the connection's path only: cargo-contract connects to [`PATH`]. There the metadata has the
//! earlier names, and dry runs the earlier results. Transactions are the same for both.

use codec::{Codec, Decode, Encode};
use jsonrpsee::{Extensions, server::HttpRequest};
use pallet_revive::{ContractResult, ExecReturnValue, InstantiateReturnValue};

use crate::runtime::{Balance, metadata};

/// The path of connections that expect the earlier pallet-revive.
const PATH: &str = "/cargo-contract";

/// Comes with each request of a connection to [`PATH`].
#[derive(Clone)]
struct Earlier;

pub fn mark<B>(mut request: HttpRequest<B>) -> HttpRequest<B> {
    if request.uri().path().trim_end_matches('/') == PATH {
        request.extensions_mut().insert(Earlier);
    }
    request
}

/// The output of a function of the runtime's API, in the encoding that the connection expects.
///
/// # Errors
/// Returned if the output is not what the function returns.
pub fn translate(
    connection: &Extensions,
    function: &str,
    output: Vec<u8>,
) -> Result<Vec<u8>, codec::Error> {
    if connection.get::<Earlier>().is_none() {
        return Ok(output);
    }
    match function {
        "ReviveApi_call" => result::<ExecReturnValue>(&output),
        "ReviveApi_instantiate" => result::<InstantiateReturnValue>(&output),
        "Metadata_metadata" => {
            let metadata = Vec::<u8>::decode(&mut &output[..])?;
            Ok(rename(&metadata).encode())
        }
        "Metadata_metadata_at_version" => {
            let metadata = Option::<Vec<u8>>::decode(&mut &output[..])?;
            Ok(metadata.map(|metadata| rename(&metadata)).encode())
        }
        _ => Ok(output),
    }
}

/// The result of a dry run without the two fields that were added later.
fn result<R: Codec>(output: &[u8]) -> Result<Vec<u8>, codec::Error> {
    let ContractResult {
        weight_consumed,
        weight_required,
        storage_deposit,
        max_storage_deposit: _,
        gas_consumed: _,
        result,
    } = ContractResult::<R, Balance>::decode(&mut &output[..])?;
    Ok((weight_consumed, weight_required, storage_deposit, result).encode())
}

/// The metadata with the fields `weight_limit` renamed to `gas_limit`.
fn rename(metadata: &[u8]) -> Vec<u8> {
    let (now, then) = ("weight_limit".encode(), "gas_limit".encode());
    metadata::replace(metadata, &now, &then)
}
