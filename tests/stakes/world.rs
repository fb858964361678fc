//! The contract of the stakes on a local chain, and games whose players sign.

use connect4_chain::Report;
use connect4_chain::runtime::Runtime;
use connect4_protocol::signed::message::{
    Advance, ClaimTimeout, CreditOf, Drop, Free, Fund, Press, ReadStaked, Refund, Resign,
};
use connect4_protocol::signed::{
    Chain, Domain, Evidence, GameNumber, Moves, Native, Party, SessionKey, Signature, SignedEnd,
    StakedGame, StakesError, Statement, Terms,
};
use connect4_protocol::{ClockSpec, Error, Message};
use connect4_rules::{Board, ByPlayer, Dropped, Player, Shape};
use connect4_testing::Account::{self, Alice, Bob};
use connect4_testing::address;
use connect4_testing::keys::session_key;
use connect4_testing::local::RATIO;
use connect4_testing::world::Stakes;
use sp_core::Get;

/// Stake of each player, as contracts count.
pub const STAKE: u128 = 100 * RATIO;
pub const CLOCK: ClockSpec = ClockSpec {
    bank: 300,
    increment: 10,
};

connect4_testing::world!(Stakes);

/// A game, and the keys of both players.
#[derive(Clone, Debug)]
pub struct Play {
    pub terms: Terms,
    pub keys: ByPlayer<SessionKey>,
    pub domain: Domain,
}

impl Play {
    pub fn number(&self) -> GameNumber {
        self.terms.number(&self.domain, &Native)
    }

    pub fn sign(&self, by: Player, statement: &Statement) -> Signature {
        let digest = statement.digest(&self.domain, &Native);
        self.keys.get(by).sign(&digest)
    }

    /// What both players hold after these moves, from 0 at the left, and this end.
    pub fn evidence(&self, bins: &[u8], end: Option<SignedEnd>) -> Evidence {
        let mut evidence = Evidence {
            end,
            signatures: ByPlayer::default(),
            moves: Moves::from_bins(bins).expect("few moves"),
        };
        let unsigned = evidence;
        for player in Player::ALL {
            if let Some(statement) = unsigned.statement_of(player, self.number()) {
                evidence.signatures[player] = self.sign(player, &statement);
            }
        }
        evidence
    }

    /// A position in which the game goes on, or ended on the board.
    pub fn position(&self, bins: &[u8]) -> Evidence {
        self.evidence(bins, None)
    }

    /// What both hold after a line: the loser has resigned at it.
    pub fn agreed(&self, bins: &[u8]) -> Evidence {
        let loser = match bins.len() % 2 {
            0 => Player::One,
            _ => Player::Two,
        };
        self.evidence(bins, Some(SignedEnd::Resignation(loser)))
    }
}

impl World {
    /// Where the games of the contract are signed.
    pub fn domain(&self) -> Domain {
        Domain {
            chain: Chain {
                id: <Runtime as pallet_revive::Config>::ChainId::get(),
                genesis: self.local.chain.genesis_hash().0,
            },
            stakes: Some(self.stakes),
        }
    }

    /// A game that Alice begins, against Bob.
    pub fn play(&self, nonce: u32) -> Play {
        self.play_of([Alice, Bob], nonce)
    }

    pub fn play_of(&self, players: [Account; 2], nonce: u32) -> Play {
        self.play_at(players.map(address), nonce)
    }

    pub fn play_at(&self, players: [connect4_protocol::Address; 2], nonce: u32) -> Play {
        let keys = ByPlayer {
            one: session_key(2 * u64::from(nonce)),
            two: session_key(2 * u64::from(nonce) + 1),
        };
        let [one, two] = players;
        Play {
            terms: Terms {
                players: ByPlayer {
                    one: Party::new(one, keys.one.address()),
                    two: Party::new(two, keys.two.address()),
                },
                clock: Some(CLOCK),
                stake: STAKE,
                time: self.now(),
                nonce,
                ..Terms::on(Shape::STANDARD)
            },
            keys,
            domain: self.domain(),
        }
    }

