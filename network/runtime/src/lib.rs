//! The runtime of a network of validators: the Polkadot SDK's pallets, among them pallet-revive.
//!
//! Blocks are made by Aura and become final by GRANDPA. Prices, limits and the existential deposit
//! follow Polkadot Hub, as those of the local chain in `crates/chain` do, so that a game costs the
//! same on all three.

#![cfg_attr(not(feature = "std"), no_std)]
// construct_runtime! and impl_runtime_apis! nest deeper than the compiler's limit.
#![recursion_limit = "512"]

#[macro_use]
extern crate alloc;

mod apis;
// The prices are those of the local chain.
#[path = "../../../crates/chain/src/runtime/currency.rs"]
pub mod currency;
pub mod validators;

use alloc::vec::Vec;

use frame_support::{
    derive_impl,
    dispatch::DispatchClass,
    parameter_types,
    traits::{ConstBool, ConstU16, ConstU32, ConstU64, Get, VariantCountOf},
    weights::{
        ConstantMultiplier, Weight,
        constants::{
            BlockExecutionWeight, ExtrinsicBaseWeight, RocksDbWeight, WEIGHT_REF_TIME_PER_SECOND,
        },
    },
};
use frame_system::{EnsureSigned, limits::BlockWeights};
use pallet_revive::{
    AccountId32Mapper, AutoMapper,
    evm::{
        fees::{BlockRatioFee, Info as FeeInfo},
        runtime::EthExtra,
    },
};
use pallet_transaction_payment::{ConstFeeMultiplier, Multiplier};
use polkadot_sdk::*;
use sp_consensus_aura::sr25519::AuthorityId as AuraId;
use sp_runtime::{
    MultiAddress, MultiSignature, Perbill,
    generic::{self, Era},
    impl_opaque_keys,
    traits::{BlakeTwo256, ConvertInto, IdentifyAccount, One, Verify},
};
use sp_version::{RuntimeVersion, runtime_version};

use currency::{CENTS, MILLICENTS, deposit};

/// The signature of a transaction: sr25519, ed25519 or ECDSA.
pub type Signature = MultiSignature;
/// An account's id: a public key of 32 bytes.
pub type AccountId = <<Signature as Verify>::Signer as IdentifyAccount>::AccountId;
/// An amount in the smallest unit, of which 10 decimals make one token.
pub type Balance = u128;
/// A block's number, counted from 0, the genesis block.
pub type BlockNumber = u32;
/// The number of an account's transaction, counted from 0.
pub type Nonce = u32;
/// A BLAKE2b-256 hash.
pub type Hash = sp_core::H256;
pub type Header = generic::Header<BlockNumber, BlakeTwo256>;
/// How a transaction names an account.
pub type Address = MultiAddress<AccountId, ()>;
/// A transaction, signed or not.
pub type UncheckedExtrinsic =
    pallet_revive::evm::runtime::UncheckedExtrinsic<Address, Signature, EthExtraImpl>;
pub type Block = generic::Block<Header, UncheckedExtrinsic>;

/// What a transaction contains in addition to its call and its signature.
pub type TxExtension = (
    frame_system::CheckNonZeroSender<Runtime>,
    frame_system::CheckSpecVersion<Runtime>,
    frame_system::CheckTxVersion<Runtime>,
    frame_system::CheckGenesis<Runtime>,
    frame_system::CheckMortality<Runtime>,
    frame_system::CheckNonce<Runtime>,
    frame_system::CheckWeight<Runtime>,
    pallet_transaction_payment::ChargeTransactionPayment<Runtime>,
    // By it a signature over false metadata is void.
    frame_metadata_hash_extension::CheckMetadataHash<Runtime>,
    pallet_revive::evm::tx_extension::SetOrigin<Runtime>,
    // Last, so that it sees the weight that the others gave back.
    frame_system::WeightReclaim<Runtime>,
);

/// Further versions of what a transaction contains besides: none.
#[cfg(not(feature = "hub"))]
type OtherExtensions = sp_runtime::traits::InvalidVersion;
/// How deposits are paid and given back: in the token, to who removes the storage.
#[cfg(not(feature = "hub"))]
type Deposits = ();
#[cfg(feature = "hub")]
use hub::{Deposits, OtherExtensions};

