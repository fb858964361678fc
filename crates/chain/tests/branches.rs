//! What happens on public chains: finality that lags or stalls, blocks that are retracted, states
//! that are not kept.

use std::time::Duration;

use codec::Encode;
use connect4_chain::{
    Chain, Clock, FinalBlocks, Finality, Options, ReadError, ReorganiseError, Retracted, Storage,
    TxStatus, Update, dev, runtime::currency::UNITS,
};
use sp_keyring::Sr25519Keyring::{Alice, Bob, Charlie};
use sp_runtime::generic::Era;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::common::{free, pay};

/// A chain in memory that seals when the test says so, with this many blocks that are not final.
fn lagging(blocks: u32) -> Chain {
    Chain::open(lag(blocks)).unwrap()
}

fn lag(blocks: u32) -> Options {
    Options {
        // During a test blocks are made by `seal` alone.
        block_time: Some(Duration::from_secs(3600)),
        clock: Clock::Manual(1_000),
        finality: Finality::Lag(blocks),
        ..Options::default()
    }
}

fn numbers(chain: &Chain) -> (u32, u32) {
    (chain.best().1.number, chain.finalized().1.number)
}

fn seal(chain: &Chain, blocks: u32) {
    for _ in 0..blocks {
        chain.seal().unwrap();
    }
}

/// The next updates that tell about final blocks, without the others.
fn next_final(updates: &mut tokio::sync::broadcast::Receiver<Update>) -> FinalBlocks {
    loop {
        if let Update::Final(blocks) = updates.blocking_recv().unwrap() {
            return blocks;
        }
    }
}

fn next(statuses: &mut UnboundedReceiver<TxStatus>) -> TxStatus {
    statuses.blocking_recv().expect("a status")
}

#[test]
fn a_block_is_final_once_so_many_lie_on_top_of_it() {
    let chain = lagging(3);
    assert_eq!(numbers(&chain), (1, 0));
    seal(&chain, 2);
    assert_eq!(numbers(&chain), (3, 0));
    seal(&chain, 1);
    assert_eq!(numbers(&chain), (4, 1));
    let (hash, header) = chain.finalized();
    assert_eq!(chain.hash_of(1).unwrap(), Some(hash));
    assert_eq!(header.hash(), hash);
}

#[test]
fn finality_that_stalled_catches_up_when_it_resumes() {
    let chain = lagging(1);
    let mut updates = chain.subscribe();
    seal(&chain, 1);
    assert_eq!(next_final(&mut updates).header.number, 1);

    chain.stall_finality().unwrap();
    seal(&chain, 80);
    assert_eq!(numbers(&chain), (82, 1));

    chain.resume_finality().unwrap();
    assert_eq!(numbers(&chain), (82, 81));
    let FinalBlocks {
        header,
        hashes,
        pruned,
    } = next_final(&mut updates);
    assert_eq!(header.number, 81);
    let expected: Vec<_> = (2..=81)
        .map(|number| chain.hash_of(number).unwrap().unwrap())
        .collect();
    assert_eq!((hashes, pruned), (expected, vec![]));
    seal(&chain, 1);
    assert_eq!(numbers(&chain), (83, 82));
}

#[test]
fn a_longer_branch_replaces_the_last_blocks_and_the_old_ones_stay_readable() {
    let chain = lagging(3);
    seal(&chain, 3);
    let old: Vec<_> = (2..=4)
        .map(|number| chain.hash_of(number).unwrap().unwrap())
        .collect();

    let best = chain.reorganise(2, Retracted::Drop).unwrap();
    assert_eq!(chain.best().0, best);
    assert_eq!(
        numbers(&chain),
        (5, 2),
        "one longer than the branch that it replaces"
    );
    assert_eq!(
        chain.hash_of(2).unwrap(),
        Some(old[0]),
        "the branches' root"
    );
    for (number, old) in [(3, old[1]), (4, old[2])] {
        let new = chain.hash_of(number).unwrap().unwrap();
        assert_ne!(
            new, old,
            "the same time, no transactions, and yet another block"
        );
        assert_eq!(chain.hashes_of(number).unwrap(), [new, old]);
        let header = chain.header(&old).unwrap().expect("the header is kept");
        assert_eq!(header.number, number);
        assert!(chain.block(&old).unwrap().is_some(), "the block is kept");
        assert!(chain.call(&header, "Core_version", &[]).is_ok());
    }

    // Once the block at which they branch off has a final child, they can't come back.
    let mut updates = chain.subscribe();
    seal(&chain, 1);
    let told = next_final(&mut updates);
    assert_eq!(told.header.number, 3);
    assert_eq!(told.pruned, [old[1], old[2]]);
    assert_eq!(chain.hashes_of(3).unwrap().len(), 1);
    assert_eq!(chain.hashes_of(4).unwrap().len(), 1);
    assert!(chain.header(&old[1]).unwrap().is_some());
    assert!(chain.block(&old[1]).unwrap().is_none());
}

