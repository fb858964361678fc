//! The first version of the runtime, with which every chain begins.

use sp_version::{RuntimeVersion, runtime_version};

#[path = "composed.rs"]
mod composed;

pub use composed::*;

/// What the first block of this version changes in the state: nothing.
type Migrations = ();

/// The version of the runtime. `spec_version` rises when the effect of a transaction changes, and
/// `transaction_version` when its encoding does.
#[runtime_version]
pub const VERSION: RuntimeVersion = RuntimeVersion {
    spec_name: alloc::borrow::Cow::Borrowed("connect4-local"),
    impl_name: alloc::borrow::Cow::Borrowed("connect4-local"),
    authoring_version: 1,
    spec_version: 1,
    impl_version: 1,
    apis: composed::RUNTIME_API_VERSIONS,
    transaction_version: 1,
    system_version: 1,
};

frame_support::construct_runtime!(
    pub enum Runtime {
        System: frame_system = 0,
        Timestamp: pallet_timestamp = 1,
        Balances: pallet_balances = 2,
        TransactionPayment: pallet_transaction_payment = 3,
        Revive: pallet_revive = 4,
    }
);
