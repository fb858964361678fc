//! What accounts are owed: told and paid, also when nothing of the game is left.

use crate::run::{Commands, Node, signal};

/// One token, in its smallest unit.
const TOKEN: u128 = 10_000_000_000;

/// Alice challenges bob, who accepts, and so pays the deposit of the game and may free it.
fn accepted(commands: &Commands<'_>, game: u32) {
    commands.out("challenge --to bob --first me --stake 1 --bank 1h --bins 6 --capacity 4");
    let accepted = commands.out(&format!("accept --challenge {game} --yes"));
    assert!(accepted.contains(&format!("game {game}")), "{accepted}");
}

#[test]
fn who_is_owed_something_is_told_whichever_games_remain() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    accepted(&commands, 0);
    assert!(!commands.out("list").contains("is owed"));

    // The loser gives up, and frees the game at once.
    commands.out("resign --game 0 --account bob");
    let command = format!("connect4 withdraw --account alice --url {}", node.url);
    let told = format!("alice is owed 2 DOT, paid by\n  {command}\n");
    let shown = commands.out("show --game 0");
    assert!(shown.ends_with(&told), "{shown}");
    commands.out("free --game 0 --account bob");
    let listed = commands.out("list");
    assert!(
        listed.ends_with(&format!("    0  ended, its storage freed\n{told}")),
        "{listed}"
    );
    assert!(commands.out("list --account alice").ends_with(&told));
    assert!(!commands.out("list --account bob").contains("is owed"));
    let owed = commands.json("list");
    assert_eq!(owed["event"], "owed");
    assert_eq!(owed["amount"], (2 * TOKEN).to_string());
    assert_eq!(owed["games"], serde_json::json!([]));
    for line in ["show --game 0", "play --game 0 --seat red"] {
        let gone = commands.run(line).expect(3);
        assert_eq!(gone.out, told, "{line}");
        assert!(gone.err.contains("its storage was freed"), "{}", gone.err);
    }

    // A game that waits to be settled counts as well, and is settled with the next withdrawal.
    accepted(&commands, 1);
    for (turn, bin) in [6, 1, 5, 1, 4, 1, 3].into_iter().enumerate() {
        let name = ["alice", "bob"][turn % 2];
        commands.out(&format!("move --game 1 {bin} --account {name}"));
    }
    let shown = commands.json("show --game 1");
    assert_eq!(shown["players"][0]["owed"], (4 * TOKEN).to_string());
    assert_eq!(shown["players"][1]["owed"], "0");
    let owed = commands.json("list");
    assert_eq!(owed["amount"], (4 * TOKEN).to_string());
    assert_eq!(owed["games"], serde_json::json!(["1"]));
    let over = commands.run("play --game 1").expect(0);
    assert!(over.out.contains("alice is owed 4 DOT"), "{}", over.out);

    // The game that is named may be gone.
    let paid = commands.out("withdraw --game 0 --account alice");
    assert!(paid.contains("alice was paid 2 DOT"), "{paid}");
    let paid = commands.out("withdraw --account alice");
    assert!(paid.contains("alice was paid 2 DOT"), "{paid}");
    assert!(!commands.out("list").contains("is owed"));
    let nothing = commands.run("withdraw --account alice").expect(3);
    assert!(nothing.err.contains("nothing is owed"), "{}", nothing.err);
}

#[test]
fn a_winner_at_the_terminal_is_paid_although_the_loser_frees_the_game() {
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    for (game, has_moved) in [(0, false), (1, true)] {
        accepted(&commands, game);
        let mut red = commands.start(&format!("play --game {game} --seat red"));
        red.line_with("add shape: 1");
        if has_moved {
            red.say(5);
            red.line_with("waiting for blue");
        }
        // The program sees none of it until the game is gone.
        signal("STOP", red.child.id());
        commands.out(&format!("resign --game {game} --account bob"));
        commands.out(&format!("free --game {game} --account bob"));
        signal("CONT", red.child.id());
        red.line_with("winner: red by resignation");
        red.line_with("red was paid 2 DOT");
        red.end().expect(0);
    }
}
