//! Where a fast game is played: on a chain, or by the rules alone.

use connect4_protocol::fast::{
    Agreed, Crypto, Digest, Domain, Evidence, FastGame, Native, Signature, Statement,
};
use connect4_protocol::message::{ClaimFastTimeout, DropFast, Press, ResignFast};
use connect4_protocol::{Address, Error, Match, payout};
use connect4_rules::{Bin, ByPlayer, Player, Shape};
use connect4_testing::address;

use crate::world::{CLOCK, STAKE, Table, World, account, session_key};

/// A call of the contract, by a player.
#[derive(Clone, Debug)]
pub enum Deed {
    Advance {
        press: bool,
        evidence: Box<Evidence>,
    },
    Press,
    Drop(u8),
    Claim,
    Resign,
}

/// A fast game for a stake, player one against player two.
pub trait Bench {
    /// Does it, or refuses it and changes nothing.
    fn does(&mut self, who: Player, deed: &Deed) -> Result<(), Error>;
    fn state(&self) -> FastGame;
    fn credits(&self) -> ByPlayer<u128>;
    fn now(&self) -> u64;
    fn wait(&mut self, seconds: u64);
    /// Signature of a player on a statement about this game.
    fn sign(&self, by: Player, statement: &Statement) -> Signature;
    fn number(&self) -> u32;
}

/// The contract, on a chain in this process.
pub struct OnChain {
    world: World,
    table: Table,
    before: ByPlayer<u128>,
}

impl OnChain {
    pub fn new() -> Self {
        let world = World::new();
        let table = world.start(STAKE, Some(CLOCK));
        Self {
            world,
            table,
            before: ByPlayer::default(),
        }
    }

    /// Another game on the same chain.
    pub fn anew(mut self) -> Self {
        self.table = self.world.start(STAKE, Some(CLOCK));
        self.before = ByPlayer::default();
        self.before = self.credits();
        self
    }
}

impl Bench for OnChain {
    fn does(&mut self, who: Player, deed: &Deed) -> Result<(), Error> {
        let game = self.table.game;
        let who = account(who);
        match deed {
            Deed::Advance { press, evidence } => if *press {
                self.world.advance_and_press(who, game, **evidence)
            } else {
                self.world.advance(who, game, **evidence)
            }
            .map(|_| ()),
            Deed::Press => self.world.tries(who, 0, Press { game }).map(|_| ()),
            Deed::Drop(bin) => self
                .world
                .tries(who, 0, DropFast { game, bin: *bin })
                .map(|_| ()),
            Deed::Claim => self
                .world
                .tries(who, 0, ClaimFastTimeout { game })
                .map(|_| ()),
            Deed::Resign => self.world.tries(who, 0, ResignFast { game }).map(|_| ()),
        }
    }

    fn state(&self) -> FastGame {
        self.world.fast_game(self.table.game)
    }

    fn credits(&self) -> ByPlayer<u128> {
        ByPlayer::from_fn(|player| self.world.credit_of(account(player)) - self.before.get(player))
    }

    fn now(&self) -> u64 {
        self.world.now()
    }

    fn wait(&mut self, seconds: u64) {
        self.world.wait(seconds);
    }

    fn sign(&self, by: Player, statement: &Statement) -> Signature {
        let digest = statement.digest(&self.table.domain, &Native);
        self.table.keys.get(by).sign(&digest)
    }

    fn number(&self) -> u32 {
        self.table.game
    }
}

/// The rules that the contract applies, without a chain and with signatures that cost nothing.
pub struct OnPaper {
    fast: FastGame,
    state: Match,
    credits: ByPlayer<u128>,
    now: u64,
}

const NUMBER: u32 = connect4_protocol::fast::FIRST + 7;
const DOMAIN: Domain = Domain::new(1, Address([7; 20]));

/// A signature is the hash of the digest and the signer's address, with that address. Who has the
/// test's source can forge it; the cheats of these tests do not.
struct Paper;

impl Paper {
    fn sign(&self, digest: &Digest, by: Address) -> Signature {
        let hash = self.keccak256(&[&digest[..], &by.0[..]].concat());
        let mut bytes = [0; 65];
        bytes[..32].copy_from_slice(&hash);
        bytes[32..52].copy_from_slice(&by.0);
        Signature(bytes)
    }
}

impl Crypto for Paper {
    fn keccak256(&self, bytes: &[u8]) -> Digest {
        Native.keccak256(bytes)
    }

    fn recover(&self, digest: &Digest, signature: &Signature) -> Option<Address> {
        let mut by = Address::ZERO;
        by.0.copy_from_slice(&signature.0[32..52]);
        (self.sign(digest, by) == *signature).then_some(by)
    }
}

fn paper_key(player: Player) -> Address {
    Address([player as u8 + 1; 20])
}

impl OnPaper {
    pub fn new() -> Self {
        let agreed = Agreed {
            players: ByPlayer::from_fn(|player| address(account(player))),
            keys: ByPlayer::from_fn(paper_key),
            payer: address(account(Player::Two)),
            shape: Shape::STANDARD.into(),
            clock: Some(CLOCK),
            pie_rule: false,
        };
        Self {
            fast: FastGame::start(&agreed).expect("two keys"),
            state: Match {
                stake: STAKE,
                clock: Some(CLOCK),
                ..Match::default()
            },
            credits: ByPlayer::default(),
            now: 1_700_000_000,
        }
    }
}

impl Bench for OnPaper {
    fn does(&mut self, who: Player, deed: &Deed) -> Result<(), Error> {
        let who = address(account(who));
        let (mut fast, now) = (self.fast, self.now);
        match deed {
            Deed::Advance { press, evidence } => {
                fast.advance(NUMBER, evidence, &DOMAIN, &Paper, now)?;
                if *press {
                    fast.press(who, now)?;
                }
            }
            Deed::Press => fast.press(who, now).map(|_| ())?,
            Deed::Drop(bin) => fast.drop(who, Bin::new(*bin), now).map(|_| ())?,
            Deed::Claim => fast.claim_timeout(&self.state, now)?,
            Deed::Resign => fast.resign(who)?,
        }
        self.fast = fast;
        if fast.is_final()
            && let Ok(shares) = self.state.settle(&fast.game)
        {
            assert_eq!(shares, payout(2 * STAKE, fast.game.winner()));
            self.credits = shares;
        }
        Ok(())
    }

    fn state(&self) -> FastGame {
        self.fast
    }

    fn credits(&self) -> ByPlayer<u128> {
        self.credits
    }

    fn now(&self) -> u64 {
        self.now
    }

    fn wait(&mut self, seconds: u64) {
        self.now += seconds;
    }

    fn sign(&self, by: Player, statement: &Statement) -> Signature {
        Paper.sign(&statement.digest(&DOMAIN, &Paper), paper_key(by))
    }

    fn number(&self) -> u32 {
        NUMBER
    }
}

pub fn stranger() -> Signature {
    session_key(123_456).sign(&[1; 32])
}
