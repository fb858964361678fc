//! The chain without sockets: transactions, refusals, blocks, and the chain on disk.

use std::time::Duration;

use codec::Encode;
use connect4_chain::{
    Chain, OpenError, Options, PoolError, ReadError, Storage, SubmitError, TxStatus, Update, dev,
    runtime::{
        Balance, Runtime, RuntimeCall, RuntimeEvent,
        currency::{CENTS, UNITS},
    },
};
use sp_keyring::Sr25519Keyring::{Alice, Bob, Charlie};
use sp_runtime::{
    DispatchError, TokenError,
    transaction_validity::{InvalidTransaction, TransactionValidityError},
};

use crate::common::{chain, free, pay};

#[test]
fn a_new_chain_has_one_block_after_the_genesis_block() {
    let chain = chain();
    let (hash, header) = chain.best();
    assert_eq!(header.number, 1);
    assert_eq!(header.parent_hash, chain.genesis_hash());
    assert_eq!(chain.hash_of(0).unwrap(), Some(chain.genesis_hash()));
    assert_eq!(chain.hash_of(1).unwrap(), Some(hash));
    assert_eq!(chain.hash_of(2).unwrap(), None);
    assert_eq!(free(&chain, Alice), dev::ENDOWMENT);
}

#[test]
fn a_transaction_gets_into_a_block_and_is_paid_for() {
    let chain = chain();
    let report = chain.submit(&Alice.pair(), pay(Bob, 5 * UNITS)).unwrap();
    assert_eq!(report.outcome, Ok(()));
    let (block, index) = report.included.unwrap();
    assert_eq!(
        (block, index),
        (chain.best().0, 1),
        "the first after the time of the block"
    );
    assert_eq!(chain.best().1.number, 2);
    assert!(
        report.fee > 0 && report.fee < CENTS,
        "{} is less than a cent",
        report.fee
    );
    assert_eq!(report.deposit, 0);
    assert!(report.weight.ref_time() > 0);
    assert_eq!(free(&chain, Bob), dev::ENDOWMENT + 5 * UNITS);
    assert_eq!(free(&chain, Alice), dev::ENDOWMENT - 5 * UNITS - report.fee);
    let paid = report.events.iter().any(|event| {
        matches!(event, RuntimeEvent::Balances(pallet_balances::Event::Transfer { amount, .. })
            if *amount == 5 * UNITS)
    });
    assert!(paid, "{:#?}", report.events);
}

#[test]
fn a_failed_call_is_paid_for_and_changes_nothing_else() {
    let chain = chain();
    let report = chain
        .submit(&Alice.pair(), pay(Bob, 2 * dev::ENDOWMENT))
        .unwrap();
    assert_eq!(
        report.outcome,
        Err(DispatchError::Token(TokenError::FundsUnavailable))
    );
    assert!(report.weight.ref_time() > 0);
    assert_eq!(free(&chain, Bob), dev::ENDOWMENT);
    assert_eq!(free(&chain, Alice), dev::ENDOWMENT - report.fee);
}

#[test]
fn a_dry_run_reports_as_the_transaction_would_and_changes_nothing() {
    let chain = chain();
    let before = chain.best().0;
    let dry = chain.dry_run(&Alice.pair(), pay(Bob, UNITS)).unwrap();
    let refused = chain
        .dry_run(&Alice.pair(), pay(Bob, 2 * dev::ENDOWMENT))
        .unwrap();
    assert_eq!(chain.best().0, before);
    assert_eq!(free(&chain, Bob), dev::ENDOWMENT);
    assert_eq!(dry.included, None);
    assert_eq!(
        refused.outcome,
        Err(DispatchError::Token(TokenError::FundsUnavailable))
    );
    assert!(refused.fee > 0 && refused.weight.ref_time() > 0);

    let real = chain.submit(&Alice.pair(), pay(Bob, UNITS)).unwrap();
    assert_eq!(
        (real.fee, real.weight, real.outcome),
        (dry.fee, dry.weight, dry.outcome)
    );
    assert_eq!(real.events, dry.events);
}

#[test]
fn a_call_of_the_runtime_that_cannot_be_answered_says_why() {
    let chain = chain();
    let (_, header) = chain.best();
    let unknown = chain.call(&header, "NoSuch_function", &[]);
    let name = "NoSuch_function".to_owned();
    assert_eq!(unknown, Err(ReadError::NoFunction(name)));

    let undecodable = chain.call(&header, "ReviveApi_call", &[0]);
    assert!(
        matches!(undecodable, Err(ReadError::Panicked(_))),
        "{undecodable:?}"
    );
    assert!(chain.call(&header, "Core_version", &[]).is_ok());
}

