//! Both contracts on a local chain, and calls that must succeed or must be refused.

use codec::Decode;
use connect4_chain::Report;
use connect4_protocol::message::{
    ContractKind, CreditOf, FastContract, GamesContract, MatchOf, OpenChallenge, OpenChallenges,
    ReadGame,
};
use connect4_protocol::{Address, Challenge, Error, Event, Game, Match, Message, Page};
use connect4_testing::contracts::{FAST, GAMES, MATCHES, code_hash};
use connect4_testing::local::RATIO;
use connect4_testing::{Account, ContractCall, Input, Limits, Local, Refusal, answer, data};

use crate::call::Call;

/// Time of a new chain, in milliseconds since 1970. Contracts see full seconds, so it is not one.
const START: u64 = 1_700_000_000_600;

/// A call that succeeded.
pub struct Done {
    /// Bytes that the contract returned.
    pub output: Vec<u8>,
    pub report: Report,
}

impl Done {
    /// What a message returned that may refuse.
    pub fn returned<T: Decode>(&self) -> T {
        answer::<Result<T, Error>>(&self.output).expect("not refused")
    }

    /// Number of the challenge or game that the call made.
    pub fn number(&self) -> u32 {
        self.returned()
    }
}

/// A chain with a contract of the matches, which has deployed one of the games and one of the fast
/// games.
pub struct World {
    pub local: Local,
    pub matches: Address,
    pub games: Address,
    pub fast: Address,
}

impl World {
    pub fn new() -> Self {
        let local = Local::new(START);
        local.upload(Account::Ferdie, GAMES);
        local.upload(Account::Ferdie, FAST);
        local.upload(Account::Ferdie, MATCHES);
        let mut world = Self {
            local,
            matches: Address::ZERO,
            games: Address::ZERO,
            fast: Address::ZERO,
        };
        world.deploy_anew();
        world
    }

    /// Replaces the contracts by new ones.
    pub fn deploy_anew(&mut self) {
        let constructor = data("new", (code_hash(GAMES), code_hash(FAST)));
        (self.matches, _) = self
            .local
            .instantiate(Account::Ferdie, MATCHES, constructor);
        self.games = self.query(GamesContract {});
        self.fast = self.query(FastContract {});
    }

    /// The call of a contract, with a payment as contracts count.
    pub fn call(&self, caller: Account, input: impl Into<Input>, paid: u128) -> ContractCall {
        assert_eq!(paid % RATIO, 0, "a payment is in whole units of the chain");
        let input = input.into();
        let contract = self.contract(input.contract);
        ContractCall::new(caller, contract, input).paying(paid / RATIO)
    }

    fn contract(&self, kind: ContractKind) -> Address {
        match kind {
            ContractKind::Games => self.games,
            ContractKind::Matches => self.matches,
            ContractKind::Fast => self.fast,
            ContractKind::Variants => panic!("this world has no variants"),
        }
    }

    /// Tries a call, then sends it. The transaction has to succeed if the dry run did.
    pub fn try_and_send(&self, call: &ContractCall) -> (Result<Vec<u8>, Refusal>, Report) {
        let output = self.local.dry_run(call).output();
        let report = self.local.send(call, Limits::AMPLE);
        assert_eq!(report.outcome.is_ok(), output.is_ok(), "{report:?}");
        (output, report)
    }

    /// Makes a call that must succeed.
    #[track_caller]
    pub fn does(&self, who: Account, call: Call) -> Done {
        println!("{who} {call}");
        let (output, report) = self.try_and_send(&self.call(who, call.input(self), call.paid()));
        let output = output.unwrap_or_else(|why| panic!("{who} {call}: {why:?}"));
        Done { output, report }
    }

    /// Makes a call that must be refused, and changes nothing.
    #[track_caller]
    pub fn refuses(&self, who: Account, call: Call) -> Error {
        let before = self.local.balance(self.matches);
        let (output, report) = self.try_and_send(&self.call(who, call.input(self), call.paid()));
        println!("{who} {call}: {output:?}");
        let Err(Refusal::Because(error)) = output else {
            panic!("{who} {call}: not refused");
        };
        assert_eq!(report.contract_events().count(), 0, "no event");
        assert_eq!(
            self.local.balance(self.matches),
            before,
            "the payment came back"
        );
        error
    }

    /// What both contracts emitted in a transaction.
    pub fn events(&self, report: &Report) -> Vec<Event> {
        let emitted = report.contract_events().map(|(contract, topics, data)| {
            assert!([self.matches, self.games].contains(&Address(contract.0)));
            let event = Event::decode(topics[0].as_bytes(), data);
            event.expect("it decodes").expect("it is declared")
        });
        emitted.collect()
    }

    /// Answer to a query of an account that plays no game.
    #[track_caller]
    pub fn query<M: Message>(&self, message: M) -> M::Answer {
        self.local.query(self.contract(M::CONTRACT), message)
    }

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

    /// What an account or a contract can spend, as contracts count.
    pub fn balance(&self, of: Address) -> u128 {
        self.local.balance(of)
    }

    /// In seconds since 1970, as contracts see it.
    pub fn now(&self) -> u64 {
        self.local.now()
    }

    pub fn wait(&self, seconds: u64) {
        self.local.wait(seconds);
    }

    /// Waits until the clock shows this second.
    pub fn wait_until(&self, second: u64) {
        self.wait(second.checked_sub(self.now()).expect("not in the past"));
    }
}
