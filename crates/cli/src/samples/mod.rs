//! Values for tests of what is printed.

mod puzzles;
mod schema;
mod spoken;
mod written;

use connect4_client::{Event, H256, Occurrence, Receipt, Signer, Transaction};
use connect4_protocol::event::{
    ChallengeMade, ChallengeWithdrawn, Credited, DiscDropped, DrawDeclined, DrawOffered, GameEnded,
    GameFreed, GameStarted, MatchStarted, RematchDeclined, RematchOffered, Settled, Withdrawn,
};
use connect4_protocol::{Challenge, ClockSpec, End, Game, Terms, variants};
use connect4_rules::variant::{Powers, VariantSpec};
use connect4_rules::{Bin, Shape, notation};

/// The clock of [`game`] and [`challenge`].
pub const CLOCK: ClockSpec = ClockSpec {
    bank: 300,
    increment: 5,
};
/// When the clock of [`game`] was started, in seconds since 1970.
pub const STARTED: u64 = 1_000_000;

pub fn signer(name: &str) -> Signer {
    Signer::development(name).expect("a development account")
}

/// A game of alice and bob on a classroom board after these moves, with a clock.
pub fn game(moves: &str) -> Game {
    let [alice, bob] = ["alice", "bob"].map(|name| signer(name).address());
    let mut game = Game::start(alice, bob, Shape::CLASSROOM.into())
        .expect("two players")
        .timed(CLOCK, STARTED);
    for bin in notation::parse(moves) {
        let mover = game.account_of(game.to_move().expect("the game goes on"));
        let bin: Bin = bin.expect("a bin");
        game.drop(mover, bin, STARTED).expect("a legal move");
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

pub fn challenge() -> Challenge {
    let terms = Terms {
        shape: Shape::CLASSROOM.into(),
        clock: Some(CLOCK),
        stake: 10,
    };
    let bob = signer("bob").address();
    Challenge::new(signer("alice").address(), Some(bob), true, terms).expect("sound terms")
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
    let challenge = challenge();
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
            deadline: None,
        }),
        Event::GameEnded(GameEnded {
            game: 7,
            winner: Some(alice),
            end: End::Line,
            winning_cells: of_game.winning_cells(),
        }),
        Event::ChallengeMade(ChallengeMade {
            challenge: 3,
            challenger: alice,
            opponent: Some(bob),
            challenger_first: true,
            expires: Some(1_700_086_400),
            terms: challenge.terms,
        }),
        Event::ChallengeWithdrawn(ChallengeWithdrawn {
            challenge: 3,
            by: bob,
            challenger: alice,
            stake: 10,
        }),
        Event::MatchStarted(MatchStarted {
            game: 7,
            challenge: Some(3),
            previous: None,
            clock: Some(CLOCK),
            stake: 10,
        }),
        Event::DrawOffered(DrawOffered { game: 7, by: alice }),
        Event::DrawDeclined(DrawDeclined { game: 7, by: bob }),
        Event::RematchOffered(RematchOffered { game: 7, by: alice }),
        Event::RematchDeclined(RematchDeclined {
            game: 7,
            by: bob,
            offered_by: alice,
            stake: 10,
        }),
        Event::Credited(Credited {
            account: alice,
            amount: 20,
        }),
        Event::Settled(Settled {
            game: 7,
            one: 20,
            two: 0,
        }),
        Event::Withdrawn(Withdrawn {
            account: alice,
            receiver: bob,
            amount: 20,
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
