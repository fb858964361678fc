//! Bytes of calls and reads, and what contracts answer.

use codec::Encode as _;
use connect4_protocol::message::{Accept, DropDisc, MakeChallenge, OpenChallenge, Withdraw};
use connect4_protocol::{
    Address, Challenge, ClockSpec, Error, Game, Match, Message, Pace, Page, Terms, selector,
};
use connect4_rules::{Bin, Shape};
use serde_json::{Value, json};

use crate::{ask, hex, refused};

const ALICE: Address = Address([0xa1; 20]);
const BOB: Address = Address([0xb0; 20]);

fn input<M: Message>(message: &M) -> Value {
    let mut input = selector(M::NAME).to_vec();
    message.encode_to(&mut input);
    json!({ "contract": M::CONTRACT.to_string(), "message": M::NAME, "input": hex(&input) })
}

fn challenge() -> Challenge {
    let terms = Terms {
        shape: Shape::STANDARD.into(),
        clock: Some(ClockSpec {
            bank: 600,
            increment: 5,
        }),
        // Beyond the numbers that JavaScript knows exactly.
        stake: u128::MAX / 3,
    };
    Challenge::new(ALICE, Some(BOB), true, terms).expect("good terms")
}

fn challenge_json() -> Value {
    json!({
        "challenger": ALICE.to_string(),
        "opponent": BOB.to_string(),
        "challenger_first": true,
        "expires": null,
        "shape": { "bins": 7, "capacity": 6, "line": 4 },
        "clock": { "bank": 600, "increment": 5 },
        "stake": (u128::MAX / 3).to_string(),
    })
}

#[test]
fn calls_are_the_bytes_that_the_program_sends() {
    let calls = [
        (
            json!({ "make_challenge": {
                "opponent": null, "challenger_first": false,
                "shape": { "bins": 6, "capacity": 4, "line": 4 },
                "clock": null, "expires": 1_800_000_000_u64,
            } }),
            input(&MakeChallenge {
                opponent: None,
                challenger_first: false,
                shape: Shape::CLASSROOM.into(),
                clock: None,
                expires: Some(1_800_000_000),
                pace: Pace::Classic,
            }),
        ),
        (
            json!({ "accept": { "challenge": 9, "seen": challenge_json() } }),
            input(&Accept {
                challenge: 9,
                key: None,
                seen: challenge(),
            }),
        ),
        (
            json!({ "drop_disc": { "game": "3", "bin": 6 } }),
            input(&DropDisc { game: 3, bin: 6 }),
        ),
        (
            json!({ "withdraw": { "games": ["1", "2"] } }),
            input(&Withdraw { games: vec![1, 2] }),
        ),
    ];
    for (call, expected) in calls {
        assert_eq!(ask("call", &call), Ok(expected), "{call}");
    }
    for other in ["f3", "v3"] {
        let call = json!({ "drop_disc": { "game": other, "bin": 6 } });
        assert_eq!(refused("call", &call), "BadRequest", "{other}");
    }
}

#[test]
fn what_is_read_is_asked_and_decoded() {
    let read = json!({ "open_challenge": { "challenge": 9 } });
    let asked = ask("read", &read);
    assert_eq!(asked, Ok(input(&OpenChallenge { challenge: 9 })));
    // As ink! wraps it.
    let answer: Result<Result<Challenge, Error>, ()> = Ok(Ok(challenge()));
    let decoded = ask(
        "decode",
        &json!({ "read": read, "output": hex(&answer.encode()) }),
    );
    assert_eq!(decoded, Ok(json!({ "challenge": challenge_json() })));
    let none: Result<Result<Challenge, Error>, ()> = Ok(Err(Error::NoSuchChallenge));
    let asked = json!({ "read": read, "output": hex(&none.encode()) });
    assert_eq!(refused("decode", &asked), "NoSuchChallenge");
    for junk in ["0x", "0x00", "0x01", "0x0000ff", "0x02"] {
        let asked = json!({ "read": read, "output": junk });
        assert_eq!(refused("decode", &asked), "BadAnswer", "{junk}");
    }
}

#[test]
fn every_kind_of_record_is_decoded() {
    let decode = |read: Value, output: Vec<u8>| {
        ask(
            "decode",
            &json!({ "read": read, "output": hex(&[&[0], &*output].concat()) }),
        )
        .expect("an answer")
    };
    let mut game = Game::start(ALICE, BOB, Shape::CLASSROOM.into()).expect("two players");
    game.drop(ALICE, Bin::new(2), 0).expect("legal");
    let game: Result<Game, Error> = Ok(game);
    let shown = decode(json!({ "read_game": { "game": "3" } }), game.encode());
    assert_eq!(shown["game"]["to_move"], "blue");
    assert_eq!(shown["game"]["board"][2], json!(["red"]));
    assert_eq!(
        shown["game"]["players"],
        json!([ALICE.to_string(), BOB.to_string()])
    );

    let state: Result<Match, Error> = Ok(Match {
        stake: 5,
        next: Some(1),
        ..Match::default()
    });
    let shown = decode(json!({ "match_of": { "game": "0" } }), state.encode());
    assert_eq!(shown["match"]["stake"], "5");
    assert_eq!(shown["match"]["next"], "1");

    let page: Result<Page, Error> = Ok(Page {
        challenges: vec![(9, challenge())],
        next: Some(4),
    });
    let read = json!({ "open_challenges": { "from": null, "limit": 10 } });
    let shown = decode(read, page.encode());
    let listed = json!({ "challenge": 9, "terms": challenge_json() });
    let expected = json!({ "challenges": { "challenges": [listed], "next": 4 } });
    assert_eq!(shown, expected);

    let read = json!({ "credit_of": { "account": ALICE.to_string() } });
    assert_eq!(decode(read, 7_u128.encode()), json!({ "amount": "7" }));
    let shown = decode(json!({ "games_contract": {} }), BOB.encode());
    assert_eq!(shown, json!({ "address": BOB.to_string() }));
    let shown = decode(json!({ "version": {} }), Ok::<u32, Error>(3).encode());
    assert_eq!(shown, json!({ "number": 3 }));
}

#[test]
fn a_refusal_is_told_from_any_other_answer() {
    let told = |output: &[u8]| ask("refusal", &json!(hex(output)));
    assert_eq!(told(&[0, 0, 1, 2, 3]), Ok(Value::Null));
    let error = told(&[0, 1, 4]).expect("it is understood");
    assert_eq!(error["name"], "BinFull");
    assert!(
        error["text"]
            .as_str()
            .is_some_and(|text| text.contains("full"))
    );
    for junk in [&[][..], &[0], &[0, 1], &[0, 1, 255], &[1, 1], &[3]] {
        let asked = json!(hex(junk));
        assert_eq!(refused("refusal", &asked), "BadAnswer", "{junk:?}");
    }
}
