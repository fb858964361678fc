//! Storage deposits, and freed games.

use std::iter::zip;

use connect4_protocol::{Error, Score};
use connect4_testing::Account::{Alice, Bob};

use super::{QUICK, RED_WINS, STAKE, challenge};
use crate::call::Call::*;
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
