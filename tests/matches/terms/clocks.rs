//! Clocks and timeouts.

use connect4_protocol::{End, Error};
use connect4_testing::Account::{Alice, Bob, Eve};

use super::{RED_WINS, STAKE};
use crate::call::Call::*;
use crate::world::World;

#[test]
fn a_move_at_the_deadline_is_in_time_and_a_second_later_is_not() {
    let world = World::new();
    let game = world.a_match();
    let deadline = world.now() + 60;
    assert_eq!(world.game(game).unwrap().deadline(), Some(deadline));
    world.wait_until(deadline);
    assert_eq!(world.refuses(Bob, ClaimTimeout(game)), Error::TimeLeft);
    world.play(game, &[0]);
    // Alice has used up her bank, and has the increment of five seconds.
    world.play(game, &[1]);
    let deadline = world.now() + 5;
    assert_eq!(world.game(game).unwrap().deadline(), Some(deadline));
    world.wait_until(deadline + 1);
    assert_eq!(world.refuses(Alice, Drop(game, 0)), Error::OutOfTime);
    world.does(Bob, ClaimTimeout(game));
    assert_eq!(world.ended(game), (Some(End::Timeout), Some(Bob)));
    assert_eq!((world.owed(Alice), world.owed(Bob)), (0, 2 * STAKE));
}

#[test]
fn a_late_move_is_refused_even_if_nobody_claims() {
    let world = World::new();
    let game = world.a_match();
    world.play(game, &RED_WINS[..4]);
    world.wait(71);
    // The move would win.
    assert_eq!(world.refuses(Alice, Drop(game, 0)), Error::OutOfTime);
    world.wait(1_000_000);
    assert_eq!(world.refuses(Alice, Drop(game, 0)), Error::OutOfTime);
    world.does(Eve, ClaimTimeout(game));
    assert_eq!(world.ended(game), (Some(End::Timeout), Some(Bob)));
}

#[test]
fn a_timeout_before_both_have_moved_aborts_the_match() {
    let world = World::new();
    for moves in [&[][..], &[0]] {
        let game = world.a_match();
        world.play(game, moves);
        world.wait(61);
        world.does(Bob, ClaimTimeout(game));
        assert_eq!(world.ended(game), (Some(End::Abort), None));
        for player in [Alice, Bob] {
            let paid: u128 = world.does(player, Withdraw(vec![])).returned();
            assert_eq!(paid, STAKE);
        }
    }
    let game = world.a_match();
    world.play(game, &[0, 1]);
    world.wait(66);
    world.does(Alice, ClaimTimeout(game));
    assert_eq!(
        world.ended(game),
        (Some(End::Timeout), Some(Bob)),
        "also if the late player claims"
    );
}

#[test]
fn a_timeout_needs_a_clock_and_a_running_game() {
    let world = World::new();
    let bare = world.a_bare_game();
    world.wait(1_000_000);
    assert_eq!(world.refuses(Bob, ClaimTimeout(bare)), Error::NoClock);
    assert_eq!(world.refuses(Bob, ClaimTimeout(9)), Error::NoSuchGame);
    let ended = world.a_match();
    world.play(ended, &RED_WINS);
    world.wait(1_000_000);
    assert_eq!(world.refuses(Bob, ClaimTimeout(ended)), Error::GameOver);
    assert_eq!(world.ended(ended), (Some(End::Line), Some(Alice)));
}
