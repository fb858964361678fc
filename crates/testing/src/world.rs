//! Contracts on a local chain, and calls of them that have to succeed or to be refused.

use std::fmt;
use std::ops::Deref;

use codec::Decode;
use connect4_chain::Report;
use connect4_protocol::message::ContractKind;
use connect4_protocol::signed::{RecordsEvent, StakesEvent};
use connect4_protocol::{Address, Error, Event, Message, topic};
use sp_core::H256;

use crate::contracts::{GAMES, SIGNED_RECORDS, STAKES, VARIANTS};
use crate::local::RATIO;
use crate::{Account, ContractCall, Input, Limits, Local, Refusal, answer, data};

/// Time of a new chain, in milliseconds since 1970. Contracts see full seconds, so it is not one.
const START: u64 = 1_700_000_000_600;

/// An event of a contract.
pub trait Emitted: Sized + PartialEq + fmt::Debug {
    /// The event with this first topic and these data.
    ///
    /// # Errors
    ///
    /// Returned if the data are not those of the event.
    fn read(topic: &[u8], data: &[u8]) -> Result<Option<Self>, codec::Error>;

    /// The topics that it has to have.
    fn topics(&self) -> Vec<H256>;
}

impl Emitted for Event {
    fn read(topic: &[u8], data: &[u8]) -> Result<Option<Self>, codec::Error> {
        Self::decode(topic, data)
    }

    fn topics(&self) -> Vec<H256> {
        let accounts = match self {
            Self::GameStarted(event) => vec![event.player_one, event.player_two],
            Self::DiscDropped(event) => vec![event.player],
            Self::GameEnded(event) => vec![event.winner.unwrap_or_default()],
            Self::GameFreed(event) => vec![event.payer],
            Self::TableOpened(event) => vec![event.opener],
            Self::PlayerJoined(event) => vec![event.player],
            Self::PlayerLeft(event) => vec![event.player],
            Self::TableClosed(event) => vec![event.opener],
            Self::VariantStarted(_) => vec![],
            Self::MoveMade(event) => vec![event.player],
            Self::VariantEnded(event) => vec![event.winner.unwrap_or_default()],
            Self::VariantFreed(event) => vec![event.payer],
        };
        let game = self.game();
        let game = game.map(|game| padded(&game.number().to_le_bytes()));
        topics_about(declared(self, Self::DECLARATIONS), game, &accounts)
    }
}

impl Emitted for StakesEvent {
    fn read(topic: &[u8], data: &[u8]) -> Result<Option<Self>, codec::Error> {
        Self::decode(topic, data)
    }

    fn topics(&self) -> Vec<H256> {
        let accounts = match self {
            Self::Funded(event) => vec![event.player_one, event.player_two],
            Self::Refunded(event) => vec![event.account],
            Self::Advanced(_) => vec![],
            Self::DeadlineSet(event) => vec![event.by],
            Self::DiscDropped(event) => vec![event.player],
            Self::GameEnded(event) => vec![event.winner.unwrap_or_default()],
            Self::GameFreed(event) => vec![event.payer],
            Self::Credited(event) => vec![event.account],
            Self::Withdrawn(event) => vec![event.account, event.receiver],
        };
        let game = self.game().map(|game| H256(game.0));
        topics_about(declared(self, Self::DECLARATIONS), game, &accounts)
    }
}

impl Emitted for RecordsEvent {
    fn read(topic: &[u8], data: &[u8]) -> Result<Option<Self>, codec::Error> {
        Self::decode(topic, data)
    }

    fn topics(&self) -> Vec<H256> {
        let accounts = match self {
            Self::GameRecorded(event) => vec![event.player_one, event.player_two],
            Self::WitnessContradicted(event) => vec![event.witness],
        };
        let game = self.game().map(|game| H256(game.0));
        topics_about(declared(self, Self::DECLARATIONS), game, &accounts)
    }
}

/// The topics of an event about a game, if it is about one, and about accounts.
fn topics_about(declared: H256, game: Option<H256>, accounts: &[Address]) -> Vec<H256> {
    let mut topics = vec![declared];
    topics.extend(game);
    topics.extend(accounts.iter().map(|account| padded(&account.0)));
    topics
}

/// The first topic of an event, by its name.
fn declared(event: &impl fmt::Debug, declarations: &[&str]) -> H256 {
    let name = format!("{event:?}");
    let name = name.split('(').next();
    let mut declarations = declarations.iter();
    let declaration = declarations.find(|declaration| declaration.split('(').next() == name);
    H256(topic(declaration.expect("each event is declared")))
}

fn padded(bytes: &[u8]) -> H256 {
    let mut topic = H256::zero();
    topic.0[..bytes.len()].copy_from_slice(bytes);
    topic
}

pub trait Contracts: Sized {
    /// What they emit.
    type Event: Emitted;

    /// Code that has to be on the chain.
    const CODES: &'static [&'static [u8]];

    /// Deploys them, by Ferdie.
    fn deploy(local: &Local) -> Self;

    /// Address of a contract; none if it is not one of them.
    fn address(&self, kind: ContractKind) -> Option<Address>;
}

