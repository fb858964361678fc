//! Values for tests of what is printed.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use connect4_client::{H256, Occurrence, Receipt, Signer, Transaction};
use connect4_protocol::{Challenge, ClockSpec, Game, Terms, variants};
use connect4_rules::variant::{self, Powers, VariantSpec};
use connect4_rules::{Bin, Shape, notation};

/// Output that is kept. Clones share it.
#[derive(Clone, Default)]
pub struct Output(Rc<RefCell<Vec<u8>>>);

impl Output {
    /// Takes what was written since the last call.
    pub fn take(&self) -> String {
        let bytes = self.0.take();
        String::from_utf8(bytes).expect("text")
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

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
    for action in variant::notation::parse(moves) {
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
pub fn occurrence<E>(event: E) -> Occurrence<E> {
    Occurrence {
        event,
        block: 3,
        block_hash: H256::repeat_byte(3),
        index: 1,
    }
}
