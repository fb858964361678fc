//! All that a cheat can do to an honest player within bounds, looked at state by state.
//!
//! One state is the chain, the honest player's program (a real [`Player`]), the cheat's signatures and what the honest
//! player has ever held. From each state all steps are tried that the cheat, a lying node, replaced blocks, time and the
//! honest player's own decisions allow; each state is looked at once. CONTRIBUTING.md says what that covers, and how to
//! run it with larger bounds.
//!
//! | module | has |
//! |---|---|
//! | `key` | cryptography of the model |
//! | `cheating` | what a cheat has signed, and can bring |
//! | `check`, `state`, `steps` | what all searches have in common |
//! | `starts` | positions from which searches begin |
//! | `search` | the search through all states |
//! | `staked`, `staked_cheat`, `staked_check` | games with a stake, from the offer to the payment |
//! | `staked_table` | two honest players in such a game, and a relay between them |
//! | `staked_guard` | a guard of such a game, whose player's program does not run |
//! | `staked_walks` | random walks through these |
//! | `witnessed` | games without a stake, in the room of a witness, honest or not |
//!
//! [`Player`]: connect4_seat::Player

mod cheating;
mod check;
mod key;
mod search;
mod staked;
mod staked_cheat;
mod staked_check;
mod staked_guard;
mod staked_table;
mod staked_walks;
mod starts;
mod state;
mod steps;
mod witnessed;

use connect4_protocol::signed::Moves;
use connect4_rules::Player;
use connect4_testing::sequences::number;

use self::search::{Searched, search};
use self::starts::{Start, after, find, wins};
use self::state::Left;

/// Environment variable with the most states of one search. Then it may end before it has seen all.
const STATES: &str = "CONNECT4_STATES";

/// Seconds since a search began, as a person reads them.
fn clock(time: u64) -> String {
    format!("{:+} s", i128::from(time) - i128::from(state::START))
}

/// Bounds that the environment asks for, or as usual.
fn bounds(usual: Left) -> Left {
    let bound = |name: &str, usual: u8| {
        number(name).map_or(usual, |asked| asked.try_into().expect("a small number"))
    };
    Left {
        statements: bound("CONNECT4_STATEMENTS", usual.statements),
        restarts: bound("CONNECT4_RESTARTS", usual.restarts),
        forks: bound("CONNECT4_FORKS", usual.forks),
        lies: bound("CONNECT4_LIES", usual.lies),
        jumps: bound("CONNECT4_JUMPS", usual.jumps),
        offers: bound("CONNECT4_OFFERS", usual.offers),
        accepts: bound("CONNECT4_ACCEPTS", usual.accepts),
        resigns: bound("CONNECT4_RESIGNS", usual.resigns),
        tricks: bound("CONNECT4_TRICKS", usual.tricks),
        late: bound("CONNECT4_LATE", usual.late),
    }
}

/// Looks at all states from this one on, which comes after these moves, and prints how many they are; if there are more than
/// so many, at those that are the fewest steps away.
///
/// # Panics
///
/// If the honest player suffers anything, with the steps that lead to it.
fn look_at_most<W: Searched>(
    world: &W,
    first: &W::State,
    honest: &str,
    moves: &[u8],
    (bounds, most): (Left, Option<usize>),
) {
    let asked = number(STATES).map(|most| most as usize).or(most);
    let seen = search(world, first, asked.unwrap_or(usize::MAX));
    let told = format!(
        "{honest}, after {}, {bounds:?}: {} states, {} ends, {:.1} s",
        check::text(moves),
        seen.states,
        seen.ends,
        seen.seconds
    );
    println!("{told}");
    if let Some((violation, path)) = seen.violation {
        panic!("{violation}\n{told}\n{}\n{}", after(moves), path.join("\n"));
    }
    assert!(seen.is_complete || asked.is_some(), "it has seen all");
}

/// Both have signed all moves, the cheat is to move, and has missed a win at its move before.
fn missed(honest: Player, free: usize) -> Start {
    let moves = find(1, free, |moves| !wins(&moves[..moves.len() - 2]).is_empty());
    assert_eq!(after(&moves).to_move(), honest.opponent());
    Start::new(moves, honest)
}

