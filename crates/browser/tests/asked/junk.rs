//! Requests that are none: each is answered, and none panics.

use connect4_browser::answer;
use connect4_testing::dice::Dice;
use serde_json::{Value, from_slice, json};

fn error(request: &[u8]) -> Value {
    let answer: Value = from_slice(&answer(request)).expect("the answer is JSON");
    answer["error"].clone()
}

#[test]
fn junk_is_a_bad_request() {
    let deep = "[".repeat(100_000);
    for junk in [
        "",
        "{",
        "null",
        "[]",
        "{}",
        "1e999",
        "\"call\"",
        "{\"x\":1}",
        &deep,
        "\u{0}",
    ] {
        assert_eq!(error(junk.as_bytes())["name"], "BadRequest");
    }
    assert_eq!(error(&[0xff, 0xfe])["name"], "BadRequest");
    let unknown = json!({ "call": { "start": {} } }).to_string();
    assert_eq!(error(unknown.as_bytes())["name"], "BadRequest");
}

#[test]
fn no_change_of_a_request_makes_it_panic() {
    let mut dice = Dice(7);
    let good = [
        json!({ "decode": { "read": { "read_game": { "game": "3" } }, "output": "0x0000" } }),
        json!({ "position": { "shape": { "bins": 7, "capacity": 6, "line": 4 }, "moves": [3, 3] } }),
        json!({ "call": { "drop_disc": { "game": "3", "bin": 2 } } }),
    ];
    for request in good {
        let request = request.to_string().into_bytes();
        for _ in 0..300 {
            let mut changed = request.clone();
            for _ in 0..=dice.below(3) {
                let place = dice.below(changed.len() as u64) as usize;
                changed[place] = dice.below(256) as u8;
            }
            // Its answer is JSON, whatever it is.
            let _: Value = from_slice(&answer(&changed)).expect("the answer is JSON");
        }
    }
}
