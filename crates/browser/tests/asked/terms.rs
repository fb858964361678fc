//! Games by signed terms, a step at a time.

use codec::{DecodeAll as _, Encode as _};
use connect4_protocol::fast::Domain;
use connect4_protocol::fast::{
    Ending, FIRST, FastGame, Native, PackedSigned, PlayedGame, RecordedGame,
};
use connect4_protocol::fast::{Evidence, wire::FromRelay, wire::ToRelay};
use connect4_protocol::message::{Advance, ClaimFastTimeout, Record, StartSigned};
use connect4_protocol::{Address, Error, Match, Message, selector};
use connect4_testing::fast::TermsPlay;
use serde_json::{Value, json};

use crate::{ask, bytes, hex};

const NOW: u64 = 1_800_000_000;
const FAST: Address = Address([7; 20]);

/// Two pages, and the chain once the game is there.
struct Play {
    play: TermsPlay,
    books: [Value; 2],
    chain: Option<FastGame>,
    now: u64,
}

impl Play {
    fn new(nonce: u32) -> Self {
        let play = TermsPlay::guests(Domain::new(1, FAST), NOW, nonce);
        let mut begun = Self {
            play,
            books: [Value::Null, Value::Null],
            chain: None,
            now: NOW,
        };
        for page in [0, 1] {
            begun.step(page, json!("begin")).expect("new terms");
        }
        begun
    }

    /// The game as the chain starts it.
    fn started(&self) -> FastGame {
        let signed = PackedSigned::from(&self.play.signed_terms());
        let game = signed.start(Address([9; 20]), &self.play.domain, &Native);
        game.expect("signed by both")
    }

    fn step(&mut self, page: usize, step: Value) -> Result<Value, Value> {
        let keys = [&self.play.keys.one, &self.play.keys.two];
        let on_chain = self.chain.map(|game| {
            let answer: Result<Result<FastGame, Error>, ()> = Ok(Ok(game));
            json!({ "game": "f3", "answer": hex(&answer.encode()), "time": self.now })
        });
        let stepped = ask(
            "terms",
            &json!({
                "place": { "chain_id": 1, "contract": FAST.to_string() },
                "terms": hex(&self.play.signed_terms().encode()),
                "now": self.now,
                "random": 5,
                "secret": hex(&keys[page].secret()),
                "book": self.books[page],
                "on_chain": on_chain,
                "rematch": null,
                "step": step,
            }),
        )?;
        if !stepped["book"].is_null() {
            self.books[page] = stepped["book"].clone();
        }
        Ok(stepped)
    }

    /// Plays moves in turn; the other page hears each.
    fn played(&mut self, moves: &[Value]) {
        for (turn, step) in moves.iter().enumerate() {
            let page = turn % 2;
            let stepped = self.step(page, step.clone()).expect("its turn");
            let mut frame = bytes(&stepped["send"][0]);
            // What is heard may be answered: the loser agrees to a line.
            for hears in [1 - page, page] {
                let Ok(ToRelay::Position(evidence)) = ToRelay::decode_all(&mut &*frame) else {
                    panic!("a position");
                };
                let heard = hex(&FromRelay::Position(evidence).encode());
                let heard = self.step(hears, json!({ "hear": heard })).expect("valid");
                match heard["send"].get(0) {
                    Some(answer) => frame = bytes(answer),
                    None => break,
                }
            }
        }
    }

    /// Has the chain take what a page calls.
    fn advance(&mut self, call: &Value) {
        assert_eq!(call["message"], "advance");
        let input = bytes(&call["input"]);
        let arguments = input
            .strip_prefix(&selector(Advance::NAME))
            .expect("its call");
        let (game, press, evidence) =
            <(u32, bool, Evidence)>::decode_all(&mut &*arguments).expect("its arguments");
        assert_eq!((game, press), (FIRST + 3, false));
        let chain = self.chain.as_mut().expect("the game is on the chain");
        let taken = chain.advance(game, &evidence, &self.play.domain, &Native, self.now);
        taken.expect("it is due");
    }
}

fn drops(bins: &[u8]) -> Vec<Value> {
    bins.iter().map(|bin| json!({ "drop": bin })).collect()
}

fn input<M: Message>(message: &M) -> String {
    let mut input = selector(M::NAME).to_vec();
    message.encode_to(&mut input);
    hex(&input)
}

#[test]
fn the_first_disc_is_taken_over_by_the_pie_rule() {
    let mut play = Play::new(1);
    play.played(&[json!({ "drop": 3 }), json!("swap"), json!({ "drop": 2 })]);
    let looked = play.step(1, json!("look")).expect("a seat");
    let state = &looked["state"];
    assert_eq!(state["notation"], "4s3");
    assert_eq!(state["moves"], json!([3, 255, 2]));
    assert_eq!(state["pie_rule"], true);
    assert_eq!(state["position"]["swapped"], true);
    assert_eq!(state["position"]["turns"], 3);
    // Player one has blue on the board now, and red is to move; seats stay what they are.
    assert_eq!(state["position"]["board"][2], json!(["blue"]));
    assert_eq!(state["position"]["to_move"], "red");
    assert_eq!(state["player"], "blue");
    let refused = play.step(1, json!("swap")).expect_err("it is too late");
    assert_eq!(refused["name"], "NoSuchBin");
}

