//! A node that lies about its chain.

use connect4_chain::Options;
use connect4_chain::runtime::{self, RuntimeCall, currency::UNITS};
use connect4_client::{Client, Contracts, Doubt, Error, GameId, Signer, Trust};
use connect4_protocol::message::StartGame;
use connect4_rules::{Bin, Shape};
use connect4_testing::counting::Counting;
use connect4_testing::metadata::{self, Metadata};
use connect4_testing::people::Account;
use connect4_testing::served;
use tokio::spawn;

use crate::common::{CODE, account, chain, deployed, start};

/// A node in front of a chain, with what it says of the chain's token and its name, in JSON.
async fn lying(properties: &str, name: &str) -> (Counting, connect4_chain::rpc::Server) {
    let (server, url) = chain().await;
    let node = Counting::before(url.trim_start_matches("ws://").into()).await;
    node.lie("system_properties", format!(r#""result":{properties}"#));
    node.lie("system_chain", format!(r#""result":{name}"#));
    (node, server)
}

/// A terminal obeys some characters, and marks of direction make an amount read as another one.
#[tokio::test]
async fn names_that_would_change_a_terminal_are_not_shown() {
    let (node, _server) = lying(
        r#"{"tokenDecimals":10,"tokenSymbol":"\u001b[2JD\u202eO\nT"}"#,
        r#""\u001b]0;Polkadot\u0007""#,
    )
    .await;
    let client = Client::connect(&node.url()).await.unwrap();
    assert_eq!(client.token().amount(15_000_000_000), "1.5 [2JD O T");
    assert_eq!(client.chain(), "]0;Polkadot");
}

#[tokio::test]
async fn names_without_an_end_are_cut_and_such_of_nothing_are_none() {
    let long = "D".repeat(10_000);
    let properties = format!(r#"{{"tokenDecimals":10,"tokenSymbol":"{long}"}}"#);
    let (node, _server) = lying(&properties, &format!("\"{long}\"")).await;
    let client = Client::connect(&node.url()).await.unwrap();
    assert_eq!(client.token().symbol.len(), 16);
    assert_eq!(client.chain().len(), 64);

    let (node, _server) = lying(r#"{"tokenDecimals":10,"tokenSymbol":" \u200e"}"#, r#""\n""#).await;
    let client = Client::connect(&node.url()).await.unwrap();
    assert_eq!(client.token().amount(0), "0 UNIT");
    assert_eq!(client.chain(), "a chain without a name");
}

/// No amount has more digits than 39, and text of so many thousand cannot be made.
#[tokio::test]
async fn decimals_that_no_amount_has_count_as_none() {
    for decimals in ["39", "70000", "4294967295", "-1", "\"10\""] {
        let properties = format!(r#"{{"tokenDecimals":{decimals},"tokenSymbol":"DOT"}}"#);
        let (node, _server) = lying(&properties, "\"Polkadot\"").await;
        let client = Client::connect(&node.url()).await.unwrap();
        let token = client.token().clone();
        // In a task of its own, as it would panic.
        let written = spawn(async move { (token.amount(15), token.parse("15").ok()) });
        assert_eq!(
            written.await.unwrap(),
            ("15 DOT".into(), Some(15)),
            "{decimals}"
        );
    }
}

#[tokio::test]
async fn errors_of_a_node_are_told_without_what_would_change_a_terminal() {
    let (node, _server) = lying(
        r#"{"tokenDecimals":10,"tokenSymbol":"DOT"}"#,
        "\"Polkadot\"",
    )
    .await;
    let client = Client::connect(&node.url()).await.unwrap();
    let error = format!(
        r#""error":{{"code":-32000,"message":"\u001b[2Jno\u202e","data":"{}"}}"#,
        "x".repeat(100_000)
    );
    node.lie("state_getStorage", error.clone());
    node.lie("state_queryStorageAt", error);
    let told = client
        .balance(&account("alice").account())
        .await
        .unwrap_err()
        .to_string();
    assert!(told.contains("[2Jno"), "{told}");
    assert!(!told.contains(['\u{1b}', '\u{202e}']), "{told:?}");
    assert!(told.len() < 2_000, "{} bytes", told.len());
}

/// Contracts on a chain, and the same by a node that reports these metadata.
async fn by_liar(
    change: impl Fn(&mut Metadata) + Send + Sync + 'static,
) -> (connect4_chain::rpc::Server, Counting, Contracts, Contracts) {
    let (chain, server, url) = served::open(Options::default()).await;
    let ethereum = Signer::from_secret(ETHEREUM).unwrap().account();
    let call = RuntimeCall::Balances(pallet_balances::Call::transfer_keep_alive {
        dest: runtime::AccountId::new(ethereum.0).into(),
        value: 100 * UNITS,
    });
    let paid = tokio::task::spawn_blocking(move || chain.submit(&Account::Alice.pair(), call));
    paid.await.unwrap().unwrap();
    let honest = deployed(&Client::connect(&url).await.unwrap()).await;
    let node = Counting::before(url.trim_start_matches("ws://").into()).await;
    metadata::lie(&node, change);
    let client = Client::connect(&node.url()).await.unwrap();
    let lied_to = Contracts::open(&client, honest.address(), CODE)
        .await
        .unwrap();
    (server, node, honest, lied_to)
}

/// Nothing was signed, as the error says, and nothing was sent.
fn assert_doubted<T: std::fmt::Debug>(node: &Counting, result: Result<T, Error>) -> Doubt {
    let error = result.unwrap_err();
    assert!(error.to_string().contains("nothing was signed"), "{error}");
    assert_eq!(node.submissions(), 0, "{error}");
    match error {
        Error::Doubtful { doubt, .. } => *doubt,
        error => panic!("{error}"),
    }
}

const ETHEREUM: &str =
    "ethereum:0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

/// Each way to sign: a move, a message, a transaction that is kept, a mapping; by accounts of both kinds.
async fn assert_signs_nothing(node: &Counting, contracts: &Contracts, game: GameId) {
    let client = contracts.client();
    for signer in [account("bob"), Signer::from_secret(ETHEREUM).unwrap()] {
        let dropped = contracts.drop_disc(&signer, game, Bin::new(0)).await;
        assert!(dropped.is_err(), "{dropped:?}");
        let started = contracts
            .start_game(
                &signer,
                signer.address(),
                account("alice").address(),
                Shape::STANDARD.into(),
            )
            .await;
        assert_doubted(node, started);
    }
    let bob = account("bob");
    let unmapped = format!("sr25519:0x{}", "17".repeat(32));
    let unmapped = Signer::from_secret(&unmapped).unwrap();
    let message = StartGame {
        player_one: bob.address(),
        player_two: account("alice").address(),
        shape: Shape::STANDARD.into(),
    };
    assert_doubted(node, contracts.keep(&bob, &message).await);
    assert_doubted(node, client.ensure_mapped(&unmapped).await);
}

#[tokio::test]
async fn a_call_that_the_metadata_make_a_transfer_is_not_signed() {
    let (_server, node, honest, lied_to) = by_liar(metadata::transfer_all).await;
    let bob = account("bob");
    let game = start(&honest, &bob, account("alice").address()).await;
    let before = honest.client().balance(&bob.account()).await.unwrap();
    assert_signs_nothing(&node, &lied_to, game).await;
    let after = honest.client().balance(&bob.account()).await.unwrap();
    assert_eq!(after, before);
}

/// Gives the runtime another name, as if it were one that this program does not know.
fn rename(metadata: &mut Metadata, name: &str) {
    let mut version = connect4_chain::runtime::VERSION;
    version.spec_name = name.to_owned().into();
    metadata::set_constant(metadata, "System", "Version", version);
}

#[tokio::test]
async fn what_differs_from_what_is_known_of_the_chain_is_told() {
    type Change = fn(&mut Metadata);
    let changes: [(Change, &str); 6] = [
        (
            |metadata| metadata::set_constant(metadata, "Revive", "ChainId", 1_u64),
            "the chain id 1, and on this chain it is 420420420",
        ),
        (
            |metadata| metadata::set_constant(metadata, "Revive", "DepositPerByte", 100_001_u128),
            "a byte's deposit 100001, and on this chain it is 100000 at most",
        ),
        (
            |metadata| metadata.extrinsic.signed_extensions.swap(1, 7),
            "not in the order of all chains",
        ),
        (
            |metadata| metadata.extrinsic.signed_extensions[7].identifier = "PayMallory".into(),
            "an unknown extension, PayMallory",
        ),
        (
            |metadata| {
                let again = metadata.extrinsic.signed_extensions[7].clone();
                metadata.extrinsic.signed_extensions.push(again);
            },
            "the extension ChargeTransactionPayment twice",
        ),
        (
            |metadata| rename(metadata, "statemint"),
            "does not know the chain",
        ),
    ];
    for (change, words) in changes {
        let (_server, node, honest, lied_to) = by_liar(change).await;
        let bob = account("bob");
        let game = start(&honest, &bob, account("alice").address()).await;
        let doubt = assert_doubted(&node, lied_to.drop_disc(&bob, game, Bin::new(0)).await);
        assert!(doubt.to_string().contains(words), "{words}: {doubt}");
    }
}

#[tokio::test]
async fn a_chain_that_is_not_known_is_trusted_once_and_compared_from_then_on() {
    let folder = tempfile::tempdir().unwrap();
    let trust = |new_chains| Trust {
        folder: Some(folder.path().join("data")),
        new_chains,
        without_metadata_hash: false,
    };
    let (_server, node, honest, lied_to) = by_liar(|metadata| rename(metadata, "elsewhere")).await;
    let trusting = |contracts: &Contracts, new_chains| {
        let client = contracts.client().clone().trusting(trust(new_chains));
        let address = contracts.address();
        async move {
            let contracts = Contracts::open(&client, address, CODE).await.unwrap();
            let (alice, bob) = (account("alice").address(), account("bob"));
            let shape = Shape::STANDARD.into();
            contracts
                .start_game(&bob, bob.address(), alice, shape)
                .await
        }
    };
    let doubt = assert_doubted(&node, trusting(&lied_to, false).await);
    assert!(
        matches!(doubt, Doubt::UnknownChain { pallet: 4, .. }),
        "{doubt}"
    );
    trusting(&lied_to, true).await.unwrap();
    // It is known now. A name of this project's runtimes makes nothing of it either.
    for change in [
        (|metadata| {
            rename(metadata, "elsewhere");
            metadata::transfer_all(metadata);
        }) as fn(&mut Metadata),
        |metadata| rename(metadata, "connect4-local"),
    ] {
        metadata::lie(&node, change);
        let client = Client::connect(&node.url()).await.unwrap();
        let again = Contracts::open(&client, honest.address(), CODE)
            .await
            .unwrap();
        let sent = node.submissions();
        let error = trusting(&again, false).await.unwrap_err().to_string();
        assert!(error.contains("nothing was signed"), "{error}");
        assert_eq!(node.submissions(), sent);
    }
    // What is kept and can't be read is no chain that was never seen.
    let file = folder.path().join("data/trusted-chains.json");
    std::fs::write(&file, "[{}]").unwrap();
    metadata::lie(&node, |metadata| rename(metadata, "elsewhere"));
    let client = Client::connect(&node.url()).await.unwrap();
    let again = Contracts::open(&client, honest.address(), CODE)
        .await
        .unwrap();
    for new_chains in [false, true] {
        let error = trusting(&again, new_chains).await.unwrap_err();
        assert!(error.to_string().contains("trusted-chains.json"), "{error}");
    }
}

/// How many bytes the two weights have with which the answer to a dry run begins: what was consumed and is required.
fn dry_run_weights(answer: &[u8]) -> Option<(usize, usize)> {
    let weight = |at: &[u8]| {
        let mut rest = at;
        <(codec::Compact<u64>, codec::Compact<u64>) as codec::Decode>::decode(&mut rest).ok()?;
        Some(at.len() - rest.len())
    };
    let consumed = weight(answer)?;
    Some((consumed, weight(&answer[consumed..])?))
}

/// A dry run is the node's word: what it says that a call takes is not allowed whatever it is.
#[tokio::test]
async fn a_dry_run_that_takes_more_than_any_call_is_not_signed() {
    let (_server, node, honest, lied_to) = by_liar(|_| {}).await;
    let bob = account("bob");
    let game = start(&honest, &bob, account("alice").address()).await;
    // The limits begin the answer: time and proof twice, as compact numbers of four bytes or more.
    node.twist(|request, answer| {
        request.contains("ReviveApi_call").then_some(())?;
        let (start, rest) = answer.split_once("\"0x")?;
        let (digits, end) = rest.split_once('"')?;
        let mut bytes = hex::decode(digits).ok()?;
        let (consumed, required) = dry_run_weights(&bytes)?;
        let much =
            codec::Encode::encode(&(codec::Compact(900_000_000_000_u64), codec::Compact(1_u64)));
        bytes.splice(consumed..consumed + required, much);
        Some(format!("{start}\"0x{}\"{end}", hex::encode(bytes)))
    });
    let doubt = assert_doubted(&node, lied_to.drop_disc(&bob, game, Bin::new(0)).await);
    assert!(
        matches!(doubt, Doubt::TooMuch { what: "time", .. }),
        "{doubt}"
    );
}

/// What a kept transaction may cost counts in a budget, so that a node may not say less than the chain can take.
#[tokio::test]
async fn a_kept_transaction_takes_no_more_than_it_says_whatever_a_node_reports() {
    let (_server, node, _, lied_to) = by_liar(|_| {}).await;
    // No deposit: behind both weights, the one at the end and the highest one.
    node.twist(|request, answer| {
        request.contains("ReviveApi_call").then_some(())?;
        let (start, rest) = answer.split_once("\"0x")?;
        let (digits, end) = rest.split_once('"')?;
        let mut bytes = hex::decode(digits).ok()?;
        let (consumed, required) = dry_run_weights(&bytes)?;
        for deposit in bytes.get_mut(consumed + required..)?.chunks_mut(17).take(2) {
            deposit.get_mut(1..)?.fill(0);
        }
        Some(format!("{start}\"0x{}\"{end}", hex::encode(bytes)))
    });
    let bob = account("bob");
    let message = StartGame {
        player_one: bob.address(),
        player_two: account("alice").address(),
        shape: Shape::STANDARD.into(),
    };
    let client = lied_to.client();
    let before = client.balance(&bob.account()).await.unwrap();
    let kept = lied_to.keep(&bob, &message).await.unwrap();
    assert_eq!(kept.deposit, 0, "the node has lied");
    client.pass_on(&kept.extrinsic).await.unwrap();
    while lied_to
        .search(kept.hash, kept.from)
        .await
        .unwrap()
        .found
        .is_none()
    {}
    let after = client.balance(&bob.account()).await.unwrap();
    let took = before - after;
    assert!(took <= kept.most, "took {took}, and {} at most", kept.most);
}

/// A node that says that a number is taken could have the same wish signed again and again, and keep all of it.
#[tokio::test]
async fn a_wish_is_signed_with_one_number_whatever_a_node_says() {
    use std::sync::atomic::{AtomicU64, Ordering};
    let (_server, node, honest, lied_to) = by_liar(|_| {}).await;
    let bob = account("bob");
    let game = start(&honest, &bob, account("alice").address()).await;
    let before = node.submissions();
    let asked = AtomicU64::new(0);
    node.twist(move |request, answer| {
        if request.contains("author_submitAndWatchExtrinsic") {
            let id = answer.split_once("\"id\":")?.1;
            let end = id.find([',', '}'])?;
            return Some(format!(
                r#"{{"jsonrpc":"2.0","id":{},"error":{{"code":1014,"message":"Priority is too low"}}}}"#,
                &id[..end]
            ));
        }
        request
            .contains("system_accountNextIndex")
            .then_some(())?;
        let next = asked.fetch_add(1, Ordering::Relaxed);
        let (start, rest) = answer.split_once("\"result\":")?;
        let end = rest.find([',', '}'])?;
        let honest: u64 = rest[..end].trim().parse().ok()?;
        Some(format!("{start}\"result\":{}{}", honest + next, &rest[end..]))
    });
    let dropped = lied_to.drop_disc(&bob, game, Bin::new(0)).await;
    assert!(
        matches!(dropped, Err(Error::Overtaken { .. })),
        "{dropped:?}"
    );
    assert_eq!(node.submissions() - before, 1);
}

/// By other decimals the amount that is signed is another one than its signer has typed and was shown.
#[tokio::test]
async fn an_amount_is_signed_in_the_units_of_the_chain() {
    for properties in [
        r#"{"tokenDecimals":12,"tokenSymbol":"DOT"}"#,
        r#"{"tokenDecimals":8,"tokenSymbol":"DOT"}"#,
        r#"{"tokenSymbol":"DOT"}"#,
    ] {
        let (_server, node, honest, _) = by_liar(|_| {}).await;
        node.lie("system_properties", format!(r#""result":{properties}"#));
        for name in ["bob", ETHEREUM] {
            let signer = Signer::from_secret(name).unwrap_or_else(|_| account(name));
            let client = Client::connect(&node.url()).await.unwrap();
            let lied_to = Contracts::open(&client, honest.address(), CODE)
                .await
                .unwrap();
            let shape = Shape::STANDARD.into();
            let alice = account("alice").address();
            let started = lied_to
                .start_game(&signer, signer.address(), alice, shape)
                .await;
            let doubt = assert_doubted(&node, started);
            assert!(doubt.to_string().contains("decimals"), "{doubt}");
        }
    }
}

/// A list that is said to have more entries than there are bytes would take all memory.
#[tokio::test]
async fn an_answer_that_says_it_is_long_ends_no_program() {
    let (_server, node, honest, lied_to) = by_liar(|_| {}).await;
    let game = start(&honest, &account("bob"), account("alice").address()).await;
    node.twist(|request, answer| {
        request.contains("ReviveApi_call").then_some(())?;
        let (start, rest) = answer.split_once("\"0x")?;
        let (digits, end) = rest.split_once('"')?;
        let bytes = hex::decode(digits).ok()?;
        // What the contract has returned is the end of the answer, behind its length: one of 2^30 in its place.
        let returned = (0..bytes.len()).find(|at| {
            let mut rest = &bytes[*at..];
            <codec::Compact<u32> as codec::Decode>::decode(&mut rest)
                .is_ok_and(|length| length.0 as usize == rest.len() && length.0 > 16)
        })?;
        let cut = hex::encode(&bytes[..returned]);
        Some(format!("{start}\"0x{cut}feffffff\"{end}"))
    });
    let shown: Result<Option<connect4_protocol::Game>, _> = lied_to.game(game).await;
    assert!(shown.is_err(), "{shown:?}");
}

/// Types that hold each other many times over take years to walk through.
#[tokio::test]
async fn an_extension_with_types_in_types_is_looked_at_for_a_moment() {
    let (_server, node, _, lied_to) = by_liar(|metadata| {
        use scale_info::{TypeDef, TypeDefTuple};
        let types = &mut metadata.types.types;
        let empty = types
            .iter()
            .find(
                |one| matches!(&one.ty.type_def, TypeDef::Tuple(inner) if inner.fields.is_empty()),
            )
            .expect("the unit type")
            .id;
        let mut inner = empty;
        for _ in 0..7 {
            let mut nested = types[empty as usize].clone();
            nested.id = u32::try_from(types.len()).unwrap();
            let mut tuple = TypeDefTuple::new_portable([]);
            tuple.fields = vec![inner.into(); 200];
            nested.ty.type_def = TypeDef::Tuple(tuple);
            inner = nested.id;
            types.push(nested);
        }
        let extension = metadata
            .extrinsic
            .signed_extensions
            .iter_mut()
            .find(|one| one.identifier == "CheckWeight")
            .expect("an extension that adds nothing");
        extension.identifier = "CheckWeighty".into();
        extension.ty = inner.into();
    })
    .await;
    let (alice, bob) = (account("alice").address(), account("bob"));
    let shape = Shape::STANDARD.into();
    let started = lied_to.start_game(&bob, bob.address(), alice, shape).await;
    assert_doubted(&node, started);
}