#[test]
fn subscribers_hear_of_a_branch_block_by_block_and_of_its_last_one_as_the_best() {
    let chain = lagging(5);
    seal(&chain, 2);
    let root = chain.hash_of(1).unwrap().unwrap();
    let mut follow = chain.follow();
    assert_eq!(follow.best.hash, chain.best().0);
    assert_eq!(follow.pending.len(), 3);

    chain.reorganise(2, Retracted::Drop).unwrap();
    let mut parent = root;
    for is_best in [false, false, true] {
        let Ok(Update::Block(block)) = follow.updates.blocking_recv() else {
            panic!("no block");
        };
        assert_eq!((block.header.parent_hash, block.is_best), (parent, is_best));
        parent = block.hash;
    }
    assert_eq!(parent, chain.best().0);
    assert_eq!(
        chain.follow().pending.len(),
        6,
        "both branches and their root"
    );
}

#[test]
fn no_reorganisation_retracts_a_final_block() {
    let chain = lagging(2);
    seal(&chain, 4);
    let best = chain.best();
    let refused = chain.reorganise(3, Retracted::Drop).unwrap_err();
    assert_eq!(refused, ReorganiseError::Final { depth: 3, most: 2 });
    assert_eq!(chain.best(), best);
    assert!(chain.reorganise(2, Retracted::Drop).is_ok());
    assert_eq!(
        chain.reorganise(9, Retracted::Requeue),
        Err(ReorganiseError::Final { depth: 9, most: 2 })
    );

    let at_once = crate::common::chain();
    let refused = at_once.reorganise(1, Retracted::Drop).unwrap_err();
    assert_eq!(refused, ReorganiseError::Final { depth: 1, most: 0 });
}

#[test]
fn blocks_can_be_replaced_again_and_again() {
    let chain = lagging(10);
    seal(&chain, 1);
    let mut seen = vec![chain.best().0];
    for _ in 0..4 {
        let number = chain.best().1.number;
        chain.reorganise(1, Retracted::Drop).unwrap();
        assert_eq!(chain.best().1.number, number + 1);
        let hash = chain.hash_of(number).unwrap().unwrap();
        assert!(!seen.contains(&hash));
        seen.push(hash);
    }
}

#[test]
fn a_transaction_is_watched_until_its_block_is_final() {
    let chain = lagging(1);
    let signed = dev::sign(&Alice.pair(), pay(Bob, UNITS), 0, 0, chain.genesis_hash());
    let (_, mut statuses) = chain.submit_and_watch(signed.encode()).unwrap();
    assert_eq!(next(&mut statuses), TxStatus::Ready);
    let block = chain.seal().unwrap();
    assert_eq!(next(&mut statuses), TxStatus::InBlock(block, 1));
    assert!(statuses.try_recv().is_err(), "it is not final yet");
    chain.seal().unwrap();
    assert_eq!(next(&mut statuses), TxStatus::Finalized(block, 1));
    assert_eq!(statuses.blocking_recv(), None, "there is nothing to add");
}

#[test]
fn a_transaction_of_a_retracted_block_comes_into_another_one() {
    let chain = lagging(1);
    let signed = dev::sign(&Alice.pair(), pay(Bob, UNITS), 0, 0, chain.genesis_hash());
    let (_, mut statuses) = chain.submit_and_watch(signed.encode()).unwrap();
    let first = chain.seal().unwrap();
    assert_eq!(free(&chain, Bob), dev::ENDOWMENT + UNITS);

    chain.reorganise(1, Retracted::Requeue).unwrap();
    assert_eq!(free(&chain, Bob), dev::ENDOWMENT, "nothing was paid");
    assert_eq!(chain.pending(), [signed.encode()]);
    assert_eq!(chain.next_nonce(&Alice.to_account_id()).unwrap(), 1);
    let second = chain.seal().unwrap();
    chain.seal().unwrap();
    assert_eq!(free(&chain, Bob), dev::ENDOWMENT + UNITS);

    for expected in [
        TxStatus::Ready,
        TxStatus::InBlock(first, 1),
        TxStatus::Retracted(first),
        TxStatus::Ready,
        TxStatus::InBlock(second, 1),
        TxStatus::Finalized(second, 1),
    ] {
        assert_eq!(next(&mut statuses), expected);
    }
    assert_eq!(statuses.blocking_recv(), None);
}

