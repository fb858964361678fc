//! Accounts, addresses and session keys.

use codec::{Compact, Encode as _};
use connect4_browser::PlayerShell;
use connect4_protocol::Address;
use connect4_testing::keys::session_key;
use qrcodegen_no_heap::{QrCode, QrCodeEcc, Version};
use serde_json::{Value, from_slice, json};
use sp_crypto_hashing::keccak_256;

use crate::{ask, hex, refused};

/// The development account of alice on any chain.
const ALICE: &str = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY";
const ALICE_KEY: &str = "0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d";
const ALICE_ADDRESS: &str = "0x9621dde636de098b43efb0fa9b61facfe328f99d";

#[test]
fn accounts_are_mapped_as_the_chain_maps_them() {
    let shown = ask("account", &json!(ALICE)).expect("an account");
    let expected = json!({
        "address": ALICE_ADDRESS, "account": ALICE_KEY, "is_ethereum": false, "network": 42,
    });
    assert_eq!(shown, expected);
    assert_eq!(
        ask("account", &json!(ALICE_KEY)).expect("an account")["address"],
        ALICE_ADDRESS
    );
    // The same account on Polkadot, and with a prefix of two bytes (Hydration, 63; Kilt, 38; Moonbeam's
    // neighbours have numbers beyond 63).
    let on_polkadot = json!("15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5");
    let shown = ask("account", &on_polkadot).expect("an account");
    assert_eq!(
        (&shown["network"], &shown["account"]),
        (&json!(0), &json!(ALICE_KEY))
    );

    let bare = json!(Address([7; 20]).to_string());
    let shown = ask("account", &bare).expect("an address");
    assert_eq!(
        (&shown["address"], &shown["is_ethereum"]),
        (&bare, &json!(true))
    );
    let fallback = &shown["account"];
    assert_eq!(
        ask("account", fallback).expect("its account")["address"],
        bare
    );
}

#[test]
fn networks_beyond_63_have_two_bytes() {
    // From the documentation of SS58: a prefix of 0x45, 0x1e (network 1337) before the key of zeros.
    let mut content = vec![0x4e, 0x45];
    content.extend([0; 32]);
    let hash = sp_crypto_hashing::blake2_512(&[b"SS58PRE", &*content].concat());
    content.extend(&hash[..2]);
    let text = bs58::encode(&content).into_string();
    let shown = ask("account", &json!(text)).expect("an account");
    assert_eq!(shown["network"], 1337);
}

#[test]
fn misspelt_accounts_are_refused() {
    let changed = ALICE.replace('w', "x");
    for text in [&*changed, "", "alice", "0x", "0x12", &ALICE[1..], "5G"] {
        assert_eq!(refused("account", &json!(text)), "BadRequest", "{text}");
    }
}

#[test]
fn a_session_key_has_the_address_that_its_secret_has() {
    let key = session_key(3);
    let shown = ask("session", &json!(hex(&key.secret())));
    assert_eq!(shown, Ok(json!({ "address": key.address().to_string() })));
    for secret in [vec![0; 32], vec![0xff; 32], vec![1; 31]] {
        assert_eq!(refused("session", &json!(hex(&secret))), "BadRequest");
    }
}

/// The account of a guest, by the module that plays its games.
fn guest(source: &Value) -> Result<Value, Value> {
    let request = json!({ "guest": source }).to_string();
    let answer = PlayerShell::new().answer(request.as_bytes());
    let mut answer: Value = from_slice(&answer).expect("the answer is JSON");
    match answer.get_mut("ok") {
        Some(value) => Ok(value.take()),
        None => Err(answer["error"].take()),
    }
}

