//! Statements that were signed for something else: another chain, contract, game, kind, moves or key.
//!
//! Each test changes one thing of a position that the contract would take.

use connect4_protocol::fast::{Domain, Ending, Evidence, Kind, Native, Signature, Statement};
use connect4_protocol::{Address, Error};
use connect4_rules::{ByPlayer, Player};
use connect4_testing::Account::Eve;

use crate::world::{CLOCK, STAKE, Table, World, session_key};

const BINS: [u8; 4] = [3, 4, 3, 4];

/// The position after [`BINS`], in which player two's signature is that of another statement.
fn with(table: &Table, statement: &Statement, domain: &Domain) -> Evidence {
    let digest = statement.digest(domain, &Native);
    let mut evidence = table.position(&BINS);
    evidence.signatures.two = table.keys.two.sign(&digest);
    evidence
}

fn statement(game: u32) -> Statement<'static> {
    Statement {
        game: game.into(),
        kind: Kind::Position,
        moves: &BINS,
    }
}

#[track_caller]
fn refused(world: &World, table: &Table, evidence: Evidence) {
    let before = world.fast_game(table.game);
    let result = world.advance(Eve, table.game, evidence);
    assert_eq!(result.err(), Some(Error::BadSignature));
    assert_eq!(world.fast_game(table.game), before);
}

#[test]
fn the_statement_itself_is_taken() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    let same = with(&table, &statement(table.game), &table.domain);
    assert_eq!(same, table.position(&BINS));
    world
        .advance(Eve, table.game, same)
        .expect("both have signed");
}

#[test]
fn one_for_another_chain_is_refused() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    let domain = Domain {
        chain_id: table.domain.chain_id + 1,
        ..table.domain
    };
    refused(
        &world,
        &table,
        with(&table, &statement(table.game), &domain),
    );
}

#[test]
fn one_for_another_contract_is_refused() {
    let mut world = World::new();
    let keys = || ByPlayer {
        one: session_key(1),
        two: session_key(2),
    };
    let first = world.start_with(STAKE, Some(CLOCK), keys());
    world.deploy_anew();
    // The same game of the same players with the same keys, but for the contract.
    let second = world.start_with(STAKE, Some(CLOCK), keys());
    assert_eq!(first.game, second.game);
    refused(&world, &second, first.position(&BINS));
    let domain = Domain {
        contract: Address([0xcc; 20]),
        ..second.domain
    };
    refused(
        &world,
        &second,
        with(&second, &statement(second.game), &domain),
    );
}

#[test]
fn one_for_another_game_is_refused() {
    let world = World::new();
    let keys = || ByPlayer {
        one: session_key(1),
        two: session_key(2),
    };
    let first = world.start_with(STAKE, Some(CLOCK), keys());
    let second = world.start_with(STAKE, Some(CLOCK), keys());
    refused(&world, &second, first.position(&BINS));
    let resigned = first.signed(&BINS, Some(Ending::Resignation(Player::One)));
    refused(&world, &second, resigned);
    world
        .advance(Eve, first.game, resigned)
        .expect("it is that game's");
}

#[test]
fn one_of_another_kind_is_refused() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    let until = world.now() + 60;
    for kind in [Kind::Resignation, Kind::Draw { until }] {
        let other = Statement {
            kind,
            ..statement(table.game)
        };
        refused(&world, &table, with(&table, &other, &table.domain));
    }
    // Nor is a position a resignation, or a draw.
    for ending in [Ending::Resignation(Player::Two), Ending::Draw { until }] {
        let mut evidence = table.position(&BINS);
        evidence.ending = Some(ending);
        refused(&world, &table, evidence);
    }
    // Nor a draw one with another time, or a resignation the opponent's.
    let mut draw = table.signed(&BINS, Some(Ending::Draw { until }));
    draw.ending = Some(Ending::Draw { until: until + 1 });
    refused(&world, &table, draw);
    let mut resigned = table.signed(&BINS, Some(Ending::Resignation(Player::One)));
    resigned.ending = Some(Ending::Resignation(Player::Two));
    refused(&world, &table, resigned);
}

#[test]
fn one_on_other_moves_is_refused() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    for moves in [&[3, 4, 3, 5][..], &[3, 4, 3], &[3, 4, 3, 4, 3], &[]] {
        let other = Statement {
            moves,
            ..statement(table.game)
        };
        refused(&world, &table, with(&table, &other, &table.domain));
    }
}

#[test]
fn one_by_another_key_is_refused() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    let digest = statement(table.game).digest(&table.domain, &Native);
    for key in [session_key(7_777), table.keys.one.clone()] {
        let mut evidence = table.position(&BINS);
        evidence.signatures.two = key.sign(&digest);
        refused(&world, &table, evidence);
    }
    let mut swapped = table.position(&BINS);
    swapped.signatures = swapped.signatures.swapped();
    refused(&world, &table, swapped);
}

#[test]
fn what_is_no_signature_is_refused() {
    let world = World::new();
    let table = world.start(STAKE, Some(CLOCK));
    let whole = table.position(&BINS).signatures.two;
    let changed = |at: usize, to: u8| {
        let mut bytes = whole.0;
        bytes[at] = to;
        Signature(bytes)
    };
    let junk = [
        Signature::NONE,
        Signature([0xff; 65]),
        changed(0, whole.0[0] ^ 1),
        changed(33, whole.0[33] ^ 1),
        changed(64, 0),
        changed(64, 29),
        // The other of the two keys that fit.
        changed(64, 55 - whole.0[64]),
    ];
    for signature in junk {
        let mut evidence = table.position(&BINS);
        evidence.signatures.two = signature;
        refused(&world, &table, evidence);
    }
}
