//! The second version of the runtime, to which a chain can be upgraded. Two pallets have another
//! index in it, so that calls, events and errors are encoded differently, and it has a pallet more.

use codec::{Decode, Encode};
use frame_support::{
    traits::{OnRuntimeUpgrade, PalletInfoAccess},
    weights::Weight,
};
use sp_version::{RuntimeVersion, runtime_version};

use super::{first, primitives::Balance, upgrades};

#[allow(
    clippy::duplicate_mod,
    reason = "the versions differ by the runtime around it"
)]
#[path = "composed.rs"]
mod composed;

pub use composed::*;

/// What the first block of this version changes in the state.
type Migrations = MoveHolds;

/// An account's deposits name the pallet that holds them by its index, and pallet-revive has
/// another one in this version.
pub struct MoveHolds;

/// A deposit: the index of the pallet that holds it, the index of its reason in that pallet, and
/// the amount.
type Hold = (u8, u8, Balance);

impl OnRuntimeUpgrade for MoveHolds {
    fn on_runtime_upgrade() -> Weight {
        let (then, now) = (first::Revive::index() as u8, Revive::index() as u8);
        let mut accounts = 0;
        pallet_balances::Holds::<Runtime>::translate_values(|mut holds: Vec<Hold>| {
            for (pallet, _, _) in &mut holds {
                if *pallet == then {
                    *pallet = now;
                }
            }
            accounts += 1;
            Decode::decode(&mut &holds.encode()[..]).ok()
        });
        Upgrades::deposit_event(upgrades::Event::Upgraded { accounts });
        <Runtime as frame_system::Config>::DbWeight::get()
            .reads_writes(accounts.into(), accounts.into())
    }
}

impl upgrades::Config for Runtime {}

/// The version of the runtime. `spec_version` rises when the effect of a transaction changes, and
/// `transaction_version` when its encoding does.
#[runtime_version]
pub const VERSION: RuntimeVersion = RuntimeVersion {
    spec_name: alloc::borrow::Cow::Borrowed("connect4-local"),
    impl_name: alloc::borrow::Cow::Borrowed("connect4-local"),
    authoring_version: 1,
    spec_version: 2,
    impl_version: 1,
    apis: composed::RUNTIME_API_VERSIONS,
    transaction_version: 2,
    system_version: 1,
};

frame_support::construct_runtime!(
    pub enum Runtime {
        System: frame_system = 0,
        Timestamp: pallet_timestamp = 1,
        Upgrades: upgrades = 2,
        TransactionPayment: pallet_transaction_payment = 3,
        Balances: pallet_balances = 10,
        Revive: pallet_revive = 60,
    }
);
