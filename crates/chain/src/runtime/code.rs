//! A version of the runtime, behind the boundary that separates a node from its runtime: functions
//! by name, with SCALE-encoded arguments and results. All but [`Code::of`], [`Code::version`],
//! [`Code::next`], [`Code::check_pallets`], [`Code::check`], [`Code::ethereum_payload`] and
//! [`Code::carry_ethereum`] are to be called inside [`execute`](crate::execute).

use codec::{Decode, DecodeLimit, Encode};
use frame_support::traits::{BuildGenesisConfig, IntegrityTest};
use sp_inherents::InherentData;
use sp_runtime::{
    ApplyExtrinsicResult, OpaqueExtrinsic,
    transaction_validity::{TransactionSource, TransactionValidity},
};
use sp_version::RuntimeVersion;

use super::{
    first,
    primitives::{Hash, Header, Outcome},
    second,
};

/// The name under which pallet-timestamp looks for the time.
const TIME: [u8; 8] = *b"timstap0";

/// A version of the runtime. The state says which one executes the next block: at the key `:code`,
/// where a chain with a Wasm runtime has its code, it has the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// The one with which every chain begins.
    First,
    /// The one to which a chain can be upgraded.
    Second,
}

impl Code {
    pub const ALL: [Self; 2] = [Self::First, Self::Second];

    /// The version that stands at the key `:code`.
    pub(crate) fn of(code: Option<&[u8]>) -> Self {
        let version = code.and_then(|mut code| RuntimeVersion::decode(&mut code).ok());
        match version {
            Some(version) if version.spec_version == second::VERSION.spec_version => Self::Second,
            _ => Self::First,
        }
    }

    pub fn version(self) -> RuntimeVersion {
        match self {
            Self::First => first::VERSION,
            Self::Second => second::VERSION,
        }
    }

    /// The version to which this one can be upgraded.
    pub(crate) fn next(self) -> Option<Self> {
        match self {
            Self::First => Some(Self::Second),
            Self::Second => None,
        }
    }

    /// Has each pallet check how it is configured, and builds the genesis state of its defaults: what FRAME's tests of a
    /// runtime do.
    ///
    /// # Panics
    ///
    /// If a pallet finds a fault.
    pub fn check_pallets(self) {
        fn check<Pallets: IntegrityTest, Genesis: BuildGenesisConfig + Default>() {
            Pallets::integrity_test();
            sp_io::TestExternalities::default().execute_with(|| Genesis::default().build());
        }
        match self {
            Self::First => check::<first::AllPalletsWithSystem, first::RuntimeGenesisConfig>(),
            Self::Second => check::<second::AllPalletsWithSystem, second::RuntimeGenesisConfig>(),
        }
    }

    /// Checks that all of `bytes` is a transaction of this version. Calls in it may nest as deeply
    /// as FRAME allows.
    ///
    /// # Errors
    /// Returned if `bytes` is too short, too long, or not a transaction.
    pub(crate) fn check(self, bytes: &[u8]) -> Result<(), codec::Error> {
        fn decode<T: Decode>(mut bytes: &[u8]) -> Result<(), codec::Error> {
            let depth = frame_support::MAX_EXTRINSIC_DEPTH;
            T::decode_all_with_depth_limit(depth, &mut bytes).map(|_| ())
        }
        match self {
            Self::First => decode::<first::UncheckedExtrinsic>(bytes),
            Self::Second => decode::<second::UncheckedExtrinsic>(bytes),
        }
    }

    /// Calls a function of the runtime's API. `None`: there is no such function. It panics on
    /// arguments that do not decode.
    pub(crate) fn call(self, function: &str, arguments: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::First => first::api::dispatch(function, arguments),
            Self::Second => second::api::dispatch(function, arguments),
        }
    }

    /// As [`Code::call`], for a function that the runtime has. It panics otherwise, which
    /// [`execute`](crate::execute) turns into an error.
    fn known<T: Decode>(self, function: &str, arguments: &[u8]) -> T {
        let result = self.call(function, arguments);
        let result = result.unwrap_or_else(|| panic!("the runtime has no function {function}"));
        T::decode(&mut &result[..])
            .unwrap_or_else(|error| panic!("the result of {function}: {error}"))
    }

    pub(crate) fn initialize(self, header: &Header) {
        self.known::<sp_runtime::ExtrinsicInclusionMode>("Core_initialize_block", &header.encode());
    }

    /// The transactions with which the block that was started has to begin: the one that sets its
    /// time to `now`, in milliseconds since 1970, or to its parent's if that is later.
    pub(crate) fn inherents(self, now: u64) -> Vec<OpaqueExtrinsic> {
        let mut data = InherentData::new();
        data.put_data(TIME, &now)
            .unwrap_or_else(|error| panic!("the time: {error}"));
        self.known("BlockBuilder_inherent_extrinsics", &data.encode())
    }

    pub(crate) fn apply(self, transaction: &[u8]) -> ApplyExtrinsicResult {
        self.known("BlockBuilder_apply_extrinsic", transaction)
    }

    pub(crate) fn finalize(self) -> Header {
        self.known("BlockBuilder_finalize_block", &[])
    }

    /// Checks a transaction on the state after block `at`.
    pub(crate) fn validate(
        self,
        source: TransactionSource,
        transaction: &[u8],
        at: Hash,
    ) -> TransactionValidity {
        let mut arguments = source.encode();
        arguments.extend_from_slice(transaction);
        at.encode_to(&mut arguments);
        self.known("TaggedTransactionQueue_validate_transaction", &arguments)
    }

    /// Hands the chain over to another version in the block that was started: the next block runs
    /// it.
    pub(crate) fn hand_over(self, to: Self) {
        let code = to.version().encode();
        match self {
            Self::First => first::System::update_code_in_storage(&code),
            Self::Second => second::System::update_code_in_storage(&code),
        }
    }

    /// The transaction of Ethereum that a SCALE-encoded transaction of this version carries, if it
    /// carries one.
    pub(crate) fn ethereum_payload(self, transaction: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::First => first::ethereum::payload(transaction),
            Self::Second => second::ethereum::payload(transaction),
        }
    }

    /// The SCALE-encoded transaction of this version that carries a transaction of Ethereum.
    pub(crate) fn carry_ethereum(self, payload: Vec<u8>) -> Vec<u8> {
        match self {
            Self::First => first::ethereum::carry(payload),
            Self::Second => second::ethereum::carry(payload),
        }
    }

    /// What became of the first `count` transactions of a block that this version has made, on the
    /// state after it.
    pub(crate) fn outcomes(self, count: usize) -> Vec<Outcome> {
        match self {
            Self::First => first::ethereum::outcomes(count),
            Self::Second => second::ethereum::outcomes(count),
        }
    }
}
