//! What nobody gets: another's deposit, another's seat, a player removed too early.

use connect4_protocol::Error;
use connect4_protocol::variants::Game;
use connect4_testing::Account::{Alice, Bob, Charlie, Eve};
use connect4_testing::address;

use crate::call::Call::{self, *};
use crate::games::{THREE, TWO, drop};
use crate::world::World;

/// Every call about a game that Eve could hope to gain by.
fn attempts(game: u32) -> [Call; 5] {
    [
        Join(game),
        Leave(game),
        Move(game, drop(1)),
        RemoveLate(game),
        Free(game),
    ]
}

#[test]
fn nobody_but_the_payer_gets_a_deposit() {
    let world = World::new();
    let table = world
        .does(Alice, Open(vec![Alice, Bob], TWO, None))
        .number();
    let running = world.starts(&[Alice, Bob], TWO);
    let over = world.starts(&[Alice, Bob], TWO);
    world.does(Bob, Leave(over));
    let held = [table, running, over].map(|game| world.game(game));
    let everything = || {
        for game in [table, running, over] {
            for call in attempts(game) {
                let balance = world.local.balance(address(Eve));
                world.refuses(Eve, call);
                assert!(world.local.balance(address(Eve)) <= balance);
            }
        }
    };
    everything();
    // Nor once the games are abandoned.
    world.wait(u64::from(Game::ABANDONED_AFTER) + 1);
    everything();
    assert_eq!(held, [table, running, over].map(|game| world.game(game)));
    // Nor do players who did not pay.
    assert_eq!(world.refuses(Bob, Free(running)), Error::NotPayer);
    assert_eq!(world.refuses(Bob, Free(over)), Error::NotPayer);
    for game in [running, over] {
        assert!(world.does(Alice, Free(game)).report.deposit < 0);
    }
    assert!(world.does(Alice, Leave(table)).report.deposit < 0);
}

/// A player who has joined and leaves again, or who fills a table, gains and loses nothing.
#[test]
fn joining_and_leaving_moves_no_deposit() {
    let world = World::new();
    let before = world.does(Alice, Open(vec![], THREE, None)).number();
    let table = world.does(Alice, Open(vec![], THREE, None)).number();
    world.does(Alice, Open(vec![], THREE, None));
    for (who, call) in [
        (Eve, Join(table)),
        (Eve, Leave(table)),
        (Eve, Join(table)),
        (Bob, Join(table)),
        (Eve, Join(before)),
        (Eve, Move(table, drop(1))),
        (Eve, Leave(table)),
    ] {
        if let Move(..) = call {
            assert_eq!(world.refuses(who, call), Error::NotYourTurn);
        } else {
            assert_eq!(world.does(who, call).report.deposit, 0);
        }
    }
}

#[test]
fn nobody_is_removed_before_the_deadline() {
    let world = World::new();
    let game = world.gather(&[Alice, Bob], TWO, Some(10));
    for _ in 0..=10 {
        for who in [Alice, Bob, Eve] {
            assert_eq!(world.refuses(who, RemoveLate(game)), Error::TimeLeft);
        }
        world.wait(1);
    }
    // A second after the deadline the move is refused; at the deadline it is not.
    assert_eq!(world.refuses(Alice, Move(game, drop(1))), Error::OutOfTime);
    let next = world.gather(&[Alice, Bob], TWO, Some(10));
    world.wait(10);
    world.does(Alice, Move(next, drop(1)));
    assert_eq!(world.refuses(Eve, RemoveLate(next)), Error::TimeLeft);
}

/// Who was named by somebody else is under no time limit before joining: a game that is started
/// without the players' consent has none, and a table does not start without them.
#[test]
fn who_has_not_joined_cannot_lose_by_time() {
    let world = World::new();
    let started = world.starts(&[Alice, Bob, Charlie], THREE);
    let table = world
        .does(Alice, Open(vec![Alice, Bob, Charlie], THREE, Some(10)))
        .number();
    world.does(Bob, Join(table));
    world.wait(1_000_000);
    for who in [Alice, Bob, Eve] {
        assert_eq!(world.refuses(who, RemoveLate(started)), Error::NoLimit);
        assert_eq!(world.refuses(who, RemoveLate(table)), Error::NotStarted);
        assert_eq!(world.refuses(who, Move(table, drop(1))), Error::NotStarted);
    }
    // Charlie joins late, and has the whole time: the limit counts from then on.
    world.does(Charlie, Join(table));
    assert_eq!(world.refuses(Eve, RemoveLate(table)), Error::TimeLeft);
    world.does(Alice, Move(table, drop(1)));
}

/// Named tables keep others out, even when a named player has left a seat.
#[test]
fn nobody_takes_the_seat_of_a_named_player() {
    let world = World::new();
    let players = vec![Alice, Bob, Charlie];
    let table = world.does(Alice, Open(players, THREE, Some(60))).number();
    world.does(Bob, Join(table));
    world.does(Bob, Leave(table));
    assert_eq!(world.refuses(Eve, Join(table)), Error::NotInvited);
    assert_eq!(world.refuses(Eve, Leave(table)), Error::NotAPlayer);
    world.does(Bob, Join(table));
    world.does(Charlie, Join(table));
    assert_eq!(world.refuses(Eve, Join(table)), Error::AlreadyStarted);
    // A player who has left the game does not come back, and nobody plays on for them.
    world.does(Alice, Leave(table));
    for call in [Join(table), Leave(table), Move(table, drop(1))] {
        world.refuses(Alice, call);
    }
    assert_eq!(world.to_move(table), Bob);
}
