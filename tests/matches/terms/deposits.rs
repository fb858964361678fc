//! Storage deposits, whose they are, and freed games.

use std::iter::zip;

use connect4_protocol::{Error, Score};
use connect4_testing::Account::{Alice, Bob, Eve};
use connect4_testing::local::RATIO;
use connect4_testing::world::Call as _;
use connect4_testing::{Account, Done, address};

use super::{CLOCK, QUICK, RED_WINS, STAKE, challenge};
use crate::call::Call::{self, *};
use crate::world::World;

#[test]
fn the_payer_frees_a_game_and_gets_the_whole_deposit_back() {
    let world = World::new();
    let started = world.does(Alice, StartGame(Alice, Bob, QUICK));
    let game = started.number();
    let deposit = started.report.deposit;
    assert!(deposit > 0);
    assert_eq!(world.refuses(Alice, Free(game)), Error::GameNotOver);
    world.play(game, &RED_WINS);
    assert_eq!(world.refuses(Bob, Free(game)), Error::NotPayer);
    let freed = world.does(Alice, Free(game));
    // The pallet rounds by up to one of the smallest unit.
    assert!((freed.report.deposit + deposit).abs() <= 1);
    assert_eq!(world.game(game), Err(Error::NoSuchGame));
    assert_eq!(world.match_of(game), Err(Error::NoSuchGame));
    assert_eq!(world.refuses(Alice, Free(game)), Error::NoSuchGame);
    assert_eq!(world.refuses(Bob, Drop(game, 0)), Error::NoSuchGame);
    assert_eq!(world.a_bare_game(), game + 1, "numbers are not used again");
}

#[test]
fn freeing_a_game_settles_it() {
    let world = World::new();
    let game = world.a_match();
    world.play(game, &RED_WINS);
    world.does(Alice, OfferRematch(game, STAKE));
    assert_eq!(world.refuses(Alice, Free(game)), Error::NotPayer);
    // Bob has accepted the challenge, and so paid for the storage.
    let deposit = world.does(Bob, Free(game)).report.deposit;
    assert!(deposit < 0, "{deposit}");
    assert_eq!(world.owed(Bob), 0);
    assert_eq!(
        world.owed(Alice),
        3 * STAKE,
        "the pot, and the stake of her offer"
    );
    assert_eq!(world.match_of(game), Err(Error::NoSuchGame));
    let paid: u128 = world.does(Alice, Withdraw(vec![])).returned();
    assert_eq!(paid, 3 * STAKE);
    assert_eq!(world.balance(world.matches), 0);
}

#[test]
fn a_rematch_goes_on_after_the_game_before_it_is_freed() {
    let world = World::new();
    let game = world.a_match();
    world.does(Alice, Resign(game));
    world.does(Alice, OfferRematch(game, STAKE));
    let next = world.does(Bob, AcceptRematch(game, STAKE)).number();
    world.does(Bob, Free(game));
    world.play(next, &RED_WINS);
    world.does(Alice, OfferRematch(next, STAKE));
    let last = world.does(Bob, AcceptRematch(next, STAKE)).number();
    let score = Score {
        one: 1,
        two: 1,
        draws: 0,
    };
    assert_eq!(world.score(last), score);
}

#[test]
fn no_deposit_stays_locked_in_the_contracts() {
    let world = World::new();
    let mut deposits = 0;
    let mut does = |who, call| {
        let done = world.does(who, call);
        deposits += done.report.deposit;
        done
    };
    let made = does(Alice, challenge(None)).number();
    let game = does(Bob, Accept(made, STAKE)).number();
    does(Alice, OfferDraw(game));
    for (bin, turn) in zip(RED_WINS, 0..) {
        does([Alice, Bob][turn % 2], Drop(game, bin));
    }
    does(Alice, Withdraw(vec![game]));
    does(Bob, OfferRematch(game, STAKE));
    does(Alice, DeclineRematch(game));
    does(Bob, Withdraw(vec![]));
    does(Bob, Free(game));
    // Except for what the pallet has rounded off.
    assert!((0..10).contains(&deposits), "{deposits}");
}

/// A challenge of Alice to Bob with a clock and this stake.
fn challenge_for(stake: u128) -> Call {
    Challenge {
        to: Some(Bob),
        first: true,
        shape: QUICK,
        clock: Some(CLOCK),
        expires: None,
        paid: stake,
    }
}

/// Deposits of the items that the contracts store, in the chain's smallest unit.
struct Items {
    challenge: i128,
    /// The record of a game in the contract of the games.
    game: i128,
    /// The match state of a game.
    state: i128,
    /// What one account is owed.
    credit: i128,
}

impl Items {
    fn measured(world: &World) -> Self {
        let deposit = |done: Done| done.report.deposit;
        let challenge = deposit(world.does(Alice, challenge_for(STAKE)));
        let cancelled = deposit(world.does(Alice, Cancel(0)));
        world.does(Alice, Withdraw(vec![]));
        let game = deposit(world.does(Alice, StartGame(Alice, Bob, QUICK)));
        // The state of a bare game is stored while it has something in it.
        let state = deposit(world.does(Alice, OfferDraw(0)));
        let items = Self {
            challenge,
            game,
            state,
            credit: cancelled + challenge,
        };
        for item in [items.challenge, items.game, items.state, items.credit] {
            assert!(item > 0);
        }
        items
    }
}

