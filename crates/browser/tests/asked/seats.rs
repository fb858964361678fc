//! Fast games, a step at a time.

use codec::{DecodeAll as _, Encode};
use connect4_protocol::fast::wire::{FromRelay, Present, Refusal, ToRelay, presence};
use connect4_protocol::fast::{Crypto as _, Ending, FIRST, Native, Signature};
use connect4_rules::{ByPlayer, Player};
use connect4_seat::{FirstJournal, Journal, SecondJournal};
use connect4_testing::fast::FastPlay;
use serde_json::{Value, json};

use crate::bytes;
use crate::table::{NUMBER, Play, from_relay};

const COLUMN: [u8; 6] = [3, 4, 3, 4, 3, 4];

#[test]
fn a_whole_game_needs_the_chain_at_its_end_only() {
    let mut play = Play::new();
    play.drop_all(&COLUMN);
    let won = play.step(0, json!({ "drop": 3 })).expect("legal");
    assert_eq!(won["state"]["position"]["winner"], "red");
    let duty = &won["state"]["duty"];
    assert_eq!(duty["patience"], 3, "the loser may agree yet");
    assert_eq!(won["state"]["is_lost"], false);
    play.deliver(0, &won);
    // The loser has agreed by itself.
    let settled = play.step(0, json!("look")).expect("a seat");
    let duty = &settled["state"]["duty"];
    assert_eq!(duty["patience"], 0);
    assert_eq!(duty["call"]["message"], "advance");
    let lost = play.step(1, json!("look")).expect("a seat");
    assert_eq!(lost["state"]["duty"], Value::Null, "it is the winner's");
    assert_eq!(lost["state"]["may_settle"], true);
    assert_eq!(lost["state"]["is_lost"], true);
    play.call(0, &duty["call"]).expect("signed by both");
    assert!(play.chain.is_final());
    let state = play.step(1, json!("look")).expect("a seat")["state"].clone();
    assert_eq!(
        (&state["settled"], &state["on_chain"]),
        (&json!(true), &json!(7))
    );
    assert_eq!(state["moves"], json!([3, 4, 3, 4, 3, 4, 3]));
    assert_eq!(state["bins"], json!([]));
}

#[test]
fn a_move_is_signed_once_whatever_was_lost_after_the_disk() {
    let mut play = Play::new();
    let first = play.step(0, json!({ "drop": 3 })).expect("legal");
    assert_ne!(first["book"], Value::Null, "it has to be kept");
    // The page is closed before it sends. Another one has the book.
    assert_eq!(play.refused(0, json!({ "drop": 4 })), "NotYourTurn");
    let welcome = from_relay(&FromRelay::Welcome { nonce: [9; 32] });
    let again = play.step(0, json!({ "hear": welcome })).expect("a seat");
    assert_eq!(again["send"][1], first["send"][0], "it is sent now");
    let told = play.step(0, json!("tell")).expect("a seat");
    assert_eq!(
        (&told["send"], &told["book"]),
        (&first["send"], &Value::Null)
    );
    assert_eq!(
        play.step(1, json!("tell")).expect("a seat")["send"],
        json!([])
    );
}

#[test]
fn a_player_joins_its_room_by_its_key() {
    let mut play = Play::new();
    let nonce = [9; 32];
    let welcome = from_relay(&FromRelay::Welcome { nonce });
    let joined = play.step(1, json!({ "hear": welcome })).expect("a seat");
    assert_eq!(joined["send"].as_array().map(Vec::len), Some(1));
    let frame = bytes(&joined["send"][0]);
    let Ok(ToRelay::Join { player, signature }) = ToRelay::decode_all(&mut &*frame) else {
        panic!("it joins first");
    };
    assert_eq!(player, Player::Two);
    let digest = presence(NUMBER, nonce, &play.play.domain, &Native);
    let signer = Native.recover(&digest, &signature);
    assert_eq!(signer, Some(play.play.keys.two.address()));
}