#[test]
fn a_guest_is_the_account_that_wallets_make_of_its_phrase() {
    let words = "test test test test test test test test test test test junk";
    let known = json!({
        "phrase": words,
        "path": "m/44'/60'/0'/0/0",
        "secret": "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
        "address": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
    });
    let loose = format!(" {} ", words.to_uppercase().replace(' ', "\n"));
    for text in [words, &loose] {
        assert_eq!(guest(&json!({ "words": text })), Ok(known.clone()));
    }
    let made = guest(&json!({ "random": hex(&[7; 16]) })).expect("an account");
    let again = guest(&json!({ "words": made["phrase"] }));
    assert_eq!(again, Ok(made.clone()));
    let session = ask("session", &made["secret"]).expect("a key");
    assert_eq!(session["address"], made["address"]);
    for bytes in [&[7; 15][..], &[7; 17], &[]] {
        assert_eq!(
            guest(&json!({ "random": hex(bytes) })).map_err(|error| error["name"].clone()),
            Err(json!("BadRequest"))
        );
    }
    for text in [
        "",
        "test",
        &words.replace("junk", "test"),
        &words.replace("junk", "tset"),
    ] {
        assert_eq!(
            guest(&json!({ "words": text })).map_err(|error| error["name"].clone()),
            Err(json!("BadPhrase")),
            "{text}"
        );
    }
}

/// Whether each module of the code is dark, as the path is drawn.
fn drawn(qr: &Value) -> Vec<Vec<bool>> {
    let size = usize::try_from(qr["size"].as_u64().expect("a size")).expect("a small one");
    let mut modules = vec![vec![false; size]; size];
    let path = qr["path"].as_str().expect("a path");
    for run in path.split_terminator('z') {
        let (place, length) = run[1..].split_once('h').expect("a run");
        let (x, y) = place.split_once(' ').expect("a place");
        let (length, _) = length.split_once('v').expect("a height");
        let [x, y, length] =
            [x, y, length].map(|number| number.parse::<usize>().expect("a number"));
        modules[y][x..x + length].fill(true);
    }
    modules
}

#[test]
fn a_link_is_drawn_as_the_library_encodes_it() {
    let link = "https://host.example/#join=00112233445566778899aabbccddeeff";
    let qr = ask("qr", &json!(link)).expect("a code");
    let modules = drawn(&qr);
    let [mut code, mut work] = [(); 2].map(|()| vec![0; Version::MAX.buffer_len()]);
    let (least, most) = (Version::MIN, Version::MAX);
    let code = QrCode::encode_text(
        link,
        &mut work,
        &mut code,
        QrCodeEcc::Medium,
        least,
        most,
        None,
        true,
    );
    let code = code.expect("a code");
    assert_eq!(code.size(), 33);
    for (y, row) in (0..).zip(&modules) {
        for (x, dark) in (0..).zip(row) {
            assert_eq!(*dark, code.get_module(x, y), "{x} {y}");
        }
    }
    assert_eq!(refused("qr", &json!("x".repeat(3_000))), "BadRequest");
}

/// What is signed with a call on the local chain.
const EXTENSIONS: [&str; 10] = [
    "CheckNonZeroSender",
    "CheckSpecVersion",
    "CheckTxVersion",
    "CheckGenesis",
    "CheckMortality",
    "CheckNonce",
    "CheckWeight",
    "ChargeTransactionPayment",
    "EthSetOrigin",
    "WeightReclaim",
];

