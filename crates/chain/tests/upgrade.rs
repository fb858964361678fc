//! An upgrade of the runtime: what changes, when, and what becomes of transactions and deposits.

use std::time::Duration;

use codec::{Decode, Encode};
use connect4_chain::{
    Chain, Finality, Options, ReadError, Retracted, Storage, SubmitError, TxStatus, UpgradeError,
    dev, rpc,
    runtime::{Code, Header, Runtime, currency::UNITS},
};
use connect4_protocol::message::GameCount;
use connect4_testing::{Account, Local, contracts, people::address};
use frame_support::storage::StoragePrefixedMap;
use serde_json::{Value, json};
use sp_keyring::Sr25519Keyring::{Alice, Bob};
use sp_runtime::{
    DigestItem,
    transaction_validity::{InvalidTransaction, TransactionValidityError},
};
use sp_state_machine::{Backend as _, IterArgs};
use sp_version::RuntimeVersion;

use crate::common::{
    free, pay,
    served::{ask, code, follow, next, serve_chain, subscribe},
};

/// A chain that seals when the test says so, with blocks that are final after five others.
fn options() -> Options {
    Options {
        block_time: Some(Duration::from_secs(3600)),
        finality: Finality::Lag(5),
        ..Options::default()
    }
}

#[test]
fn the_pallets_of_both_versions_fit_together() {
    Code::ALL.into_iter().for_each(Code::check_pallets);
}

fn version(chain: &Chain, header: &Header) -> u32 {
    let version = chain.call(header, "Core_version", &[]).unwrap();
    let version = RuntimeVersion::decode(&mut &version[..]).unwrap();
    version.spec_version
}

/// The indices of the pallets that hold deposits, of all accounts together.
fn holders(chain: &Chain) -> Vec<u8> {
    let prefix = pallet_balances::Holds::<Runtime>::final_prefix();
    let state = chain.state(&chain.best().1).unwrap();
    let mut range = IterArgs::default();
    range.prefix = Some(&prefix);
    let holds = state.pairs(range).unwrap().flat_map(|pair| {
        let holds = pair.unwrap().1;
        Vec::<(u8, u8, u128)>::decode(&mut &holds[..]).unwrap()
    });
    holds.map(|(pallet, ..)| pallet).collect()
}

fn bad_proof() -> SubmitError {
    let reason = InvalidTransaction::BadProof;
    SubmitError::Invalid(TransactionValidityError::Invalid(reason))
}

#[test]
fn the_block_after_the_upgrade_runs_the_new_version() {
    let chain = Chain::open(options()).unwrap();
    let before = chain.best().1;
    let block = chain.upgrade().unwrap();
    let (hash, upgrade) = chain.best();
    assert_eq!(hash, block);
    assert_eq!(
        (version(&chain, &before), version(&chain, &upgrade)),
        (1, 2)
    );
    assert_eq!(chain.code(&upgrade).unwrap(), Code::Second);
    let told = upgrade
        .digest
        .logs
        .contains(&DigestItem::RuntimeEnvironmentUpdated);
    assert!(told, "{:?}", upgrade.digest);
    assert!(
        chain.events_of(&block, 0).is_ok(),
        "the old version made it"
    );

    let next = chain.seal().unwrap();
    assert_eq!(chain.events_of(&next, 0), Err(ReadError::OtherVersion(2)));
    assert_eq!(chain.upgrade(), Err(UpgradeError::Newest(2)));
    assert_eq!(chain.best().0, next);
}

#[test]
fn contracts_and_their_deposits_survive_an_upgrade() {
    let local = Local::new(1_000);
    let constructor = connect4_testing::data("new", ());
    let (contract, _) = local.deploy(Account::Alice, contracts::GAMES, constructor);
    assert_eq!(holders(&local.chain), [4, 4]);
    let games = || local.query(contract, GameCount {});
    assert_eq!(games(), 0);
    let balance = local.balance(address(Account::Alice));

    local.chain.upgrade().unwrap();
    assert_eq!(
        local.chain.best().1.number,
        4,
        "without a block time the new version's first block follows at once"
    );
    assert_eq!(holders(&local.chain), [60, 60]);
    assert_eq!(games(), 0);
    assert_eq!(local.balance(address(Account::Alice)), balance);
}

