//! The configuration of the pallets and the runtime's API, for every version of the runtime: each
//! has this file as a module of its own, with its own `Runtime` around it.
//!
//! Prices, limits and the existential deposit follow Polkadot Hub, so that a game costs the same
//! here as there.

use frame_support::{
    derive_impl,
    dispatch::DispatchClass,
    genesis_builder_helper::{build_state, get_preset},
    parameter_types,
    traits::{ConstBool, ConstU16, ConstU32, ConstU64},
    weights::{
        ConstantMultiplier, Weight,
        constants::{
            BlockExecutionWeight, ExtrinsicBaseWeight, RocksDbWeight, WEIGHT_REF_TIME_PER_SECOND,
        },
    },
};
use frame_system::{EnsureSigned, limits::BlockWeights};
use pallet_revive::{
    AccountId32Mapper,
    evm::{
        fees::{BlockRatioFee, Info as FeeInfo},
        runtime::EthExtra,
    },
};
use pallet_transaction_payment::{ConstFeeMultiplier, FeeDetails, Multiplier, RuntimeDispatchInfo};
use sp_api::impl_runtime_apis;
use sp_core::{OpaqueMetadata, crypto::KeyTypeId};
use sp_runtime::{
    ApplyExtrinsicResult, ExtrinsicInclusionMode, Perbill,
    generic::{self, Era},
    traits::{Block as BlockT, One},
    transaction_validity::{TransactionSource, TransactionValidity},
};
use sp_version::RuntimeVersion;

use super::{
    AllPalletsWithSystem, Balances, InherentDataExt, Migrations, PalletInfo, Runtime, RuntimeCall,
    RuntimeEvent, RuntimeFreezeReason, RuntimeGenesisConfig, RuntimeHoldReason, RuntimeOrigin,
    RuntimeTask, System, Timestamp, TransactionPayment, VERSION,
};
use crate::runtime::{
    currency::{CENTS, MILLICENTS, deposit},
    metadata::with_short_paths,
    primitives::{
        AccountId, Address, Balance, BlockNumber, Hash, Header, Nonce, SS58_FORMAT, Signature,
    },
};

#[path = "ethereum.rs"]
pub mod ethereum;

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
    pallet_revive::evm::tx_extension::SetOrigin<Runtime>,
    // Last, so that it sees the weight that the others gave back.
    frame_system::WeightReclaim<Runtime>,
);

/// The extensions of a transaction with this nonce, validity and tip, which is in the smallest
/// unit.
pub fn extensions(nonce: Nonce, era: Era, tip: Balance) -> TxExtension {
    (
        frame_system::CheckNonZeroSender::new(),
        frame_system::CheckSpecVersion::new(),
        frame_system::CheckTxVersion::new(),
        frame_system::CheckGenesis::new(),
        frame_system::CheckMortality::from(era),
        frame_system::CheckNonce::from(nonce),
        frame_system::CheckWeight::new(),
        pallet_transaction_payment::ChargeTransactionPayment::from(tip),
        Default::default(),
        frame_system::WeightReclaim::new(),
    )
}

/// The extensions of a transaction that an Ethereum wallet signed, as its format has none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EthExtraImpl;

impl EthExtra for EthExtraImpl {
    type Config = Runtime;
    type Extension = TxExtension;

    fn get_eth_extension(nonce: Nonce, tip: Balance) -> Self::Extension {
        let mut extensions = extensions(nonce, Era::Immortal, tip);
        extensions.8 = pallet_revive::evm::tx_extension::SetOrigin::new_from_eth_transaction();
        extensions
    }
}

pub type Executive = frame_executive::Executive<
    Runtime,
    Block,
    frame_system::ChainContext<Runtime>,
    Runtime,
    AllPalletsWithSystem,
>;

/// The share of a block's weight that its initialisation may take.
const ON_INITIALIZE_RATIO: Perbill = Perbill::from_percent(10);
/// The share of a block's weight that ordinary transactions may take.
const NORMAL_DISPATCH_RATIO: Perbill = Perbill::from_percent(75);
/// A parachain's limits: 2 s of computation and 10 MiB of proof.
const MAXIMUM_BLOCK_WEIGHT: Weight =
    Weight::from_parts(2 * WEIGHT_REF_TIME_PER_SECOND, 10 * 1024 * 1024);

parameter_types! {
    pub const Version: RuntimeVersion = VERSION;
    // The longest validity that clients usually give a transaction, in blocks. Without a block
    // time a few seconds can have thousands of blocks.
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
    type SS58Prefix = ConstU16<SS58_FORMAT>;
    type SingleBlockMigrations = Migrations;
}

#[derive_impl(pallet_balances::config_preludes::TestDefaultConfig)]
impl pallet_balances::Config for Runtime {
    type AccountStore = System;
    type Balance = Balance;
    type ExistentialDeposit = ExistentialDeposit;
    type RuntimeHoldReason = RuntimeHoldReason;
    type RuntimeFreezeReason = RuntimeFreezeReason;
    type FreezeIdentifier = RuntimeFreezeReason;
    type MaxFreezes = frame_support::traits::VariantCountOf<RuntimeFreezeReason>;
}

