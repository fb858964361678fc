//! Two programs behind a relay that lies.

use connect4_testing::malicious::{InBackground, Trick};

use super::{GAME, agree, sit};
use crate::relay::Relay;
use crate::run::{Commands, Node};

/// Plays a whole game for a stake behind such a relay. Each player presses the clock after a move, as
/// one does who sees no answer: so the chain tells what the relay does not.
fn played_behind(trick: Trick, seed: u64) {
    println!("{trick:?}, seed {seed}");
    let node = Node::start(&["--tmp"]);
    let commands = Commands { node: &node };
    agree(&commands, "--stake 1 --bank 10m");
    let honest = Relay::on(&node);
    let addr = honest.addr.parse().expect("an address");
    let relay = InBackground::start(addr, trick, seed);
    let url = format!("--relay ws://{}", relay.addr());
    let mut red = sit(&commands, "red", &url);
    let mut blue = sit(&commands, "blue", &url);
    // From now on it tells of each move.
    blue.line_with("relay: ");
    for (turn, bin) in GAME.into_iter().enumerate() {
        let (mover, other, colour) = match turn % 2 {
            0 => (&mut red, &mut blue, "red"),
            _ => (&mut blue, &mut red, "blue"),
        };
        mover.line_with(&format!("add shape: {}, player: {colour}", turn + 1));
        mover.say(bin);
        let dropped = format!("{colour} into bin {bin}");
        mover.line_with(&dropped);
        if turn + 1 < GAME.len() {
            mover.say("press");
        }
        other.line_with(&dropped);
    }
    // The loser's agreement may not arrive; then the winner would wait until the line can't be contested
    // any more. So the loser brings it, unless the winner was faster.
    while let Some(line) = blue.next_line() {
        if line.contains("`settle`") {
            blue.say("settle");
            break;
        }
    }
    let red = red.end().expect(0);
    assert!(red.out.contains("red was paid 2 DOT"), "{}", red.out);
    let blue = blue.end().expect(0);
    assert_eq!(blue.out.lines().last(), Some("winner: red"));
    let game = commands.json("show --game f0");
    assert_eq!(game["turns"], GAME.len());
    assert_eq!(game["winner"], "red");
    honest.stop().expect(0);
}

#[test]
fn behind_a_relay_that_lies_the_game_ends_as_it_should() {
    for (seed, trick) in Trick::ALL.into_iter().enumerate() {
        played_behind(trick, seed as u64);
    }
}
