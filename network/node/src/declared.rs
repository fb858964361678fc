//! The functions of the runtime that the node calls, declared for the compiler.
//!
//! The node has no runtime in it: it calls the one in the chain's state. The macro that makes the
//! type of these calls wants a runtime that implements them all the same.

use pallet_transaction_payment::{FeeDetails, RuntimeDispatchInfo};
use polkadot_sdk::*;
use sp_consensus_aura::sr25519::AuthorityId as AuraId;
use sp_core::{OpaqueMetadata, crypto::KeyTypeId};
use sp_runtime::{
    AccountId32, ApplyExtrinsicResult, ExtrinsicInclusionMode, OpaqueExtrinsic, generic,
    traits::{BlakeTwo256, Block as BlockT, NumberFor},
    transaction_validity::{TransactionSource, TransactionValidity},
};
use sp_version::RuntimeVersion;

/// A block, whose transactions the node does not look into.
pub type Block = generic::Block<generic::Header<u32, BlakeTwo256>, OpaqueExtrinsic>;
pub type AccountId = AccountId32;
/// The number of an account's transaction.
pub type Nonce = u32;
/// An amount in the smallest unit.
pub type Balance = u128;

/// Stands for the runtime in the chain's state. Its functions are never called.
#[expect(dead_code, reason = "only its type is used")]
pub struct Runtime;

sp_api::impl_runtime_apis! {
    impl sp_api::Core<Block> for Runtime {
        fn version() -> RuntimeVersion {
            unimplemented!()
        }

        fn execute_block(_: <Block as BlockT>::LazyBlock) {
            unimplemented!()
        }

        fn initialize_block(_: &<Block as BlockT>::Header) -> ExtrinsicInclusionMode {
            unimplemented!()
        }
    }

    impl sp_api::Metadata<Block> for Runtime {
        fn metadata() -> OpaqueMetadata {
            unimplemented!()
        }

        fn metadata_at_version(_: u32) -> Option<OpaqueMetadata> {
            unimplemented!()
        }

        fn metadata_versions() -> Vec<u32> {
            unimplemented!()
        }
    }

    impl sp_block_builder::BlockBuilder<Block> for Runtime {
        fn apply_extrinsic(_: <Block as BlockT>::Extrinsic) -> ApplyExtrinsicResult {
            unimplemented!()
        }

        fn finalize_block() -> <Block as BlockT>::Header {
            unimplemented!()
        }

        fn inherent_extrinsics(_: sp_inherents::InherentData) -> Vec<<Block as BlockT>::Extrinsic> {
            unimplemented!()
        }

        fn check_inherents(
            _: <Block as BlockT>::LazyBlock,
            _: sp_inherents::InherentData,
        ) -> sp_inherents::CheckInherentsResult {
            unimplemented!()
        }
    }

    impl sp_transaction_pool::runtime_api::TaggedTransactionQueue<Block> for Runtime {
        fn validate_transaction(
            _: TransactionSource,
            _: <Block as BlockT>::Extrinsic,
            _: <Block as BlockT>::Hash,
        ) -> TransactionValidity {
            unimplemented!()
        }
    }

    impl sp_consensus_aura::AuraApi<Block, AuraId> for Runtime {
        fn slot_duration() -> sp_consensus_aura::SlotDuration {
            unimplemented!()
        }

        fn authorities() -> Vec<AuraId> {
            unimplemented!()
        }
    }

    impl sp_consensus_grandpa::GrandpaApi<Block> for Runtime {
        fn grandpa_authorities() -> sp_consensus_grandpa::AuthorityList {
            unimplemented!()
        }

        fn current_set_id() -> sp_consensus_grandpa::SetId {
            unimplemented!()
        }

        fn submit_report_equivocation_unsigned_extrinsic(
            _: sp_consensus_grandpa::EquivocationProof<
                <Block as BlockT>::Hash,
                NumberFor<Block>,
            >,
            _: sp_consensus_grandpa::OpaqueKeyOwnershipProof,
        ) -> Option<()> {
            unimplemented!()
        }

        fn generate_key_ownership_proof(
            _: sp_consensus_grandpa::SetId,
            _: sp_consensus_grandpa::AuthorityId,
        ) -> Option<sp_consensus_grandpa::OpaqueKeyOwnershipProof> {
            unimplemented!()
        }
    }

    impl sp_session::SessionKeys<Block> for Runtime {
        fn generate_session_keys(
            _: Vec<u8>,
            _: Option<Vec<u8>>,
        ) -> sp_session::OpaqueGeneratedSessionKeys {
            unimplemented!()
        }

        fn decode_session_keys(_: Vec<u8>) -> Option<Vec<(Vec<u8>, KeyTypeId)>> {
            unimplemented!()
        }
    }

    impl frame_system_rpc_runtime_api::AccountNonceApi<Block, AccountId, Nonce> for Runtime {
        fn account_nonce(_: AccountId) -> Nonce {
            unimplemented!()
        }
    }

    impl pallet_transaction_payment_rpc_runtime_api::TransactionPaymentApi<Block, Balance> for Runtime {
        fn query_info(_: <Block as BlockT>::Extrinsic, _: u32) -> RuntimeDispatchInfo<Balance> {
            unimplemented!()
        }

        fn query_fee_details(_: <Block as BlockT>::Extrinsic, _: u32) -> FeeDetails<Balance> {
            unimplemented!()
        }

        fn query_weight_to_fee(_: sp_weights::Weight) -> Balance {
            unimplemented!()
        }

        fn query_length_to_fee(_: u32) -> Balance {
            unimplemented!()
        }
    }
}
