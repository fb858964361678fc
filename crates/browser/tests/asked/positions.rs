//! Boards, legal bins, ends.

use serde_json::{Value, json};

use crate::{ask, refused};

/// Terms of a game of two with lines of four.
fn classic(bins: u8, capacity: u8) -> Value {
    json!({
        "shape": { "bins": bins, "capacity": capacity, "line": 4 }, "players": 2, "pop_out": false, "pie_rule": false,
        "powers": { "take": 0, "clear": 0, "float": 0 }, "limit": null,
    })
}

fn drops(terms: Value, bins: &[u8]) -> Value {
    let moves = bins.iter().map(|bin| json!({ "kind": "drop", "bin": bin }));
    json!({ "terms": terms, "moves": moves.collect::<Vec<_>>() })
}

#[test]
fn a_position_tells_whose_turn_it_is_and_what_is_legal() {
    let shown = ask("position", &drops(classic(6, 4), &[0, 0, 0, 0, 5])).expect("legal");
    assert_eq!(shown["to_move"], "blue");
    assert_eq!(shown["targets"]["drop"], json!([null, 0, 0, 0, 0, 1]));
    assert_eq!(shown["refusals"]["drop"][0], "the bin is full");
    let halted = drops(classic(6, 4), &[0, 0, 0, 0, 5]);
    let halted =
        json!({ "terms": halted["terms"], "moves": halted["moves"], "halted": "it waits" });
    let halted = ask("position", &halted).expect("legal");
    assert_eq!(
        halted["targets"]["drop"],
        json!([null, null, null, null, null, null])
    );
    assert_eq!(halted["refusals"]["drop"][3], "it waits");
    assert_eq!(shown["board"][0], json!(["red", "blue", "red", "blue"]));
    assert_eq!(shown["notation"], "11116");
    assert_eq!(shown["end"], json!(null));
}

#[test]
fn a_line_ends_the_game() {
    let moves = [3, 4, 3, 4, 3, 4, 3];
    let shown = ask("position", &drops(classic(7, 6), &moves)).expect("legal");
    assert_eq!(
        (&shown["end"], &shown["winner"]),
        (&json!("line"), &json!("red"))
    );
    assert_eq!(shown["winning_cells"].as_array().map(Vec::len), Some(4));
    assert_eq!(
        shown["targets"]["drop"],
        json!([null, null, null, null, null, null, null])
    );
    let beyond = drops(classic(7, 6), &[3, 4, 3, 4, 3, 4, 3, 4]);
    assert_eq!(refused("position", &beyond), "GameOver");
}

#[test]
fn moves_that_are_not_legal_are_refused() {
    let outside = drops(classic(7, 6), &[7]);
    assert_eq!(refused("position", &outside), "NoSuchBin");
    let full = drops(classic(7, 6), &[0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(refused("position", &full), "BinFull");
    let none = drops(classic(0, 6), &[]);
    assert_eq!(refused("position", &none), "BadShape");
}

#[test]
fn a_full_board_is_a_draw_of_a_classic_game() {
    let moves = [
        0, 1, 0, 2, 0, 0, 3, 1, 2, 1, 1, 2, 3, 3, 5, 3, 5, 5, 4, 4, 4, 5, 4, 2,
    ];
    let shown = ask("position", &drops(classic(6, 4), &moves)).expect("legal");
    assert_eq!(
        (&shown["end"], &shown["winner"]),
        (&json!("full board"), &json!(null))
    );
}

/// Between the moves of a variant players leave; what the terms do not have is no move.
#[test]
fn a_variant_is_played_again_with_powers_and_departures() {
    let mut terms = classic(7, 6);
    let taking = json!([
        { "kind": "drop", "bin": 0, "row": 0 }, { "kind": "take", "bin": 0, "row": 0 }, { "kind": "drop", "bin": 3 },
    ]);
    let plain = json!({ "terms": terms, "moves": taking });
    assert_eq!(refused("position", &plain), "NotInVariant");
    terms["players"] = json!(3);
    terms["powers"]["take"] = json!(1);
    let gone = json!([{ "player": "green", "turns": 2, "late": true }]);
    let shown = json!({ "terms": terms, "moves": taking, "departures": gone });
    let shown = ask("position", &shown).expect("legal");
    // Green has left: red moves after blue.
    assert_eq!(
        (&shown["to_move"], &shown["turns"]),
        (&json!("blue"), &json!(3))
    );
    assert_eq!(shown["board"][3], json!(["red"]));
    let taken = json!([{ "colour": "red", "bin": 0, "row": 0 }]);
    assert_eq!(shown["moves"][1]["removed"], taken);
    let left = |seat: usize| {
        json!([
            shown["players"][seat]["powers"]["take"],
            shown["players"][seat]["out"]
        ])
    };
    assert_eq!(
        [0, 1, 2].map(left),
        [json!([1, false]), json!([0, false]), json!([1, true])]
    );
    let late = json!([{ "player": "green", "turns": 4 }]);
    let late = json!({ "terms": terms, "moves": taking, "departures": late });
    assert_eq!(refused("position", &late), "BadRequest");
    let twice = json!([{ "player": "green", "turns": 2 }, { "player": "green", "turns": 2 }]);
    let twice = json!({ "terms": terms, "moves": taking, "departures": twice });
    assert_eq!(refused("position", &twice), "HasLeft");
}
