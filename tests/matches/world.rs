//! A chain in this process with both contracts, and people who call them.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    time::Duration,
};

use codec::{Decode, DecodeAll, Encode};
use connect4_chain::{
    Chain, Clock, Options, Report,
    runtime::{Balance, Runtime, RuntimeCall, RuntimeEvent, currency::UNITS},
};
use connect4_protocol::{Challenge, Error, Game, Match, Page};
use frame_support::weights::Weight;
use pallet_revive::AddressMapper;
use sp_core::{
    H160, H256, U256,
    hashing::{blake2_256, keccak_256},
    sr25519::Pair,
};
pub use sp_keyring::Sr25519Keyring as Account;

use crate::model::Call;

const CONNECT4: &[u8] = include_bytes!("../../artifacts/connect4.polkavm");
const MATCHES: &[u8] = include_bytes!("../../artifacts/connect4_matches.polkavm");

/// A contract counts with 18 decimals, the chain with 10.
pub const RATIO: u128 = 100_000_000;
/// One token, as a contract counts.
pub const TOKEN: u128 = UNITS * RATIO;

/// When a world begins, in milliseconds since 1970: not at a full second, as contracts see.
const START: u64 = 1_700_000_000_600;

/// More than any call takes, less than a block holds.
const WEIGHT: Weight = Weight::from_parts(500_000_000_000, 5_000_000);

/// A message as ink! takes it: the start of its name's hash, then its arguments.
pub fn message(name: &str, arguments: impl Encode) -> Vec<u8> {
    let mut data = blake2_256(name.as_bytes())[..4].to_vec();
    arguments.encode_to(&mut data);
    data
}

pub fn address(of: Account) -> H160 {
    <Runtime as pallet_revive::Config>::AddressMapper::to_address(&of.to_account_id())
}

/// As the rules have it.
pub fn key(of: Account) -> connect4_protocol::Address {
    connect4_protocol::Address(address(of).0)
}

/// What a message answered: what it returned, or why it refused. `Err` as well if it trapped.
pub type Answer = Result<Vec<u8>, Refusal>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It said why, and undid all.
    Because(Error),
    /// It did not come to an answer.
    Trapped,
}

/// What somebody did.
pub struct Done {
    pub data: Vec<u8>,
    pub report: Report,
}

impl Done {
    pub fn returned<T: Decode>(&self) -> T {
        plain::<Result<T, Error>>(&self.data).expect("not refused")
    }

    /// Of the challenge or the game that there is now.
    pub fn number(&self) -> u32 {
        self.returned()
    }
}

/// A chain with a contract of the matches, which has deployed one of the games.
pub struct World {
    pub chain: Chain,
    pub matches: H160,
    pub games: H160,
    /// Milliseconds since 1970.
    now: Cell<u64>,
    /// Kept, as making one takes longer than a block.
    pairs: RefCell<HashMap<Account, Pair>>,
}

impl World {
    pub fn new() -> Self {
        let chain = Chain::open(Options {
            clock: Clock::Manual(START),
            ..Options::default()
        })
        .unwrap();
        let mut world = Self {
            chain,
            matches: H160::zero(),
            games: H160::zero(),
            now: Cell::new(START),
            pairs: RefCell::default(),
        };
        world.upload(CONNECT4);
        world.upload(MATCHES);
        world.deploy_anew();
        world
    }

    /// Leaves both contracts behind, and goes on with new ones.
    pub fn deploy_anew(&mut self) {
        let games = H256(keccak_256(CONNECT4));
        self.matches = self.instantiate(MATCHES, message("new", games));
        self.games = self.ask_matches("games_contract", ());
    }

    pub fn upload(&self, code: &[u8]) {
        let call = pallet_revive::Call::upload_code {
            code: code.to_vec(),
            storage_deposit_limit: 100 * UNITS,
        };
        let report = self.sign(Account::Ferdie, call);
        assert_eq!(report.outcome, Ok(()));
    }

    /// Instantiates what was uploaded.
    pub fn instantiate(&self, code: &[u8], constructor: Vec<u8>) -> H160 {
        let call = pallet_revive::Call::instantiate {
            value: 0,
            weight_limit: WEIGHT,
            storage_deposit_limit: 100 * UNITS,
            code_hash: H256(keccak_256(code)),
            data: constructor,
            salt: None,
        };
        let report = self.sign(Account::Ferdie, call);
        assert_eq!(report.outcome, Ok(()));
        report
            .events
            .iter()
            .rev()
            .find_map(|event| match event {
                // The contract that it deploys itself says so first.
                RuntimeEvent::Revive(pallet_revive::Event::Instantiated { deployer, contract })
                    if *deployer == address(Account::Ferdie) =>
                {
                    Some(*contract)
                }
                _ => None,
            })
            .expect("instantiated")
    }

    fn sign(&self, by: Account, call: pallet_revive::Call<Runtime>) -> Report {
        let call = RuntimeCall::Revive(call);
        let mut pairs = self.pairs.borrow_mut();
        let pair = pairs.entry(by).or_insert_with(|| by.pair());
        self.chain.submit(pair, call).unwrap()
    }