#[test]
fn a_prepared_call_says_what_it_does() {
    let of = |call: &[u8]| {
        let genesis = "0x".to_owned() + &"07".repeat(32);
        json!({
            "genesis": genesis,
            "method": hex(call),
            "extensions": EXTENSIONS,
            "metadata_hash": false,
        })
    };
    let mut call = vec![60, 1];
    [0xcc_u8; 20].encode_to(&mut call);
    Compact(5_000_000_000_000_u128).encode_to(&mut call);
    Compact(700_000_000_u64).encode_to(&mut call);
    Compact(20_000_u64).encode_to(&mut call);
    Compact(u128::MAX).encode_to(&mut call);
    vec![1_u8, 2, 3].encode_to(&mut call);
    let expected = json!({ "contract": {
        "pallet": 60,
        "contract": "0xcccccccccccccccccccccccccccccccccccccccc",
        "value": "5000000000000",
        "is_moderate": true,
        "deposit_limit": u128::MAX.to_string(),
        "input": "0x010203",
    } });
    assert_eq!(ask("substrate_call", &of(&call)), Ok(expected));
    let map = ask("substrate_call", &of(&[60, 7]));
    assert_eq!(map, Ok(json!({ "map_account": { "pallet": 60 } })));
    // Another call in front of it or behind it, of its form or of none.
    let batch = [&[40, 0, 4][..], &call].concat();
    let longer = [&call[..], &[0]].concat();
    let shorter = &call[..call.len() - 1];
    let numbered = [&[60, 2], &call[2..]].concat();
    for other in [
        &batch[..],
        &longer,
        shorter,
        &numbered,
        &[60, 4],
        &[60],
        &[],
    ] {
        assert_eq!(refused("substrate_call", &of(other)), "BadRequest");
    }
    // On Polkadot Hub the contracts are in another pallet.
    let mut on_hub = of(&call);
    on_hub["genesis"] = json!("0x68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f");
    on_hub["metadata_hash"] = json!(true);
    assert_eq!(refused("substrate_call", &on_hub), "OtherForm");
    // It compares the hash of its metadata, so that one is signed there.
    on_hub["method"] = json!(hex(&[90, 7]));
    let map = ask("substrate_call", &on_hub);
    assert_eq!(map, Ok(json!({ "map_account": { "pallet": 90 } })));
    on_hub["metadata_hash"] = json!(false);
    assert_eq!(refused("substrate_call", &on_hub), "OtherForm");
    let mut moved = EXTENSIONS;
    moved.swap(4, 5);
    let mut other = of(&call);
    other["extensions"] = json!(moved);
    assert_eq!(refused("substrate_call", &other), "OtherForm");
}

#[test]
fn contracts_are_where_their_deployer_and_code_say() {
    // CREATE2 as Ethereum has it: the address is that of pallet-revive's own rules.
    let deployer = Address([1; 20]);
    let (games, variants) = ([2; 32], [4; 32]);
    let asked = json!({
        "deployer": deployer.to_string(),
        "games": hex(&games),
        "variants": hex(&variants),
        "stakes": hex(&[&[0; 200], &b"the code"[..]].concat()),
        "genesis": hex(&[3; 32]),
    });
    let shown = ask("deployed", &asked).expect("addresses");
    let salt = b"connect4/contract/salt/fixed/v01";
    let deploying = include_str!("../../../client/src/contracts/deploy.rs");
    assert!(deploying.contains(&format!("*b\"{}\"", String::from_utf8_lossy(salt))));
    let place = |init_code: [u8; 32]| {
        let place = [&[0xff], &deployer.0[..], salt, &init_code].concat();
        Address::of_hash(&keccak_256(&place)).to_string()
    };
    assert_eq!(shown["games"], place(games));
    assert_eq!(shown["variants"], place(variants));
    let stakes = [&b"the code"[..], &[3; 32]].concat();
    assert_eq!(shown["stakes"], place(keccak_256(&stakes)));
    for bad in ["0x", "0x02"] {
        for name in ["games", "variants", "stakes", "genesis"] {
            let mut asked = asked.clone();
            asked[name] = bad.into();
            assert_eq!(refused("deployed", &asked), "BadRequest", "{name}");
        }
    }
}

#[test]
fn a_signed_transaction_has_the_hash_of_its_bytes() {
    let asked = json!({ "head": "0x8400", "signature": "0x0109", "tail": "0x0102" });
    let bytes = [&[6 << 2], &[0x84, 0, 1, 9, 1, 2][..]].concat();
    let hash = hex(&sp_crypto_hashing::blake2_256(&bytes));
    assert_eq!(ask("extrinsic", &asked), Ok(json!({ "hash": hash })));
}