#[test]
fn what_is_forged_or_illegal_is_not_taken() {
    let mut play = Play::new();
    play.drop_all(&[3, 4]);
    let mut forged = play.play.evidence(&[3, 4, 5], None);
    forged.signatures.one = Signature::NONE;
    // By the keys of another game.
    let foreign = FastPlay::new(FIRST + 9).evidence(&[3, 4, 5], None);
    let illegal = play.play.evidence(&[3, 4, 7], None);
    let before = play.pages[1].book.clone();
    for (evidence, name) in [
        (forged, "BadSignature"),
        (foreign, "BadSignature"),
        (illegal, "NoSuchBin"),
    ] {
        let frame = from_relay(&FromRelay::Position(evidence));
        let heard = play.step(1, json!({ "hear": frame })).expect("a seat");
        assert_eq!(heard["from_room"]["heard"], "bad");
        assert_eq!(heard["from_room"]["bad"]["name"], name);
        assert_eq!((&heard["book"], &heard["send"]), (&Value::Null, &json!([])));
        assert_eq!(heard["state"]["moves"], json!([3, 4]));
    }
    assert_eq!(play.pages[1].book, before);
}

#[test]
fn who_knows_less_is_told() {
    let mut play = Play::new();
    play.drop_all(&[3, 4, 3]);
    let old = from_relay(&FromRelay::Position(play.play.evidence(&[3, 4], None)));
    let heard = play.step(0, json!({ "hear": old })).expect("a seat");
    assert_eq!(heard["from_room"]["heard"], "behind");
    let told = FromRelay::Position(play.play.evidence(&[3, 4, 3], None));
    assert_eq!(Play::relayed(&heard["send"][0]), from_relay(&told));
    let known = play
        .step(0, json!({ "hear": from_relay(&told) }))
        .expect("a seat");
    assert_eq!(known["from_room"]["heard"], "known");
    assert_eq!(known["send"], json!([]));
}

#[test]
fn a_draw_is_offered_heard_and_accepted() {
    let mut play = Play::new();
    play.drop_all(&[3, 4, 3]);
    // It is offered after the own move.
    assert_eq!(play.refused(1, json!("offer_draw")), "YourTurn");
    // The opponent could accept for as long as the clock of this machine is ahead.
    play.machine = Some(play.now + 86_400);
    assert_eq!(play.refused(0, json!("offer_draw")), "ClocksDiffer");
    play.machine = None;
    let offered = play.step(0, json!("offer_draw")).expect("the game goes on");
    assert_eq!(offered["state"]["draw_offer"], "red");
    assert_eq!(play.refused(0, json!("offer_draw")), "AlreadyOffered");
    play.deliver(0, &offered);
    // The offer is known in the next step, too.
    let looked = play.step(1, json!("look")).expect("a seat");
    assert_eq!(looked["state"]["draw_offer"], "red");
    let mut other = Play::new();
    other.pages.clone_from(&play.pages);
    other.step(1, json!("decline_draw")).expect("a seat");
    assert_eq!(other.refused(1, json!("accept_draw")), "NoOffer");
    // A declined offer that is sent again is none.
    let again = json!({ "hear": Play::relayed(&offered["send"][0]) });
    let heard = other.step(1, again).expect("a seat");
    assert_eq!(heard["from_room"]["heard"], "known");
    assert_eq!(heard["state"]["draw_offer"], json!(null));
    let accepted = play
        .step(1, json!("accept_draw"))
        .expect("there is an offer");
    assert_eq!(accepted["state"]["position"]["end"], "agreement");
    play.deliver(1, &accepted);
    // Who has accepted brings it; the other one does if that does not happen.
    let state = &accepted["state"];
    assert_eq!(
        (&state["duty"]["patience"], &state["is_lost"]),
        (&json!(0), &json!(false))
    );
    let other = play.step(0, json!("look")).expect("a seat");
    assert_eq!(other["state"]["duty"]["patience"], 10);
    let duty = accepted["state"]["duty"]["call"].clone();
    play.call(1, &duty).expect("signed by both");
    assert!(play.chain.is_final());
}

#[test]
fn a_resignation_stands() {
    let mut play = Play::new();
    play.drop_all(&[3, 4]);
    let resigned = play.step(1, json!("resign")).expect("the game goes on");
    assert_eq!(resigned["state"]["position"]["winner"], "red");
    play.deliver(1, &resigned);
    assert_eq!(play.refused(0, json!({ "drop": 0 })), "GameOver");
    let won = play.step(0, json!("settle")).expect("a seat");
    play.call(0, &won["call"]).expect("signed by both");
    assert!(play.chain.is_final());
}

