//! Terms and challenges: who may do what, and which error comes first.

mod common;

use connect4_protocol::{Challenge, ClockSpec, Error, Terms};
use connect4_rules::{ByPlayer, Shape, ShapeSpec};

use common::{ALICE, BOB, CHARLIE, CLOCK};

const TERMS: Terms = Terms {
    shape: ShapeSpec {
        bins: 7,
        capacity: 6,
        line: 4,
    },
    clock: Some(CLOCK),
    stake: 1_000,
};

const TOO_SMALL: ShapeSpec = ShapeSpec {
    bins: 4,
    capacity: 6,
    line: 4,
};

const NO_TIME: Option<ClockSpec> = Some(ClockSpec {
    bank: 0,
    increment: 5,
});

#[test]
fn terms_in_bounds() {
    assert_eq!(TERMS.shape, Shape::STANDARD.into());
    assert_eq!(TERMS.check(), Ok(()));
    let free = Terms {
        clock: None,
        stake: 0,
        ..TERMS
    };
    assert_eq!(free.check(), Ok(()));
    assert_eq!(Terms { stake: 0, ..TERMS }.check(), Ok(()));
    let highest = Terms {
        stake: u128::MAX / 2,
        ..TERMS
    };
    assert_eq!(highest.check(), Ok(()));
}

#[test]
fn terms_out_of_bounds_and_which_error_comes_first() {
    let mut terms = Terms {
        shape: TOO_SMALL,
        clock: NO_TIME,
        stake: u128::MAX,
    };
    assert_eq!(terms.check(), Err(Error::BadShape));
    terms.shape = TERMS.shape;
    assert_eq!(terms.check(), Err(Error::BadClock));
    terms.clock = None;
    assert_eq!(terms.check(), Err(Error::StakeTooLarge));
    terms.stake = u128::MAX / 2 + 1;
    assert_eq!(terms.check(), Err(Error::StakeTooLarge));
    terms.stake = u128::MAX / 2;
    assert_eq!(terms.check(), Err(Error::StakeNeedsClock));
    terms.stake = 1;
    assert_eq!(terms.check(), Err(Error::StakeNeedsClock));
    terms.stake = 0;
    assert_eq!(terms.check(), Ok(()));
}

#[test]
fn nobody_challenges_themselves() {
    let bad = Terms {
        shape: TOO_SMALL,
        ..TERMS
    };
    assert_eq!(
        Challenge::new(ALICE, Some(ALICE), true, bad),
        Err(Error::SamePlayer),
        "first"
    );
    assert_eq!(
        Challenge::new(ALICE, Some(BOB), true, bad),
        Err(Error::BadShape)
    );
    assert_eq!(Challenge::new(ALICE, None, true, bad), Err(Error::BadShape));
}

#[test]
fn a_challenge_to_anyone() {
    let challenge = Challenge::new(ALICE, None, true, TERMS).unwrap();
    assert_eq!(challenge.accept(ALICE, 1_000), Err(Error::SamePlayer));
    for account in [BOB, CHARLIE] {
        let players = ByPlayer {
            one: ALICE,
            two: account,
        };
        assert_eq!(challenge.accept(account, 1_000), Ok(players));
        assert_eq!(challenge.decline(account), Err(Error::NotChallenged));
        assert_eq!(challenge.cancel(account), Err(Error::NotChallenger));
    }
    assert_eq!(challenge.decline(ALICE), Err(Error::NotChallenged));
    assert_eq!(challenge.cancel(ALICE), Ok(()));
}

#[test]
fn a_challenge_to_one_account() {
    let challenge = Challenge::new(ALICE, Some(BOB), false, TERMS).unwrap();
    let players = ByPlayer {
        one: BOB,
        two: ALICE,
    };
    assert_eq!(challenge.accept(BOB, 1_000), Ok(players), "Bob moves first");
    assert_eq!(challenge.accept(CHARLIE, 1_000), Err(Error::NotChallenged));
    assert_eq!(challenge.decline(BOB), Ok(()));
    assert_eq!(challenge.decline(ALICE), Err(Error::NotChallenged));
    assert_eq!(challenge.decline(CHARLIE), Err(Error::NotChallenged));
    assert_eq!(challenge.cancel(ALICE), Ok(()));
    assert_eq!(challenge.cancel(BOB), Err(Error::NotChallenger));
}

#[test]
fn the_stake_is_paid_exactly_and_is_checked_last() {
    let challenge = Challenge::new(ALICE, Some(BOB), true, TERMS).unwrap();
    for paid in [0, 999, 1_001, u128::MAX] {
        assert_eq!(challenge.accept(BOB, paid), Err(Error::WrongStake));
        assert_eq!(challenge.accept(CHARLIE, paid), Err(Error::NotChallenged));
        assert_eq!(challenge.accept(ALICE, paid), Err(Error::SamePlayer));
    }
}
