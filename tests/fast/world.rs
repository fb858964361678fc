//! The contracts on a local chain, and two players with session keys.

use connect4_chain::Report;
use connect4_chain::runtime::Runtime;
use connect4_protocol::fast::{Domain, Evidence, FastGame, SessionKey};
use connect4_protocol::message::{
    Accept, Advance, ClaimFastTimeout, DropFast, FastCreditOf, FastGameCount, FastMatchOf,
    MakeChallenge, OpenChallenge, Press, ReadFast,
};
use connect4_protocol::{ClockSpec, Error, Match, Pace};
use connect4_rules::{ByPlayer, Dropped, Player, Shape};
use connect4_testing::Account::{self, Alice, Bob};
use connect4_testing::address;
pub use connect4_testing::fast::{Table, session_key};
use connect4_testing::local::RATIO;
use connect4_testing::world::Matches;
use sp_core::Get;

/// Stake of each player, as contracts count.
pub const STAKE: u128 = 100 * RATIO;
pub const CLOCK: ClockSpec = ClockSpec {
    bank: 300,
    increment: 10,
};

connect4_testing::world!(Matches);

pub const fn account(player: Player) -> Account {
    match player {
        Player::One => Alice,
        Player::Two => Bob,
    }
}

impl World {
    /// A challenge of Alice to Bob that Bob accepts.
    pub fn start(&self, stake: u128, clock: Option<ClockSpec>) -> Table {
        self.start_with(stake, clock, self.new_keys())
    }

    /// The same, with these session keys.
    pub fn start_with(
        &self,
        stake: u128,
        clock: Option<ClockSpec>,
        keys: ByPlayer<SessionKey>,
    ) -> Table {
        self.start_on(Shape::STANDARD, stake, clock, keys)
    }

    /// The same, on this board.
    pub fn start_on(
        &self,
        shape: Shape,
        stake: u128,
        clock: Option<ClockSpec>,
        keys: ByPlayer<SessionKey>,
    ) -> Table {
        let challenge = self.challenge(
            MakeChallenge {
                opponent: Some(address(Bob)),
                challenger_first: true,
                shape: shape.into(),
                clock,
                expires: None,
                pace: Pace::Fast(keys.one.address()),
            },
            stake,
        );
        self.accept(challenge, stake, keys)
    }

    /// A game with the pie rule for a stake, which Alice begins.
    pub fn start_fair(&self) -> Table {
        let keys = self.new_keys();
        let challenge = self.challenge(
            MakeChallenge {
                opponent: Some(address(Bob)),
                challenger_first: true,
                shape: Shape::STANDARD.into(),
                clock: Some(CLOCK),
                expires: None,
                pace: Pace::FastPieRule(keys.one.address()),
            },
            STAKE,
        );
        self.accept(challenge, STAKE, keys)
    }

    /// Session keys that no game has.
    pub fn new_keys(&self) -> ByPlayer<SessionKey> {
        let next = u64::from(self.query(FastGameCount {}).expect("a query"));
        ByPlayer {
            one: session_key(next * 2),
            two: session_key(next * 2 + 1),
        }
    }

    pub fn challenge(&self, challenge: MakeChallenge, stake: u128) -> u32 {
        self.sends(Alice, stake, challenge)
    }

    /// Bob accepts a challenge of Alice.
    pub fn accept(&self, challenge: u32, stake: u128, keys: ByPlayer<SessionKey>) -> Table {
        let seen = self.query(OpenChallenge { challenge }).expect("it is open");
        let accept = Accept {
            challenge,
            key: Some(keys.two.address()),
            seen,
        };
        let game = self.sends(Bob, stake, accept);
        Table {
            game,
            keys,
            domain: self.domain(),
        }
    }

    /// What statements for the contract are signed for.
    pub fn domain(&self) -> Domain {
        Domain::new(
            <Runtime as pallet_revive::Config>::ChainId::get(),
            self.fast,
        )
    }

    pub fn fast_game(&self, game: u32) -> FastGame {
        self.query(ReadFast { game }).expect("it is there")
    }

    pub fn match_of(&self, game: u32) -> Match {
        self.query(FastMatchOf { game }).expect("it is there")
    }

    pub fn credit_of(&self, account: Account) -> u128 {
        self.query(FastCreditOf {
            account: address(account),
        })
        .expect("a query")
    }

    fn brings(
        &self,
        who: Account,
        game: u32,
        press: bool,
        evidence: Evidence,
    ) -> Result<Report, Error> {
        let message = Advance {
            game,
            press,
            evidence,
        };
        self.tries(who, 0, message).map(|((), report)| report)
    }

    pub fn advance(&self, who: Account, game: u32, evidence: Evidence) -> Result<Report, Error> {
        self.brings(who, game, false, evidence)
    }

    pub fn advance_and_press(
        &self,
        who: Account,
        game: u32,
        evidence: Evidence,
    ) -> Result<Report, Error> {
        self.brings(who, game, true, evidence)
    }

    pub fn press(&self, who: Account, game: u32) -> Result<u64, Error> {
        self.tries(who, 0, Press { game })
            .map(|(deadline, _)| deadline)
    }

    pub fn drop(&self, who: Account, game: u32, bin: u8) -> Result<Dropped, Error> {
        self.tries(who, 0, DropFast { game, bin })
            .map(|(dropped, _)| dropped)
    }

    pub fn claim(&self, who: Account, game: u32) -> Result<(), Error> {
        self.tries(who, 0, ClaimFastTimeout { game }).map(|_| ())
    }
}