/// Makes a call, and asserts what the signer pays as a deposit; less than 0 if it gets some. Fee and
/// payments are left out. No other account pays or gets any, the receiver of a payment neither.
#[track_caller]
fn signed(world: &World, who: Account, call: Call, deposit: i128) -> Done {
    const PEOPLE: [Account; 3] = [Alice, Bob, Eve];
    let balances = || PEOPLE.map(|person| world.balance(address(person)) as i128);
    let before = balances();
    let done = world.does(who, call.clone());
    let (receiver, amount) = match call {
        Withdraw(_) => (who, done.returned::<u128>()),
        WithdrawTo(_, receiver) => (receiver, done.returned::<u128>()),
        _ => (who, 0),
    };
    for ((person, before), after) in zip(zip(PEOPLE, before), balances()) {
        let mut less = before - after;
        if person == receiver {
            less += amount as i128;
        }
        if person != who {
            assert_eq!(less, 0, "{person} has no part in it: {call}");
            continue;
        }
        less -= call.paid() as i128 + (done.report.fee * RATIO) as i128;
        assert_eq!(less, done.report.deposit * RATIO as i128, "{call}");
        // The pallet rounds what it gives back.
        let off = done.report.deposit - deposit;
        assert!(off.abs() <= 2, "{call}: {off} more than {deposit}");
    }
    done
}

#[test]
fn who_signs_pays_and_gets_the_deposit_of_a_challenge() {
    let world = World::new();
    let Items {
        challenge,
        game,
        state,
        credit,
    } = Items::measured(&world);
    let made = |stake| signed(&world, Alice, challenge_for(stake), challenge).number();

    // For nothing: who closes the challenge gets what Alice has paid.
    signed(&world, Alice, Cancel(made(0)), -challenge);
    signed(&world, Bob, Decline(made(0)), -challenge);
    let for_nothing = signed(&world, Bob, Accept(made(0), 0), game + state - challenge).number();
    signed(&world, Bob, Resign(for_nothing), 0);
    signed(&world, Bob, Free(for_nothing), -game - state);

    // For a stake: who closes it pays for the credit, and who withdraws gets that.
    let open = made(STAKE);
    signed(&world, Bob, Decline(open), credit - challenge);
    signed(&world, Alice, Withdraw(vec![]), -credit);
    let open = made(STAKE);
    signed(&world, Alice, Cancel(open), credit - challenge);
    let open = made(STAKE);
    signed(&world, Alice, Cancel(open), -challenge);
    signed(&world, Alice, WithdrawTo(vec![], Bob), -credit);
    let open = made(STAKE);
    signed(&world, Bob, Accept(open, STAKE), game + state - challenge);
}

#[test]
fn who_signs_pays_and_gets_the_deposit_of_a_match() {
    let world = World::new();
    let Items {
        game,
        state,
        credit,
        ..
    } = Items::measured(&world);
    let paid_out = || {
        for who in [Alice, Bob] {
            if world.owed(who) > 0 {
                signed(&world, who, Withdraw(vec![]), -credit);
            }
        }
    };

    // No step of a game takes a deposit; who settles it pays for each account that is owed.
    let won = world.a_match();
    signed(&world, Bob, OfferDraw(won), 0);
    signed(&world, Alice, DeclineDraw(won), 0);
    for (bin, turn) in zip(RED_WINS, 0..) {
        signed(&world, [Alice, Bob][turn % 2], Drop(won, bin), 0);
    }
    signed(&world, Eve, Settle(won), credit);
    signed(&world, Alice, Withdraw(vec![won]), -credit);
    let settled_by_her = world.a_match();
    world.play(settled_by_her, &RED_WINS);
    signed(&world, Alice, Withdraw(vec![settled_by_her]), 0);
    let resigned = world.a_match();
    signed(&world, Bob, Resign(resigned), credit);
    paid_out();
    let drawn = world.a_match();
    signed(&world, Bob, OfferDraw(drawn), 0);
    signed(&world, Alice, AcceptDraw(drawn), 2 * credit);
    paid_out();
    let aborted = world.a_match();
    world.wait(301);
    signed(&world, Eve, ClaimTimeout(aborted), 2 * credit);
    paid_out();

    // Who accepts a rematch pays for its game, and frees it.
    signed(&world, Alice, OfferRematch(won, STAKE), 0);
    signed(&world, Bob, DeclineRematch(won), credit);
    signed(&world, Bob, OfferRematch(won, STAKE), 0);
    let accept = AcceptRematch(won, STAKE);
    let again = signed(&world, Alice, accept, game + state).number();
    signed(&world, Bob, Free(won), -game - state);
    paid_out();
    signed(&world, Alice, Resign(again), credit);
    signed(&world, Bob, OfferRematch(again, STAKE), 0);
    // Bob has a credit already, which the stake of his offer is added to.
    signed(&world, Alice, Free(again), -game - state);
    paid_out();
    assert_eq!(world.balance(world.matches), 0);
    // Who frees a game that is not settled pays for the credit, too.
    let unsettled = world.a_match();
    world.play(unsettled, &RED_WINS);
    signed(&world, Bob, Free(unsettled), credit - game - state);
}

#[test]
fn who_signs_pays_and_gets_the_deposit_of_a_bare_game() {
    let world = World::new();
    let Items { game, state, .. } = Items::measured(&world);
    let start = StartGame(Alice, Bob, QUICK);
    let bare = signed(&world, Eve, start, game).number();
    // Its state is stored while it has something in it.
    signed(&world, Alice, OfferDraw(bare), state);
    signed(&world, Bob, DeclineDraw(bare), -state);
    signed(&world, Bob, Resign(bare), 0);
    signed(&world, Alice, OfferRematch(bare, 0), state);
    signed(&world, Bob, DeclineRematch(bare), -state);
    signed(&world, Alice, OfferRematch(bare, 0), state);
    // That of the next game, which names the one before; that one's stays, and names the next.
    let again = signed(&world, Bob, AcceptRematch(bare, 0), game + state).number();
    signed(&world, Eve, Free(bare), -game - state);
    signed(&world, Bob, Resign(again), 0);
    signed(&world, Bob, Free(again), -game - state);
}
