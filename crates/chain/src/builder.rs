//! Building a block on the state of its parent, and the dry run of a transaction there. All
//! functions are to be called inside [`execute`](crate::execute).

use codec::Encode;
use sp_runtime::{
    ApplyExtrinsicResult, ConsensusEngineId, Digest, DigestItem, OpaqueExtrinsic,
    traits::Header as _,
    transaction_validity::{InvalidTransaction, TransactionValidityError},
};

use crate::{
    heads::Head,
    runtime::{Hash, Header, Runtime, RuntimeEvent, UncheckedExtrinsic, executive},
};

/// A block that was built, and what became of the transactions tried for it.
pub struct Built {
    pub header: Header,
    /// The transactions, the block's time first.
    pub extrinsics: Vec<OpaqueExtrinsic>,
    /// Hashes of the transactions that the block contains, and their indices in it.
    pub included: Vec<(Hash, u32)>,
    /// Hashes of the transactions that no block can contain any more.
    pub invalid: Vec<Hash>,
}

/// The engine that a digest item of this chain names.
const ENGINE: ConsensusEngineId = *b"c4br";

/// Starts a block and sets its time to `clock`, in milliseconds since 1970, or to its parent's if
/// that is later. Returns the transaction that sets the time.
///
/// `replaces` is the block of another branch that has the same parent. The digest names it, so that
/// the two differ even with the same time and the same transactions.
fn initialize(parent: &Head, clock: u64, replaces: Option<Hash>) -> UncheckedExtrinsic {
    let now = clock.max(pallet_timestamp::Now::<Runtime>::get());
    let logs = replaces
        .map(|block| DigestItem::PreRuntime(ENGINE, block.encode()))
        .into_iter()
        .collect();
    let header = Header::new(
        parent.header.number() + 1,
        Default::default(),
        Default::default(),
        parent.hash,
        Digest { logs },
    );
    executive::initialize(&header);
    let inherent = executive::timestamp(now);
    let applied = executive::apply(inherent.clone());
    assert!(
        matches!(applied, Ok(Ok(()))),
        "the time of the block was refused: {applied:?}"
    );
    inherent
}

/// Builds a block of `candidates`, in their order, until it is full. `clock`: the time, in
/// milliseconds since 1970. `replaces`: the block of another branch with the same parent.
///
/// `tried` counts the candidates tried so far and is 0 at the end: if the runtime panics, it tells
/// which candidate caused that, or by 0 that none did.
pub fn build(
    parent: &Head,
    clock: u64,
    replaces: Option<Hash>,
    candidates: &[(Hash, UncheckedExtrinsic)],
    tried: &mut usize,
) -> Built {
    let mut extrinsics = vec![initialize(parent, clock, replaces).into()];
    let (mut included, mut invalid) = (Vec::new(), Vec::new());
    for (hash, transaction) in candidates {
        *tried += 1;
        sp_io::storage::start_transaction();
        match executive::apply(transaction.clone()) {
            Ok(_) => {
                sp_io::storage::commit_transaction();
                included.push((*hash, extrinsics.len() as u32));
                extrinsics.push(transaction.clone().into());
            }
            Err(TransactionValidityError::Invalid(InvalidTransaction::ExhaustsResources)) => {
                sp_io::storage::rollback_transaction();
                if included.is_empty() {
                    // It does not fit into an empty block, so that it fits into none.
                    invalid.push(*hash);
                    continue;
                }
                break;
            }
            // A transaction with a lower nonce of the same account was left out.
            Err(TransactionValidityError::Invalid(InvalidTransaction::Future)) => {
                sp_io::storage::rollback_transaction();
            }
            Err(_) => {
                sp_io::storage::rollback_transaction();
                invalid.push(*hash);
            }
        }
    }
    *tried = 0;
    Built {
        header: executive::finalize(),
        extrinsics,
        included,
        invalid,
    }
}

/// Executes a transaction as the first one of the next block, at the time `clock`. Returns its
/// result and its events.
pub fn dry_run(
    parent: &Head,
    clock: u64,
    transaction: UncheckedExtrinsic,
) -> (ApplyExtrinsicResult, Vec<RuntimeEvent>) {
    initialize(parent, clock, None);
    let result = executive::apply(transaction);
    let next = frame_system::Pallet::<Runtime>::extrinsic_index().unwrap_or(1);
    (result, events_of(next.saturating_sub(1)))
}

/// The events of the block's transaction of this index.
pub fn events_of(index: u32) -> Vec<RuntimeEvent> {
    frame_system::Pallet::<Runtime>::read_events_no_consensus()
        .filter(|record| record.phase == frame_system::Phase::ApplyExtrinsic(index))
        .map(|record| record.event)
        .collect()
}