#[test]
fn dropped_transactions_leave_room_for_others() {
    let chain = lagging(3);
    let signed = |to| dev::sign(&Alice.pair(), pay(to, UNITS), 0, 0, chain.genesis_hash());
    let (_, mut statuses) = chain.submit_and_watch(signed(Bob).encode()).unwrap();
    let block = chain.seal().unwrap();
    chain.reorganise(1, Retracted::Drop).unwrap();
    for expected in [
        TxStatus::Ready,
        TxStatus::InBlock(block, 1),
        TxStatus::Retracted(block),
        TxStatus::Dropped,
    ] {
        assert_eq!(next(&mut statuses), expected);
    }
    assert_eq!(chain.next_nonce(&Alice.to_account_id()).unwrap(), 0);
    chain.submit_encoded(signed(Charlie).encode()).unwrap();
    chain.seal().unwrap();
    assert_eq!(free(&chain, Charlie), dev::ENDOWMENT + UNITS);
    assert_eq!(free(&chain, Bob), dev::ENDOWMENT);
}

#[test]
fn a_transaction_anchored_in_a_retracted_block_is_invalid_on_the_new_branch() {
    let chain = lagging(3);
    seal(&chain, 1);
    let (anchor, header) = chain.best();
    let genesis = chain.genesis_hash();
    let era = Era::mortal(64, header.number.into());
    let call = pay(Bob, UNITS);
    let anchored = dev::sign_from(&Alice.pair(), call, 0, 0, genesis, (era, anchor));
    let anywhere = dev::sign(&Alice.pair(), pay(Charlie, UNITS), 1, 0, genesis);
    let (_, mut anchored) = chain.submit_and_watch(anchored.encode()).unwrap();
    let (_, mut anywhere) = chain.submit_and_watch(anywhere.encode()).unwrap();
    let block = chain.seal().unwrap();

    chain.reorganise(2, Retracted::Requeue).unwrap();
    for expected in [
        TxStatus::Ready,
        TxStatus::InBlock(block, 1),
        TxStatus::Retracted(block),
        TxStatus::Invalid,
    ] {
        assert_eq!(next(&mut anchored), expected);
    }
    assert_eq!(anchored.blocking_recv(), None);
    for expected in [
        TxStatus::Ready,
        TxStatus::InBlock(block, 2),
        TxStatus::Retracted(block),
        // The one with nonce 0 is lost.
        TxStatus::Future,
    ] {
        assert_eq!(next(&mut anywhere), expected);
    }
    seal(&chain, 1);
    assert_eq!(free(&chain, Bob), dev::ENDOWMENT);
    assert_eq!(free(&chain, Charlie), dev::ENDOWMENT);
}

#[test]
fn waiting_transactions_are_validated_again_on_the_new_branch() {
    let chain = lagging(3);
    let genesis = chain.genesis_hash();
    let signed = |nonce| dev::sign(&Alice.pair(), pay(Bob, UNITS), nonce, 0, genesis).encode();
    chain.submit_encoded(signed(0)).unwrap();
    chain.seal().unwrap();
    let (_, mut second) = chain.submit_and_watch(signed(1)).unwrap();
    assert_eq!(next(&mut second), TxStatus::Ready);
    chain.reorganise(1, Retracted::Drop).unwrap();
    assert_eq!(next(&mut second), TxStatus::Future);
    chain.submit_encoded(signed(0)).unwrap();
    assert_eq!(next(&mut second), TxStatus::Ready);
    let block = chain.seal().unwrap();
    assert_eq!(next(&mut second), TxStatus::InBlock(block, 2));
}

#[test]
fn without_a_block_time_what_came_back_is_in_a_block_at_once() {
    let chain = Chain::open(Options {
        block_time: None,
        ..lag(3)
    })
    .unwrap();
    let report = chain.submit(&Alice.pair(), pay(Bob, UNITS)).unwrap();
    let (block, _) = report.included.unwrap();
    let best = chain.reorganise(1, Retracted::Requeue).unwrap();
    assert_eq!(chain.best().0, best);
    assert_eq!(chain.best().1.number, 4, "two empty blocks and one with it");
    assert!(!chain.hashes_of(4).unwrap().contains(&block));
    assert_eq!(free(&chain, Bob), dev::ENDOWMENT + UNITS);
    assert!(chain.pending().is_empty());
}