impl pallet_timestamp::Config for Runtime {
    type Moment = u64;
    type OnTimestampSet = ();
    // Two blocks may have the same time, as a block can follow another within a millisecond.
    type MinimumPeriod = ConstU64<0>;
    type WeightInfo = pallet_timestamp::weights::SubstrateWeight<Runtime>;
}

#[derive_impl(pallet_transaction_payment::config_preludes::TestDefaultConfig)]
impl pallet_transaction_payment::Config for Runtime {
    type RuntimeEvent = RuntimeEvent;
    type OnChargeTransaction = pallet_transaction_payment::FungibleAdapter<Balances, ()>;
    type WeightToFee = BlockRatioFee<
        CENTS,
        { 200 * ExtrinsicBaseWeight::get().ref_time() as u128 },
        Self,
        Balance,
    >;
    type LengthToFee = ConstantMultiplier<Balance, TransactionByteFee>;
    type FeeMultiplierUpdate = ConstFeeMultiplier<FeeMultiplier>;
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
    type WeightInfo = pallet_revive::weights::SubstrateWeight<Self>;
    type FeeInfo = FeeInfo<Address, Signature, EthExtraImpl>;
    // The debug mode would lift limits that a public chain has.
    type DebugEnabled = ConstBool<false>;
}

pallet_revive::impl_runtime_apis_plus_revive_traits!(
    Runtime,
    Revive,
    Executive,
    EthExtraImpl,

    impl sp_api::Core<Block> for Runtime {
        fn version() -> RuntimeVersion {
            VERSION
        }

        fn execute_block(block: <Block as BlockT>::LazyBlock) {
            Executive::execute_block(block);
        }

        fn initialize_block(header: &<Block as BlockT>::Header) -> ExtrinsicInclusionMode {
            Executive::initialize_block(header)
        }
    }

    impl sp_api::Metadata<Block> for Runtime {
        fn metadata() -> OpaqueMetadata {
            OpaqueMetadata::new(with_short_paths(Runtime::metadata().into()))
        }

        fn metadata_at_version(version: u32) -> Option<OpaqueMetadata> {
            let metadata = Runtime::metadata_at_version(version)?;
            Some(OpaqueMetadata::new(with_short_paths(metadata.to_vec())))
        }

        fn metadata_versions() -> Vec<u32> {
            Runtime::metadata_versions()
        }
    }

    impl sp_block_builder::BlockBuilder<Block> for Runtime {
        fn apply_extrinsic(extrinsic: <Block as BlockT>::Extrinsic) -> ApplyExtrinsicResult {
            Executive::apply_extrinsic(extrinsic)
        }

        fn finalize_block() -> <Block as BlockT>::Header {
            Executive::finalize_block()
        }

        fn inherent_extrinsics(
            data: sp_inherents::InherentData,
        ) -> Vec<<Block as BlockT>::Extrinsic> {
            data.create_extrinsics()
        }

        fn check_inherents(
            block: <Block as BlockT>::LazyBlock,
            data: sp_inherents::InherentData,
        ) -> sp_inherents::CheckInherentsResult {
            data.check_extrinsics(&block)
        }
    }

    impl sp_transaction_pool::runtime_api::TaggedTransactionQueue<Block> for Runtime {
        fn validate_transaction(
            source: TransactionSource,
            tx: <Block as BlockT>::Extrinsic,
            block_hash: <Block as BlockT>::Hash,
        ) -> TransactionValidity {
            Executive::validate_transaction(source, tx, block_hash)
        }
    }

    impl sp_session::SessionKeys<Block> for Runtime {
        fn generate_session_keys(_seed: Option<Vec<u8>>) -> Vec<u8> {
            Vec::new()
        }

        fn decode_session_keys(_encoded: Vec<u8>) -> Option<Vec<(Vec<u8>, KeyTypeId)>> {
            None
        }
    }

    impl frame_system_rpc_runtime_api::AccountNonceApi<Block, AccountId, Nonce> for Runtime {
        fn account_nonce(account: AccountId) -> Nonce {
            System::account_nonce(account)
        }
    }

    impl pallet_transaction_payment_rpc_runtime_api::TransactionPaymentApi<Block, Balance> for Runtime {
        fn query_info(uxt: <Block as BlockT>::Extrinsic, len: u32) -> RuntimeDispatchInfo<Balance> {
            TransactionPayment::query_info(uxt, len)
        }

        fn query_fee_details(uxt: <Block as BlockT>::Extrinsic, len: u32) -> FeeDetails<Balance> {
            TransactionPayment::query_fee_details(uxt, len)
        }

        fn query_weight_to_fee(weight: Weight) -> Balance {
            TransactionPayment::weight_to_fee(weight)
        }

        fn query_length_to_fee(length: u32) -> Balance {
            TransactionPayment::length_to_fee(length)
        }
    }

    impl sp_genesis_builder::GenesisBuilder<Block> for Runtime {
        fn build_state(config: Vec<u8>) -> sp_genesis_builder::Result {
            build_state::<RuntimeGenesisConfig>(config)
        }

        fn get_preset(id: &Option<sp_genesis_builder::PresetId>) -> Option<Vec<u8>> {
            get_preset::<RuntimeGenesisConfig>(id, |_| None)
        }

        fn preset_names() -> Vec<sp_genesis_builder::PresetId> {
            Vec::new()
        }
    }
);