#[test]
fn a_used_nonce_is_refused_and_a_nonce_too_high_waits() {
    let chain = chain();
    let genesis = chain.genesis_hash();
    let signed = |nonce| dev::sign(&Alice.pair(), pay(Bob, UNITS), nonce, 0, genesis).encode();

    let (_, mut second) = chain.submit_and_watch(signed(1)).unwrap();
    assert_eq!(second.blocking_recv(), Some(TxStatus::Future));
    assert_eq!(
        chain.best().1.number,
        1,
        "no block for a transaction that waits"
    );

    let (_, mut first) = chain.submit_and_watch(signed(0)).unwrap();
    let included = |statuses: &mut tokio::sync::mpsc::UnboundedReceiver<TxStatus>| loop {
        match statuses.blocking_recv().unwrap() {
            TxStatus::InBlock(block, index) => break (block, index),
            TxStatus::Ready | TxStatus::Future => {}
            lost => panic!("{lost:?}"),
        }
    };
    let (first, second) = (included(&mut first), included(&mut second));
    assert!(
        first.0 != second.0 || first.1 < second.1,
        "in the order of their nonces"
    );

    let stale = chain.submit_encoded(signed(0)).unwrap_err();
    let reason = TransactionValidityError::Invalid(InvalidTransaction::Stale);
    assert_eq!(stale, SubmitError::Invalid(reason));
    assert_eq!(free(&chain, Bob), dev::ENDOWMENT + 2 * UNITS);
}

#[test]
fn transactions_not_signed_for_this_chain_are_refused() {
    let chain = chain();
    let bad_proof = SubmitError::Invalid(TransactionValidityError::Invalid(
        InvalidTransaction::BadProof,
    ));

    let elsewhere = dev::sign(&Alice.pair(), pay(Bob, UNITS), 0, 0, Default::default());
    assert_eq!(
        chain.submit_encoded(elsewhere.encode()),
        Err(bad_proof.clone())
    );

    let mut forged = dev::sign(&Alice.pair(), pay(Bob, UNITS), 0, 0, chain.genesis_hash()).encode();
    *forged.last_mut().unwrap() ^= 1;
    assert_eq!(chain.submit_encoded(forged), Err(bad_proof));

    for nonsense in [&b""[..], b"\0", b"nonsense", &[0xff; 4096]] {
        let error = chain.submit_encoded(nonsense.to_vec()).unwrap_err();
        assert!(matches!(error, SubmitError::Malformed(_)), "{error:?}");
    }
    assert!(
        chain.submit(&Alice.pair(), pay(Bob, UNITS)).is_ok(),
        "the chain still works"
    );
}

#[test]
fn a_transaction_waits_once_and_a_higher_tip_replaces_it() {
    // During the test blocks are made by `seal` alone.
    let hour = Duration::from_secs(3600);
    let chain = Chain::open(Options {
        block_time: Some(hour),
        ..Options::default()
    })
    .unwrap();
    let signed =
        |to, tip| dev::sign(&Alice.pair(), pay(to, UNITS), 0, tip, chain.genesis_hash()).encode();
    let to_bob = signed(Bob, 0);
    let (_, mut first) = chain.submit_and_watch(to_bob.clone()).unwrap();
    assert_eq!(first.blocking_recv(), Some(TxStatus::Ready));
    let again = chain.submit_encoded(to_bob);
    assert_eq!(again, Err(SubmitError::Pool(PoolError::AlreadyImported)));
    let rival = chain.submit_encoded(signed(Charlie, 0));
    assert_eq!(rival, Err(SubmitError::Pool(PoolError::TooLowPriority)));
    let (hash, mut second) = chain.submit_and_watch(signed(Charlie, UNITS)).unwrap();
    assert_eq!(first.blocking_recv(), Some(TxStatus::Usurped(hash)));
    assert_eq!(second.blocking_recv(), Some(TxStatus::Ready));

    assert_eq!(
        chain.next_nonce(&Alice.to_account_id()).unwrap(),
        1,
        "one transaction waits"
    );
    let block = chain.seal().unwrap();
    assert_eq!(second.blocking_recv(), Some(TxStatus::InBlock(block, 1)));
    assert_eq!(chain.next_nonce(&Alice.to_account_id()).unwrap(), 1);
    assert!(chain.pending().is_empty());
}

