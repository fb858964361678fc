//! Transactions of Ethereum in this version of the runtime: an unsigned transaction of the chain
//! carries one as its payload.

use codec::{DecodeLimit, Encode};
use sp_runtime::generic::UncheckedExtrinsic as Generic;

use super::{Runtime, RuntimeCall, RuntimeEvent, UncheckedExtrinsic};
use crate::runtime::primitives::{Emitted, Outcome};

/// The transaction of Ethereum that this SCALE-encoded transaction carries, if it carries one.
pub fn payload(transaction: &[u8]) -> Option<Vec<u8>> {
    let depth = frame_support::MAX_EXTRINSIC_DEPTH;
    let decoded =
        UncheckedExtrinsic::decode_all_with_depth_limit(depth, &mut &*transaction).ok()?;
    if decoded.0.is_signed() {
        return None;
    }
    match decoded.0.function {
        RuntimeCall::Revive(pallet_revive::Call::eth_transact { payload }) => Some(payload),
        _ => None,
    }
}

/// The SCALE-encoded transaction that carries this transaction of Ethereum.
pub fn carry(payload: Vec<u8>) -> Vec<u8> {
    let call = RuntimeCall::Revive(pallet_revive::Call::eth_transact { payload });
    UncheckedExtrinsic::from(Generic::new_bare(call)).encode()
}

/// What became of the block's first `count` transactions. For a block that this version has made.
pub fn outcomes(count: usize) -> Vec<Outcome> {
    let mut outcomes = vec![Outcome::default(); count];
    for record in frame_system::Pallet::<Runtime>::read_events_no_consensus() {
        let frame_system::Phase::ApplyExtrinsic(index) = record.phase else {
            continue;
        };
        let Some(outcome) = outcomes.get_mut(index as usize) else {
            continue;
        };
        match record.event {
            RuntimeEvent::Revive(pallet_revive::Event::ContractEmitted {
                contract,
                data,
                topics,
            }) => outcome.emitted.push(Emitted {
                contract,
                topics,
                data,
            }),
            // A call of Ethereum that reverts is a success of the transaction that carries it.
            RuntimeEvent::Revive(pallet_revive::Event::EthExtrinsicRevert { .. })
            | RuntimeEvent::System(frame_system::Event::ExtrinsicFailed { .. }) => {
                outcome.has_failed = true;
            }
            _ => {}
        }
    }
    outcomes
}
