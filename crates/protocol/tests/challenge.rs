//! Terms and challenges: who may do what, and which error comes first.

use connect4_protocol::{Challenge, ClockSpec, Error, Terms};
use connect4_rules::{ByPlayer, Shape, ShapeSpec};

use crate::common::{ALICE, BOB, CHARLIE};

const TERMS: Terms = Terms {
    shape: ShapeSpec {
        bins: 7,
        capacity: 6,
        line: 4,
    },
    clock: Some(ClockSpec {
        bank: Terms::MIN_STAKED_BANK,
        increment: 0,
    }),
    stake: 1_000,
};

/// When the challenges below are made and accepted.
const NOW: u64 = 1_700_000_000;

const TOO_SMALL: ShapeSpec = ShapeSpec {
    bins: 4,
    capacity: 6,
    line: 4,
};

const NO_TIME: Option<ClockSpec> = Some(ClockSpec {
    bank: 0,
    increment: 5,
});

/// A second too short for a stake.
const TOO_SHORT: Option<ClockSpec> = Some(ClockSpec {
    bank: 299,
    increment: 60,
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
    let short = Terms {
        clock: TOO_SHORT,
        stake: 0,
        ..TERMS
    };
    assert_eq!(short.check(), Ok(()), "for nothing");
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
    terms.clock = TOO_SHORT;
    assert_eq!(terms.check(), Err(Error::StakeTooLarge));
    terms.clock = None;
    terms.stake = u128::MAX / 2 + 1;
    assert_eq!(terms.check(), Err(Error::StakeTooLarge));
    terms.stake = u128::MAX / 2;
    assert_eq!(terms.check(), Err(Error::StakeNeedsClock));
    terms.stake = 1;
    assert_eq!(terms.check(), Err(Error::StakeNeedsClock));
    terms.clock = TOO_SHORT;
    assert_eq!(terms.check(), Err(Error::ShortClock));
    terms.stake = u128::MAX / 2;
    assert_eq!(terms.check(), Err(Error::ShortClock));
    terms.stake = 0;
    assert_eq!(terms.check(), Ok(()));
}

#[test]
fn a_bank_for_a_stake_lasts_for_a_full_standard_board() {
    assert_eq!(Terms::MIN_STAKED_BANK, 300);
    // Each player has half of the turns, and each of those takes two blocks of six seconds.
    let discs = u32::from(Shape::STANDARD.bins()) * u32::from(Shape::STANDARD.capacity());
    assert!(Terms::MIN_STAKED_BANK >= discs / 2 * 2 * 6);
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
    assert_eq!(challenge.accept(ALICE, 1_000, NOW), Err(Error::SamePlayer));
    for account in [BOB, CHARLIE] {
        let players = ByPlayer {
            one: ALICE,
            two: account,
        };
        assert_eq!(challenge.accept(account, 1_000, NOW), Ok(players));
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
    assert_eq!(
        challenge.accept(BOB, 1_000, NOW),
        Ok(players),
        "Bob moves first"
    );
    assert_eq!(
        challenge.accept(CHARLIE, 1_000, NOW),
        Err(Error::NotChallenged)
    );
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
        assert_eq!(challenge.accept(BOB, paid, NOW), Err(Error::WrongStake));
        assert_eq!(
            challenge.accept(CHARLIE, paid, NOW),
            Err(Error::NotChallenged)
        );
        assert_eq!(challenge.accept(ALICE, paid, NOW), Err(Error::SamePlayer));
    }
}

#[test]
fn a_challenge_expires_after_its_last_second() {
    let open = Challenge::new(ALICE, Some(BOB), true, TERMS).unwrap();
    assert_eq!(open.expires, None);
    assert!(!open.has_expired(u64::MAX));
    assert!(open.accept(BOB, 1_000, u64::MAX).is_ok());
    assert_eq!(open.until(None, NOW), Ok(open));

    let last = NOW + 60;
    let challenge = open.until(Some(last), NOW).unwrap();
    let expected = Challenge {
        expires: Some(last),
        ..open
    };
    assert_eq!(challenge, expected);
    for (now, expired) in [(0, false), (NOW, false), (last, false), (last + 1, true)] {
        assert_eq!(challenge.has_expired(now), expired, "{now}");
        let accepted = challenge.accept(BOB, 1_000, now).map(drop);
        let expected = if expired {
            Err(Error::ChallengeExpired)
        } else {
            Ok(())
        };
        assert_eq!(accepted, expected, "{now}");
    }
    // After those errors that time does not change, before the stake.
    let late = |caller, paid| challenge.accept(caller, paid, last + 1);
    assert_eq!(late(ALICE, 1), Err(Error::SamePlayer));
    assert_eq!(late(CHARLIE, 1), Err(Error::NotChallenged));
    assert_eq!(late(BOB, 1), Err(Error::ChallengeExpired));
    // It stays open until it is withdrawn, so that nobody's stake is locked.
    assert_eq!(challenge.decline(BOB), Ok(()));
    assert_eq!(challenge.cancel(ALICE), Ok(()));
}

#[test]
fn no_challenge_is_made_that_has_expired() {
    let open = Challenge::new(ALICE, None, true, TERMS).unwrap();
    let until = |expires| open.until(expires, NOW).map(|made| made.expires);
    assert_eq!(until(Some(0)), Err(Error::ChallengeExpired));
    assert_eq!(until(Some(NOW - 1)), Err(Error::ChallengeExpired));
    assert_eq!(until(Some(NOW)), Ok(Some(NOW)));
    assert_eq!(until(Some(u64::MAX)), Ok(None), "there is no later second");
}
