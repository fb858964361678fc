//! Clocks and timeouts.

use connect4_protocol::{ClockSpec, End, Error};
use connect4_testing::Account::{Alice, Bob, Eve};

use super::{CLOCK, QUICK, RED_WINS, STAKE};
use crate::call::Call::*;
use crate::world::World;

/// The longest bank: 30 days.
const MONTH: ClockSpec = ClockSpec {
    bank: ClockSpec::MAX_BANK,
    ..CLOCK
};
const DAY: u64 = 24 * 60 * 60;

#[test]
fn a_move_at_the_deadline_is_in_time_and_a_second_later_is_not() {
    let world = World::new();
    let game = world.a_match();
    let deadline = world.now() + 300;
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
    world.wait(311);
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
        world.wait(301);
        world.does(Bob, ClaimTimeout(game));
        assert_eq!(world.ended(game), (Some(End::Abort), None));
        for player in [Alice, Bob] {
            let paid: u128 = world.does(player, Withdraw(vec![])).returned();
            assert_eq!(paid, STAKE);
        }
    }
    let game = world.a_match();
    world.play(game, &[0, 1]);
    world.wait(306);
    world.does(Alice, ClaimTimeout(game));
    assert_eq!(
        world.ended(game),
        (Some(End::Timeout), Some(Bob)),
        "also if the late player claims"
    );
}

/// Else an opponent who never begins would lock the stake for a month.
#[test]
fn a_first_move_a_day_late_aborts_the_match_however_long_the_bank() {
    let world = World::new();
    for moves in [&[][..], &[0]] {
        let game = world.a_match_on(QUICK, MONTH);
        // Blue's day begins when red has moved.
        world.wait(3_600);
        world.play(game, moves);
        let started = match moves {
            [] => world.now() - 3_600,
            _ => world.now(),
        };
        world.wait_until(started + DAY);
        for who in [Alice, Bob, Eve] {
            assert_eq!(world.refuses(who, ClaimTimeout(game)), Error::TimeLeft);
        }
        world.wait(1);
        let stored = world.game(game).unwrap();
        assert!(stored.deadline().unwrap() > world.now() + 28 * DAY);
        world.does(Eve, ClaimTimeout(game));
        assert_eq!(world.ended(game), (Some(End::Abort), None));
        for player in [Alice, Bob] {
            let paid: u128 = world.does(player, Withdraw(vec![])).returned();
            assert_eq!(paid, STAKE, "each has its own back");
        }
    }
    assert_eq!(world.balance(world.matches), 0);
}

#[test]
fn a_late_first_move_counts_if_nobody_has_claimed() {
    let world = World::new();
    let game = world.a_match_on(QUICK, MONTH);
    world.wait(3 * DAY);
    world.play(game, &[0]);
    assert_eq!(world.refuses(Bob, ClaimTimeout(game)), Error::TimeLeft);
    world.wait(2 * DAY);
    world.play(game, &[1]);
    // From here on the bank alone counts, of which three days are used up.
    let deadline = world.now() + 27 * DAY + u64::from(MONTH.increment);
    assert_eq!(world.game(game).unwrap().deadline(), Some(deadline));
    world.wait_until(deadline);
    assert_eq!(world.refuses(Bob, ClaimTimeout(game)), Error::TimeLeft);
    world.wait(1);
    world.does(Bob, ClaimTimeout(game));
    assert_eq!(world.ended(game), (Some(End::Timeout), Some(Bob)));
    assert_eq!((world.owed(Alice), world.owed(Bob)), (0, 2 * STAKE));
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
