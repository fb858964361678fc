//! Building a block on the state of its parent, and the dry run of a transaction there. All
//! functions are to be called inside [`execute`](crate::execute).

use codec::{Decode, Encode};
use sp_runtime::{
    ApplyExtrinsicResult, ConsensusEngineId, Digest, DigestItem, OpaqueExtrinsic,
    traits::Header as _,
    transaction_validity::{InvalidTransaction, TransactionValidityError},
};

use crate::{
    heads::Head,
    runtime::{Code, Hash, Header, Runtime, RuntimeEvent},
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

/// What a block is to contain.
pub struct Plan<'a> {
    pub parent: &'a Head,
    /// The time, in milliseconds since 1970. The block has its parent's if that is later.
    pub clock: u64,
    /// The block of another branch that has the same parent. The digest names it, so that the two
    /// differ even with the same time and the same transactions.
    pub replaces: Option<Hash>,
    /// The version of the runtime to which the chain is upgraded at the end of the block.
    pub upgrade: Option<Code>,
}

/// Starts a block. Returns its first transactions.
fn initialize(plan: &Plan) -> Vec<OpaqueExtrinsic> {
    let Plan { parent, clock, .. } = plan;
    let logs = plan
        .replaces
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
    parent.code.initialize(&header);
    let inherents = parent.code.inherents(*clock);
    for inherent in &inherents {
        let applied = parent.code.apply(&inherent.encode());
        assert!(
            matches!(applied, Ok(Ok(()))),
            "the time of the block was refused: {applied:?}"
        );
    }
    inherents
}

/// Builds a block of `candidates`, in their order, until it is full.
///
/// `tried` counts the candidates tried so far and is 0 at the end: if the runtime panics, it tells
/// which candidate caused that, or by 0 that none did.
pub fn build(plan: &Plan, candidates: &[(Hash, Vec<u8>)], tried: &mut usize) -> Built {
    let code = plan.parent.code;
    let mut extrinsics = initialize(plan);
    let (mut included, mut invalid) = (Vec::new(), Vec::new());
    for (hash, transaction) in candidates {
        *tried += 1;
        sp_io::storage::start_transaction();
        match code.apply(transaction) {
            Ok(_) => {
                sp_io::storage::commit_transaction();
                included.push((*hash, extrinsics.len() as u32));
                extrinsics.extend(OpaqueExtrinsic::decode(&mut &transaction[..]));
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
    if let Some(next) = plan.upgrade {
        code.hand_over(next);
    }
    Built {
        header: code.finalize(),
        extrinsics,
        included,
        invalid,
    }
}

/// Executes a transaction as the first one of the next block, at the time `clock`. Returns its
/// result and its events, which are those of the first version of the runtime.
pub fn dry_run(
    parent: &Head,
    clock: u64,
    transaction: &[u8],
) -> (ApplyExtrinsicResult, Vec<RuntimeEvent>) {
    initialize(&Plan {
        parent,
        clock,
        replaces: None,
        upgrade: None,
    });
    let result = parent.code.apply(transaction);
    let next = frame_system::Pallet::<Runtime>::extrinsic_index().unwrap_or(1);
    (result, events_of(next.saturating_sub(1)))
}

/// The events of the block's transaction of this index, if the first version of the runtime has
/// made the block.
pub fn events_of(index: u32) -> Vec<RuntimeEvent> {
    frame_system::Pallet::<Runtime>::read_events_no_consensus()
        .filter(|record| record.phase == frame_system::Phase::ApplyExtrinsic(index))
        .map(|record| record.event)
        .collect()
}