/// The honest player is to move and can make a line, as the cheat has missed one with its last move.
fn winning(honest: Player, free: usize) -> Start {
    let moves = find(1, free, |moves| {
        !wins(moves).is_empty() && !wins(&moves[..moves.len() - 1]).is_empty()
    });
    assert_eq!(after(&moves).to_move(), honest);
    Start::new(moves, honest)
}

const NONE: Left = Left {
    statements: 0,
    restarts: 0,
    forks: 0,
    lies: 0,
    jumps: 0,
    offers: 0,
    accepts: 0,
    resigns: 0,
    tricks: 0,
    late: 0,
};

/// A search about a game with a stake.
fn look_at_stakes(world: &staked::World, usual: Left, most: Option<usize>) {
    let bounds = bounds(usual);
    let first = world.state(bounds);
    let honest = format!("a stake, the honest player is {}", world.honest);
    look_at_most(world, &first, &honest, &world.base, (bounds, most));
}

fn look_at_stakes_of(starts: &[Start], usual: Left) {
    for start in starts {
        let world = staked::World::new(start.honest, &start.moves);
        look_at_stakes(&world, usual, Some(60_000));
    }
}

#[test]
fn stakes_whatever_is_signed() {
    let left = Left {
        statements: 1,
        jumps: 1,
        ..NONE
    };
    look_at_stakes_of(&[missed(Player::One, 3), winning(Player::One, 2)], left);
}

#[test]
fn stakes_whatever_is_decided() {
    let left = Left {
        statements: 1,
        jumps: 1,
        offers: 1,
        accepts: 1,
        resigns: 1,
        ..NONE
    };
    look_at_stakes_of(&[winning(Player::One, 2), missed(Player::Two, 2)], left);
}

#[test]
fn stakes_whatever_a_node_shows_and_a_block_replaces() {
    let left = Left {
        forks: 1,
        lies: 1,
        restarts: 1,
        ..NONE
    };
    look_at_stakes_of(&[missed(Player::Two, 2)], left);
}

#[test]
fn stakes_whatever_happens_without_a_relay() {
    let left = Left {
        statements: 1,
        jumps: 1,
        restarts: 1,
        ..NONE
    };
    let start = missed(Player::Two, 2);
    let mut world = staked::World::new(start.honest, &start.moves);
    world.has_no_relay = true;
    look_at_stakes(&world, left, Some(60_000));
}

/// What the honest player has sent gets into any later block, in any order, also after the opponent has moved.
#[test]
fn stakes_whatever_comes_late_to_the_chain() {
    let left = Left {
        statements: 1,
        late: 2,
        ..NONE
    };
    let start = missed(Player::Two, 2);
    let mut world = staked::World::new(start.honest, &start.moves);
    look_at_stakes(&world, left, Some(60_000));
    world.has_no_relay = true;
    let left = Left { lies: 1, ..left };
    look_at_stakes(&world, left, Some(60_000));
    let left = Left { late: 1, ..left };
    for honest in Player::ALL {
        let paying = Left {
            forks: 1,
            resigns: 1,
            ..left
        };
        look_at_stakes(&staked::World::funding(honest), paying, Some(30_000));
        let world = staked::World {
            has_no_relay: true,
            ..staked::World::with_rule(honest, &[2], true)
        };
        look_at_stakes(&world, left, Some(15_000));
    }
}

/// Either payment may be in a block that is replaced.
#[test]
fn stakes_whatever_becomes_of_the_payments() {
    let left = Left {
        statements: 1,
        forks: 1,
        jumps: 2,
        restarts: 1,
        resigns: 1,
        lies: 1,
        ..NONE
    };
    for honest in Player::ALL {
        look_at_stakes(&staked::World::funding(honest), left, Some(60_000));
    }
}

/// The first disc may be taken over, or was.
#[test]
fn stakes_whatever_is_done_about_the_first_disc() {
    let left = Left {
        statements: 1,
        jumps: 1,
        ..NONE
    };
    for honest in Player::ALL {
        for moves in [&[2][..], &[2, Moves::SWAP]] {
            let world = staked::World::with_rule(honest, moves, true);
            look_at_stakes(&world, left, Some(15_000));
        }
    }
}

#[test]
fn stakes_whatever_is_signed_after_a_swap() {
    let left = Left {
        statements: 1,
        jumps: 1,
        ..NONE
    };
    look_at_stakes_of(&[missed(Player::One, 3).swapped()], left);
}

