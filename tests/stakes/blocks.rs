//! Calls in one block, and blocks that are replaced.
//!
//! Each call is in a block of its own first. Then these blocks are replaced, and their transactions come back in one
//! block, in whichever order the pool has them.

use connect4_chain::{Finality, Options, Retracted};
use connect4_protocol::Error;
use connect4_protocol::signed::StakesError;
use connect4_protocol::signed::message::{Fund, Refund, Resign, Withdraw};
use connect4_testing::Account::{self, Alice, Bob};
use connect4_testing::local::RATIO;
use connect4_testing::{ContractCall, Input, Limits, Local, address};

use crate::world::{Play, STAKE, World, common};

fn world() -> World {
    World::on(Local::with(
        1_700_000_000_600,
        Options {
            finality: Finality::Lag(50),
            ..Options::default()
        },
    ))
}

/// Sends calls, each in a block, and has them all come back in one.
fn together<const N: usize>(world: &World, calls: [(Account, u128, Input); N]) {
    for (who, paid, input) in calls {
        let call = ContractCall::new(who, world.stakes, input).paying(paid / RATIO);
        // It may be refused: then it is in a block all the same.
        world.local.send(&call, Limits::AMPLE);
    }
    let chain = &world.local.chain;
    let replaced = u32::try_from(N).expect("few");
    let best = chain.reorganise(replaced, Retracted::Requeue);
    assert!(best.is_ok() && chain.pending().is_empty());
    let (best, _) = chain.best();
    let block = chain
        .block(&best)
        .expect("it is read")
        .expect("it is there");
    // That of the time, and these.
    assert_eq!(block.extrinsics.len(), 1 + N, "all in one block");
}

fn fund(who: Account, paid: u128, play: &Play) -> (Account, u128, Input) {
    let terms = play.terms;
    (who, paid, Fund { terms }.into())
}

/// Asserts that the contract holds the stakes of games and what is owed.
fn adds_up(world: &World, stakes: u128) {
    let owed: u128 = [Alice, Bob].iter().map(|who| world.owed(*who)).sum();
    assert_eq!(world.balance(world.stakes), stakes * STAKE + owed);
}

#[test]
fn both_pay_in_one_block() {
    let world = world();
    let play = world.play(1);
    together(&world, [fund(Alice, STAKE, &play), fund(Bob, STAKE, &play)]);
    let stored = world.stored(&play).expect("both have paid");
    assert_eq!(stored.paid_by, None);
    assert!(
        [Alice, Bob]
            .map(address)
            .contains(&stored.game.game.payer())
    );
    world.holds(2, 0, 0);
}

#[test]
fn one_pays_twice_in_one_block() {
    let world = world();
    let play = world.play(1);
    together(
        &world,
        [fund(Alice, STAKE, &play), fund(Alice, STAKE, &play)],
    );
    assert!(world.stored(&play).is_ok_and(|game| game.paid_by.is_some()));
    world.holds(1, 0, 0);
}

#[test]
fn one_takes_its_stake_back_while_the_other_pays() {
    let world = world();
    let play = world.play(1);
    world.fund(Alice, STAKE, &play).expect("Alice pays");
    let game = play.number();
    let refund = (Alice, 0, Refund { game }.into());
    together(&world, [refund, fund(Bob, STAKE, &play)]);
    let stored = world.stored(&play).expect("Bob has paid");
    match stored.paid_by {
        // Bob was first: the stake was not paid back.
        None => {
            assert_eq!(stored.game.game.payer(), address(Alice));
            world.holds(2, 0, 0);
        }
        Some(_) => {
            assert_eq!(stored.game.game.payer(), address(Bob));
            world.holds(1, 0, 0);
        }
    }
}

/// Bob resigns a game, by which Alice is owed two stakes, while she pays for the next one with what she is owed.
#[test]
fn what_is_owed_changes_in_the_block_in_which_it_is_spent() {
    let world = world();
    let [ended, next] = [1, 2].map(|nonce| world.play(nonce));
    world.fund(Alice, STAKE, &ended).expect("Alice pays");
    world.fund(Bob, STAKE, &ended).expect("Bob pays");
    let game = ended.number();
    let resign = (Bob, 0, Resign { game }.into());
    together(&world, [resign, fund(Alice, 0, &next)]);
    match world.stored(&next) {
        Ok(_) => world.holds(2, 1, 0),
        // Nothing was owed yet.
        Err(error) => {
            assert_eq!(error, common(Error::NoSuchGame));
            world.holds(2, 2, 0);
        }
    }
}

/// What is owed is spent once, whatever is sent in one block.
#[test]
fn what_is_owed_is_spent_once() {
    let world = world();
    let plays = [1, 2, 3].map(|nonce| world.play(nonce));
    let [ended, next, other] = &plays;
    world.fund(Alice, STAKE, ended).expect("Alice pays");
    world.fund(Bob, STAKE, ended).expect("Bob pays");
    world.resign(Bob, ended).expect("Bob plays it");
    together(
        &world,
        [
            fund(Alice, 0, next),
            (Alice, 0, Withdraw {}.into()),
            fund(Alice, 0, other),
        ],
    );
    // In the order of her nonces.
    assert!(world.stored(next).is_ok());
    assert_eq!(world.stored(other), Err(common(Error::NoSuchGame)));
    world.holds(1, 0, 0);
    adds_up(&world, 1);
}

#[test]
fn the_first_payment_is_gone_with_its_block() {
    let world = world();
    let play = world.play(1);
    world.fund(Alice, STAKE, &play).expect("Alice pays");
    world.holds(1, 0, 0);
    let chain = &world.local.chain;
    chain
        .reorganise(1, Retracted::Drop)
        .expect("it is replaced");
    assert_eq!(world.stored(&play), Err(common(Error::NoSuchGame)));
    world.holds(0, 0, 0);
    world.fund(Bob, STAKE, &play).expect("Bob pays first");
    world.fund(Alice, STAKE, &play).expect("Alice pays again");
    let stored = world.stored(&play).expect("both have paid");
    assert_eq!(stored.game.game.payer(), address(Bob));
    world.holds(2, 0, 0);
}

#[test]
fn the_second_payment_is_gone_with_its_block() {
    let world = world();
    let play = world.begun(1);
    let signed = play.position(&[3, 4, 3]);
    world.advance(Alice, &play, signed).expect("it has begun");
    let chain = &world.local.chain;
    chain
        .reorganise(2, Retracted::Drop)
        .expect("both are replaced");
    let again = world.advance(Alice, &play, signed).err();
    assert_eq!(again, Some(StakesError::NotBegun));
    world.holds(1, 0, 0);
    assert_eq!(world.refund(Alice, &play), Ok(STAKE));
    world.holds(0, 0, 0);
    // The transaction of Bob, sent once more, is the first now.
    world.fund(Bob, STAKE, &play).expect("Bob pays");
    assert_eq!(world.refund(Bob, &play), Ok(STAKE));
    world.holds(0, 0, 0);
}
