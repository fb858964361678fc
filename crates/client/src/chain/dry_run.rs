//! Dry runs: what a call would do, and the limits that it needs.

use codec::Decode as _;
use connect4_protocol::Address;
use connect4_protocol::transaction::{Limits, PalletCall};
use subxt::dynamic::{DecodedValue, Value};
use subxt::metadata::Metadata;
use subxt::utils::{AccountId32, H256};

use crate::chain::client::{Client, PALLET};
use crate::chain::dispatch::DispatchError;
use crate::chain::value;
use crate::error::Error;
use crate::failure::unexpected;
use crate::task::Task;

/// A limit exceeds the weight that the dry run used by a part of one to this many, as the state may
/// change in between. The chain refunds the rest.
const MARGIN_DIVISOR: u64 = 4;

/// A call of a contract.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    pub(crate) contract: Address,
    /// Payment, in the token's smallest unit.
    pub(crate) payment: u128,
    pub(crate) input: &'a [u8],
}

/// Result of a dry run.
#[derive(Clone, Debug)]
pub(crate) struct DryRun {
    /// What the contract returned, or why it did not run to its end.
    pub(crate) result: Result<Returned, DispatchError>,
    pub(super) ref_time: u64,
    pub(super) proof_size: u64,
    /// Deposit for storage, in the token's smallest unit; negative if one would be given back.
    pub(crate) deposit: i128,
    /// The highest deposit at any time of the run, in the token's smallest unit.
    pub(super) highest_deposit: u128,
}

/// What a contract returned.
#[derive(Clone, Debug)]
pub(crate) struct Returned {
    /// Whether the contract undid its changes.
    pub(crate) reverted: bool,
    pub(crate) data: Vec<u8>,
}

impl Client {
    /// Runs a call without changing anything, on the state after a block; the best one if none is
    /// given.
    pub(crate) async fn dry_run(
        &self,
        task: &Task,
        origin: &AccountId32,
        call: Call<'_>,
        at: Option<H256>,
    ) -> Result<DryRun, Error> {
        let answer = self
            .runtime_api(task, "call", at, |name| match name {
                "origin" => Some(Value::from_bytes(origin.0)),
                "dest" => Some(Value::from_bytes(call.contract.0)),
                "value" => Some(Value::u128(call.payment)),
                "input_data" | "data" => Some(Value::from_bytes(call.input)),
                _ => None,
            })
            .await?;
        DryRun::decode(task, &answer, &self.api().metadata())
    }
}

/// Deposit for what a call may store before it frees as much: some records in a contract.
fn transient_deposit(metadata: &Metadata) -> u128 {
    const ITEMS: u128 = 4;
    const BYTES: u128 = 512;
    let constant = |name: &str| {
        let constant = metadata.pallet_by_name(PALLET)?.constant_by_name(name)?;
        u128::decode(&mut constant.value()).ok()
    };
    // Older chains have one price for items at the top and in contracts.
    let item = constant("DepositPerChildTrieItem").or_else(|| constant("DepositPerItem"));
    let byte = constant("DepositPerByte");
    let items = item.unwrap_or(0).saturating_mul(ITEMS);
    items.saturating_add(byte.unwrap_or(0).saturating_mul(BYTES))
}

impl DryRun {
    /// Reads the answer of the runtime API. Its fields have other names on older chains.
    pub(crate) fn decode(
        task: &Task,
        answer: &DecodedValue,
        metadata: &Metadata,
    ) -> Result<Self, Error> {
        let lacks = |name: &str| unexpected(task, format_args!("the dry run has no {name}"));
        let answer = value::field(answer, "contract_result").unwrap_or(answer);
        let one_of = |names: &[&str]| names.iter().find_map(|name| value::field(answer, name));
        let weight =
            one_of(&["weight_required", "gas_required"]).ok_or_else(|| lacks("weight_required"))?;
        let part = |name: &str| {
            value::field(weight, name)
                .and_then(value::number)
                .and_then(|number| u64::try_from(number).ok())
                .ok_or_else(|| lacks(name))
        };
        let (ref_time, proof_size) = (part("ref_time")?, part("proof_size")?);
        let deposit_of = |value: &DecodedValue| {
            let (name, values) = value::variant(value)?;
            let amount = i128::try_from(value::number(values.first()?)?).ok()?;
            Some(if name == "Refund" { -amount } else { amount })
        };
        let deposit = one_of(&["storage_deposit"])
            .and_then(deposit_of)
            .ok_or_else(|| lacks("storage_deposit"))?;
        let highest = one_of(&["max_storage_deposit"])
            .and_then(deposit_of)
            .unwrap_or(deposit)
            .max(deposit);
        let result = one_of(&["result"]).ok_or_else(|| lacks("result"))?;
        let result = match value::variant(result) {
            Some(("Ok", values)) => {
                let returned = values.first().ok_or_else(|| lacks("result"))?;
                let flags = value::find(returned, "flags")
                    .and_then(value::number)
                    .ok_or_else(|| lacks("flags"))?;
                Ok(Returned {
                    reverted: flags & 1 == 1,
                    data: value::find(returned, "data")
                        .and_then(value::bytes)
                        .ok_or_else(|| lacks("data"))?,
                })
            }
            Some(("Err", values)) => {
                let error = values.first().ok_or_else(|| lacks("result"))?;
                Err(DispatchError::of_value(error, metadata))
            }
            _ => return Err(lacks("result")),
        };
        Ok(Self {
            result,
            ref_time,
            proof_size,
            deposit,
            highest_deposit: u128::try_from(highest).unwrap_or(0),
        })
    }

    /// The call as it is signed, with limits somewhat above what the dry run took.
    pub(crate) fn signed(self, call: Call<'_>, metadata: &Metadata) -> PalletCall {
        PalletCall::Call {
            contract: call.contract,
            value: call.payment,
            limits: self.limits(metadata),
            input: call.input.to_vec(),
        }
    }

    /// The same with no more for deposits than the dry run took, and that amount: the most that the chain can hold,
    /// whether the node reports what the call takes or less.
    pub(crate) fn signed_for_deposit(
        self,
        call: Call<'_>,
        metadata: &Metadata,
    ) -> (PalletCall, u128) {
        let deposit = self.highest_deposit;
        let mut signed = self.signed(call, metadata);
        if let PalletCall::Call { limits, .. } = &mut signed {
            limits.deposit = deposit;
        }
        (signed, deposit)
    }

    /// Limits somewhat above what the dry run took.
    pub(crate) fn limits(&self, metadata: &Metadata) -> Limits {
        let more = |part: u64| part.saturating_add(part / MARGIN_DIVISOR);
        Limits {
            ref_time: more(self.ref_time),
            proof_size: more(self.proof_size),
            // If one contract calls another, the dry run tells less than the call then needs: it counts
            // refunds at once, the pallet when the calls have ended. A call that frees as much as it
            // stores would have no limit to store anything. A limit is not held, so more costs nothing.
            deposit: self
                .highest_deposit
                .saturating_mul(2)
                .saturating_add(transient_deposit(metadata)),
        }
    }
}
