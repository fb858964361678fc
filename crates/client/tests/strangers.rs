//! What strangers do with our own code and beside it: it is stored as that of another machine; other code stands where it was.

use connect4_client::{Client, Error, Stakes};
use connect4_testing::contracts::{STAKES, VARIANTS, code_hash};
use subxt::dynamic::Value;
use subxt::{OnlineClient, PolkadotConfig};
use subxt_signer::sr25519::dev;

use crate::common::{CODE, account, chain};

/// Has charlie deploy a contract of Ethereum's machine whose code are these bytes, without this project's client.
async fn deploy_on_ethereums_machine(url: &str, code: &[u8]) {
    let api = OnlineClient::<PolkadotConfig>::from_insecure_url(url);
    let api = api.await.unwrap();
    let [high, low] = u16::try_from(code.len()).unwrap().to_be_bytes();
    // PUSH2 length, DUP1, PUSH1 where the code begins, PUSH1 0, CODECOPY, PUSH1 0, RETURN.
    let returns = [
        0x61, high, low, 0x80, 0x60, 12, 0x60, 0, 0x39, 0x60, 0, 0xf3,
    ];
    let weight = [
        ("ref_time", Value::u128(200_000_000_000)),
        ("proof_size", Value::u128(1_000_000)),
    ];
    let fields = vec![
        ("value", Value::u128(0)),
        ("weight_limit", Value::named_composite(weight)),
        ("storage_deposit_limit", Value::u128(u128::from(u64::MAX))),
        ("code", Value::from_bytes([&returns[..], code].concat())),
        ("data", Value::from_bytes([])),
        ("salt", Value::unnamed_variant("None", [])),
    ];
    let call = subxt::dynamic::tx("Revive", "instantiate_with_code", fields);
    let key = dev::charlie();
    let mut api = api.tx();
    let sent = api.sign_and_submit_then_watch_default(&call, &key);
    let included = sent.await.unwrap().wait_for_finalized_success();
    included.await.unwrap();
}

/// Somebody makes our code useless on a chain that does not have it yet. Whoever deploys is told before it pays for
/// anything.
#[tokio::test]
async fn code_that_is_stored_for_ethereums_machine_is_not_deployed() {
    for (taken, is_variants) in [(CODE.games, false), (CODE.variants, true)] {
        let (_server, url) = chain().await;
        let client = Client::connect(&url).await.unwrap();
        deploy_on_ethereums_machine(&url, taken).await;
        let alice = account("alice");
        let before = client.balance(&alice.account()).await.unwrap();
        let deployed = match is_variants {
            false => client.deploy(&alice, CODE).await,
            true => client.deploy_variants(&alice, CODE).await,
        };
        let refused = deployed.unwrap_err();
        assert!(
            matches!(refused, Error::CodeOfEthereum { hash, .. } if hash.0 == code_hash(taken)),
            "{refused}"
        );
        let after = client.balance(&alice.account()).await.unwrap();
        assert_eq!(after, before);
    }
}

/// A contract that answers as ours do may have other code.
#[tokio::test]
async fn nothing_is_staked_with_code_that_is_not_known() {
    let (_server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let alice = account("alice");
    let (address, _) = client.deploy_stakes(&alice, STAKES).await.unwrap();
    Stakes::open(&client, address, STAKES).await.unwrap();
    // It answers as ours, and is of another version.
    let refused = Stakes::open(&client, address, VARIANTS).await.unwrap_err();
    assert!(
        matches!(refused, Error::OtherCode { found, expected, .. }
            if (found.0, expected.0) == (code_hash(STAKES), code_hash(VARIANTS))),
        "{refused}"
    );
    let games = client.deploy(&alice, CODE).await.unwrap().address;
    let refused = Stakes::open(&client, games, STAKES).await.unwrap_err();
    assert!(matches!(refused, Error::OtherCode { .. }), "{refused}");
}