/// The extensions of a transaction that an Ethereum wallet signed, as its format has none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EthExtraImpl;

impl EthExtra for EthExtraImpl {
    type Config = Runtime;
    type ExtensionV0 = TxExtension;
    type ExtensionOtherVersions = OtherExtensions;

    fn get_eth_extension(nonce: Nonce, tip: Balance) -> TxExtension {
        (
            frame_system::CheckNonZeroSender::new(),
            frame_system::CheckSpecVersion::new(),
            frame_system::CheckTxVersion::new(),
            frame_system::CheckGenesis::new(),
            frame_system::CheckMortality::from(Era::Immortal),
            frame_system::CheckNonce::from(nonce),
            frame_system::CheckWeight::new(),
            pallet_transaction_payment::ChargeTransactionPayment::from(tip),
            frame_metadata_hash_extension::CheckMetadataHash::new(false),
            pallet_revive::evm::tx_extension::SetOrigin::new_from_eth_transaction(),
            frame_system::WeightReclaim::new(),
        )
    }
}

type Executive = frame_executive::Executive<
    Runtime,
    Block,
    frame_system::ChainContext<Runtime>,
    Runtime,
    AllPalletsWithSystem,
>;

impl_opaque_keys! {
    /// The keys of a validator.
    pub struct SessionKeys {
        /// Signs blocks.
        pub aura: Aura,
        /// Votes for blocks to be final.
        pub grandpa: Grandpa,
    }
}

/// The version of the runtime and the pallets in it.
///
/// Calls and events begin with a pallet's index, so that an index never changes on a running
/// network. Only the features for tests change the one of Revive.
macro_rules! runtime {
    (
        spec_version: $spec:tt, transaction_version: $transaction:tt, Revive = $revive:tt
        $(, $name:ident: $pallet:ident = $index:tt)*
    ) => {
        /// `spec_version` rises when the effect of a transaction changes, and
        /// `transaction_version` when its encoding does.
        #[runtime_version]
        pub const VERSION: RuntimeVersion = RuntimeVersion {
            spec_name: alloc::borrow::Cow::Borrowed("connect4-network"),
            impl_name: alloc::borrow::Cow::Borrowed("connect4-network"),
            authoring_version: 1,
            spec_version: $spec,
            impl_version: 1,
            apis: apis::RUNTIME_API_VERSIONS,
            transaction_version: $transaction,
            system_version: 1,
        };

        frame_support::construct_runtime!(
            pub enum Runtime {
                System: frame_system = 0,
                Timestamp: pallet_timestamp = 1,
                Balances: pallet_balances = 2,
                TransactionPayment: pallet_transaction_payment = 3,
                Revive: pallet_revive = $revive,
                Aura: pallet_aura = 5,
                Session: pallet_session = 6,
                Grandpa: pallet_grandpa = 7,
                Validators: validators = 8,
                Sudo: pallet_sudo = 9,
                $($name: $pallet = $index,)*
            }
        );
    };
}

// Versions 1 to 3 compared no hash of their metadata.
#[cfg(not(any(feature = "upgrade", feature = "hub")))]
runtime!(spec_version: 4, transaction_version: 3, Revive = 4);
#[cfg(all(feature = "upgrade", not(feature = "moved-index")))]
runtime!(spec_version: 5, transaction_version: 3, Revive = 4);
#[cfg(feature = "moved-index")]
runtime!(spec_version: 6, transaction_version: 4, Revive = 14);
#[cfg(feature = "hub")]
runtime!(
    spec_version: 7, transaction_version: 3, Revive = 4,
    Assets: pallet_assets = 10,
    AssetsHolder: pallet_assets_holder = 11,
    AssetsFreezer: pallet_assets_freezer = 12
);

/// The share of a block's weight that its initialisation may take.
const ON_INITIALIZE_RATIO: Perbill = Perbill::from_percent(10);
/// The share of a block's weight that ordinary transactions may take.
const NORMAL_DISPATCH_RATIO: Perbill = Perbill::from_percent(75);
/// A parachain's limits: 2 s of computation and 10 MiB of proof.
const MAXIMUM_BLOCK_WEIGHT: Weight =
    Weight::from_parts(2 * WEIGHT_REF_TIME_PER_SECOND, 10 * 1024 * 1024);
