//! The computer that plays in the page, and what moves are worth.

use std::time::Duration;

use connect4_browser::Mind;
use serde_json::{Value, from_slice, json};

fn ask_of(mind: &mut Mind, request: &Value) -> Result<Value, Value> {
    let mut answer: Value = from_slice(&mind.answer(request.to_string().as_bytes())).unwrap();
    match answer.get_mut("ok") {
        Some(value) => Ok(value.take()),
        None => Err(answer["error"].take()),
    }
}

/// The computer as a page asks it that has loaded the book.
fn mind() -> Mind {
    let mut mind = Mind::new(|| Duration::ZERO);
    let book = hex::encode(include_bytes!("../../../opponent/src/book.bin"));
    let read = json!({ "book": format!("0x{book}") });
    assert_eq!(ask_of(&mut mind, &read), Ok(Value::Null));
    mind
}

fn ask(request: &Value) -> Result<Value, Value> {
    ask_of(&mut Mind::new(|| Duration::ZERO), request)
}

/// Asks for a hint until all is known.
fn hint(mind: &mut Mind, moves: &str) -> Value {
    let asked = json!({ "hint": { "shape": shape(), "moves": moves } });
    loop {
        let hint = ask_of(mind, &asked).unwrap();
        if hint["is_complete"] == true {
            return hint;
        }
    }
}

fn shape() -> Value {
    json!({ "bins": 7, "capacity": 6, "line": 4 })
}

fn terms(players: u8, take: u8) -> Value {
    json!({
        "shape": shape(),
        "players": players,
        "pop_out": false,
        "pie_rule": false,
        "powers": { "take": take, "clear": 0, "float": 0 },
        "limit": null,
    })
}

#[test]
fn a_line_tells_what_can_be_done() {
    let line = ask(&json!({ "line": { "terms": terms(2, 0), "moves": "4441" } })).unwrap();
    assert_eq!(line["to_move"], "red");
    assert_eq!(line["turns"], 4);
    assert_eq!(line["targets"]["drop"], json!([1, 0, 0, 3, 0, 0, 0]));
    assert_eq!(line["moves"][3]["player"], "blue");
    let line = ask(&json!({ "line": { "terms": terms(3, 1), "moves": "12" } })).unwrap();
    assert_eq!(line["to_move"], "green");
    assert_eq!(
        line["targets"]["take"],
        json!([{ "bin": 0, "row": 0 }, { "bin": 1, "row": 0 }])
    );
    assert_eq!(line["players"].as_array().unwrap().len(), 3);
}

#[test]
fn one_more_move_is_made_or_refused_with_the_reason() {
    let then = |terms: &Value, moves: &str, action: Value| {
        ask(&json!({ "line": { "terms": terms, "moves": moves, "then": action } }))
    };
    let line = then(&terms(2, 0), "44", json!({ "kind": "drop", "bin": 6 })).unwrap();
    assert_eq!(line["notation"], "447");
    let refused = then(&terms(2, 0), "444444", json!({ "kind": "drop", "bin": 3 })).unwrap_err();
    assert!(
        refused["text"]
            .as_str()
            .unwrap()
            .contains("the bin is full")
    );
    then(&terms(2, 0), "44", json!({ "kind": "swap" })).unwrap_err();
    let take = json!({ "kind": "take", "bin": 0, "row": 0 });
    let line = then(&terms(3, 1), "1", take).unwrap();
    assert_eq!(line["turns"], 2);
    let again = json!({ "line": { "terms": terms(3, 1), "moves": line["notation"] } });
    assert_eq!(ask(&again).unwrap(), line);
}

