//! What accounts can do to a match in which they do not play, that of the deployer among them.

use connect4_chain::runtime::AccountId;
use connect4_protocol::{ClockSpec, Error};
use connect4_rules::ShapeSpec;
use connect4_testing::Account::{Alice, Bob, Eve, Ferdie};
use connect4_testing::local::{RATIO, TOKEN};

use crate::call::Call::{self, *};
use crate::world::World;

const STAKE: u128 = 5 * TOKEN;
const CLOCK: ClockSpec = ClockSpec {
    bank: 600,
    increment: 5,
};

/// A challenge of Alice to Bob on the standard board.
fn challenge() -> Call {
    Challenge {
        to: Some(Bob),
        first: true,
        shape: ShapeSpec {
            bins: 7,
            capacity: 6,
            line: 4,
        },
        clock: Some(CLOCK),
        expires: None,
        paid: STAKE,
    }
}

/// Ferdie has deployed both contracts.
#[test]
fn the_deployer_can_do_what_any_stranger_can() {
    let world = World::new();
    let open = world.does(Alice, challenge()).number();
    let made = world.does(Alice, challenge()).number();
    let game = world.does(Bob, Accept(made, STAKE)).number();
    let next = world.does(Alice, challenge()).number();
    let over = world.does(Bob, Accept(next, STAKE)).number();
    world.does(Alice, Resign(over));
    world.does(Alice, OfferRematch(over, STAKE));
    let held = world.balance(world.matches);
    use Error::*;
    for who in [Eve, Ferdie] {
        for (call, expected) in [
            (Accept(open, STAKE), NotChallenged),
            (Decline(open), NotChallenged),
            (Cancel(open), NotChallenger),
            (Drop(game, 0), NotAPlayer),
            (Resign(game), NotAPlayer),
            (ClaimTimeout(game), TimeLeft),
            (OfferDraw(game), NotAPlayer),
            (AcceptDraw(game), NotAPlayer),
            (DeclineDraw(game), NotAPlayer),
            (Free(game), GameNotOver),
            (Free(over), NotPayer),
            (AcceptRematch(over, STAKE), NotAPlayer),
            (DeclineRematch(over), NotAPlayer),
            (Withdraw(vec![]), NothingToWithdraw),
            (Withdraw(vec![over]), NothingToWithdraw),
            (StartMatch, NotReferee),
            (EndMatch(game), NotReferee),
            (Remove(over), NotReferee),
        ] {
            assert_eq!(world.refuses(who, call.clone()), expected, "{who} {call}");
        }
    }
    assert_eq!(world.balance(world.matches), held);
}

/// Such money is lost to its sender, and covers nobody's credit.
#[test]
fn money_that_is_sent_without_a_call_is_nobodys() {
    let world = World::new();
    let made = world.does(Alice, challenge()).number();
    let game = world.does(Bob, Accept(made, STAKE)).number();
    // The account that stands for a contract.
    let mut account = [0xEE; 32];
    account[..20].copy_from_slice(&world.matches.0);
    let sent = world.local.submit(
        Eve,
        pallet_balances::Call::transfer_keep_alive {
            dest: AccountId::from(account).into(),
            value: 3 * TOKEN / RATIO,
        },
    );
    assert_eq!(sent.outcome, Ok(()));
    assert_eq!(world.balance(world.matches), 2 * STAKE + 3 * TOKEN);
    for who in [Alice, Bob, Eve, Ferdie] {
        assert_eq!(
            world.refuses(who, Withdraw(vec![])),
            Error::NothingToWithdraw
        );
    }
    world.does(Bob, Resign(game));
    let paid: u128 = world.does(Alice, Withdraw(vec![game])).returned();
    assert_eq!(paid, 2 * STAKE);
    world.does(Bob, Free(game));
    assert_eq!(world.balance(world.matches), 3 * TOKEN);
}