/// The blocks of a session. Validators that were named begin after one to two sessions.
const SESSION_BLOCKS: BlockNumber = 20;

parameter_types! {
    pub const Version: RuntimeVersion = VERSION;
    // The longest validity that clients usually give a transaction, in blocks.
    pub const BlockHashCount: BlockNumber = 4096;
    pub RuntimeBlockWeights: BlockWeights = BlockWeights::builder()
        .base_block(BlockExecutionWeight::get())
        .for_class(DispatchClass::all(), |weights| {
            weights.base_extrinsic = ExtrinsicBaseWeight::get();
        })
        .for_class(DispatchClass::Normal, |weights| {
            weights.max_total = Some(NORMAL_DISPATCH_RATIO * MAXIMUM_BLOCK_WEIGHT);
        })
        .for_class(DispatchClass::Operational, |weights| {
            weights.max_total = Some(MAXIMUM_BLOCK_WEIGHT);
            weights.reserved =
                Some(MAXIMUM_BLOCK_WEIGHT - NORMAL_DISPATCH_RATIO * MAXIMUM_BLOCK_WEIGHT);
        })
        .avg_block_initialization(ON_INITIALIZE_RATIO)
        .build_or_panic();
    pub const ExistentialDeposit: Balance = CENTS;
    // As https://github.com/polkadot-fellows/runtimes has it in system-parachains/constants: a
    // twentieth of the relay chain's fees, where the base weight of a transaction costs a tenth
    // of a cent.
    pub const TransactionByteFee: Balance = MILLICENTS / 2;
    pub FeeMultiplier: Multiplier = Multiplier::one();
    pub const DepositPerItem: Balance = deposit(1, 0);
    pub const DepositPerChildTrieItem: Balance = deposit(1, 0) / 100;
    pub const DepositPerByte: Balance = deposit(0, 1);
    pub CodeHashLockupDepositPercent: Perbill = Perbill::from_percent(30);
}

/// The duration of a slot, as the genesis block sets it, in milliseconds.
pub struct SlotDuration;

impl Get<u64> for SlotDuration {
    fn get() -> u64 {
        validators::SlotDuration::<Runtime>::get()
    }
}

/// The least time between two blocks, in milliseconds, as pallet-aura asks for.
pub struct HalfSlot;

impl Get<u64> for HalfSlot {
    fn get() -> u64 {
        SlotDuration::get() / 2
    }
}

#[derive_impl(frame_system::config_preludes::SolochainDefaultConfig)]
impl frame_system::Config for Runtime {
    type Block = Block;
    type BlockHashCount = BlockHashCount;
    type BlockWeights = RuntimeBlockWeights;
    // The weight of reading and of writing a storage item. By default both have none.
    type DbWeight = RocksDbWeight;
    type Version = Version;
    type AccountId = AccountId;
    type Lookup = sp_runtime::traits::AccountIdLookup<AccountId, ()>;
    type Hash = Hash;
    type Nonce = Nonce;
    type AccountData = pallet_balances::AccountData<Balance>;
    // Makes accounts begin with a 5, as on any chain without a registered prefix.
    type SS58Prefix = ConstU16<42>;
    // They do something where Revive maps accounts by itself, as the calls that map do nothing there.
    type OnNewAccount = AutoMapper<Self>;
    type OnKilledAccount = AutoMapper<Self>;
}

#[derive_impl(pallet_balances::config_preludes::TestDefaultConfig)]
impl pallet_balances::Config for Runtime {
    type AccountStore = System;
    type Balance = Balance;
    type ExistentialDeposit = ExistentialDeposit;
    type RuntimeHoldReason = RuntimeHoldReason;
    type RuntimeFreezeReason = RuntimeFreezeReason;
    type FreezeIdentifier = RuntimeFreezeReason;
    type MaxFreezes = VariantCountOf<RuntimeFreezeReason>;
    type WeightInfo = pallet_balances::weights::SubstrateWeight<Runtime>;
}