#[test]
fn a_transaction_whose_block_does_not_become_final_is_given_up_after_512_others() {
    let chain = lagging(1);
    chain.stall_finality().unwrap();
    let genesis = chain.genesis_hash();
    let mut watched = Vec::new();
    for nonce in 0..=512 {
        let signed = dev::sign(&Alice.pair(), pay(Bob, UNITS), nonce, 0, genesis);
        watched.push(chain.submit_and_watch(signed.encode()).unwrap().1);
        chain.seal().unwrap();
    }
    let statuses = |of: &mut UnboundedReceiver<TxStatus>| {
        std::iter::from_fn(|| of.try_recv().ok()).collect::<Vec<_>>()
    };
    let first = chain.hash_of(2).unwrap().unwrap();
    assert_eq!(
        statuses(&mut watched[0]),
        [
            TxStatus::Ready,
            TxStatus::InBlock(first, 1),
            TxStatus::FinalityTimeout(first),
        ]
    );
    assert_eq!(statuses(&mut watched[1]).len(), 2, "it is still watched");
}

#[test]
fn branches_and_finality_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options {
        storage: Storage::Folder(folder.path().to_path_buf()),
        ..lag(3)
    };
    let chain = Chain::open(options.clone()).unwrap();
    seal(&chain, 4);
    let old = chain.best().0;
    chain.reorganise(1, Retracted::Drop).unwrap();
    let (best, finalized) = (chain.best(), chain.finalized());
    assert_eq!((best.1.number, finalized.1.number), (6, 3));
    let at_five = chain.hashes_of(5).unwrap();
    assert_eq!(at_five.len(), 2);
    drop(chain);

    // What was final stays so with a longer lag.
    let longer = Options {
        finality: Finality::Lag(100),
        ..options.clone()
    };
    let chain = Chain::open(longer).unwrap();
    assert_eq!((chain.best(), chain.finalized()), (best.clone(), finalized));
    assert_eq!(chain.hashes_of(5).unwrap(), at_five);
    assert!(chain.block(&old).unwrap().is_some());
    assert!(chain.reorganise(4, Retracted::Drop).is_err());
    drop(chain);

    // With finality at once everything is final, and the other branch is ruled out.
    let at_once = Options {
        finality: Finality::AtOnce,
        ..options.clone()
    };
    let chain = Chain::open(at_once).unwrap();
    assert_eq!(
        (chain.best(), chain.finalized()),
        (best.clone(), best.clone())
    );
    assert!(chain.block(&old).unwrap().is_none());
    drop(chain);
    let chain = Chain::open(options).unwrap();
    assert_eq!(chain.finalized(), best, "and stays so");
}

#[test]
fn states_far_below_the_last_final_block_are_not_kept() {
    let chain = Chain::open(Options {
        keep_states: Some(4),
        ..lag(2)
    })
    .unwrap();
    seal(&chain, 9);
    assert_eq!(numbers(&chain), (10, 8));
    for number in 0..=10 {
        let hash = chain.hash_of(number).unwrap().unwrap();
        let header = chain.header(&hash).unwrap().expect("headers are kept");
        assert!(chain.block(&hash).unwrap().is_some(), "and blocks");
        let read = chain.call(&header, "Core_version", &[]);
        if number > 4 {
            assert!(read.is_ok(), "{number}: {read:?}");
        } else {
            assert_eq!(read, Err(ReadError::Discarded(hash)), "{number}");
            assert_eq!(
                chain.events_of(&hash, 0),
                Err(ReadError::Discarded(hash)),
                "events are in the state"
            );
        }
    }
}

#[test]
fn the_state_of_a_retracted_block_is_kept_until_a_final_block_rules_it_out() {
    let chain = Chain::open(Options {
        keep_states: Some(100),
        ..lag(2)
    })
    .unwrap();
    seal(&chain, 2);
    let (old, header) = chain.best();
    chain.reorganise(1, Retracted::Drop).unwrap();
    assert!(chain.call(&header, "Core_version", &[]).is_ok());
    seal(&chain, 1);
    let read = chain.call(&header, "Core_version", &[]);
    assert_eq!(read, Err(ReadError::Discarded(old)));
}
