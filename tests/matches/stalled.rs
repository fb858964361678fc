//! Games that stop for ever, and what becomes of their deposits.

use connect4_protocol::{Address, Error};
use connect4_rules::ShapeSpec;
use connect4_testing::Account::{Alice, Bob, Charlie, Eve, Ferdie};
use connect4_testing::contracts::REENTRANT;
use connect4_testing::world::Call as _;
use connect4_testing::{Account, ContractCall, Done, Refusal};

use crate::call::Call::{self, *};
use crate::world::World;

const BOARD: ShapeSpec = ShapeSpec {
    bins: 7,
    capacity: 6,
    line: 4,
};
const TEN_YEARS: u64 = 10 * 365 * 24 * 60 * 60;

/// Starts a game of Alice and Bob without a clock, in which Bob never moves; returns its number and
/// the deposit.
fn stalled(world: &World, payer: Account) -> (u32, i128) {
    let started = world.does(payer, StartGame(Alice, Bob, BOARD));
    let game = started.number();
    world.does(Alice, Drop(game, 3));
    world.wait(TEN_YEARS);
    for who in [Alice, payer, Eve] {
        assert_eq!(world.refuses(who, ClaimTimeout(game)), Error::NoClock);
        assert_eq!(world.refuses(who, Free(game)), Error::GameNotOver);
    }
    (game, started.report.deposit)
}

#[test]
fn a_payer_who_plays_frees_a_stalled_game_by_giving_it_up() {
    let world = World::new();
    let (game, deposit) = stalled(&world, Alice);
    assert_eq!(deposit, 33_900_000, "0.00339 DOT");
    world.does(Alice, Resign(game));
    let freed = world.does(Alice, Free(game)).report.deposit;
    assert!((freed + deposit).abs() <= 1, "{freed}");
}

#[test]
fn a_payer_who_does_not_play_waits_until_a_player_ends_the_game() {
    let world = World::new();
    let (game, deposit) = stalled(&world, Charlie);
    assert_eq!(world.refuses(Charlie, Resign(game)), Error::NotAPlayer);
    world.does(Bob, Resign(game));
    assert_eq!(world.refuses(Alice, Free(game)), Error::NotPayer);
    let freed = world.does(Charlie, Free(game)).report.deposit;
    assert!((freed + deposit).abs() <= 1, "{freed}");
}

/// Eve makes a contract forward a call.
fn forwards(world: &World, contract: Address, call: &Call) -> Result<Done, Refusal> {
    let ContractCall {
        contract: to, data, ..
    } = world.call(Eve, call.input(world), 0);
    world.try_and_send(&ContractCall {
        caller: Eve,
        contract,
        value: 0,
        data: [&[1], &to.0[..], &data].concat(),
    })
}

#[test]
fn a_payer_that_is_a_contract_has_to_free_the_game_itself() {
    let world = World::new();
    world.local.upload(Ferdie, REENTRANT);
    let (payer, _) = world.local.instantiate(Ferdie, REENTRANT, vec![]);
    let started = forwards(&world, payer, &StartGame(Alice, Bob, BOARD)).unwrap();
    let game = started.number();
    let deposit = started.report.deposit;
    assert!(deposit > 0, "the signer pays it, {deposit}");
    world.does(Alice, Resign(game));
    // Who signed has no claim to it.
    assert_eq!(world.refuses(Eve, Free(game)), Error::NotPayer);
    // A contract without such a call leaves it there for ever. The deposit goes to who signs.
    let freed = forwards(&world, payer, &Free(game)).unwrap();
    assert!((freed.report.deposit + deposit).abs() <= 1);
}
