//! The contracts on a local chain, and two players with session keys.

use codec::Decode;
use connect4_chain::Report;
use connect4_chain::runtime::Runtime;
use connect4_protocol::fast::{Domain, Evidence, FastGame, SessionKey};
use connect4_protocol::message::{
    Accept, Advance, ClaimFastTimeout, ContractKind, DropFast, FastContract, FastCreditOf,
    FastGameCount, FastMatchOf, GamesContract, MakeChallenge, OpenChallenge, Press, ReadFast,
};
use connect4_protocol::{Address, ClockSpec, Error, Event, Match, Message};
use connect4_rules::{ByPlayer, Dropped, Player, Shape};
use connect4_testing::Account::{self, Alice, Bob, Ferdie};
use connect4_testing::contracts::{FAST, GAMES, MATCHES, code_hash};
pub use connect4_testing::fast::{Table, session_key};
use connect4_testing::local::RATIO;
use connect4_testing::{ContractCall, Limits, Local, Refusal, address, data};
use sp_core::Get;

/// Time of a new chain, in milliseconds since 1970. Contracts see full seconds, so it is not one.
const START: u64 = 1_700_000_000_600;
/// Stake of each player, as contracts count.
pub const STAKE: u128 = 100 * RATIO;
/// Clock of the games.
pub const CLOCK: ClockSpec = ClockSpec {
    bank: 300,
    increment: 10,
};

/// A chain with the contracts.
pub struct World {
    pub local: Local,
    pub matches: Address,
    pub fast: Address,
    pub games: Address,
}

/// The account of a player.
pub const fn account(player: Player) -> Account {
    match player {
        Player::One => Alice,
        Player::Two => Bob,
    }
}

impl World {
    pub fn new() -> Self {
        let local = Local::new(START);
        for code in [GAMES, FAST, MATCHES] {
            local.upload(Ferdie, code);
        }
        let mut world = Self {
            local,
            matches: Address::ZERO,
            fast: Address::ZERO,
            games: Address::ZERO,
        };
        world.deploy_anew();
        world
    }

    /// Replaces the contracts by new ones.
    pub fn deploy_anew(&mut self) {
        let constructor = data("new", (code_hash(GAMES), code_hash(FAST)));
        (self.matches, _) = self.local.instantiate(Ferdie, MATCHES, constructor);
        self.fast = self.query(FastContract {});
        self.games = self.query(GamesContract {});
    }

    fn contract(&self, kind: ContractKind) -> Address {
        match kind {
            ContractKind::Games => self.games,
            ContractKind::Matches => self.matches,
            ContractKind::Fast => self.fast,
            ContractKind::Variants => panic!("this world has no variants"),
        }
    }

    /// Answer to a query of an account that plays no game.
    #[track_caller]
    pub fn query<M: Message>(&self, message: M) -> M::Answer {
        self.local.query(self.contract(M::CONTRACT), message)
    }

    /// Tries a call with a payment as contracts count, then sends it. The transaction has to succeed
    /// if the dry run did.
    pub fn tries<M, T>(&self, who: Account, paid: u128, message: M) -> Result<(T, Report), Error>
    where
        M: Message<Answer = Result<T, Error>>,
        T: Decode,
    {
        assert_eq!(paid % RATIO, 0, "a payment is in whole units of the chain");
        let contract = self.contract(M::CONTRACT);
        let call = ContractCall::new(who, contract, message).paying(paid / RATIO);
        let run = self.local.dry_run(&call);
        let before = self.local.balance(contract);
        let report = self.local.send(&call, Limits::AMPLE);
        assert_eq!(report.outcome.is_ok(), !run.is_refused(), "{report:?}");
        match run.clone().output() {
            Ok(_) => {
                let answer: Result<T, Error> = run.answer();
                Ok((answer.expect("not refused"), report))
            }
            Err(Refusal::Because(error)) => {
                assert_eq!(report.contract_events().count(), 0, "no event");
                assert_eq!(
                    self.local.balance(contract),
                    before,
                    "the payment came back"
                );
                Err(error)
            }
            Err(Refusal::Trapped) => panic!("{}: trapped", M::NAME),
        }
    }

    /// Makes a call that must succeed.
    #[track_caller]
    pub fn does<M, T>(&self, who: Account, paid: u128, message: M) -> T
    where
        M: Message<Answer = Result<T, Error>> + Clone + std::fmt::Debug,
        T: Decode,
    {
        match self.tries(who, paid, message.clone()) {
            Ok((answer, _)) => answer,
            Err(error) => panic!("{who} {message:?}: {error}"),
        }
    }

    /// A challenge of Alice to Bob that Bob accepts.
    pub fn start(&self, stake: u128, clock: Option<ClockSpec>) -> Table {
        let next = u64::from(self.query(FastGameCount {}).expect("a query"));
        let keys = ByPlayer {
            one: session_key(next * 2),
            two: session_key(next * 2 + 1),
        };
        self.start_with(stake, clock, keys)
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
        let challenge = self.does(
            Alice,
            stake,
            MakeChallenge {
                opponent: Some(address(Bob)),
                challenger_first: true,
                shape: shape.into(),
                clock,
                expires: None,
                key: Some(keys.one.address()),
            },
        );
        let seen = self.query(OpenChallenge { challenge }).expect("it is open");
        let accept = Accept {
            challenge,
            key: Some(keys.two.address()),
            seen,
        };
        let game = self.does(Bob, stake, accept);
        Table {
            game,
            keys,
            domain: self.domain(),
        }
    }

    /// What statements for the contract are signed for.
    pub fn domain(&self) -> Domain {
        Domain {
            chain_id: <Runtime as pallet_revive::Config>::ChainId::get(),
            contract: self.fast,
        }
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

    pub fn advance(&self, who: Account, game: u32, evidence: Evidence) -> Result<Report, Error> {
        let message = Advance {
            game,
            press: false,
            evidence,
        };
        self.tries(who, 0, message).map(|((), report)| report)
    }

    pub fn advance_and_press(
        &self,
        who: Account,
        game: u32,
        evidence: Evidence,
    ) -> Result<Report, Error> {
        let message = Advance {
            game,
            press: true,
            evidence,
        };
        self.tries(who, 0, message).map(|((), report)| report)
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

    /// What the contracts emitted in a transaction.
    pub fn events(&self, report: &Report) -> Vec<Event> {
        let emitted = report.contract_events().map(|(_, topics, data)| {
            let event = Event::decode(topics[0].as_bytes(), data);
            event.expect("it decodes").expect("it is declared")
        });
        emitted.collect()
    }

    pub fn now(&self) -> u64 {
        self.local.now()
    }

    pub fn wait(&self, seconds: u64) {
        self.local.wait(seconds);
    }
}
