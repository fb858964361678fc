//! Bytes of calls and reads, and what contracts answer.

use codec::Encode as _;
use connect4_protocol::message::{DropDisc, ReadGame, Resign, StartGame};
use connect4_protocol::signed::message::ReadDomain;
use connect4_protocol::signed::{Chain, Domain, StakesError};
use connect4_protocol::variants;
use connect4_protocol::variants::message::{
    FreeVariant, Join, Leave, MakeMove, OpenTable, ReadVariant, RemoveLate,
};
use connect4_protocol::{Address, Error, Game, Message, selector};
use connect4_rules::variant::Move;
use connect4_rules::{Bin, Cell, Shape};
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
        (
            json!({ "open_table": {
                "players": [ALICE.to_string(), BOB.to_string()], "variant": popping(), "limit": 60,
            } }),
            input(&OpenTable {
                players: vec![ALICE, BOB],
                variant: serde_json::from_value(popping()).expect("terms"),
                limit: Some(60),
            }),
        ),
        (
            json!({ "join": { "game": "v3" } }),
            input(&Join { game: 3 }),
        ),
        (
            json!({ "leave": { "game": "v3" } }),
            input(&Leave { game: 3 }),
        ),
        (
            json!({ "make_move": { "game": "v3", "action": { "kind": "take", "bin": 2, "row": 1 } } }),
            input(&MakeMove {
                game: 3,
                action: Move::Take(Cell::new(2, 1)),
            }),
        ),
        (
            json!({ "remove_late": { "game": "v3" } }),
            input(&RemoveLate { game: 3 }),
        ),
        (
            json!({ "free_variant": { "game": "v3" } }),
            input(&FreeVariant { game: 3 }),
        ),
    ];
    for (call, expected) in calls {
        assert_eq!(ask("call", &call), Ok(expected), "{call}");
    }
    for other in ["f3", "v3"] {
        let call = json!({ "drop_disc": { "game": other, "bin": 6 } });
        assert_eq!(refused("call", &call), "BadRequest", "{other}");
    }
    let plain = json!({ "join": { "game": "3" } });
    assert_eq!(refused("call", &plain), "BadRequest");
}

/// Terms for two with pop out, and a disc to take.
fn popping() -> Value {
    json!({
        "shape": { "bins": 7, "capacity": 6, "line": 4 }, "players": 2, "pop_out": true, "pie_rule": false,
        "powers": { "take": 1, "clear": 0, "float": 0 },
    })
}

#[test]
fn a_variant_is_read_with_what_each_player_has_left() {
    let read = json!({ "read_variant": { "game": "v9" } });
    assert_eq!(ask("read", &read), Ok(input(&ReadVariant { game: 9 })));
    let terms = serde_json::from_value(popping()).expect("terms");
    let mut game = variants::Game::open(ALICE, &[], terms, Some(60), 1_000).expect("a table");
    let decode = |game: &variants::Game| {
        let answer: Result<variants::Game, Error> = Ok(*game);
        let output = hex(&[&[0], &*answer.encode()].concat());
        ask("decode", &json!({ "read": read, "output": output })).expect("a game")["game"].clone()
    };
    let table = decode(&game);
    let joined = |game: &Value| json!([game["players"][0]["joined"], game["players"][1]["joined"]]);
    assert_eq!(joined(&table), json!([true, false]));
    assert_eq!(table["players"][1]["account"], json!(null));
    assert_eq!(
        (&table["named"], &table["deadline"]),
        (&json!(false), &json!(null))
    );
    game.join(BOB, 1_010).expect("a free seat");
    for (account, action) in [
        (ALICE, Move::Drop(Bin::new(0))),
        (BOB, Move::Take(Cell::new(0, 0))),
    ] {
        game.play(account, action, 1_020).expect("legal");
    }
    let shown = decode(&game);
    assert_eq!(
        (&shown["turns"], &shown["to_move"]),
        (&json!(2), &json!("red"))
    );
    assert_eq!(shown["deadline"], 1_080);
    assert_eq!(shown["terms"]["limit"], 60);
    assert_eq!(shown["players"][0]["powers"]["take"], 1);
    assert_eq!(shown["players"][1]["powers"]["take"], 0);
    game.leave(ALICE, 1_030).expect("a player");
    let ended = decode(&game);
    assert_eq!(
        (&ended["over"], &ended["winner"]),
        (&json!(true), &json!("blue"))
    );
    assert_eq!(ended["players"][0]["out"], true);
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
    let players = [ALICE, BOB].map(|account| account.to_string());
    let accounts = [0, 1].map(|seat| shown["game"]["players"][seat]["account"].clone());
    assert_eq!(
        accounts.map(|account| account.as_str().map(Into::into)),
        players.map(Some)
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