    /// A game for which both have paid the stake.
    pub fn begun(&self, nonce: u32) -> Play {
        let play = self.play(nonce);
        self.fund(Alice, STAKE, &play).expect("Alice pays");
        self.fund(Bob, STAKE, &play).expect("Bob pays");
        play
    }

    /// Makes a call that answers whatever it answers.
    pub fn does_it<M, T>(&self, who: Account, paid: u128, message: M) -> Result<Report, StakesError>
    where
        M: Message<Answer = Result<T, StakesError>>,
        T: codec::Decode,
    {
        self.tries(who, paid, message).map(|(_, report)| report)
    }

    pub fn fund(&self, who: Account, paid: u128, play: &Play) -> Result<Report, StakesError> {
        let terms = play.terms;
        self.does_it(who, paid, Fund { terms })
    }

    pub fn refund(&self, who: Account, play: &Play) -> Result<u128, StakesError> {
        let game = play.number();
        let refunded = self.tries(who, 0, Refund { game });
        refunded.map(|(amount, _)| amount)
    }

    pub fn advance(
        &self,
        who: Account,
        play: &Play,
        evidence: Evidence,
    ) -> Result<Report, StakesError> {
        self.brings(who, play, false, evidence)
    }

    pub fn brings(
        &self,
        who: Account,
        play: &Play,
        press: bool,
        evidence: Evidence,
    ) -> Result<Report, StakesError> {
        let message = Advance {
            game: play.number(),
            press,
            evidence,
        };
        self.does_it(who, 0, message)
    }

    pub fn press(&self, who: Account, play: &Play) -> Result<u64, StakesError> {
        let game = play.number();
        let pressed = self.tries(who, 0, Press { game });
        pressed.map(|(deadline, _)| deadline)
    }

    pub fn drop(&self, who: Account, play: &Play, bin: u8) -> Result<Dropped, StakesError> {
        self.drop_on(&self.board(play), who, play, bin)
    }

    pub fn drop_on(
        &self,
        board: &Board,
        who: Account,
        play: &Play,
        bin: u8,
    ) -> Result<Dropped, StakesError> {
        let message = Drop {
            game: play.number(),
            board: *board,
            bin,
        };
        let dropped = self.tries(who, 0, message);
        dropped.map(|(dropped, _)| dropped)
    }

    /// The board of a game; an empty one if there is no game.
    pub fn board(&self, play: &Play) -> Board {
        let stored = self.stored(play);
        stored.map_or_else(
            |_| Board::new(Shape::STANDARD),
            |staked| *staked.game.game.board(),
        )
    }

    pub fn resign(&self, who: Account, play: &Play) -> Result<Report, StakesError> {
        let game = play.number();
        self.does_it(who, 0, Resign { game })
    }

    pub fn claim(&self, who: Account, play: &Play) -> Result<Report, StakesError> {
        let game = play.number();
        self.does_it(who, 0, ClaimTimeout { game })
    }

    pub fn free(&self, who: Account, play: &Play) -> Result<Report, StakesError> {
        let game = play.number();
        self.does_it(who, 0, Free { game })
    }

    pub fn stored(&self, play: &Play) -> Result<StakedGame, StakesError> {
        let game = play.number();
        self.query(ReadStaked { game })
    }

    pub fn owed(&self, who: Account) -> u128 {
        let account = address(who);
        self.query(CreditOf { account }).expect("a query")
    }

    /// Asserts what the contract holds, and what of it Alice and Bob are owed, in stakes.
    #[track_caller]
    pub fn holds(&self, stakes: u128, alice: u128, bob: u128) {
        let held = self.balance(self.stakes);
        let owed = [Alice, Bob].map(|who| self.owed(who));
        assert_eq!((held, owed), (stakes * STAKE, [alice * STAKE, bob * STAKE]));
    }
}

/// The error of the others.
pub const fn common(error: Error) -> StakesError {
    StakesError::Common(error)
}