    /// In seconds since 1970, as contracts see it.
    pub fn now(&self) -> u64 {
        self.now.get() / 1000
    }

    pub fn wait(&self, seconds: u64) {
        self.now.set(self.now.get() + 1000 * seconds);
        self.chain.advance_clock(Duration::from_secs(seconds));
    }

    /// Waits until the clock shows this.
    pub fn wait_until(&self, second: u64) {
        self.wait(second.checked_sub(self.now()).expect("not in the past"));
    }

    /// What a call would answer. `paid` is as a contract counts.
    pub fn ask(&self, caller: Account, contract: H160, paid: u128, data: Vec<u8>) -> Answer {
        let caller = caller.to_account_id();
        let answer = self
            .chain
            .call_contract(&caller, contract, native(paid), data)
            .unwrap();
        let Ok(returned) = answer.result else {
            return Err(Refusal::Trapped);
        };
        if !returned.did_revert() {
            return Ok(returned.data);
        }
        match Result::<Result<(), Error>, u8>::decode_all(&mut &returned.data[..]) {
            Ok(Ok(Err(error))) => Err(Refusal::Because(error)),
            _ => Err(Refusal::Trapped),
        }
    }

    /// Sends a call as a transaction.
    pub fn send(&self, caller: Account, contract: H160, paid: u128, data: Vec<u8>) -> Report {
        let call = pallet_revive::Call::call {
            dest: contract,
            value: native(paid),
            weight_limit: WEIGHT,
            storage_deposit_limit: 100 * UNITS,
            data,
        };
        self.sign(caller, call)
    }

    /// Somebody does what is not refused.
    pub fn does(&self, who: Account, call: Call) -> Done {
        println!("{who} {call}");
        let contract = self.contract_of(&call);
        let answer = self.ask(who, contract, call.paid(), call.data());
        let data = answer.unwrap_or_else(|why| panic!("{who} {call}: {why:?}"));
        let report = self.send(who, contract, call.paid(), call.data());
        assert_eq!(report.outcome, Ok(()));
        Done { data, report }
    }

    /// Somebody tries what is refused, and changes nothing by it.
    pub fn refuses(&self, who: Account, call: Call) -> Error {
        let contract = self.contract_of(&call);
        let answer = self.ask(who, contract, call.paid(), call.data());
        println!("{who} {call}: {answer:?}");
        let Err(Refusal::Because(error)) = answer else {
            panic!("{who} {call}: not refused");
        };
        let before = self.balance(self.matches);
        let report = self.send(who, contract, call.paid(), call.data());
        assert!(report.outcome.is_err());
        assert_eq!(report.contract_events().count(), 0, "it tells nobody");
        assert_eq!(self.balance(self.matches), before, "the money came back");
        error
    }

    pub fn contract_of(&self, call: &Call) -> H160 {
        if call.is_of_games() {
            self.games
        } else {
            self.matches
        }
    }

    /// A query without a `Result`.
    pub fn ask_matches<T: Decode>(&self, name: &str, arguments: impl Encode) -> T {
        plain(&self.look(self.matches, name, arguments).unwrap())
    }

    fn look(&self, contract: H160, name: &str, arguments: impl Encode) -> Answer {
        self.ask(Account::Ferdie, contract, 0, message(name, arguments))
    }

    pub fn query<T: Decode>(
        &self,
        contract: H160,
        name: &str,
        arguments: impl Encode,
    ) -> Result<T, Error> {
        match self.look(contract, name, arguments) {
            Ok(data) => plain::<Result<T, Error>>(&data),
            Err(Refusal::Because(error)) => Err(error),
            Err(Refusal::Trapped) => panic!("{name} trapped"),
        }
    }

    pub fn game(&self, game: u32) -> Result<Game, Error> {
        self.query(self.games, "game", game)
    }

    pub fn match_of(&self, game: u32) -> Result<Match, Error> {
        self.query(self.matches, "match_of", game)
    }

    pub fn open_challenge(&self, challenge: u32) -> Result<Challenge, Error> {
        self.query(self.matches, "open_challenge", challenge)
    }

    pub fn open_challenges(&self, from: Option<u32>, limit: u8) -> Result<Page, Error> {
        self.query(self.matches, "open_challenges", (from, limit))
    }

    pub fn credit_of(&self, account: H160) -> u128 {
        self.ask_matches("credit_of", account)
    }

    /// What an account can spend, as a contract counts.
    pub fn balance(&self, of: H160) -> u128 {
        let (_, header) = self.chain.best();
        let balance = self
            .chain
            .call(&header, "ReviveApi_balance", &of.encode())
            .unwrap()
            .unwrap();
        let balance = U256::decode(&mut &balance[..]).unwrap();
        u128::try_from(balance).unwrap()
    }
}

fn native(paid: u128) -> Balance {
    assert_eq!(paid % RATIO, 0, "people pay whole units of the chain");
    paid / RATIO
}

/// ink! wraps every answer: `Ok` unless it did not understand the message.
pub fn plain<T: Decode>(data: &[u8]) -> T {
    Result::<T, u8>::decode_all(&mut &data[..])
        .expect("as it is declared")
        .expect("the message was understood")
}
