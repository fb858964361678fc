//! Fast games without a key.

use connect4_protocol::fast::wire::FromRelay;
use connect4_protocol::fast::{FIRST, Signature};
use connect4_testing::fast::FastPlay;
use serde_json::{Value, json};

use crate::ask;
use crate::table::{Play, from_relay};

fn watch(play: &Play, book: &Value, frame: Value) -> Value {
    let asked = json!({ "table": play.table(), "book": book, "frame": frame });
    ask("watch", &asked).expect("a watcher")
}

#[test]
fn a_watcher_takes_what_both_have_signed() {
    let play = Play::new();
    let seen = watch(&play, &Value::Null, Value::Null);
    assert_eq!(seen["state"]["moves"], json!([]));
    let position = |bins: &[u8]| from_relay(&FromRelay::Position(play.play.evidence(bins, None)));
    let seen = watch(&play, &seen["book"], position(&[3, 4, 3]));
    assert_eq!(seen["from_room"]["heard"], "news");
    let state = &seen["state"];
    assert_eq!(state["moves"], json!([3, 4, 3]));
    assert_eq!(
        (&state["signed"], &state["on_chain"]),
        (&json!(2), &json!(0))
    );
    assert_eq!(state["position"]["to_move"], "blue");
    // A relay that goes back is told what is known.
    let again = watch(&play, &seen["book"], position(&[3]));
    assert_eq!(again["from_room"]["heard"], "behind");
    assert_eq!(again["state"]["moves"], json!([3, 4, 3]));
    assert_eq!(Play::relayed(&again["send"][0]), position(&[3, 4, 3]));
}

#[test]
fn a_watcher_is_not_shown_what_was_not_signed() {
    let play = Play::new();
    let mut unsigned = play.play.evidence(&[3, 4], None);
    unsigned.signatures.two = Signature::NONE;
    let foreign = FastPlay::new(FIRST + 9).evidence(&[3, 4], None);
    for evidence in [unsigned, foreign] {
        let frame = from_relay(&FromRelay::Position(evidence));
        let seen = watch(&play, &Value::Null, frame);
        assert_eq!(seen["from_room"]["heard"], "bad");
        assert_eq!(seen["state"]["moves"], json!([]));
    }
}

#[test]
fn anyone_may_answer_for_a_player_who_is_away() {
    let mut play = Play::new();
    let frame = from_relay(&FromRelay::Position(
        play.play.evidence(&[3, 4, 3, 4], None),
    ));
    let seen = watch(&play, &Value::Null, frame);
    assert_eq!(seen["duty"], Value::Null);
    // Player two, who waits at the position that the chain knows, starts the clock of player one there.
    let account = play.chain.game.account_of(connect4_rules::Player::Two);
    play.chain.press(account, play.now).expect("it waits");
    let pressed = watch(&play, &seen["book"], Value::Null);
    assert_eq!(pressed["duty"]["message"], "advance");
    play.call(0, &pressed["duty"]).expect("signed by both");
    assert_eq!(play.chain.game.turns(), 4);
}
