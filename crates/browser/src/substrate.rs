//! What a wallet of Substrate is asked to sign.

use codec::{Compact, Decode, DecodeAll as _, Encode as _};
use connect4_wire::Address;
use serde::{Deserialize, Serialize};
use sp_crypto_hashing::blake2_256;

use crate::failure::Failure;
use crate::values::{Hex, Units};

/// A call of a chain with pallet-revive, by the form of its bytes. Pallet and call are numbers that
/// differ between chains.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SubstrateCall {
    /// Has the form of a call of a contract, `Revive.call`.
    Contract {
        /// Numbers of pallet and call.
        index: [u8; 2],
        /// The contract.
        contract: Address,
        /// Amount that is paid, in the token's smallest unit.
        value: Units,
        /// Limit of the time that it may take, in picoseconds.
        ref_time: u64,
        /// Limit of the proof that it may take, in bytes.
        proof_size: u64,
        /// Limit of the deposit for storage, in the token's smallest unit.
        deposit_limit: Units,
        /// Input of the contract.
        input: Hex,
    },
    /// Has no fields, as `Revive.map_account`.
    Plain {
        /// Numbers of pallet and call.
        index: [u8; 2],
    },
}

/// The fields of `Revive.call`.
#[derive(Decode)]
struct Contract {
    contract: [u8; 20],
    value: Compact<u128>,
    ref_time: Compact<u64>,
    proof_size: Compact<u64>,
    deposit_limit: Compact<u128>,
    input: alloc::vec::Vec<u8>,
}

pub(crate) fn read(call: Hex) -> Result<SubstrateCall, Failure> {
    let (index, fields) = call
        .0
        .split_first_chunk()
        .ok_or_else(|| Failure::request("a call has two bytes at least"))?;
    if fields.is_empty() {
        return Ok(SubstrateCall::Plain { index: *index });
    }
    let read = Contract::decode_all(&mut &*fields);
    let read =
        read.map_err(|_| Failure::request("these bytes have not the form of a contract call"));
    let read = read?;
    Ok(SubstrateCall::Contract {
        index: *index,
        contract: connect4_protocol::Address(read.contract).into(),
        value: Units(read.value.0),
        ref_time: read.ref_time.0,
        proof_size: read.proof_size.0,
        deposit_limit: Units(read.deposit_limit.0),
        input: Hex(read.input),
    })
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
