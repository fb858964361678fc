//! Values for tests of what is printed.

mod puzzles;
mod schema;
mod spoken;
mod written;

use connect4_client::{Event, H256, Occurrence, Receipt, Signer, Transaction};
use connect4_protocol::event::{DiscDropped, GameEnded, GameFreed, GameStarted};
use connect4_protocol::{End, Game, variants};
use connect4_rules::variant::{Powers, VariantSpec};
use connect4_rules::{Bin, Shape, notation};

/// When the last move of [`variant`] was made, in seconds since 1970.
pub const STARTED: u64 = 1_000_000;

pub fn signer(name: &str) -> Signer {
    Signer::development(name).expect("a development account")
}

/// A game of alice and bob on a classroom board after these moves.
pub fn game(moves: &str) -> Game {
    let [alice, bob] = ["alice", "bob"].map(|name| signer(name).address());
    let mut game = Game::start(alice, bob, Shape::CLASSROOM.into()).expect("two players");
    for bin in notation::parse(moves) {
        let mover = game.account_of(game.to_move().expect("the game goes on"));
        let bin: Bin = bin.expect("a bin");
        game.drop(mover, bin).expect("a legal move");
    }
    game
}

/// A game of alice, bob and charlie on a classroom board after these moves, with one of each power
/// and a minute for each move.
pub fn variant(moves: &str) -> variants::Game {
    let players = ["alice", "bob", "charlie"].map(|name| signer(name).address());
    let terms = VariantSpec {
        players: 3,
        powers: Powers {
            take: 1,
            clear: 1,
            float: 1,
        },
        ..VariantSpec::classic(Shape::CLASSROOM)
    };
    let mut game = variants::Game::start(&players, terms, players[0], STARTED)
        .expect("three players")
        .limited(Some(60));
    for action in notation::parse(moves) {
        let mover = game.account_of(game.to_move().expect("the game goes on"));
        game.play(mover, action.expect("a move"), STARTED)
            .expect("a legal move");
    }
    game
}

/// A receipt with this value, for a fee of 7 and a deposit of 2.
pub fn receipt<T>(value: T) -> Receipt<T> {
    Receipt {
        transaction: Transaction {
            block: 3,
            block_hash: H256::repeat_byte(3),
            hash: H256::repeat_byte(0xab),
            index: 1,
            fee: 7,
        },
        deposit: 2,
        value,
        mapped: None,
    }
}

/// An event in block 3.
pub fn occurrence(event: Event) -> Occurrence {
    Occurrence {
        event,
        block: 3,
        block_hash: H256::repeat_byte(3),
        index: 1,
    }
}

pub fn events() -> Vec<Event> {
    let [alice, bob] = ["alice", "bob"].map(|name| signer(name).address());
    let of_game = game("6151413");
    vec![
        Event::GameStarted(GameStarted {
            game: 7,
            player_one: alice,
            player_two: bob,
            shape: of_game.shape().into(),
        }),
        Event::DiscDropped(DiscDropped {
            game: 7,
            player: alice,
            bin: 2,
            row: 0,
            turn: 6,
        }),
        Event::GameEnded(GameEnded {
            game: 7,
            winner: Some(alice),
            end: End::Line,
            winning_cells: of_game.winning_cells(),
        }),
        Event::GameFreed(GameFreed {
            game: 7,
            payer: alice,
        }),
    ]
}

pub fn variant_events() -> Vec<Event> {
    use variants::event::{
        MoveMade, PlayerJoined, PlayerLeft, TableClosed, TableOpened, VariantEnded, VariantFreed,
        VariantStarted,
    };

    let alice = signer("alice").address();
    let terms = variant("").variant().into();
    let (game, limit, deadline) = (7, Some(60), None);
    vec![
        Event::TableOpened(TableOpened {
            game,
            opener: alice,
            players: vec![alice],
            variant: terms,
            limit,
        }),
        Event::PlayerJoined(PlayerJoined {
            game,
            player: alice,
            seat: 1,
        }),
        Event::PlayerLeft(PlayerLeft {
            game,
            player: alice,
            late: false,
            deadline,
        }),
        Event::TableClosed(TableClosed {
            game,
            opener: alice,
        }),
        Event::VariantStarted(VariantStarted {
            game,
            players: vec![alice],
            variant: terms,
            limit,
            deadline,
        }),
        Event::MoveMade(MoveMade {
            game,
            player: alice,
            action: "t1.1".parse().unwrap(),
            turn: 0,
            deadline,
        }),
        Event::VariantEnded(VariantEnded {
            game,
            winner: Some(alice),
            end: variants::End::Line,
            winning_cells: connect4_rules::Cells::EMPTY,
        }),
        Event::VariantFreed(VariantFreed { game, payer: alice }),
    ]
}
