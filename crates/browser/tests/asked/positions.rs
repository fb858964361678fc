//! Boards, legal bins, ends.

use serde_json::json;

use crate::{ask, refused};

#[test]
fn a_position_tells_whose_turn_it_is_and_what_is_legal() {
    let shape = json!({ "bins": 6, "capacity": 4, "line": 4 });
    let shown = ask(
        "position",
        &json!({ "shape": shape, "moves": [0, 0, 0, 0, 5] }),
    )
    .expect("legal");
    assert_eq!(shown["to_move"], "blue");
    assert_eq!(shown["bins"], json!([1, 2, 3, 4, 5]));
    assert_eq!(shown["board"][0], json!(["red", "blue", "red", "blue"]));
    assert_eq!(shown["notation"], "11116");
    assert_eq!(shown["end"], json!(null));
}

#[test]
fn a_line_ends_the_game() {
    let shape = json!({ "bins": 7, "capacity": 6, "line": 4 });
    let moves = [3, 4, 3, 4, 3, 4, 3];
    let shown = ask("position", &json!({ "shape": shape, "moves": moves })).expect("legal");
    assert_eq!(
        (&shown["end"], &shown["winner"]),
        (&json!("line"), &json!("red"))
    );
    assert_eq!(shown["winning_cells"].as_array().map(Vec::len), Some(4));
    let beyond = json!({ "shape": shape, "moves": [3, 4, 3, 4, 3, 4, 3, 4] });
    assert_eq!(refused("position", &beyond), "GameOver");
}

#[test]
fn moves_that_are_not_legal_are_refused() {
    let shape = json!({ "bins": 7, "capacity": 6, "line": 4 });
    let outside = json!({ "shape": shape, "moves": [7] });
    assert_eq!(refused("position", &outside), "NoSuchBin");
    let full = json!({ "shape": shape, "moves": [0, 0, 0, 0, 0, 0, 0] });
    assert_eq!(refused("position", &full), "BinFull");
    let none = json!({ "shape": { "bins": 0, "capacity": 6, "line": 4 }, "moves": [] });
    assert_eq!(refused("position", &none), "BadShape");
}