/// The honest player's program does not run, and a guard that has no session key brings its game to the chain.
#[test]
fn stakes_whatever_a_guard_has_to_answer() {
    let left = Left {
        statements: 2,
        jumps: 2,
        ..NONE
    };
    for start in [missed(Player::One, 3), missed(Player::Two, 2)] {
        let mut world = staked::World::new(start.honest, &start.moves);
        world.is_guarded = true;
        look_at_stakes(&world, left, Some(60_000));
    }
}

/// Two honest players in a game with a stake.
fn look_at_staked_table(world: impl Fn(Player) -> staked::World, usual: Left) {
    let (table, bounds) = (staked_table::Table::new(&world), bounds(usual));
    let first = table.state(bounds);
    let honest = "a stake, both players are honest";
    let moves = world(Player::One).base;
    look_at_most(&table, &first, honest, &moves, (bounds, Some(40_000)));
}

#[test]
fn stakes_whatever_a_relay_does() {
    let left = Left {
        restarts: 1,
        tricks: 2,
        jumps: 1,
        ..NONE
    };
    let moves = missed(Player::Two, 2).moves;
    look_at_staked_table(|side| staked::World::new(side, &moves), left);
}

#[test]
fn stakes_whatever_two_honest_players_decide_behind_a_relay() {
    let left = Left {
        tricks: 1,
        offers: 1,
        accepts: 1,
        resigns: 1,
        jumps: 1,
        ..NONE
    };
    let moves = winning(Player::One, 2).moves;
    look_at_staked_table(|side| staked::World::new(side, &moves), left);
}

#[test]
fn stakes_whatever_a_relay_does_while_both_pay() {
    let left = Left {
        restarts: 1,
        tricks: 1,
        forks: 1,
        jumps: 1,
        resigns: 1,
        ..NONE
    };
    look_at_staked_table(staked::World::funding, left);
}

/// A game without a stake, whose witness is honest, or in league with the opponent.
fn look_at_room(honest: Player, moves: &[u8], is_dishonest: bool, usual: Left, most: usize) {
    let world = witnessed::World::new(honest, moves, is_dishonest);
    let bounds = bounds(usual);
    let first = world.state(bounds);
    let told = match is_dishonest {
        true => format!("the honest player is {honest}, and the witness is not"),
        false => format!("the honest player is {honest}, and the witness is, too"),
    };
    look_at_most(&world, &first, &told, moves, (bounds, Some(most)));
}

#[test]
fn rooms_whatever_comes_late_or_is_lost() {
    let left = Left {
        statements: 1,
        restarts: 2,
        jumps: 1,
        offers: 1,
        accepts: 1,
        resigns: 1,
        ..NONE
    };
    let one = winning(Player::One, 2);
    look_at_room(one.honest, &one.moves, false, left, 60_000);
    let two = missed(Player::Two, 4);
    look_at_room(two.honest, &two.moves, false, left, 60_000);
    for honest in Player::ALL {
        look_at_room(honest, &[], false, left, 30_000);
        look_at_room(honest, &[2, Moves::SWAP], false, left, 30_000);
    }
}

/// The log of an honest witness takes nothing for a while.
#[test]
fn rooms_whatever_a_full_log_refuses() {
    let left = Left {
        statements: 1,
        restarts: 1,
        tricks: 2,
        offers: 1,
        accepts: 1,
        resigns: 1,
        ..NONE
    };
    let one = winning(Player::One, 2);
    look_at_room(one.honest, &one.moves, false, left, 30_000);
    for honest in Player::ALL {
        look_at_room(honest, &[], false, left, 15_000);
    }
}

#[test]
fn rooms_whatever_a_witness_in_league_with_the_opponent_says() {
    let left = Left {
        statements: 1,
        restarts: 1,
        offers: 1,
        accepts: 1,
        resigns: 1,
        ..NONE
    };
    let one = winning(Player::One, 2);
    look_at_room(one.honest, &one.moves, true, left, 40_000);
    let two = missed(Player::Two, 4);
    look_at_room(two.honest, &two.moves, true, left, 40_000);
    for honest in Player::ALL {
        look_at_room(honest, &[], true, left, 15_000);
        look_at_room(honest, &[2, Moves::SWAP], true, left, 15_000);
    }
}