#[test]
fn transactions_signed_for_the_old_version_are_bad_signatures() {
    let chain = Chain::open(options()).unwrap();
    let genesis = chain.genesis_hash();
    let signed = |nonce| dev::sign(&Alice.pair(), pay(Bob, UNITS), nonce, 0, genesis).encode();
    let (_, mut ready) = chain.submit_and_watch(signed(0)).unwrap();
    let (_, mut future) = chain.submit_and_watch(signed(5)).unwrap();
    let block = chain.upgrade().unwrap();
    for expected in [TxStatus::Ready, TxStatus::InBlock(block, 1)] {
        assert_eq!(ready.blocking_recv(), Some(expected));
    }
    for expected in [TxStatus::Future, TxStatus::Invalid] {
        assert_eq!(future.blocking_recv(), Some(expected));
    }
    let remark = frame_system::Call::remark { remark: vec![] };
    let remark = dev::sign(&Alice.pair(), remark.into(), 1, 0, genesis);
    assert_eq!(chain.submit_encoded(remark.encode()), Err(bad_proof()));
    // The new version has no call with this index, and panics as it does on a Substrate node.
    let refused = chain.submit_encoded(signed(1)).unwrap_err();
    assert!(
        matches!(refused, SubmitError::Read(ReadError::Panicked(_))),
        "{refused:?}"
    );
    assert_eq!(free(&chain, Bob), dev::ENDOWMENT + UNITS);
}

#[test]
fn a_branch_without_the_upgrade_takes_it_back() {
    let chain = Chain::open(options()).unwrap();
    chain.upgrade().unwrap();
    chain.seal().unwrap();
    chain.reorganise(2, Retracted::Drop).unwrap();
    assert_eq!(version(&chain, &chain.best().1), 1);
    let signed = dev::sign(&Alice.pair(), pay(Bob, UNITS), 0, 0, chain.genesis_hash());
    assert!(chain.submit_encoded(signed.encode()).is_ok());
    assert!(chain.upgrade().is_ok());
}

#[test]
fn an_upgraded_chain_is_opened_again_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options {
        storage: Storage::Folder(folder.path().to_path_buf()),
        ..options()
    };
    let chain = Chain::open(options.clone()).unwrap();
    chain.upgrade().unwrap();
    drop(chain);
    let chain = Chain::open(options).unwrap();
    assert_eq!(version(&chain, &chain.best().1), 2);
    chain.seal().unwrap();
    let remark = frame_system::Call::remark { remark: vec![] };
    let remark = dev::sign(&Alice.pair(), remark.into(), 0, 0, chain.genesis_hash());
    assert_eq!(chain.submit_encoded(remark.encode()), Err(bad_proof()));
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_are_told_about_an_upgrade() {
    let with_dev = rpc::Options {
        dev: true,
        ..rpc::Options::default()
    };
    let (chain, _server, client) = serve_chain(options(), with_dev).await;
    let old = json!(chain.best().0);
    let (method, unsubscribe) = (
        "state_subscribeRuntimeVersion",
        "state_unsubscribeRuntimeVersion",
    );
    let mut versions = subscribe(&client, method, json!([]), unsubscribe).await;
    assert_eq!(next(&mut versions).await["specVersion"], 1);
    let mut events = follow(&client).await;
    let initialized = next(&mut events).await;
    let spec = |runtime: &Value| runtime["spec"]["specVersion"].clone();
    assert_eq!(spec(&initialized["finalizedBlockRuntime"]), 1);
    let new = next(&mut events).await;
    assert_eq!(
        (&new["blockHash"], &new["newRuntime"]),
        (&old, &Value::Null)
    );
    assert_eq!(next(&mut events).await["event"], "bestBlockChanged");

    let upgrade = ask(&client, "dev_upgrade", json!([])).await.unwrap();
    assert_eq!(next(&mut versions).await["specVersion"], 2);
    let new = next(&mut events).await;
    assert_eq!(new["blockHash"], upgrade);
    assert_eq!(spec(&new["newRuntime"]), 2);
    assert_eq!(next(&mut events).await["event"], "bestBlockChanged");
    chain.seal().unwrap();
    assert_eq!(next(&mut events).await["newRuntime"], Value::Null);

    for (block, expected) in [(&old, 1), (&upgrade, 2)] {
        let version = ask(&client, "state_getRuntimeVersion", json!([block])).await;
        assert_eq!(version.unwrap()["specVersion"], expected);
        let metadata = ask(&client, "state_getMetadata", json!([block])).await;
        let metadata = hex::decode(&metadata.unwrap().as_str().unwrap()[2..]).unwrap();
        let name = "Upgrades".encode();
        let has = metadata.windows(name.len()).any(|bytes| bytes == name);
        assert_eq!(has, expected == 2);
    }
    let again = ask(&client, "dev_upgrade", json!([])).await;
    assert_eq!(code(again), 4003);

    // Whoever begins to follow now is told about the upgrade on top of the last final block.
    let mut late = follow(&client).await;
    assert_eq!(spec(&next(&mut late).await["finalizedBlockRuntime"]), 1);
    assert_eq!(next(&mut late).await["newRuntime"], Value::Null);
    assert_eq!(spec(&next(&mut late).await["newRuntime"]), 2);

    chain.reorganise(2, Retracted::Drop).unwrap();
    assert_eq!(next(&mut versions).await["specVersion"], 1);
}
