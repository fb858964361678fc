//! The contracts on a local chain, and what they answer.

use connect4_protocol::message::{CreditOf, MatchOf, OpenChallenge, OpenChallenges, ReadGame};
use connect4_protocol::{Address, Challenge, Error, Game, Match, Page};
use connect4_testing::world::Matches;

connect4_testing::world!(Matches);

impl World {
    pub fn game(&self, game: u32) -> Result<Game, Error> {
        self.query(ReadGame { game })
    }

    pub fn match_of(&self, game: u32) -> Result<Match, Error> {
        self.query(MatchOf { game })
    }

    pub fn open_challenge(&self, challenge: u32) -> Result<Challenge, Error> {
        self.query(OpenChallenge { challenge })
    }

    pub fn open_challenges(&self, from: Option<u32>, limit: u8) -> Result<Page, Error> {
        self.query(OpenChallenges { from, limit })
    }

    pub fn credit_of(&self, account: Address) -> u128 {
        self.query(CreditOf { account })
    }

    /// Waits until the clock shows this second.
    pub fn wait_until(&self, second: u64) {
        self.wait(second.checked_sub(self.now()).expect("not in the past"));
    }
}