impl pallet_timestamp::Config for Runtime {
    type Moment = u64;
    type OnTimestampSet = Aura;
    type MinimumPeriod = HalfSlot;
    type WeightInfo = pallet_timestamp::weights::SubstrateWeight<Runtime>;
}

#[derive_impl(pallet_transaction_payment::config_preludes::TestDefaultConfig)]
impl pallet_transaction_payment::Config for Runtime {
    type RuntimeEvent = RuntimeEvent;
    // Fees are burnt. Validators of a network among friends are not paid.
    type OnChargeTransaction = pallet_transaction_payment::FungibleAdapter<Balances, ()>;
    type WeightToFee = BlockRatioFee<
        CENTS,
        { 200 * ExtrinsicBaseWeight::get().ref_time() as u128 },
        Self,
        Balance,
    >;
    type LengthToFee = ConstantMultiplier<Balance, TransactionByteFee>;
    type FeeMultiplierUpdate = ConstFeeMultiplier<FeeMultiplier>;
    type WeightInfo = pallet_transaction_payment::weights::SubstrateWeight<Runtime>;
}

#[derive_impl(pallet_revive::config_preludes::TestDefaultConfig)]
impl pallet_revive::Config for Runtime {
    type AddressMapper = AccountId32Mapper<Self>;
    type ChainId = ConstU64<420_420_420>;
    type CodeHashLockupDepositPercent = CodeHashLockupDepositPercent;
    type DepositPerItem = DepositPerItem;
    type DepositPerChildTrieItem = DepositPerChildTrieItem;
    type DepositPerByte = DepositPerByte;
    type Balance = Balance;
    type Currency = Balances;
    // A token has 10 decimals here and 18 for contracts and Ethereum wallets.
    type NativeToEthRatio = ConstU32<100_000_000>;
    type UploadOrigin = EnsureSigned<AccountId>;
    type InstantiateOrigin = EnsureSigned<AccountId>;
    type Time = Timestamp;
    type FindAuthor = pallet_session::FindAccountFromAuthorIndex<Self, Aura>;
    type WeightInfo = pallet_revive::weights::SubstrateWeight<Self>;
    type FeeInfo = FeeInfo<Address, Signature, EthExtraImpl>;
    // The debug mode would lift limits that a public chain has.
    type DebugEnabled = ConstBool<false>;
    type Deposit = Deposits;
    type AutoMap = ConstBool<{ cfg!(feature = "hub") }>;
}

impl pallet_aura::Config for Runtime {
    type AuthorityId = AuraId;
    type MaxAuthorities = MaxValidators;
    type DisabledValidators = ();
    type AllowMultipleBlocksPerSlot = ConstBool<false>;
    type SlotDuration = SlotDuration;
}

impl pallet_session::Config for Runtime {
    type RuntimeEvent = RuntimeEvent;
    type ValidatorId = AccountId;
    type ValidatorIdOf = ConvertInto;
    type ShouldEndSession = pallet_session::PeriodicSessions<ConstU32<SESSION_BLOCKS>, ConstU32<0>>;
    type NextSessionRotation =
        pallet_session::PeriodicSessions<ConstU32<SESSION_BLOCKS>, ConstU32<0>>;
    type SessionManager = Validators;
    type SessionHandler = <SessionKeys as sp_runtime::traits::OpaqueKeys>::KeyTypeIdProviders;
    type Keys = SessionKeys;
    // Nobody is disabled: nobody has a stake to lose.
    type DisablingStrategy = ();
    type WeightInfo = pallet_session::weights::SubstrateWeight<Runtime>;
    type Currency = Balances;
    type KeyDeposit = ();
}

impl pallet_grandpa::Config for Runtime {
    type RuntimeEvent = RuntimeEvent;
    type WeightInfo = ();
    type MaxAuthorities = MaxValidators;
    type MaxNominators = ConstU32<0>;
    type MaxSetIdSessionEntries = ConstU64<0>;
    type KeyOwnerProof = sp_core::Void;
    // Votes for two blocks are not punished: nobody has a stake to lose.
    type EquivocationReportSystem = ();
}

impl validators::Config for Runtime {
    type MaxValidators = MaxValidators;
}