/// The contract of the games.
#[derive(Clone, Copy, Debug)]
pub struct Games {
    pub games: Address,
}

impl Contracts for Games {
    type Event = Event;

    const CODES: &'static [&'static [u8]] = &[GAMES];

    fn deploy(local: &Local) -> Self {
        let (games, _) = local.instantiate(Account::Ferdie, GAMES, data("new", ()));
        Self { games }
    }

    fn address(&self, kind: ContractKind) -> Option<Address> {
        (kind == ContractKind::Games).then_some(self.games)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Variants {
    pub variants: Address,
}

impl Contracts for Variants {
    type Event = Event;

    const CODES: &'static [&'static [u8]] = &[VARIANTS];

    fn deploy(local: &Local) -> Self {
        let (variants, _) = local.instantiate(Account::Ferdie, VARIANTS, data("new", ()));
        Self { variants }
    }

    fn address(&self, kind: ContractKind) -> Option<Address> {
        (kind == ContractKind::Variants).then_some(self.variants)
    }
}

/// The contract of the stakes.
#[derive(Clone, Copy, Debug)]
pub struct Stakes {
    pub stakes: Address,
}

impl Contracts for Stakes {
    type Event = StakesEvent;

    const CODES: &'static [&'static [u8]] = &[STAKES];

    fn deploy(local: &Local) -> Self {
        let constructor = data("new", local.chain.genesis_hash().0);
        let (stakes, _) = local.instantiate(Account::Ferdie, STAKES, constructor);
        Self { stakes }
    }

    fn address(&self, kind: ContractKind) -> Option<Address> {
        (kind == ContractKind::Stakes).then_some(self.stakes)
    }
}

/// The contract of the records of signed games.
#[derive(Clone, Copy, Debug)]
pub struct SignedRecords {
    pub records: Address,
}

impl Contracts for SignedRecords {
    type Event = RecordsEvent;

    const CODES: &'static [&'static [u8]] = &[SIGNED_RECORDS];

    fn deploy(local: &Local) -> Self {
        let (records, _) = local.instantiate(Account::Ferdie, SIGNED_RECORDS, data("new", ()));
        Self { records }
    }

    fn address(&self, kind: ContractKind) -> Option<Address> {
        (kind == ContractKind::SignedRecords).then_some(self.records)
    }
}

/// A call of a contract, with its text for the story of a test.
pub trait Call<C: Contracts>: fmt::Display {
    /// The message with its arguments; some of them may be read from the contract.
    fn input(&self, world: &World<C>) -> Input;

    /// Payment, as contracts count.
    fn paid(&self) -> u128 {
        0
    }
}

#[derive(Debug)]
pub struct Done<E = Event> {
    /// Bytes that the contract returned.
    pub output: Vec<u8>,
    /// What the contracts emitted.
    pub events: Vec<E>,
    pub report: Report,
}

impl<E> Done<E> {
    /// What a message returned that may refuse.
    pub fn returned<T: Decode>(&self) -> T {
        answer::<Result<T, Error>>(&self.output).expect("not refused")
    }

    /// Number of what the call made.
    pub fn number(&self) -> u32 {
        self.returned()
    }
}

/// A chain with contracts.
pub struct World<C> {
    pub local: Local,
    pub contracts: C,
}

impl<C> Deref for World<C> {
    type Target = C;

    fn deref(&self) -> &C {
        &self.contracts
    }
}

impl<C: Contracts> World<C> {
    #[must_use]
    pub fn new() -> Self {
        let local = Local::new(START);
        Self::on(local)
    }

    /// The contracts on this chain.
    #[must_use]
    pub fn on(local: Local) -> Self {
        for code in C::CODES {
            local.upload(Account::Ferdie, code);
        }
        let contracts = C::deploy(&local);
        Self { local, contracts }
    }

    /// Replaces the contracts by new ones.
    pub fn deploy_anew(&mut self) {
        self.contracts = C::deploy(&self.local);
    }

    fn contract(&self, kind: ContractKind) -> Address {
        let contract = self.contracts.address(kind);
        contract.unwrap_or_else(|| panic!("this world has no contract of the {kind}"))
    }

    /// A call, with a payment as contracts count.
    pub fn call(&self, caller: Account, input: impl Into<Input>, paid: u128) -> ContractCall {
        assert_eq!(paid % RATIO, 0, "a payment is in whole units of the chain");
        let input = input.into();
        ContractCall::new(caller, self.contract(input.contract), input).paying(paid / RATIO)
    }

    /// Tries a call, then sends it. The transaction has to succeed if the dry run did; if not, there
    /// is no event, and the payment comes back.
    ///
    /// # Errors
    ///
    /// Why the call is refused.
    pub fn try_and_send(&self, call: &ContractCall) -> Result<Done<C::Event>, Refusal> {
        self.try_and_send_or(call)
    }

