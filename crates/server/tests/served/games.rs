//! Requests of games, and what is answered, as tests make and read them.

use connect4_protocol::{Message, selector};
use serde_json::{Value, json};

use super::{Answer, Browser};

pub fn moved(text: &str) -> Value {
    use connect4_rules::variant::Move;
    match text.parse().expect("a move") {
        Move::Drop(bin) => json!({ "kind": "drop", "bin": bin.index() }),
        Move::Pop(bin) => json!({ "kind": "pop", "bin": bin.index() }),
        Move::Take(cell) => json!({ "kind": "take", "bin": cell.bin.index(), "row": cell.row }),
        Move::Clear(row) => json!({ "kind": "clear", "row": row }),
        Move::Float(cell) => json!({ "kind": "float", "bin": cell.bin.index(), "row": cell.row }),
        Move::Swap => json!({ "kind": "swap" }),
    }
}

/// Terms on the standard board with a line of three.
pub fn terms(players: u8, limit: Option<u32>) -> Value {
    json!({
        "shape": { "bins": 7, "capacity": 6, "line": 3 },
        "players": players,
        "pop_out": false,
        "pie_rule": false,
        "powers": { "take": 0, "clear": 0, "float": 0 },
        "limit": limit,
    })
}

/// Terms with pop out and one of each power.
pub fn all_terms(players: u8) -> Value {
    let mut terms = terms(players, None);
    terms["pop_out"] = json!(true);
    terms["powers"] = json!({ "take": 1, "clear": 1, "float": 1 });
    terms
}

pub fn people(names: &[&str]) -> Value {
    let seats = names
        .iter()
        .map(|name| json!({ "account": name, "level": null }));
    Value::Array(seats.collect())
}

/// Selector and arguments of a call, in digits.
pub fn input<M: Message>(message: &M) -> String {
    let input = [&selector(M::NAME)[..], &message.encode()].concat();
    format!("0x{}", hex::encode(input))
}

/// Checks that a request was refused, with this status, kind and words.
#[track_caller]
pub fn refused((status, body): Answer, expected: u16, kind: &str, words: &str) {
    assert_eq!(status, expected, "{body}");
    assert_eq!(body["kind"], kind, "{body}");
    let error = body["error"].as_str().unwrap_or_default();
    assert!(error.contains(words), "{words:?} is not in {error:?}");
}

/// Starts a game between people of the host, and returns its number.
pub async fn start(host: &Browser, terms: Value, names: &[&str]) -> String {
    let body = json!({ "kind": "variant", "terms": terms, "seats": people(names) });
    let started = host.done("/api/games", body).await;
    started["game"].as_str().expect("a number").to_owned()
}

pub async fn play(browser: &Browser, game: &str, text: &str) -> Answer {
    let path = format!("/api/games/{game}/move");
    browser.post(&path, json!({ "move": moved(text) })).await
}

/// Makes moves that all have to be taken, with the keys of one browser.
pub async fn play_all(browser: &Browser, game: &str, moves: &[&str]) {
    for text in moves {
        let (status, body) = play(browser, game, text).await;
        assert_eq!(status, 200, "{text}: {body}");
    }
}

pub async fn act(browser: &Browser, game: &str, act: &str, account: &str) -> Answer {
    let path = format!("/api/games/{game}/act");
    let body = json!({ "act": act, "account": account });
    browser.post(&path, body).await
}
