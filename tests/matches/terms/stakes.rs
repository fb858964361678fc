//! Stakes: who is credited what, and withdrawals.

use connect4_protocol::message::WithdrawTo as WithdrawToMessage;
use connect4_protocol::{Address, End, Error, payout};
use connect4_rules::{ByPlayer, Player};
use connect4_testing::Account::{Alice, Bob, Eve};
use connect4_testing::local::RATIO;
use connect4_testing::world::Call as _;
use connect4_testing::{ContractCall, Limits, Refusal, address};

use super::{BLUE_WINS, CLOCK, DULL, RED_WINS, STAKE, challenge};
use crate::call::Call::*;
use crate::world::World;

#[test]
fn the_winner_of_a_match_takes_both_stakes() {
    let world = World::new();
    let game = world.a_match();
    world.play(game, &RED_WINS);
    assert_eq!(world.ended(game), (Some(End::Line), Some(Alice)));
    // A winning move credits nothing: the stakes are settled later.
    assert_eq!((world.owed(Alice), world.owed(Bob)), (0, 0));
    let paid: u128 = world.does(Alice, Withdraw(vec![game])).returned();
    assert_eq!(paid, 2 * STAKE);
    assert_eq!(world.balance(world.matches), 0);
    assert_eq!(
        world.refuses(Alice, Withdraw(vec![game])),
        Error::NothingToWithdraw,
        "a game is settled once"
    );
    assert_eq!(world.refuses(Bob, Settle(game)), Error::NothingToSettle);
}

#[test]
fn one_withdrawal_settles_several_games() {
    let world = World::new();
    let games: Vec<u32> = (0..3).map(|_| world.a_match()).collect();
    world.play(games[0], &RED_WINS);
    world.play(games[1], &BLUE_WINS);
    world.does(Bob, Resign(games[2]));
    let both_ways = vec![games[0], games[1], games[2], games[0]];
    let paid: u128 = world.does(Alice, Withdraw(both_ways)).returned();
    assert_eq!(paid, 4 * STAKE);
    // The withdrawal of Alice has settled his game, too.
    let paid: u128 = world.does(Bob, Withdraw(vec![])).returned();
    assert_eq!(paid, 2 * STAKE);
    assert_eq!(world.balance(world.matches), 0);
}

/// SCALE writes the number of so many in one byte, which is all that the contract reads of it.
#[test]
fn one_withdrawal_settles_63_games_at_most() {
    let world = World::new();
    let game = world.a_match();
    world.play(game, &RED_WINS);
    let input = Withdraw(vec![game; 64]).input(&world);
    let refused = world.try_and_send(&world.call(Alice, input, 0)).err();
    assert_eq!(refused, Some(Refusal::Trapped));
    assert!(!world.match_of(game).unwrap().settled, "nothing changed");
    let paid: u128 = world.does(Alice, Withdraw(vec![game; 63])).returned();
    assert_eq!(paid, 2 * STAKE);
}

#[test]
fn a_loser_who_frees_the_game_first_does_not_stop_the_winner() {
    let world = World::new();
    // Bob accepted the challenge, so he has paid the deposit, and may free the game.
    let game = world.a_match();
    world.play(game, &RED_WINS);
    world.does(Bob, Free(game));
    let paid: u128 = world.does(Alice, Withdraw(vec![game])).returned();
    assert_eq!(paid, 2 * STAKE);
    assert_eq!(world.balance(world.matches), 0);
}

#[test]
fn nothing_is_paid_to_the_zero_address() {
    let world = World::new();
    let game = world.a_match();
    world.play(game, &RED_WINS);
    let input = WithdrawToMessage {
        games: vec![game],
        receiver: Address::ZERO,
    };
    let refused = world.try_and_send(&world.call(Alice, input, 0)).err();
    assert_eq!(refused, Some(Refusal::Because(Error::NoReceiver)));
    let paid: u128 = world.does(Alice, Withdraw(vec![game])).returned();
    assert_eq!(paid, 2 * STAKE, "nothing was lost");
}

