//! Events about money: each credit by itself, then the event that tells why.

use connect4_protocol::Event;
use connect4_protocol::event::{
    ChallengeWithdrawn, Credited, GameFreed, RematchDeclined, Settled, Withdrawn,
};
use connect4_testing::Account::{Alice, Bob, Charlie};
use connect4_testing::{Account, address};

use super::{CLOCK, QUICK, RED_WINS, STAKE, challenge};
use crate::call::Call::{self, *};
use crate::world::World;

/// A challenge, or an offer of a rematch, in a game for nothing.
const NO_STAKE: Call = Challenge {
    to: Some(Bob),
    first: true,
    shape: QUICK,
    clock: Some(CLOCK),
    expires: None,
    paid: 0,
};

fn events(world: &World, who: Account, call: Call) -> Vec<Event> {
    world.does(who, call).events
}

fn credited(to: Account, amount: u128) -> Event {
    let account = address(to);
    Credited { account, amount }.into()
}

fn settled(game: u32, one: u128, two: u128) -> Event {
    Settled { game, one, two }.into()
}

#[test]
fn a_challenge_that_is_withdrawn_credits_its_stake() {
    let world = World::new();
    let withdrawn = |challenge, by, stake| -> Event {
        ChallengeWithdrawn {
            challenge,
            by: address(by),
            challenger: address(Alice),
            stake,
        }
        .into()
    };
    let made = world.does(Alice, challenge(Some(Bob))).number();
    assert_eq!(
        events(&world, Bob, Decline(made)),
        [credited(Alice, STAKE), withdrawn(made, Bob, STAKE)]
    );
    let made = world.does(Alice, challenge(Some(Bob))).number();
    assert_eq!(
        events(&world, Alice, Cancel(made)),
        [credited(Alice, STAKE), withdrawn(made, Alice, STAKE)]
    );
    let made = world.does(Alice, NO_STAKE).number();
    assert_eq!(
        events(&world, Bob, Decline(made)),
        [withdrawn(made, Bob, 0)],
        "nothing is credited"
    );
}

#[test]
fn shares_are_credited_before_they_are_settled() {
    let world = World::new();
    let game = world.a_match();
    let ended = events(&world, Bob, Resign(game));
    assert!(matches!(ended[0], Event::GameEnded(_)), "{ended:?}");
    assert_eq!(
        ended[1..],
        [credited(Alice, 2 * STAKE), settled(game, 2 * STAKE, 0)]
    );
    let game = world.a_match();
    world.does(Bob, OfferDraw(game));
    let ended = events(&world, Alice, AcceptDraw(game));
    assert_eq!(
        ended[1..],
        [
            credited(Alice, STAKE),
            credited(Bob, STAKE),
            settled(game, STAKE, STAKE)
        ]
    );
}

#[test]
fn a_withdrawal_says_who_was_owed_and_who_was_paid() {
    let world = World::new();
    let games = [world.a_match(), world.a_match()];
    world.play(games[0], &RED_WINS);
    world.play(games[1], &RED_WINS);
    let withdrawn = |receiver, amount| -> Event {
        Withdrawn {
            account: address(Alice),
            receiver: address(receiver),
            amount,
        }
        .into()
    };
    // The other games of the call have no part in it.
    assert_eq!(
        events(&world, Alice, Withdraw(vec![games[0], games[0]])),
        [
            credited(Alice, 2 * STAKE),
            settled(games[0], 2 * STAKE, 0),
            withdrawn(Alice, 2 * STAKE)
        ]
    );
    world.does(Bob, Settle(games[1]));
    assert_eq!(
        events(&world, Alice, WithdrawTo(games.to_vec(), Charlie)),
        [withdrawn(Charlie, 2 * STAKE)]
    );
}

#[test]
fn a_rematch_that_is_declined_credits_the_stake_of_the_offer() {
    let world = World::new();
    let game = world.a_match();
    world.does(Bob, Resign(game));
    let declined = |by, stake| -> Event {
        RematchDeclined {
            game,
            by: address(by),
            offered_by: address(Alice),
            stake,
        }
        .into()
    };
    for by in [Bob, Alice] {
        world.does(Alice, OfferRematch(game, STAKE));
        assert_eq!(
            events(&world, by, DeclineRematch(game)),
            [credited(Alice, STAKE), declined(by, STAKE)]
        );
    }
}

#[test]
fn freeing_a_game_tells_all_that_becomes_of_its_money() {
    let world = World::new();
    let game = world.a_match();
    world.play(game, &RED_WINS);
    world.does(Alice, OfferRematch(game, STAKE));
    let declined = |game, stake| -> Event {
        RematchDeclined {
            game,
            by: address(Bob),
            offered_by: address(Alice),
            stake,
        }
        .into()
    };
    let freed = |game| -> Event {
        GameFreed {
            game,
            payer: address(Bob),
        }
        .into()
    };
    assert_eq!(
        events(&world, Bob, Free(game)),
        [
            credited(Alice, 2 * STAKE),
            settled(game, 2 * STAKE, 0),
            credited(Alice, STAKE),
            declined(game, STAKE),
            freed(game)
        ]
    );
    // For nothing, too, an offer that falls away is told.
    let made = world.does(Alice, NO_STAKE).number();
    let game = world.does(Bob, Accept(made, 0)).number();
    world.does(Bob, Resign(game));
    world.does(Alice, OfferRematch(game, 0));
    assert_eq!(
        events(&world, Bob, Free(game)),
        [declined(game, 0), freed(game)]
    );
}