#[test]
fn a_transfer_below_the_existential_deposit_makes_no_account() {
    let chain = chain();
    let stranger = sp_keyring::Sr25519Keyring::AliceStash;
    let dest = sp_runtime::AccountId32::new([7; 32]).into();
    let call = |value| {
        RuntimeCall::Balances(pallet_balances::Call::transfer_keep_alive {
            dest: Clone::clone(&dest),
            value,
        })
    };
    assert!(
        free(&chain, stranger) > 0,
        "all well-known accounts are endowed"
    );
    let report = chain.submit(&Alice.pair(), call(CENTS - 1)).unwrap();
    assert_eq!(
        report.outcome,
        Err(DispatchError::Token(TokenError::BelowMinimum))
    );
    assert_eq!(
        chain.submit(&Alice.pair(), call(CENTS)).unwrap().outcome,
        Ok(())
    );
}

#[test]
fn blocks_have_the_time_of_the_clock() {
    let chain = chain();
    let now = |chain: &Chain| {
        let key = pallet_timestamp::Now::<Runtime>::hashed_key();
        let backend = chain.state(&chain.best().1).unwrap();
        let value = sp_state_machine::Backend::storage(&backend, &key)
            .unwrap()
            .unwrap();
        u64::from_le_bytes(value.try_into().unwrap())
    };
    assert_eq!(now(&chain), 1_000);
    chain.seal().unwrap();
    assert_eq!(now(&chain), 1_000, "the clock stands still");
    chain.advance_clock(Duration::from_secs(90));
    chain.seal().unwrap();
    assert_eq!(now(&chain), 91_000);
}

#[test]
fn with_a_block_time_blocks_are_made_without_transactions() {
    let period = Duration::from_millis(5);
    let chain = Chain::open(Options {
        block_time: Some(period),
        ..Options::default()
    })
    .unwrap();
    let mut blocks = chain.subscribe();
    let mut next = || loop {
        if let Update::Block(block) = blocks.blocking_recv().unwrap() {
            break block;
        }
    };
    let (first, second) = (next(), next());
    assert_eq!(second.header.number, first.header.number + 1);
    assert_eq!(second.header.parent_hash, first.hash);
}

#[test]
fn a_chain_in_a_folder_resumes_from_its_last_block() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options {
        storage: Storage::Folder(folder.path().join("chain")),
        ..Options::default()
    };
    let chain = Chain::open(options.clone()).unwrap();
    let report = chain.submit(&Alice.pair(), pay(Bob, UNITS)).unwrap();
    let (genesis, best) = (chain.genesis_hash(), chain.best());

    let second = Chain::open(options.clone())
        .err()
        .expect("the folder is in use");
    assert!(matches!(second, OpenError::InUse(_)), "{second}");
    assert!(
        second.to_string().contains("in use by another process"),
        "{second}"
    );

    drop(chain);
    let chain = Chain::open(options).unwrap();
    assert_eq!((chain.genesis_hash(), chain.best()), (genesis, best));
    assert_eq!(free(&chain, Bob), dev::ENDOWMENT + UNITS);
    let (block, index) = report.included.unwrap();
    assert_eq!(
        chain.events_of(&block, index).unwrap(),
        report.events,
        "past states are kept"
    );
    assert_eq!(
        chain
            .submit(&Alice.pair(), pay(Bob, UNITS))
            .unwrap()
            .outcome,
        Ok(())
    );
}

#[test]
fn a_file_that_is_not_a_chain_is_refused_and_left_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("chain.redb");
    std::fs::write(
        &file,
        b"somebody's diary, longer than a header of the store would be",
    )
    .unwrap();
    let storage = Storage::Folder(folder.path().to_path_buf());
    let error = Chain::open(Options {
        storage,
        ..Options::default()
    })
    .err()
    .unwrap();
    assert!(matches!(error, OpenError::Format { .. }), "{error}");
    assert!(
        std::fs::read(&file)
            .unwrap()
            .starts_with(b"somebody's diary")
    );
}

#[test]
fn transactions_that_do_not_fit_into_a_block_wait_for_the_next() {
    let hour = Duration::from_secs(3600);
    let chain = Chain::open(Options {
        block_time: Some(hour),
        ..Options::default()
    })
    .unwrap();
    const MANY: u32 = 1_500;
    for nonce in 0..MANY {
        let transaction = dev::sign(&Alice.pair(), pay(Bob, 1), nonce, 0, chain.genesis_hash());
        chain.submit_encoded(transaction.encode()).unwrap();
    }
    let first = chain.seal().unwrap();
    let taken = chain.block(&first).unwrap().unwrap().extrinsics.len() - 1;
    assert!(taken > 100, "{taken} in the first block");
    while !chain.pending().is_empty() {
        chain.seal().unwrap();
    }
    assert_eq!(free(&chain, Bob), dev::ENDOWMENT + Balance::from(MANY));
}
