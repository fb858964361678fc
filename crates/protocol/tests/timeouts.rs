//! When a timeout can be claimed: a first move has a day at most, later ones the bank alone.

use connect4_protocol::{Address, ClockSpec, End, Error, Game, Match};
use connect4_rules::{Player, Shape};

use crate::common::{ALICE, BOB, CLOCK, drop_at, start, won};

/// When the games below start.
const NOW: u64 = 1_700_000_000;
const DAY: u32 = 86_400;
const MONTH: u32 = 30 * DAY;

/// A match with such a bank, and its game.
fn with_bank(bank: u32) -> (Match, Game) {
    let clock = ClockSpec {
        bank,
        increment: 10,
    };
    let state = Match {
        stake: 100,
        clock: Some(clock),
        ..Match::default()
    };
    (state, start(Shape::STANDARD).timed(clock, NOW))
}

/// Asserts the last second before a claim: at it there is time left, and a second later the game
/// ends. Returns the game as it has ended.
fn claimable_after(state: &Match, game: &Game, deadline: u64) -> Game {
    assert_eq!(state.claim_deadline(game), Some(deadline));
    let mut ended = *game;
    assert_eq!(
        state.claim_timeout(&mut ended, deadline),
        Err(Error::TimeLeft)
    );
    assert_eq!(ended, *game, "unchanged");
    assert_eq!(state.claim_timeout(&mut ended, deadline + 1), Ok(()));
    ended
}

fn aborted(game: &Game) {
    assert_eq!(game.end(), Some(End::Abort));
    assert_eq!((game.winner(), game.outcome()), (None, None));
}

/// Drops the next disc of a player in a bin of its own.
fn moves(game: &mut Game, who: Address, now: u64) {
    let bin = if who == ALICE { 0 } else { 1 };
    drop_at(game, who, bin, now);
}

#[test]
fn a_first_move_has_the_bank_if_that_is_a_day_at_most() {
    assert_eq!(Match::FIRST_MOVE, DAY);
    for bank in [1, 60, DAY - 1, DAY] {
        let (state, mut game) = with_bank(bank);
        let bank = u64::from(bank);
        aborted(&claimable_after(&state, &game, NOW + bank));
        assert_eq!(game.deadline(), Some(NOW + bank), "the same");
        // At the last second. Player two has a bank of its own.
        moves(&mut game, ALICE, NOW + bank);
        aborted(&claimable_after(&state, &game, NOW + 2 * bank));
    }
}

#[test]
fn a_first_move_has_a_day_however_long_the_bank() {
    for bank in [DAY + 1, 2 * DAY, MONTH] {
        let (state, mut game) = with_bank(bank);
        aborted(&claimable_after(&state, &game, NOW + u64::from(DAY)));
        let deadline = NOW + u64::from(bank);
        assert_eq!(game.deadline(), Some(deadline), "that of the move is later");
        moves(&mut game, ALICE, NOW + 50);
        let until = NOW + 50 + u64::from(DAY);
        aborted(&claimable_after(&state, &game, until));
    }
}

#[test]
fn a_late_first_move_counts_if_nobody_has_claimed() {
    let (state, mut game) = with_bank(MONTH);
    // At the last second of her bank.
    let late = NOW + u64::from(MONTH);
    moves(&mut game, ALICE, late);
    // Bob has a day from then on.
    aborted(&claimable_after(&state, &game, late + u64::from(DAY)));
    moves(&mut game, BOB, late + u64::from(DAY) + 1);
    assert_eq!(game.turns(), 2);
}

#[test]
fn a_later_move_has_the_bank_alone() {
    let (state, mut game) = with_bank(MONTH);
    moves(&mut game, ALICE, NOW + 20);
    moves(&mut game, BOB, NOW + 50);
    // Alice has used 20 seconds, and got 10 for her move.
    let deadline = NOW + 50 + u64::from(MONTH) - 10;
    assert_eq!(game.deadline(), Some(deadline));
    let ended = claimable_after(&state, &game, deadline);
    assert_eq!(ended.end(), Some(End::Timeout));
    assert_eq!(ended.winner(), Some(Player::Two));

    moves(&mut game, ALICE, NOW + 60);
    let deadline = NOW + 60 + u64::from(MONTH) - 20;
    let ended = claimable_after(&state, &game, deadline);
    assert_eq!(ended.end(), Some(End::Timeout));
    assert_eq!(ended.winner(), Some(Player::One));
}

#[test]
fn there_is_no_claim_without_a_clock_and_after_the_end() {
    let (mut state, mut game) = (Match::default(), start(Shape::STANDARD));
    let claim = |state: &Match, game: &mut Game| state.claim_timeout(game, u64::MAX);
    assert_eq!(state.claim_deadline(&game), None);
    assert_eq!(claim(&state, &mut game), Err(Error::NoClock));
    game.resign(BOB).unwrap();
    assert_eq!(state.claim_deadline(&game), None);
    assert_eq!(claim(&state, &mut game), Err(Error::GameOver), "first");

    state.clock = Some(CLOCK);
    let mut game = won();
    assert_eq!(state.claim_deadline(&game), None);
    assert_eq!(claim(&state, &mut game), Err(Error::GameOver));
    let mut game = start(Shape::STANDARD).timed(CLOCK, NOW);
    game.resign(BOB).unwrap();
    assert_eq!(state.claim_deadline(&game), None);
    assert_eq!(claim(&state, &mut game), Err(Error::GameOver));
}