#[test]
fn any_account_may_settle_a_game() {
    let world = World::new();
    let game = world.a_match();
    world.play(game, &BLUE_WINS);
    world.does(Eve, Settle(game));
    assert_eq!((world.owed(Alice), world.owed(Bob)), (0, 2 * STAKE));
    assert_eq!(
        world.refuses(Eve, Withdraw(vec![game])),
        Error::NothingToWithdraw
    );
}

#[test]
fn a_stake_is_credited_in_full_if_there_is_no_match() {
    let world = World::new();
    let declined = world.does(Alice, challenge(Some(Bob))).number();
    world.does(Bob, Decline(declined));
    assert_eq!(world.owed(Alice), STAKE);
    let cancelled = world.does(Alice, challenge(None)).number();
    world.does(Alice, Cancel(cancelled));
    assert_eq!(world.owed(Alice), 2 * STAKE);

    let game = world.a_match();
    world.does(Bob, Resign(game));
    assert_eq!(world.owed(Alice), 4 * STAKE);
    world.does(Alice, OfferRematch(game, STAKE));
    world.does(Bob, DeclineRematch(game));
    assert_eq!(world.owed(Alice), 5 * STAKE);
    world.does(Bob, OfferRematch(game, STAKE));
    world.does(Bob, DeclineRematch(game));
    assert_eq!(world.owed(Bob), STAKE, "bob took back his offer");

    world.does(Alice, Withdraw(vec![]));
    world.does(Bob, Withdraw(vec![]));
    assert_eq!(world.balance(world.matches), 0);
}

#[test]
fn a_draw_locks_no_funds() {
    let world = World::new();
    let agreed = world.a_match();
    world.does(Bob, OfferDraw(agreed));
    world.does(Alice, AcceptDraw(agreed));
    assert_eq!(world.ended(agreed), (Some(End::Agreement), None));
    assert_eq!((world.owed(Alice), world.owed(Bob)), (STAKE, STAKE));

    let full = world.a_match_on(DULL, CLOCK);
    for bin in 0..3 {
        world.play(full, &[bin; 4]);
    }
    world.play(full, &[3, 4].repeat(4));
    assert_eq!(world.ended(full), (Some(End::FullBoard), None));
    world.does(Eve, Settle(full));
    assert_eq!((world.owed(Alice), world.owed(Bob)), (2 * STAKE, 2 * STAKE));
    world.does(Alice, Withdraw(vec![]));
    world.does(Bob, Withdraw(vec![]));
    assert_eq!(world.balance(world.matches), 0);
}

#[test]
fn an_odd_unit_goes_to_player_two() {
    assert_eq!(payout(7, None), ByPlayer { one: 3, two: 4 });
    assert_eq!(payout(u128::MAX, None).two, 1 << 127);
    assert_eq!(payout(7, Some(Player::One)), ByPlayer { one: 7, two: 0 });
}

#[test]
fn a_payment_with_a_message_that_takes_none_is_refused() {
    let world = World::new();
    let game = world.a_match();
    let transfer = |contract| ContractCall {
        caller: Alice,
        contract,
        value: STAKE / RATIO,
        data: Vec::new(),
    };
    let calls = [
        world.call(Alice, Resign(game).input(&world), STAKE),
        world.call(Alice, Withdraw(vec![game]).input(&world), STAKE),
        world.call(Alice, Drop(game, 0).input(&world), STAKE),
        // A bare transfer, as a wallet makes it.
        transfer(world.matches),
        transfer(world.games),
    ];
    for call in calls {
        let before = world.balance(address(Alice)) as i128;
        assert_eq!(world.local.dry_run(&call).output(), Err(Refusal::Trapped));
        let report = world.local.send(&call, Limits::AMPLE);
        assert!(report.outcome.is_err(), "{report:?}");
        let fee = report.fee * RATIO;
        assert_eq!(world.balance(address(Alice)) as i128, before - fee as i128);
    }
    assert_eq!(world.balance(world.matches), 2 * STAKE);
    assert!(!world.game(game).unwrap().is_over());
}
