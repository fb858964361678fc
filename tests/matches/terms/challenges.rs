//! Challenges: their terms, who accepts, declines and cancels them, until when, and their list.

use connect4_protocol::{Challenge as Shown, ClockSpec, Error, Terms};
use connect4_rules::ShapeSpec;
use connect4_testing::Account::{Alice, Bob, Charlie, Eve};
use connect4_testing::local::{RATIO, TOKEN};
use connect4_testing::{Account, address};

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
    assert_eq!(listed(None, 10), Ok((vec![], None)));
}

#[test]
fn a_page_has_ten_challenges_at_most() {
    let world = World::new();
    // The longest that there are.
    let longest = Challenge {
        to: Some(Bob),
        first: true,
        shape: QUICK,
        clock: Some(CLOCK),
        expires: Some(u64::MAX - 1),
        paid: STAKE,
    };
    for _ in 0..12 {
        world.does(Alice, longest.clone());
    }
    for limit in [10, 11, 255] {
        let page = world.open_challenges(None, limit).unwrap();
        let numbers = page.challenges.iter().map(|(number, _)| *number);
        assert!(numbers.eq((2..12).rev()), "{limit}");
        assert_eq!(page.next, Some(1));
    }
    let page = world.open_challenges(Some(1), 10).unwrap();
    assert_eq!((page.challenges.len(), page.next), (2, None));
    for (number, listed) in page.challenges {
        assert_eq!(world.open_challenge(number), Ok(listed));
    }
}

#[test]
fn a_challenge_without_an_end_is_one_that_does_not_expire() {
    let world = World::new();
    let forever = Challenge {
        to: Some(Bob),
        first: true,
        shape: QUICK,
        clock: Some(CLOCK),
        expires: Some(u64::MAX),
        paid: STAKE,
    };
    let number = world.does(Alice, forever).number();
    assert_eq!(world.open_challenge(number).unwrap().expires, None);
    world.does(Bob, Accept(number, STAKE));
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
        expires: None,
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

/// With less, the chain's blocks alone could use the time up.
#[test]
fn a_stake_needs_a_bank_of_five_minutes() {
    let world = World::new();
    let with = |bank, paid| Challenge {
        to: None,
        first: true,
        shape: QUICK,
        clock: Some(ClockSpec {
            bank,
            increment: 60,
        }),
        expires: None,
        paid,
    };
    for bank in [1, 60, 299] {
        for paid in [RATIO, STAKE] {
            assert_eq!(world.refuses(Eve, with(bank, paid)), Error::ShortClock);
        }
        world.does(Eve, with(bank, 0));
    }
    world.does(Eve, with(300, STAKE));
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
    let short = ClockSpec { bank: 299, ..CLOCK };
    assert_eq!(terms(most, Some(short)).check(), Err(Error::ShortClock));
    assert_eq!(
        terms(most + 1, Some(short)).check(),
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
                expires: None,
                paid: 0,
            },
        );
        let game = world.does(Bob, Accept(made.number(), 0)).number();
        assert_eq!(world.seats(game), seats);
    }
}

/// A number can be another challenge's on another branch of the chain.
#[test]
fn a_challenge_is_accepted_on_the_terms_that_were_seen() {
    let world = World::new();
    let made = world.does(Alice, challenge(Some(Bob))).number();
    let open = world.open_challenge(made).unwrap();
    let expected = Shown {
        challenger: address(Alice),
        opponent: Some(address(Bob)),
        challenger_first: true,
        expires: None,
        terms: Terms {
            shape: QUICK,
            clock: Some(CLOCK),
            stake: STAKE,
        },
    };
    assert_eq!(open, expected);
    let terms = |terms| Shown { terms, ..open };
    let others = [
        Shown {
            challenger: address(Charlie),
            ..open
        },
        Shown {
            opponent: None,
            ..open
        },
        Shown {
            challenger_first: false,
            ..open
        },
        Shown {
            expires: Some(u64::MAX),
            ..open
        },
        terms(Terms {
            shape: ShapeSpec { line: 4, ..QUICK },
            ..open.terms
        }),
        terms(Terms {
            clock: None,
            ..open.terms
        }),
        terms(Terms {
            clock: Some(ClockSpec {
                increment: CLOCK.increment + 1,
                ..CLOCK
            }),
            ..open.terms
        }),
        terms(Terms {
            stake: STAKE + 1,
            ..open.terms
        }),
    ];
    for other in others {
        assert_eq!(
            world.refuses(Bob, AcceptSeen(made, STAKE, other)),
            Error::OtherTerms
        );
        // Before who accepts, and for what; after the number.
        for (who, paid) in [(Alice, STAKE), (Eve, 0), (Bob, 0)] {
            assert_eq!(
                world.refuses(who, AcceptSeen(made, paid, other)),
                Error::OtherTerms
            );
        }
        assert_eq!(
            world.refuses(Bob, AcceptSeen(made + 1, STAKE, other)),
            Error::NoSuchChallenge
        );
    }
    // On the other branch, Alice has made another challenge before.
    let again = world.does(Alice, challenge(None)).number();
    assert_eq!(
        world.refuses(Bob, AcceptSeen(again, STAKE, open)),
        Error::OtherTerms
    );
    world.does(Bob, AcceptSeen(made, STAKE, open));
}

#[test]
fn a_challenge_is_accepted_until_its_last_second() {
    let world = World::new();
    let until = |to, expires| Challenge {
        to,
        first: true,
        shape: QUICK,
        clock: Some(CLOCK),
        expires: Some(expires),
        paid: STAKE,
    };
    let now = world.now();
    for expires in [0, now - 1] {
        assert_eq!(
            world.refuses(Alice, until(Some(Bob), expires)),
            Error::ChallengeExpired
        );
    }
    let made = |to: Option<Account>| world.does(Alice, until(to, now + 60)).number();
    let [in_time, to_bob, to_all] = [Some(Bob), Some(Bob), None].map(made);
    assert_eq!(
        world.open_challenge(to_all).unwrap().expires,
        Some(now + 60)
    );
    world.wait(60);
    world.does(Bob, Accept(in_time, STAKE));
    // Also the very second at which it is made can be the last one.
    let at_once = world.does(Alice, until(None, now + 60)).number();
    world.does(Bob, Accept(at_once, STAKE));

    world.wait(1);
    for (who, number, paid, error) in [
        (Bob, to_bob, STAKE, Error::ChallengeExpired),
        (Bob, to_bob, 0, Error::ChallengeExpired),
        (Eve, to_all, STAKE, Error::ChallengeExpired),
        (Eve, to_bob, 0, Error::NotChallenged),
        (Alice, to_bob, 0, Error::SamePlayer),
    ] {
        assert_eq!(world.refuses(who, Accept(number, paid)), error, "{who}");
    }
    // It stays in the list, and its stake with it, until somebody withdraws it.
    let page = world.open_challenges(None, 10).unwrap();
    let listed: Vec<u32> = page.challenges.iter().map(|(number, _)| *number).collect();
    assert_eq!(listed, [to_all, to_bob]);
    let before = world.owed(Alice);
    world.does(Bob, Decline(to_bob));
    world.does(Alice, Cancel(to_all));
    assert_eq!(world.owed(Alice) - before, 2 * STAKE);
}
