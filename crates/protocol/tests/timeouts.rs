//! When a timeout can be claimed: a first move has a day at most, later ones the bank alone.

use connect4_protocol::signed::ChainGame;
use connect4_protocol::{Address, ClockSpec, End, Error};
use connect4_rules::{Bin, Player, Shape};

use crate::chain_game::{NOW, started};
use crate::common::{ALICE, BOB};

const DAY: u32 = 86_400;
const MONTH: u32 = 30 * DAY;

/// A clock with such a bank, and a game with it, whose clock Bob has pressed.
fn with_bank(bank: u32) -> (ClockSpec, ChainGame) {
    let clock = ClockSpec {
        bank,
        increment: 10,
    };
    let mut game = started(Shape::STANDARD, Some(clock));
    game.press(BOB, NOW).expect("Alice is to move");
    (clock, game)
}

/// Asserts the last second before a claim: at it there is time left, and a second later the game
/// ends. Returns the game as it has ended.
fn claimable_after(clock: ClockSpec, game: &ChainGame, deadline: u64) -> ChainGame {
    let agreed = Some(clock);
    assert_eq!(game.claim_deadline(agreed), Some(deadline));
    let mut ended = *game;
    assert_eq!(ended.claim_timeout(agreed, deadline), Err(Error::TimeLeft));
    assert_eq!(ended, *game, "unchanged");
    assert_eq!(ended.claim_timeout(agreed, deadline + 1), Ok(()));
    assert!(ended.is_final());
    ended
}

fn aborted(ended: &ChainGame) {
    let game = &ended.game;
    assert_eq!(game.end(), Some(End::Abort));
    assert_eq!((game.winner(), game.outcome()), (None, None));
}

/// Drops the next disc of a player in a bin of its own.
fn moves(game: &mut ChainGame, who: Address, now: u64) {
    let bin = if who == ALICE { 0 } else { 1 };
    game.drop(who, Bin::new(bin), now).expect("its turn");
}

#[test]
fn a_first_move_has_the_bank_if_that_is_a_day_at_most() {
    assert_eq!(ChainGame::FIRST_MOVE, DAY);
    for bank in [1, 60, DAY - 1, DAY] {
        let (clock, mut game) = with_bank(bank);
        let bank = u64::from(bank);
        aborted(&claimable_after(clock, &game, NOW + bank));
        assert_eq!(game.deadline(), Some(NOW + bank), "the same");
        // At the last second. Player two has a bank of its own.
        moves(&mut game, ALICE, NOW + bank);
        aborted(&claimable_after(clock, &game, NOW + 2 * bank));
    }
}

#[test]
fn a_first_move_has_a_day_however_long_the_bank() {
    for bank in [DAY + 1, 2 * DAY, MONTH] {
        let (clock, mut game) = with_bank(bank);
        aborted(&claimable_after(clock, &game, NOW + u64::from(DAY)));
        let deadline = NOW + u64::from(bank);
        assert_eq!(game.deadline(), Some(deadline), "that of the move is later");
        moves(&mut game, ALICE, NOW + 50);
        let until = NOW + 50 + u64::from(DAY);
        aborted(&claimable_after(clock, &game, until));
    }
}

#[test]
fn a_late_first_move_counts_if_nobody_has_claimed() {
    let (clock, mut game) = with_bank(MONTH);
    // At the last second of her bank.
    let late = NOW + u64::from(MONTH);
    moves(&mut game, ALICE, late);
    // Bob has a day from then on.
    aborted(&claimable_after(clock, &game, late + u64::from(DAY)));
    moves(&mut game, BOB, late + u64::from(DAY) + 1);
    assert_eq!(game.game.turns(), 2);
}

#[test]
fn a_later_move_has_the_bank_alone() {
    let (clock, mut game) = with_bank(MONTH);
    moves(&mut game, ALICE, NOW + 20);
    moves(&mut game, BOB, NOW + 50);
    // Alice has used 20 seconds, and got 10 for her move.
    let deadline = NOW + 50 + u64::from(MONTH) - 10;
    assert_eq!(game.deadline(), Some(deadline));
    let ended = claimable_after(clock, &game, deadline);
    assert_eq!(ended.game.end(), Some(End::Timeout));
    assert_eq!(ended.game.winner(), Some(Player::Two));

    moves(&mut game, ALICE, NOW + 60);
    let deadline = NOW + 60 + u64::from(MONTH) - 20;
    let ended = claimable_after(clock, &game, deadline);
    assert_eq!(ended.game.end(), Some(End::Timeout));
    assert_eq!(ended.game.winner(), Some(Player::One));
}

#[test]
fn there_is_no_claim_before_the_clock_is_pressed_and_after_the_end() {
    let (clock, mut over) = with_bank(60);
    let standing = started(Shape::STANDARD, Some(clock));
    over.resign(BOB).unwrap();
    for (mut game, error) in [(standing, Error::NoClock), (over, Error::GameOver)] {
        assert_eq!(game.claim_deadline(Some(clock)), None);
        assert_eq!(game.claim_timeout(Some(clock), u64::MAX), Err(error));
    }
}
