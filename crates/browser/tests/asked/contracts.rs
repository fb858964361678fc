//! Bytes of calls and reads, and what contracts answer.

use codec::Encode as _;
use connect4_protocol::message::{DropDisc, ReadGame, Resign, StartGame};
use connect4_protocol::signed::message::ReadDomain;
use connect4_protocol::signed::{Chain, Domain, StakesError};
use connect4_protocol::{Address, Error, Game, Message, selector};
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

#[test]
fn calls_are_the_bytes_that_the_program_sends() {
    let calls = [
        (
            json!({ "start_game": {
                "player_one": ALICE.to_string(), "player_two": BOB.to_string(),
                "shape": { "bins": 6, "capacity": 4, "line": 4 },
            } }),
            input(&StartGame {
                player_one: ALICE,
                player_two: BOB,
                shape: Shape::CLASSROOM.into(),
            }),
        ),
        (
            json!({ "drop_disc": { "game": "3", "bin": 6 } }),
            input(&DropDisc { game: 3, bin: 6 }),
        ),
        (
            json!({ "resign": { "game": "3" } }),
            input(&Resign { game: 3 }),
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
    let read = json!({ "read_game": { "game": "9" } });
    assert_eq!(ask("read", &read), Ok(input(&ReadGame { game: 9 })));
    let decode = |read: &Value, output: Vec<u8>| {
        let asked = json!({ "read": read, "output": hex(&[&[0], &*output].concat()) });
        ask("decode", &asked)
    };
    let mut game = Game::start(ALICE, BOB, Shape::CLASSROOM.into()).expect("two players");
    game.drop(ALICE, Bin::new(2)).expect("legal");
    let game: Result<Game, Error> = Ok(game);
    let shown = decode(&read, game.encode()).expect("a game");
    assert_eq!(shown["game"]["to_move"], "blue");
    assert_eq!(shown["game"]["board"][2], json!(["red"]));
    assert_eq!(
        shown["game"]["players"],
        json!([ALICE.to_string(), BOB.to_string()])
    );
    let none: Result<Game, Error> = Err(Error::NoSuchGame);
    let error = decode(&read, none.encode()).expect_err("the contract has refused");
    assert_eq!(error["name"], "NoSuchGame");
    for junk in ["0x", "0x00", "0x01", "0x0000ff", "0x02"] {
        let asked = json!({ "read": read, "output": junk });
        assert_eq!(refused("decode", &asked), "BadAnswer", "{junk}");
    }
}

#[test]
fn the_contract_of_the_stakes_says_for_which_chain_it_is() {
    let read = json!({ "read_domain": {} });
    assert_eq!(ask("read", &read), Ok(input(&ReadDomain {})));
    let domain: Result<Result<Domain, StakesError>, ()> = Ok(Ok(Domain {
        chain: Chain {
            id: 420_420_421,
            genesis: [7; 32],
        },
        stakes: Some(BOB),
    }));
    let shown = ask(
        "decode",
        &json!({ "read": read, "output": hex(&domain.encode()) }),
    );
    let place = json!({
        "chain_id": 420_420_421,
        "genesis": hex(&[7; 32]),
        "stakes": BOB.to_string(),
    });
    assert_eq!(shown, Ok(json!({ "domain": place })));
}