impl pallet_sudo::Config for Runtime {
    type RuntimeEvent = RuntimeEvent;
    type RuntimeCall = RuntimeCall;
    type WeightInfo = pallet_sudo::weights::SubstrateWeight<Runtime>;
}

/// The most validators of a network.
pub type MaxValidators = ConstU32<100>;

/// What Polkadot Hub has had since version 2.5.0 of its runtime and networks have not, for tests: a second
/// version of transactions' extensions, and deposits in an asset that is called PGAS.
#[cfg(feature = "hub")]
mod hub {
    use alloc::string::String;

    use frame_support::{
        derive_impl, parameter_types,
        traits::{AsEnsureOriginWithArg, ConstU128, fungibles::Mutate},
    };
    use frame_system::{EnsureRoot, EnsureSigned, RawOrigin};
    use polkadot_sdk::*;
    use sp_runtime::{MultiSignature, MultiSigner, Perbill, traits::PipelineAtVers};

    use super::{
        AccountId, Assets, AssetsFreezer, AssetsHolder, Balance, Balances, Runtime, RuntimeEvent,
        RuntimeFreezeReason, RuntimeHoldReason, TxExtension, currency::CENTS,
    };

    /// Version 1 of what a transaction contains in addition to its call. Only a transaction of format 5 can have
    /// it: it carries its signature in the first extension, with which no wallet signs yet.
    pub type OtherExtensions = PipelineAtVers<
        1,
        (
            pallet_verify_signature::VerifySignature<Runtime>,
            TxExtension,
        ),
    >;

    /// The asset in which deposits are paid by who has enough of it.
    const PGAS: u32 = 1;
    /// What the holder of the sudo key has of it at first.
    const SUPPLY: Balance = 1_000_000 * CENTS;

    parameter_types! {
        pub const PGas: u32 = PGAS;
        // A tenth, as on Polkadot Hub. The rest is burned.
        pub const PGasRefund: Perbill = Perbill::from_percent(10);
    }

    /// How deposits are paid and given back.
    pub type Deposits =
        pallet_revive::PGasDeposit<Runtime, Assets, AssetsHolder, AssetsFreezer, PGas, PGasRefund>;

    #[allow(
        unexpected_cfgs,
        reason = "the macro asks for a feature of its own crate"
    )]
    #[derive_impl(pallet_assets::config_preludes::TestDefaultConfig)]
    impl pallet_assets::Config for Runtime {
        type Balance = Balance;
        type AssetId = u32;
        type AssetIdParameter = u32;
        type Currency = Balances;
        type CreateOrigin = AsEnsureOriginWithArg<EnsureSigned<AccountId>>;
        type ForceOrigin = EnsureRoot<AccountId>;
        type Freezer = AssetsFreezer;
        type Holder = AssetsHolder;
        type ReserveData = ();
        type ApprovalDeposit = ConstU128<CENTS>;
        type AssetAccountDeposit = ConstU128<CENTS>;
        type AssetDeposit = ConstU128<CENTS>;
        type MetadataDepositBase = ConstU128<CENTS>;
        type MetadataDepositPerByte = ConstU128<CENTS>;
    }

    impl pallet_assets_holder::Config for Runtime {
        type RuntimeEvent = RuntimeEvent;
        type RuntimeHoldReason = RuntimeHoldReason;
    }

    impl pallet_assets_freezer::Config for Runtime {
        type RuntimeEvent = RuntimeEvent;
        type RuntimeFreezeReason = RuntimeFreezeReason;
    }

    impl pallet_verify_signature::Config for Runtime {
        type Signature = MultiSignature;
        type AccountIdentifier = MultiSigner;
        type WeightInfo = ();
    }

    /// Makes the asset in the first block, and gives it to the holder of the sudo key.
    pub fn endow() -> Result<(), String> {
        let Some(owner) = pallet_sudo::Key::<Runtime>::get() else {
            return Ok(());
        };
        let failed = |error: sp_runtime::DispatchError| Into::<&str>::into(error).into();
        Assets::force_create(RawOrigin::Root.into(), PGAS, owner.clone().into(), true, 1)
            .and_then(|()| Assets::mint_into(PGAS, &owner, SUPPLY))
            .map(|_| ())
            .map_err(failed)
    }
}