#[test]
fn a_game_is_taken_to_the_chain_and_won_by_the_clock() {
    let mut play = Play::new(2);
    play.played(&drops(&[3, 4]));
    let asked = play.step(1, json!("dispute")).expect("a seat");
    let signed = PackedSigned::from(&play.play.signed_terms());
    assert_eq!(asked["call"]["contract"], "records");
    assert_eq!(
        asked["call"]["input"],
        input(&StartSigned { fast: FAST, signed })
    );
    assert_eq!(asked["state"]["dispute"], Value::Null);
    let refused = play.step(1, json!("press")).expect_err("it is not there");
    assert_eq!(refused["name"], "NoSuchGame");

    play.chain = Some(play.started());
    let looked = play.step(1, json!("look")).expect("a seat");
    assert_eq!(looked["state"]["dispute"]["may_press"], true);
    assert_eq!(looked["state"]["dispute"]["runs"], false);
    // The press has the position with it, which the chain does not know.
    let pressed = play.step(1, json!("press")).expect("it waits");
    play.advance(&pressed["call"]);
    let looked = play.step(1, json!("look")).expect("a seat");
    let dispute = &looked["state"]["dispute"];
    assert_eq!(dispute["runs"], true);
    assert_eq!(dispute["to_move"], "red");
    assert_eq!(looked["state"]["deadline"], NOW + 300);
    assert_eq!(dispute["duty"], Value::Null);

    play.now += 301;
    let late = play.step(1, json!("look")).expect("a seat");
    let call = &late["state"]["dispute"]["duty"]["call"];
    assert_eq!(call["input"], input(&ClaimFastTimeout { game: FIRST + 3 }));
    let claimed = play.chain.as_mut().expect("it is there");
    claimed
        .claim_timeout(&Match::default(), play.now)
        .expect("the time is over");
    let over = play.step(1, json!("look")).expect("a seat");
    assert_eq!(over["state"]["position"]["end"], "timeout");
    assert_eq!(over["state"]["position"]["winner"], "blue");
    assert_eq!(over["state"]["dispute"]["winner"], "blue");
    assert_eq!(over["state"]["settled"], true);
    assert_eq!(over["state"]["record"], Value::Null);
}

#[test]
fn a_move_answers_the_clock_and_a_later_position_an_old_one() {
    let mut play = Play::new(3);
    play.played(&drops(&[3, 4]));
    let mut chain = play.started();
    let old = play
        .play
        .evidence(&[3, 4], Some(Ending::Press { until: NOW + 9 }));
    chain
        .advance(FIRST + 3, &old, &play.play.domain, &Native, NOW)
        .expect("it is pressed");
    play.chain = Some(chain);
    let moved = play.step(0, json!({ "drop": 3 })).expect("its turn");
    assert_eq!(moved["call"], Value::Null, "it is due");
    let duty = moved["state"]["dispute"]["duty"]["call"].clone();
    play.advance(&duty);
    let looked = play.step(0, json!("look")).expect("a seat");
    assert_eq!(looked["state"]["on_chain"], 3);
    assert_eq!(looked["state"]["dispute"]["runs"], false);
}

#[test]
fn a_game_of_the_same_players_is_not_taken_for_this_one() {
    let mut play = Play::new(4);
    play.played(&drops(&[3, 4]));
    let mut other = play.play.clone();
    other.terms.time += 1;
    let signed = PackedSigned::from(&other.signed_terms());
    let game = signed.start(Address([9; 20]), &other.domain, &Native);
    play.chain = Some(game.expect("signed by both"));
    let refused = play.step(1, json!("look")).expect_err("it is another game");
    assert_eq!(refused["name"], "OtherGame");
    play.chain = None;
    play.step(0, json!({ "drop": 3 })).expect("its turn");
}

#[test]
fn what_both_have_signed_at_the_end_is_recorded() {
    let mut play = Play::new(5);
    play.played(&drops(&[3, 4, 3, 4, 3, 4]));
    let going_on = play.step(0, json!("look")).expect("a seat");
    assert_eq!(going_on["state"]["record"], Value::Null);
    let last = play.step(0, json!({ "drop": 3 })).expect("its turn");
    assert_eq!(last["state"]["record"]["call"]["message"], "record");
    let mut frame = bytes(&last["send"][0]);
    for page in [1, 0] {
        let Ok(ToRelay::Position(evidence)) = ToRelay::decode_all(&mut &*frame) else {
            panic!("a position");
        };
        let heard = hex(&FromRelay::Position(evidence).encode());
        let heard = play.step(page, json!({ "hear": heard })).expect("valid");
        let Some(answer) = heard["send"].get(0) else {
            break;
        };
        frame = bytes(answer);
    }
    let over = play.step(0, json!("look")).expect("a seat");
    let ToRelay::Position(evidence) = ToRelay::decode_all(&mut &*frame).expect("a position") else {
        panic!("a position");
    };
    let game = RecordedGame::of(&PlayedGame {
        terms: play.play.terms,
        sessions: play.play.sessions,
        evidence,
    })
    .expect("guests");
    let record = &over["state"]["record"];
    let games = vec![game];
    assert_eq!(
        record["call"]["input"],
        input(&Record { fast: FAST, games })
    );
    let file = bytes(&record["file"]);
    assert!(file.starts_with(b"c4game\0") && file.ends_with(&game.encode()));
    game.check(&play.play.domain, &Native, NOW).expect("valid");
}
