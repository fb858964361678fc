//! What a page asks, and is answered.
//!
//! | module | tests |
//! |---|---|
//! | `contracts` | bytes of calls and reads, and what contracts answer |
//! | `accounts` | accounts, addresses, session keys, and what wallets are asked to sign |
//! | `computer` | the computer that plays in the page |
//! | `players` | signed games, kept from step to step |
//! | `positions` | boards, legal bins, ends |
//! | `staked` | signed games with a stake |
//! | `junk` | requests that are none |

mod accounts;
mod computer;
mod contracts;
mod junk;
mod players;
mod positions;
mod staked;

use serde_json::{Value, from_slice, json};

fn ask(name: &str, asked: &Value) -> Result<Value, Value> {
    let request = json!({ name: asked });
    let answer = connect4_browser::answer(request.to_string().as_bytes());
    let mut answer: Value = from_slice(&answer).expect("the answer is JSON");
    match answer.get_mut("ok") {
        Some(value) => Ok(value.take()),
        None => Err(answer["error"].take()),
    }
}

/// The name of the reason for which a request is not answered.
fn refused(name: &str, asked: &Value) -> String {
    let error = ask(name, asked).expect_err("it is refused");
    assert!(!error["text"].as_str().expect("a text").is_empty());
    error["name"].as_str().expect("a name").into()
}

fn hex(bytes: &[u8]) -> String {
    format!("0x{}", hex::encode(bytes))
}

fn bytes(value: &Value) -> Vec<u8> {
    let text = value.as_str().expect("bytes are a text");
    hex::decode(text.strip_prefix("0x").expect("with 0x")).expect("digits")
}
