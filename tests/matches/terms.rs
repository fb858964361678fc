//! The terms of a match by examples, and every error.

mod challenges;
mod clocks;
mod deposits;
mod draws;
mod events;
mod refusals;
mod rematches;
mod stakes;

use connect4_protocol::{ClockSpec, End, Score};
use connect4_rules::ShapeSpec;
use connect4_testing::Account::{Alice, Bob};
use connect4_testing::local::TOKEN;
use connect4_testing::{Account, address, who};

use crate::call::Call::{self, *};
use crate::world::World;

/// Three in a line win: short games.
const QUICK: ShapeSpec = ShapeSpec {
    bins: 5,
    capacity: 4,
    line: 3,
};
/// Only a line over all five bins wins.
const DULL: ShapeSpec = ShapeSpec { line: 5, ..QUICK };
const CLOCK: ClockSpec = ClockSpec {
    bank: 300,
    increment: 5,
};
const STAKE: u128 = 5 * TOKEN;

/// Red wins with a column of three on the quick board.
const RED_WINS: [u8; 5] = [0, 1, 0, 1, 0];
/// Blue wins with a column of three on the quick board.
const BLUE_WINS: [u8; 6] = [0, 1, 0, 1, 3, 1];

/// A challenge for a stake; the challenger moves first.
fn challenge(to: Option<Account>) -> Call {
    Challenge {
        to,
        first: true,
        shape: QUICK,
        clock: Some(CLOCK),
        expires: None,
        paid: STAKE,
    }
}

impl World {
    /// Starts a match of Alice, who moves first, and Bob for a stake each. Bob accepts.
    fn a_match(&self) -> u32 {
        self.a_match_on(QUICK, CLOCK)
    }

    fn a_match_on(&self, shape: ShapeSpec, clock: ClockSpec) -> u32 {
        let made = self.does(
            Alice,
            Challenge {
                to: Some(Bob),
                first: true,
                shape,
                clock: Some(clock),
                expires: None,
                paid: STAKE,
            },
        );
        self.does(Bob, Accept(made.number(), STAKE)).number()
    }

    /// Starts a game of Alice, who moves first, and Bob without stakes, clock or challenge.
    fn a_bare_game(&self) -> u32 {
        self.does(Alice, StartGame(Alice, Bob, QUICK)).number()
    }

    /// Plays these drops in turns, and prints the board after each.
    fn play(&self, game: u32, bins: &[u8]) {
        for &bin in bins {
            let stored = self.game(game).unwrap();
            let to_move = stored.to_move().expect("the game goes on");
            self.does(who(stored.account_of(to_move)), Drop(game, bin));
            println!("{}", self.game(game).unwrap().position());
        }
    }

    fn ended(&self, game: u32) -> (Option<End>, Option<Account>) {
        let game = self.game(game).unwrap();
        (
            game.end(),
            game.winner().map(|won| who(game.account_of(won))),
        )
    }

    fn owed(&self, to: Account) -> u128 {
        self.credit_of(address(to))
    }

    /// Player one, who moves first, and player two.
    fn seats(&self, game: u32) -> [Account; 2] {
        let game = self.game(game).unwrap();
        [who(game.player_one()), who(game.player_two())]
    }

    fn score(&self, game: u32) -> Score {
        self.match_of(game).unwrap().score
    }
}
