//! The contracts on a chain of their own, and the cost of each call.

use std::collections::HashMap;

use connect4_chain::Report;
use connect4_chain::runtime::{Balance, RuntimeEvent};
use connect4_protocol::message::{ContractKind, DropDisc, StartGame};
use connect4_protocol::{Address, Message};
use connect4_rules::{Outcome, Shape};
use connect4_testing::Account::{Alice, Bob};
use connect4_testing::contracts::{GAMES, SIGNED_RECORDS, STAKES, VARIANTS};
use connect4_testing::{Account, ContractCall, DryRun, Limits, Local, address, data, games};
use frame_support::weights::Weight;

use crate::later;

/// When a chain starts, in milliseconds since 1970.
const START: u64 = 0;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cost {
    /// Weight that the contracts take, without that of the transaction around them.
    pub weight: Weight,
    /// In the chain's smallest unit; negative if it is given back.
    pub deposit: i128,
    /// Fee in the chain's smallest unit; 0 for a query, which is no transaction.
    pub fee: Balance,
    /// Proof that it takes on the later pallet, in bytes, if that is measured now.
    pub later: Option<u64>,
}

impl Default for Cost {
    fn default() -> Self {
        Self {
            weight: Weight::zero(),
            deposit: 0,
            fee: 0,
            later: Some(0),
        }
    }
}

impl Cost {
    /// Cost of a deployment. What the account of the contract has to keep counts as a deposit.
    fn of_deployment(report: &Report, later: Option<u64>) -> Self {
        let endowed: Balance = report
            .events
            .iter()
            .filter_map(|event| match event {
                RuntimeEvent::Balances(pallet_balances::Event::Endowed {
                    free_balance, ..
                }) => Some(*free_balance),
                _ => None,
            })
            .sum();
        Self {
            weight: report.weight,
            deposit: report.deposit + endowed as i128,
            fee: report.fee,
            later,
        }
    }

    const fn of_dry_run(dry_run: &DryRun, later: Option<u64>) -> Self {
        Self {
            weight: dry_run.weight,
            deposit: dry_run.deposit,
            fee: 0,
            later,
        }
    }
}

impl std::ops::Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            weight: self.weight + other.weight,
            deposit: self.deposit + other.deposit,
            fee: self.fee + other.fee,
            later: self.later.zip(other.later).map(|(one, two)| one + two),
        }
    }
}

impl std::iter::Sum for Cost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::default(), std::ops::Add::add)
    }
}

/// Limits with which a call is sent after a dry run of it.
pub fn limits(dry_run: &DryRun) -> Limits {
    Limits {
        weight: dry_run.weight_limit,
        deposit: dry_run.largest_deposit.max(0) as Balance,
    }
}

/// Deploys code on a chain of its own.
pub fn deploy(code: &[u8], constructor: Vec<u8>) -> (Local, Address, Cost) {
    let local = Local::new(START);
    let (address, cost) = deploy_on(&local, code, constructor);
    (local, address, cost)
}

fn deploy_on(local: &Local, code: &[u8], constructor: Vec<u8>) -> (Address, Cost) {
    let (address, report) = local.deploy(Alice, code, constructor.clone());
    let later = later::deploy(local, Alice, code, &constructor, address);
    (address, Cost::of_deployment(&report, later))
}

/// Sends a call with the limits that its dry run asks for.
pub fn send(local: &Local, call: &ContractCall) -> (DryRun, Cost) {
    let dry_run = local.dry_run(call);
    let report = local.send(call, limits(&dry_run));
    assert_eq!(
        report.outcome.is_err(),
        dry_run.is_refused(),
        "{:?}",
        report.outcome
    );
    if !dry_run.is_refused() {
        assert_eq!(report.deposit, dry_run.deposit, "as the dry run said");
    }
    let cost = Cost {
        fee: report.fee,
        ..Cost::of_dry_run(&dry_run, later::call(local, call, true))
    };
    (dry_run, cost)
}

