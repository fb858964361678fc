//! The same chain in the words of an earlier pallet-revive, at a path of its own.
//!
//! cargo-contract 6.0.0-beta.2 was made for pallet-revive 0.10 and before: its calls have a
//! `gas_limit`, and the results of its dry runs fewer fields. ink_e2e 6.0.0-beta.2 was made for
//! the pallet-revive that runs here; both ask the very same questions, so that no answer could
//! serve both. What a client of the earlier kind needs is therefore told at `ws://…`[`PATH`]:
//! only names and results differ there, what a transaction means and how it is written does not.

use codec::{Codec, Decode, Encode};
use jsonrpsee::{Extensions, server::HttpRequest};
use pallet_revive::{ContractResult, ExecReturnValue, InstantiateReturnValue};

use crate::runtime::Balance;

/// Where an earlier pallet-revive is spoken.
const PATH: &str = "/cargo-contract";

/// Goes with each call of a connection to [`PATH`].
#[derive(Clone)]
struct Earlier;

/// Marks a connection by the path it asked for.
pub fn mark<B>(mut request: HttpRequest<B>) -> HttpRequest<B> {
    if request.uri().path().trim_end_matches('/') == PATH {
        request.extensions_mut().insert(Earlier);
    }
    request
}

/// What a function of the runtime's API returned, in the words of the connection.
pub fn word(
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

/// The result of a dry run without the two fields that came later.
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

/// The metadata with each field `weight_limit` called `gas_limit`. Names stand in it with their
/// lengths before them, and nothing in it points to a place, so that they can be exchanged as
/// they are.
fn rename(metadata: &[u8]) -> Vec<u8> {
    let (now, then) = ("weight_limit".encode(), "gas_limit".encode());
    let mut renamed = Vec::with_capacity(metadata.len());
    let mut rest = metadata;
    while let Some((&first, tail)) = rest.split_first() {
        if let Some(tail) = rest.strip_prefix(&now[..]) {
            renamed.extend_from_slice(&then);
            rest = tail;
        } else {
            renamed.push(first);
            rest = tail;
        }
    }
    renamed
}
