//! Challenges: their terms, who accepts, declines and cancels them, and their list.

use connect4_protocol::{ClockSpec, Error, Terms};
use connect4_rules::ShapeSpec;
use connect4_testing::Account::{Alice, Bob, Charlie, Eve};
use connect4_testing::local::TOKEN;

use super::{CLOCK, QUICK, STAKE, challenge};
use crate::call::Call::*;
use crate::world::World;

#[test]
fn a_challenge_is_listed_until_it_is_accepted_or_withdrawn() {
    let world = World::new();
    let anyone: Vec<u32> = (0..5)
        .map(|_| world.does(Alice, challenge(None)).number())
        .collect();
    assert_eq!(anyone, [0, 1, 2, 3, 4]);
    let listed = |from, limit| {
        let page = world.open_challenges(from, limit)?;
        let numbers: Vec<u32> = page.challenges.iter().map(|(number, _)| *number).collect();
        Ok::<_, Error>((numbers, page.next))
    };
    assert_eq!(listed(None, 2), Ok((vec![4, 3], Some(2))));
    assert_eq!(listed(Some(2), 2), Ok((vec![2, 1], Some(0))));
    assert_eq!(listed(Some(0), 2), Ok((vec![0], None)));
    assert_eq!(listed(None, 0), Ok((vec![4], Some(3))), "at least one");
    world.does(Alice, Cancel(2));
    world.does(Bob, Accept(4, STAKE));
    assert_eq!(listed(None, 255), Ok((vec![3, 1, 0], None)));
    assert_eq!(listed(Some(2), 2), Err(Error::NoSuchChallenge));
    assert_eq!(world.open_challenge(2), Err(Error::NoSuchChallenge));
    world.does(Bob, Accept(0, STAKE));
    world.does(Alice, Cancel(3));
    world.does(Alice, Cancel(1));
    assert_eq!(listed(None, 50), Ok((vec![], None)));
}

#[test]
fn nobody_plays_against_themself() {
    let world = World::new();
    assert_eq!(
        world.refuses(Alice, challenge(Some(Alice))),
        Error::SamePlayer
    );
    let open = world.does(Alice, challenge(None)).number();
    assert_eq!(world.refuses(Alice, Accept(open, STAKE)), Error::SamePlayer);
    assert_eq!(
        world.refuses(Bob, StartGame(Alice, Alice, QUICK)),
        Error::SamePlayer
    );
}

#[test]
fn a_challenge_with_invalid_terms_is_refused() {
    let world = World::new();
    let on = |shape, clock, paid| Challenge {
        to: None,
        first: false,
        shape,
        clock,
        paid,
    };
    let clock = |bank, increment| Some(ClockSpec { bank, increment });
    let low = ShapeSpec {
        capacity: 3,
        ..QUICK
    };
    assert_eq!(world.refuses(Eve, on(low, None, 0)), Error::BadShape);
    assert_eq!(
        world.refuses(Eve, on(QUICK, clock(0, 1), 0)),
        Error::BadClock
    );
    let days = |days: u32| days * 24 * 60 * 60;
    assert_eq!(
        world.refuses(Eve, on(QUICK, clock(days(30) + 1, 0), 0)),
        Error::BadClock
    );
    assert_eq!(
        world.refuses(Eve, on(QUICK, clock(60, days(1) + 1), 0)),
        Error::BadClock
    );
    assert_eq!(
        world.refuses(Eve, on(QUICK, None, STAKE)),
        Error::StakeNeedsClock
    );
    // The bounds themselves are allowed.
    for clock in [clock(1, 0), clock(days(30), days(1)), None] {
        world.does(Eve, on(QUICK, clock, 0));
    }
}

/// Tested on the terms alone, as no account has such a balance.
#[test]
fn a_stake_is_so_large_at_most_that_two_can_be_counted() {
    let terms = |stake, clock| Terms {
        shape: QUICK,
        clock,
        stake,
    };
    let most = u128::MAX / 2;
    assert_eq!(terms(most, Some(CLOCK)).check(), Ok(()));
    assert_eq!(
        terms(most + 1, Some(CLOCK)).check(),
        Err(Error::StakeTooLarge)
    );
    let no_time = ClockSpec { bank: 0, ..CLOCK };
    assert_eq!(terms(most + 1, Some(no_time)).check(), Err(Error::BadClock));
    assert_eq!(terms(most + 1, None).check(), Err(Error::StakeTooLarge));
    assert_eq!(terms(most, None).check(), Err(Error::StakeNeedsClock));
}

#[test]
fn a_challenge_is_accepted_once_by_the_challenged_for_the_stake() {
    let world = World::new();
    let made = world.does(Alice, challenge(Some(Bob))).number();
    assert_eq!(
        world.refuses(Charlie, Accept(made, STAKE)),
        Error::NotChallenged
    );
    for paid in [0, STAKE - TOKEN, STAKE + TOKEN, 2 * STAKE] {
        assert_eq!(world.refuses(Bob, Accept(made, paid)), Error::WrongStake);
    }
    assert_eq!(
        world.refuses(Bob, Accept(made + 1, STAKE)),
        Error::NoSuchChallenge
    );
    world.does(Bob, Accept(made, STAKE));
    assert_eq!(
        world.refuses(Bob, Accept(made, STAKE)),
        Error::NoSuchChallenge
    );
    assert_eq!(world.refuses(Bob, Decline(made)), Error::NoSuchChallenge);
    assert_eq!(world.refuses(Alice, Cancel(made)), Error::NoSuchChallenge);
}

#[test]
fn a_challenge_is_declined_by_the_challenged_and_cancelled_by_the_challenger() {
    let world = World::new();
    let to_bob = world.does(Alice, challenge(Some(Bob))).number();
    let to_anyone = world.does(Alice, challenge(None)).number();
    assert_eq!(world.refuses(Alice, Decline(to_bob)), Error::NotChallenged);
    assert_eq!(world.refuses(Eve, Decline(to_bob)), Error::NotChallenged);
    // Otherwise one account could close a challenge that is open to all.
    assert_eq!(world.refuses(Eve, Decline(to_anyone)), Error::NotChallenged);
    assert_eq!(world.refuses(Bob, Cancel(to_bob)), Error::NotChallenger);
    assert_eq!(world.refuses(Eve, Cancel(to_anyone)), Error::NotChallenger);
    world.does(Bob, Decline(to_bob));
    world.does(Alice, Cancel(to_anyone));
}

#[test]
fn the_challenger_chooses_who_moves_first() {
    let world = World::new();
    for (first, seats) in [(true, [Alice, Bob]), (false, [Bob, Alice])] {
        let made = world.does(
            Alice,
            Challenge {
                to: None,
                first,
                shape: QUICK,
                clock: None,
                paid: 0,
            },
        );
        let game = world.does(Bob, Accept(made.number(), 0)).number();
        assert_eq!(world.seats(game), seats);
    }
}
