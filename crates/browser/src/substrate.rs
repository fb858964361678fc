//! What a wallet of Substrate is asked to sign.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use codec::{Compact, Encode as _};
use connect4_protocol::Address;
use connect4_protocol::public_chains::PublicChain;
use connect4_protocol::transaction::{Extensions, PalletCall};
use serde::{Deserialize, Serialize};
use sp_crypto_hashing::blake2_256;

use crate::failure::Failure;
use crate::values::{Hex, Units};

/// A call that a host has prepared for a wallet, by its parts.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PreparedCall {
    /// Hash of the chain's first block.
    pub genesis: Hex,
    /// The call.
    pub method: Hex,
    /// Names of the extensions of transactions, in order.
    pub extensions: Vec<String>,
    /// Whether the hash of the chain's metadata is signed.
    pub metadata_hash: bool,
}

/// A call of pallet-revive. The number of the pallet differs between chains.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SubstrateCall {
    /// Calls a contract.
    Contract {
        /// Number of the pallet.
        pallet: u8,
        /// The contract.
        contract: Address,
        /// Amount that is paid, in the token's smallest unit.
        value: Units,
        /// Whether it may take no more time and proof than a call of the contracts takes.
        is_moderate: bool,
        /// Limit of the deposit for storage, in the token's smallest unit.
        deposit_limit: Units,
        /// Input of the contract.
        input: Hex,
    },
    /// Maps the account to its address.
    MapAccount {
        /// Number of the pallet.
        pallet: u8,
    },
}

/// What a prepared call does. `OtherForm` if what is signed with it is not in the order of all chains, or it is a call
/// of another pallet than the contracts' of this public chain, or without the hash of the metadata where it is known
/// that the chain compares that.
pub(crate) fn read(prepared: PreparedCall) -> Result<SubstrateCall, Failure> {
    let other_form = |text: String| Failure::new("OtherForm", text);
    let names = prepared.extensions.iter().map(String::as_str);
    // A wallet signs the extensions that it knows, and nothing in the place of others.
    Extensions::named(names, |_| true).map_err(|error| other_form(error.to_string()))?;
    let (pallet, call) = PalletCall::read(&prepared.method.0)
        .ok_or_else(|| Failure::request("these bytes are no call of the contracts' pallet"))?;
    let genesis = prepared.genesis.0.as_slice().try_into();
    let known = genesis.ok().and_then(PublicChain::of);
    if known.is_some_and(|chain| chain.pallet != pallet) {
        return Err(other_form("a call of another pallet".into()));
    }
    if known.is_some_and(|chain| chain.has_metadata_hash && !prepared.metadata_hash) {
        return Err(other_form("no hash of the chain's metadata".into()));
    }
    match call {
        PalletCall::Call {
            contract,
            value,
            limits,
            input,
        } => Ok(SubstrateCall::Contract {
            pallet,
            contract,
            value: Units(value),
            is_moderate: limits.excess().is_none(),
            deposit_limit: Units(limits.deposit),
            input: Hex(input),
        }),
        PalletCall::MapAccount => Ok(SubstrateCall::MapAccount { pallet }),
        _ => Err(Failure::request("this is no call of a player")),
    }
}

/// A signed transaction, of which the host has told the bytes around the signature.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Extrinsic {
    /// The bytes before the signature.
    pub head: Hex,
    /// The signature, with the byte of its kind.
    pub signature: Hex,
    /// The bytes behind it.
    pub tail: Hex,
}

/// By what a chain knows a transaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExtrinsicHash {
    /// BLAKE2b-256 of all of its bytes, the length included.
    pub hash: Hex,
}

pub(crate) fn hash(asked: Extrinsic) -> Result<ExtrinsicHash, Failure> {
    let bytes = [asked.head.0, asked.signature.0, asked.tail.0].concat();
    let length = u32::try_from(bytes.len())
        .map_err(|_| Failure::request("a transaction has less than 4 GiB"))?;
    let all = [Compact(length).encode(), bytes].concat();
    Ok(ExtrinsicHash {
        hash: Hex(blake2_256(&all).into()),
    })
}
