//! The report of a transaction that was executed.

use frame_support::weights::Weight;
use sp_core::{H160, H256};
use sp_runtime::DispatchResult;

use crate::runtime::{Balance, Hash, RuntimeEvent};

/// What a transaction did and what it cost.
#[derive(Clone, Debug)]
pub struct Report {
    pub hash: Hash,
    /// The hash of its block, and its index there. `None` after a dry run.
    pub included: Option<(Hash, u32)>,
    /// Whether the call succeeded. A call that failed is paid for, too.
    pub outcome: DispatchResult,
    /// The weight consumed; unused weight is already given back.
    pub weight: Weight,
    /// The fee with the tip, without the deposit, in the smallest unit.
    pub fee: Balance,
    /// The storage deposit held minus the deposit released, in the smallest unit. Negative if more
    /// was released.
    pub deposit: i128,
    /// All events of the transaction, in the order of their emission.
    pub events: Vec<RuntimeEvent>,
}

impl Report {
    pub(crate) fn new(
        hash: Hash,
        included: Option<(Hash, u32)>,
        events: Vec<RuntimeEvent>,
    ) -> Self {
        let mut report = Self {
            hash,
            included,
            outcome: Ok(()),
            weight: Weight::zero(),
            fee: 0,
            deposit: 0,
            events,
        };
        for event in &report.events {
            use frame_system::Event as System;
            use pallet_balances::Event as Balances;
            use pallet_transaction_payment::Event as Payment;
            match event {
                RuntimeEvent::System(System::ExtrinsicSuccess { dispatch_info }) => {
                    report.weight = dispatch_info.weight;
                }
                RuntimeEvent::System(System::ExtrinsicFailed {
                    dispatch_error,
                    dispatch_info,
                }) => {
                    report.weight = dispatch_info.weight;
                    report.outcome = Err(*dispatch_error);
                }
                RuntimeEvent::TransactionPayment(Payment::TransactionFeePaid {
                    actual_fee,
                    tip,
                    ..
                }) => report.fee = actual_fee.saturating_add(*tip),
                RuntimeEvent::Balances(
                    Balances::Held { amount, .. }
                    | Balances::TransferAndHold {
                        transferred: amount,
                        ..
                    },
                ) => report.deposit += *amount as i128,
                RuntimeEvent::Balances(
                    Balances::Released { amount, .. }
                    | Balances::BurnedHeld { amount, .. }
                    | Balances::TransferOnHold { amount, .. },
                ) => report.deposit -= *amount as i128,
                _ => {}
            }
        }
        report
    }

    /// The events that contracts emitted, as (contract, topics, data).
    pub fn contract_events(&self) -> impl Iterator<Item = (&H160, &[H256], &[u8])> {
        self.events.iter().filter_map(|event| match event {
            RuntimeEvent::Revive(pallet_revive::Event::ContractEmitted {
                contract,
                data,
                topics,
            }) => Some((contract, topics.as_slice(), data.as_slice())),
            _ => None,
        })
    }
}