#[test]
fn a_silent_opponent_is_pressed_and_loses_on_the_clock() {
    let mut play = Play::new();
    play.drop_all(&[3, 4, 3]);
    assert_eq!(play.refused(1, json!("press")), "YourTurn");
    let pressed = play.step(0, json!("press")).expect("it waits");
    assert_eq!(pressed["call"]["message"], "advance");
    play.call(0, &pressed["call"]).expect("signed by both");
    let waits = play.step(0, json!("look")).expect("a seat");
    assert_eq!(waits["state"]["duty"], Value::Null);
    assert_eq!(waits["state"]["deadline"], play.now + 600);
    play.now += 1_000;
    let late = play.step(0, json!("look")).expect("a seat");
    let claim = late["state"]["duty"]["call"].clone();
    assert_eq!(claim["message"], "claim_timeout");
    play.call(0, &claim).expect("late");
    assert!(play.chain.is_final());
}

#[test]
fn without_a_relay_moves_are_made_on_the_chain() {
    let mut play = Play::new();
    play.drop_all(&[3, 4]);
    // This one does not arrive.
    play.step(0, json!({ "drop": 3 })).expect("legal");
    let brought = play.step(0, json!("bring")).expect("a seat");
    play.call(0, &brought["call"]).expect("signed by both");
    let answered = play.step(1, json!({ "drop": 4 })).expect("its turn");
    assert_eq!(answered["call"]["message"], "drop_disc");
    assert_eq!(answered["send"], json!([]));
    assert_eq!(answered["state"]["plays_on_chain"], true);
    play.call(1, &answered["call"]).expect("its turn");
    assert_eq!(play.chain.game.turns(), 4);
}

#[test]
fn a_book_that_was_changed_signs_nothing() {
    let mut play = Play::new();
    play.drop_all(&[3, 4]);
    let good = play.pages[0].book.clone();
    let whole = bytes(&good);
    for place in [0, 8, 40, whole.len() - 1] {
        let mut changed = whole.clone();
        changed[place] ^= 1;
        play.pages[0].book = json!(crate::hex(&changed));
        assert_eq!(play.refused(0, json!({ "drop": 3 })), "DamagedBook");
    }
    play.pages[0].book = json!(crate::hex(&whole[..whole.len() - 1]));
    assert_eq!(play.refused(0, json!("look")), "DamagedBook");
    // The opponent's, or that of another game of the key.
    play.pages[0].book = play.pages[1].book.clone();
    assert_eq!(play.refused(0, json!("look")), "OtherGame");
    play.pages[0].book = good;
    play.step(0, json!({ "drop": 3 })).expect("its turn");
}

#[test]
fn a_host_can_not_change_players_keys_or_board_of_a_game_that_has_begun() {
    let mut play = Play::new();
    play.drop_all(&[3, 4]);
    let honest = play.chain;
    play.chain.keys.two = FastPlay::new(FIRST + 9).keys.two.address();
    assert_eq!(play.refused(0, json!({ "drop": 3 })), "OtherGame");
    play.chain = honest;
    play.step(0, json!({ "drop": 3 })).expect("its turn");
}

#[test]
fn a_seat_is_bound_to_its_game_by_what_is_kept_and_not_by_a_look() {
    let mut play = Play::new();
    let honest = play.chain;
    play.chain.keys.two = FastPlay::new(FIRST + 9).keys.two.address();
    let looked = play.step(0, json!("look")).expect("a seat");
    assert_eq!(looked["book"], Value::Null, "nothing is to be kept");
    // Earlier pages have kept an empty journal at the first look.
    let mut empty = b"c4page\0\x02".to_vec();
    empty.extend_from_slice(&[9; 32]);
    SecondJournal::from(Journal::default()).encode_to(&mut empty);
    let checksum = sp_crypto_hashing::blake2_256(&empty);
    empty.extend_from_slice(&checksum);
    play.chain = honest;
    for book in [Value::Null, json!(crate::hex(&empty))] {
        play.pages[0].book = book;
        let looked = play.step(0, json!("look")).expect("the truth is back");
        assert_eq!(looked["state"]["moves"], json!([]));
    }
    play.drop_all(&[3]);
    play.chain.keys.two = FastPlay::new(FIRST + 9).keys.two.address();
    assert_eq!(play.refused(0, json!("look")), "OtherGame");
}

