//! A node that lies about its chain.

mod common;

use connect4_client::Client;
use connect4_testing::counting::Counting;
use tokio::spawn;

use common::{account, chain};

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