    /// As [`Self::try_and_send`], with errors of another type.
    ///
    /// # Errors
    ///
    /// Why the call is refused.
    pub fn try_and_send_or<E: Decode>(
        &self,
        call: &ContractCall,
    ) -> Result<Done<C::Event>, Refusal<E>> {
        let output = self.local.dry_run(call).output_or();
        let before = self.local.balance(call.contract);
        let report = self.local.send(call, Limits::AMPLE);
        assert_eq!(report.outcome.is_ok(), output.is_ok(), "{report:?}");
        let events = self.events(&report);
        if output.is_err() {
            assert_eq!(events, [], "a refused call emits nothing");
            let after = self.local.balance(call.contract);
            assert_eq!(after, before, "the payment came back");
        }
        output.map(|output| Done {
            output,
            events,
            report,
        })
    }

    /// Makes a call that must succeed.
    #[track_caller]
    pub fn does(&self, who: Account, call: impl Call<C>) -> Done<C::Event> {
        println!("{who} {call}");
        self.try_and_send(&self.call(who, call.input(self), call.paid()))
            .unwrap_or_else(|why| panic!("{who} {call}: {why:?}"))
    }

    /// Makes a call that must be refused with an error.
    #[track_caller]
    pub fn refuses(&self, who: Account, call: impl Call<C>) -> Error {
        let done = self.try_and_send(&self.call(who, call.input(self), call.paid()));
        println!("{who} {call}: {:?}", done.as_ref().err());
        match done {
            Err(Refusal::Because(error)) => error,
            _ => panic!("{who} {call}: not refused"),
        }
    }

    /// Sends a message with a payment as contracts count; its answer, and the report.
    ///
    /// # Errors
    ///
    /// Why it is refused.
    pub fn tries<M, T, E>(&self, who: Account, paid: u128, message: M) -> Result<(T, Report), E>
    where
        M: Message<Answer = Result<T, E>>,
        T: Decode,
        E: Decode,
    {
        match self.try_and_send_or(&self.call(who, message, paid)) {
            Ok(done) => Ok((done.returned(), done.report)),
            Err(Refusal::Because(error)) => Err(error),
            Err(Refusal::Trapped) => panic!("{}: trapped", M::NAME),
        }
    }

    /// Sends a message that may not be refused, and returns its answer.
    #[track_caller]
    pub fn sends<M, T, E>(&self, who: Account, paid: u128, message: M) -> T
    where
        M: Message<Answer = Result<T, E>> + Clone + fmt::Debug,
        T: Decode,
        E: Decode + fmt::Display,
    {
        match self.tries(who, paid, message.clone()) {
            Ok((answer, _)) => answer,
            Err(error) => panic!("{who} {message:?}: {error}"),
        }
    }

    /// What the contracts emitted in a transaction.
    pub fn events(&self, report: &Report) -> Vec<C::Event> {
        let kinds = [
            ContractKind::Games,
            ContractKind::Variants,
            ContractKind::Stakes,
            ContractKind::SignedRecords,
        ];
        let emitted = report.contract_events().map(|(contract, topics, data)| {
            let by = Some(Address(contract.0));
            assert!(kinds.iter().any(|&kind| self.contracts.address(kind) == by));
            let event = C::Event::read(topics[0].as_bytes(), data);
            let event = event.expect("it decodes").expect("it is declared");
            assert_eq!(topics, event.topics(), "{event:?}");
            event
        });
        emitted.collect()
    }

    /// Answer to a query of an account that plays no game.
    #[track_caller]
    pub fn query<M: Message>(&self, message: M) -> M::Answer {
        self.local.query(self.contract(M::CONTRACT), message)
    }

    /// What an account or a contract can spend, as contracts count.
    pub fn balance(&self, of: Address) -> u128 {
        self.local.balance(of)
    }

    /// In seconds since 1970, as contracts see it.
    pub fn now(&self) -> u64 {
        self.local.now()
    }

    /// Moves the clock ahead.
    pub fn wait(&self, seconds: u64) {
        self.local.wait(seconds);
    }
}

impl<C: Contracts> Default for World<C> {
    fn default() -> Self {
        Self::new()
    }
}

/// Declares `World`, a [`World`](crate::world::World) with these contracts, to which a test adds
/// methods of its own.
#[macro_export]
macro_rules! world {
    ($contracts:ty) => {
        /// A chain with the contracts.
        pub struct World($crate::world::World<$contracts>);

        impl World {
            pub fn new() -> Self {
                Self($crate::world::World::new())
            }

            /// The contracts on this chain.
            #[allow(dead_code, reason = "most tests have chains alike")]
            pub fn on(local: $crate::Local) -> Self {
                Self($crate::world::World::on(local))
            }
        }

        impl std::ops::Deref for World {
            type Target = $crate::world::World<$contracts>;

            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }

        impl std::ops::DerefMut for World {
            fn deref_mut(&mut self) -> &mut Self::Target {
                &mut self.0
            }
        }
    };
}