pub fn query(local: &Local, call: &ContractCall) -> (DryRun, Cost) {
    let dry_run = local.dry_run(call);
    assert!(!dry_run.is_refused());
    let cost = Cost::of_dry_run(&dry_run, later::call(local, call, false));
    (dry_run, cost)
}

/// The contracts on a chain of their own.
pub struct Contracts {
    pub local: Local,
    addresses: HashMap<ContractKind, Address>,
}

impl Contracts {
    /// One contract alone, and the cost of its deployment.
    fn alone(kind: ContractKind, code: &[u8], constructor: Vec<u8>) -> (Self, Cost) {
        let (local, address, cost) = deploy(code, constructor);
        let addresses = HashMap::from([(kind, address)]);
        (Self { local, addresses }, cost)
    }

    /// The contract of the games alone, and the cost of the deployment.
    pub fn games() -> (Self, Cost) {
        Self::alone(ContractKind::Games, GAMES, data("new", ()))
    }

    pub fn address(&self, kind: ContractKind) -> Address {
        self.addresses[&kind]
    }

    /// The contract of the variants alone, and the cost of the deployment.
    pub fn variants() -> (Self, Cost) {
        Self::alone(ContractKind::Variants, VARIANTS, data("new", ()))
    }

    /// The contract of the stakes alone, and the cost of the deployment.
    pub fn stakes() -> (Self, Cost) {
        let local = Local::new(START);
        let constructor = data("new", local.chain.genesis_hash().0);
        let (stakes, cost) = deploy_on(&local, STAKES, constructor);
        let addresses = HashMap::from([(ContractKind::Stakes, stakes)]);
        (Self { local, addresses }, cost)
    }

    /// The contract of the records of signed games alone, and the cost of the deployment.
    pub fn signed_records() -> (Self, Cost) {
        let new = data("new", ());
        Self::alone(ContractKind::SignedRecords, SIGNED_RECORDS, new)
    }

    /// The call of a message, without a payment.
    pub fn call<M: Message>(&self, caller: Account, message: M) -> ContractCall {
        let contract = self.address(M::CONTRACT);
        ContractCall::new(caller, contract, message)
    }

    pub fn send<M: Message>(&self, caller: Account, message: M) -> (M::Answer, Cost) {
        let (dry_run, cost) = send(&self.local, &self.call(caller, message));
        (dry_run.answer(), cost)
    }

    /// Sends a message with a payment that may not be refused.
    pub fn pay<M, T, E>(&self, caller: Account, value: Balance, message: M) -> (T, Cost)
    where
        M: Message<Answer = Result<T, E>>,
        T: codec::Decode,
        E: codec::Decode + std::fmt::Display,
    {
        let (dry_run, cost) = send(&self.local, &self.call(caller, message).paying(value));
        let answer = dry_run.answer::<M::Answer>();
        let answer = answer.unwrap_or_else(|error| panic!("{}: {error}", M::NAME));
        (answer, cost)
    }

    /// Starts a game of Alice and Bob.
    pub fn start(&self, shape: Shape) -> (u32, Cost) {
        self.pay(Alice, 0, start_game(shape))
    }

    /// Plays these moves in turns, Alice first; the cost of each, and how the last one ended.
    pub fn play(&self, game: u32, moves: &str) -> (Vec<Cost>, Option<Outcome>) {
        let mut costs = Vec::new();
        let mut outcome = None;
        for (turn, bin) in games::bins(moves).enumerate() {
            let mover = [Alice, Bob][turn % 2];
            let (dropped, cost) = self.pay(mover, 0, DropDisc { game, bin });
            outcome = dropped.outcome;
            costs.push(cost);
        }
        (costs, outcome)
    }
}

/// The message that starts a game of Alice and Bob.
pub fn start_game(shape: Shape) -> StartGame {
    StartGame {
        player_one: address(Alice),
        player_two: address(Bob),
        shape: shape.into(),
    }
}