#[test]
fn a_line_is_read_from_its_address_as_a_host_reads_it() {
    let line_of = |query: &[(&str, &str)]| ask(&json!({ "line_of": { "query": query } }));
    let board = [("bins", "7"), ("capacity", "6"), ("line", "4")];
    let with = |more: &[(&str, &str)]| line_of(&[&board[..], more].concat());
    let line = with(&[("moves", "4441"), ("move", "2")]).unwrap();
    let same = json!({ "line": { "terms": terms(2, 0), "moves": "4441" } });
    assert_eq!(line, ask(&same).unwrap());
    let line = with(&[("players", "3"), ("take", "1"), ("moves", "12")]).unwrap();
    let same = json!({ "line": { "terms": terms(3, 1), "moves": "12" } });
    assert_eq!(line, ask(&same).unwrap());
    // Of two values with one name the first one counts, as for the page.
    let line = with(&[("moves", "1"), ("moves", "x")]).unwrap();
    assert_eq!(line["notation"], "1");
    let refused = |answer: Result<Value, Value>| answer.unwrap_err()["text"].to_string();
    for (answer, words) in [
        (
            line_of(&[("moves", "44")]),
            "the address of a line has its board",
        ),
        (with(&[]), "the address of a line has its board"),
        (
            with(&[("players", "x"), ("moves", "")]),
            "`players` is a number from 0 to 255, and not `x`",
        ),
        (
            with(&[("pop_out", "1"), ("moves", "")]),
            "`pop_out` is `true` or `false`, and not `1`",
        ),
        (
            with(&[("moves", &"1".repeat(60))]),
            "the board has 42 cells",
        ),
    ] {
        let text = refused(answer);
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn every_level_chooses_a_move_that_follows_from_the_seed() {
    for level in ["random", "easy", "medium", "hard", "perfect"] {
        let choose =
            json!({ "choose": { "terms": terms(2, 0), "moves": "44", "level": level, "seed": 7 } });
        let chosen = ask_of(&mut mind(), &choose).unwrap();
        assert_eq!(chosen["kind"], "drop", "{level}");
        let again = ask_of(&mut mind(), &choose).unwrap();
        assert_eq!(again, chosen, "{level}");
    }
    let of_variant = json!({ "choose": { "terms": terms(4, 1), "moves": "4444", "level": "medium", "seed": 7 } });
    assert!(ask(&of_variant).unwrap()["kind"].is_string());
    let over = json!({ "choose": { "terms": terms(2, 0), "moves": "1212121", "level": "perfect", "seed": 7 } });
    assert_eq!(ask(&over).unwrap(), Value::Null);
}

#[test]
fn the_standard_board_is_known_whatever_was_asked_before() {
    let mut mind = mind();
    for moves in ["44444", "", "4"] {
        let hint = hint(&mut mind, moves);
        assert_eq!(hint["evaluation"]["value"], 1.0);
        let choose = json!({ "choose": { "terms": terms(2, 0), "moves": moves, "level": "perfect", "seed": 0 } });
        let bin = ask_of(&mut mind, &choose).unwrap()["bin"].clone();
        assert!(hint["best_bins"].as_array().unwrap().contains(&bin));
    }
}

/// The page loads it then: most positions are not in it.
#[test]
fn positions_of_the_opening_need_the_book() {
    let opening = json!({ "hint": { "shape": shape(), "moves": "4444412222" } });
    let mut mind = Mind::new(|| Duration::ZERO);
    assert_eq!(ask_of(&mut mind, &opening).unwrap_err()["name"], "NoBook");
    // The pie rule is no other game for a solver, also after a swap.
    let mut with_swap = terms(2, 0);
    with_swap["pie_rule"] = json!(true);
    for moves in ["", "4", "4s1"] {
        let choose = json!({ "choose": { "terms": with_swap, "moves": moves, "level": "perfect", "seed": 0 } });
        assert_eq!(ask_of(&mut mind, &choose).unwrap_err()["name"], "NoBook");
    }
    for bytes in ["0x", "0x0102"] {
        let no_book = ask_of(&mut mind, &json!({ "book": bytes })).unwrap_err();
        assert_eq!(no_book["name"], "BadRequest");
    }
    let later = json!({ "hint": { "shape": shape(), "moves": "444441222211" } });
    ask_of(&mut mind, &later).unwrap();
    let small =
        json!({ "hint": { "shape": { "bins": 6, "capacity": 4, "line": 4 }, "moves": "" } });
    assert_eq!(ask_of(&mut mind, &small).unwrap()["is_complete"], true);
}

/// It is known at once who wins, by a bin that keeps it.
#[test]
fn a_hint_says_who_wins_before_it_knows_how_soon() {
    let mut mind = mind();
    let asked = json!({ "hint": { "shape": shape(), "moves": "44444" } });
    let first = ask_of(&mut mind, &asked).unwrap();
    assert_eq!(
        (&first["is_complete"], &first["evaluation"]["words"]),
        (&json!(false), &json!("red wins"))
    );
    let all = hint(&mut mind, "44444");
    let mut bins = all["bins"].as_array().unwrap().iter();
    let best = bins.find(|it| it["bin"] == first["best_bins"][0]).unwrap();
    assert!(best["worth"]["loses_in"].is_u64(), "{best}");
}

#[test]
fn a_review_tells_what_the_last_move_gave_away() {
    let mut mind = mind();
    let mut review = |moves| {
        ask_of(
            &mut mind,
            &json!({ "review": { "shape": shape(), "moves": moves } }),
        )
    };
    let best = review("4").unwrap();
    assert_eq!((&best["mark"], &best["turn"]), (&json!(""), &json!(0)));
    let bad = review("1").unwrap();
    assert_eq!(bad["mark"], "??");
    assert_eq!(bad["best_bins"], json!([3]));
    assert_eq!(bad["made_words"], "loses in 20");
}

#[test]
fn what_is_out_of_bounds_or_illegal_is_refused() {
    let wide = json!({ "bins": 99, "capacity": 6, "line": 4 });
    for bad in [
        json!({ "line": { "terms": terms(2, 0), "moves": "8" } }),
        json!({ "line": { "terms": terms(9, 0), "moves": "" } }),
        json!({ "choose": { "terms": terms(2, 0), "moves": "", "level": "best", "seed": 0 } }),
        json!({ "choose": { "terms": terms(2, 0), "moves": "1111111", "level": "easy", "seed": 0 } }),
        json!({ "hint": { "shape": wide, "moves": "" } }),
        json!({ "hint": { "shape": shape(), "moves": "x" } }),
        json!({ "review": { "shape": shape(), "moves": "" } }),
        json!({ "review": { "shape": shape(), "moves": "12121211" } }),
        json!({ "nothing": 1 }),
    ] {
        let error = ask(&bad).expect_err("it is refused");
        assert_eq!(error["name"], "BadRequest", "{bad}");
        assert!(!error["text"].as_str().unwrap().is_empty());
    }
}