#[test]
fn who_has_no_key_of_the_game_does_not_sit_down() {
    let mut play = Play::new();
    play.pages[0].secret = crate::hex(&FastPlay::new(FIRST + 9).keys.one.secret());
    assert_eq!(play.refused(0, json!("look")), "BadKey");
}

#[test]
fn what_the_relay_says_besides_is_passed_on() {
    let mut play = Play::new();
    let present = Present {
        players: ByPlayer {
            one: true,
            two: false,
        },
        watchers: 7,
    };
    let mut hear = |frame: Value| {
        let heard = play.step(0, json!({ "hear": frame })).expect("a seat");
        heard["from_room"].clone()
    };
    let told = hear(from_relay(&FromRelay::Present(present)));
    let expected = json!({ "players": { "red": true, "blue": false }, "watchers": 7 });
    assert_eq!(told["present"], expected);
    let told = hear(from_relay(&FromRelay::Refused(Refusal::Full)));
    let expected = json!({ "text": "it has no place for more", "closes": true });
    assert_eq!(told["refused"], expected);
    let told = hear(json!("0xff"));
    assert_eq!(told["refused"]["closes"], true);
}

/// An earlier layout of a sealed journal, as another module has left it on the disk of a page.
fn sealed(play: &Play, page: usize, layout: u8, journal: &impl Encode) -> Value {
    // The hash of the game is the same in all.
    let newer = bytes(&play.pages[page].book);
    let mut sealed = b"c4page\0".to_vec();
    sealed.push(layout);
    sealed.extend_from_slice(&newer[8..40]);
    journal.encode_to(&mut sealed);
    let checksum = sp_crypto_hashing::blake2_256(&sealed);
    sealed.extend_from_slice(&checksum);
    json!(crate::hex(&sealed))
}

#[test]
fn a_game_goes_on_with_what_an_older_page_has_kept() {
    let mut play = Play::new();
    play.drop_all(&[3, 4, 3]);
    let held = play.play.evidence(&[3, 4, 3], None);
    let first = FirstJournal {
        held,
        draw: None,
        dropped: None,
    };
    let second = SecondJournal::from(Journal {
        position: held,
        ..Journal::default()
    });
    let older = [sealed(&play, 1, 1, &first), sealed(&play, 1, 2, &second)];
    for older in older {
        play.pages[1].book = older;
        let moved = play.step(1, json!({ "drop": 5 })).expect("its turn");
        assert_eq!(moved["state"]["moves"], json!([3, 4, 3, 5]));
        // What is kept next is of the newer layout.
        assert_eq!(bytes(&moved["book"])[7], 3);
    }
    // The poison that an older page has taken is no evidence: the winner "resigns" at its own line.
    let line = [3, 4, 3, 4, 3, 4, 3];
    let poison = play
        .play
        .evidence(&line, Some(Ending::Resignation(Player::One)));
    let poisoned = FirstJournal {
        held: poison,
        ..first
    };
    play.pages[1].book = sealed(&play, 1, 1, &poisoned);
    let looked = play.step(1, json!("look")).expect("a seat");
    assert_eq!(looked["state"]["position"]["winner"], Value::Null);
    assert_eq!(looked["state"]["moves"], json!([]));
    assert_ne!(looked["book"], Value::Null, "it is kept without it");
}

#[test]
fn the_clock_of_the_machine_keeps_no_answer_back() {
    let mut play = Play::new();
    play.drop_all(&[3, 4, 3, 4]);
    // A stale position is pressed against red, and the machine is a day ahead.
    let account = play.chain.game.account_of(Player::Two);
    play.chain.press(account, play.now).expect("it waits");
    play.machine = Some(play.now + 86_400);
    let looked = play.step(0, json!("look")).expect("a seat");
    assert_eq!(looked["state"]["duty"]["call"]["message"], "advance");
    assert_eq!(looked["state"]["deadline"], play.now + 600);
    play.step(0, json!({ "drop": 3 })).expect("its turn");
}
