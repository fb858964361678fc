//! A chain in the test's process, and calls of contracts on it.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use codec::{Decode, Encode};
use connect4_chain::runtime::currency::UNITS;
use connect4_chain::runtime::{Balance, Runtime, RuntimeCall, RuntimeEvent};
use connect4_chain::{Chain, Clock, Options, Report};
use connect4_protocol::{Address, Error, Message, decode_all};
use frame_support::weights::Weight;
use pallet_revive::{ExecReturnValue, StorageDeposit};
use sp_core::sr25519::Pair;
use sp_core::{H160, H256, U256};

use crate::contracts::code_hash;
use crate::message::{Input, answer};
use crate::people::{Account, address};

/// How many of a contract's units are the smallest unit of the chain: contracts count with 18
/// decimals, the chain with 10.
pub const RATIO: u128 = 100_000_000;

/// A chain in memory whose clock stands still until the test moves it.
pub struct Local {
    pub chain: Chain,
    number: u32,
    /// Milliseconds since 1970.
    now: Cell<u64>,
    /// Kept, as deriving a key pair takes longer than making a block.
    pairs: RefCell<HashMap<Account, Pair>>,
}

#[derive(Clone, Debug)]
pub struct ContractCall {
    /// Account that signs.
    pub caller: Account,
    pub contract: Address,
    /// Payment, in the chain's smallest unit.
    pub value: Balance,
    /// Selector and arguments.
    pub data: Vec<u8>,
}

impl ContractCall {
    /// A call without a payment.
    pub fn new(caller: Account, contract: Address, message: impl Into<Input>) -> Self {
        Self {
            caller,
            contract,
            value: 0,
            data: message.into().data,
        }
    }

    /// The same call with a payment, in the chain's smallest unit.
    #[must_use]
    pub fn paying(self, value: Balance) -> Self {
        Self { value, ..self }
    }
}

/// Limits of a transaction that calls a contract.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub weight: Weight,
    /// Storage deposit that the call may take, in the chain's smallest unit.
    pub deposit: Balance,
}

impl Limits {
    /// More than any call takes, less than a block holds.
    pub const AMPLE: Self = Self {
        weight: Weight::from_parts(500_000_000_000, 5_000_000),
        deposit: 100 * UNITS,
    };
}

/// Why a call has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal<E = Error> {
    /// The contract returned an error, and nothing was changed.
    Because(E),
    /// The call trapped, or reverted without an error.
    Trapped,
}

/// Result of a call that was tried on the state of the best block.
#[derive(Clone, Debug)]
pub struct DryRun {
    /// What the contract returned; none if the call trapped.
    returned: Option<ExecReturnValue>,
    /// Weight that the contracts take.
    pub weight: Weight,
    /// Weight limit that the call needs.
    pub weight_limit: Weight,
    /// Storage deposit in the chain's smallest unit; negative if some is given back.
    pub deposit: i128,
    /// Largest storage deposit in the course of the call.
    pub largest_deposit: i128,
}

impl DryRun {
    /// Whether the call changes nothing.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.returned
            .as_ref()
            .is_none_or(ExecReturnValue::did_revert)
    }

    /// The returned bytes, or why there are none.
    ///
    /// # Errors
    ///
    /// Returned if the call is refused.
    pub fn output(self) -> Result<Vec<u8>, Refusal> {
        self.output_or()
    }

    /// As [`Self::output`], of a contract with errors of another type.
    ///
    /// # Errors
    ///
    /// Returned if the call is refused.
    pub fn output_or<E: Decode>(self) -> Result<Vec<u8>, Refusal<E>> {
        let returned = self.returned.ok_or(Refusal::Trapped)?;
        if !returned.did_revert() {
            return Ok(returned.data);
        }
        match decode_all::<Result<Result<(), E>, u8>>(&returned.data) {
            Ok(Ok(Err(error))) => Err(Refusal::Because(error)),
            _ => Err(Refusal::Trapped),
        }
    }

    /// The answer of the message, errors of the contract included.
    #[track_caller]
    #[must_use]
    pub fn answer<T: Decode>(&self) -> T {
        answer(&self.returned.as_ref().expect("no trap").data)
    }
}

impl Local {
    /// A new chain whose clock shows this time, in milliseconds since 1970.
    #[must_use]
    pub fn new(now: u64) -> Self {
        Self::with(now, Options::default())
    }

    /// A new chain whose clock shows this time, in milliseconds since 1970. `options` apply except
    /// for the clock.
    #[must_use]
    pub fn with(now: u64, options: Options) -> Self {
        static OPENED: AtomicU32 = AtomicU32::new(0);
        let chain = Chain::open(Options {
            clock: Clock::Manual(now),
            ..options
        });
        Self {
            chain: chain.expect("a chain in memory opens"),
            number: OPENED.fetch_add(1, Ordering::Relaxed),
            now: Cell::new(now),
            pairs: RefCell::default(),
        }
    }

    /// Number of the chain among those that this process has opened, from 0.
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// The time in seconds since 1970, as contracts see it.
    #[must_use]
    pub fn now(&self) -> u64 {
        self.now.get() / 1000
    }

    /// Moves the clock ahead.
    pub fn wait(&self, seconds: u64) {
        self.now.set(self.now.get() + 1000 * seconds);
        self.chain.advance_clock(Duration::from_secs(seconds));
    }

    /// Puts a signed transaction into a block.
    pub fn submit(&self, signer: Account, call: impl Into<RuntimeCall>) -> Report {
        let mut pairs = self.pairs.borrow_mut();
        let pair = pairs.entry(signer).or_insert_with(|| signer.pair());
        self.chain
            .submit(pair, call.into())
            .expect("the chain takes the transaction")
    }

    pub fn upload(&self, signer: Account, code: &[u8]) -> Report {
        let report = self.submit(
            signer,
            pallet_revive::Call::upload_code {
                code: code.to_vec(),
                storage_deposit_limit: Limits::AMPLE.deposit,
            },
        );
        assert_eq!(report.outcome, Ok(()));
        report
    }

    /// Uploads code and instantiates it; `constructor` is its data.
    pub fn deploy(&self, signer: Account, code: &[u8], constructor: Vec<u8>) -> (Address, Report) {
        let report = self.submit(
            signer,
            pallet_revive::Call::instantiate_with_code {
                value: 0,
                weight_limit: Limits::AMPLE.weight,
                storage_deposit_limit: Limits::AMPLE.deposit,
                code: code.to_vec(),
                data: constructor,
                salt: None,
            },
        );
        (instantiated(&report, signer), report)
    }

    /// Instantiates uploaded code; `constructor` is its data.
    pub fn instantiate(
        &self,
        signer: Account,
        code: &[u8],
        constructor: Vec<u8>,
    ) -> (Address, Report) {
        let report = self.submit(
            signer,
            pallet_revive::Call::instantiate {
                value: 0,
                weight_limit: Limits::AMPLE.weight,
                storage_deposit_limit: Limits::AMPLE.deposit,
                code_hash: H256(code_hash(code)),
                data: constructor,
                salt: None,
            },
        );
        (instantiated(&report, signer), report)
    }

    /// Tries a call without a transaction.
    #[must_use]
    pub fn dry_run(&self, call: &ContractCall) -> DryRun {
        let caller = call.caller.to_account_id();
        let contract = H160(call.contract.0);
        let result = self
            .chain
            .call_contract(&caller, contract, call.value, call.data.clone())
            .expect("the chain answers");
        let amount = |deposit| match deposit {
            StorageDeposit::Charge(amount) => amount as i128,
            StorageDeposit::Refund(amount) => -(amount as i128),
        };
        DryRun {
            returned: result.result.ok(),
            weight: result.weight_consumed,
            weight_limit: result.weight_required,
            deposit: amount(result.storage_deposit),
            largest_deposit: amount(result.max_storage_deposit),
        }
    }

    pub fn send(&self, call: &ContractCall, limits: Limits) -> Report {
        self.submit(
            call.caller,
            pallet_revive::Call::call {
                dest: H160(call.contract.0),
                value: call.value,
                weight_limit: limits.weight,
                storage_deposit_limit: limits.deposit,
                data: call.data.clone(),
            },
        )
    }

    /// The answer to a query of an account without a part in any game.
    #[track_caller]
    pub fn query<M: Message>(&self, contract: Address, message: M) -> M::Answer {
        let call = ContractCall::new(Account::Ferdie, contract, message);
        self.dry_run(&call).answer()
    }

    /// What an account or a contract can spend, as contracts count.
    #[must_use]
    pub fn balance(&self, of: Address) -> u128 {
        let (_, header) = self.chain.best();
        let balance = self
            .chain
            .call(&header, "ReviveApi_balance", &H160(of.0).encode())
            .expect("the chain answers");
        let balance = U256::decode(&mut &balance[..]).expect("a balance");
        u128::try_from(balance).expect("a balance that the chain can count")
    }
}

/// The contract that a transaction of this account has instantiated. Contracts that its constructor
/// instantiated have another deployer.
#[must_use]
pub fn instantiated(report: &Report, signer: Account) -> Address {
    assert_eq!(report.outcome, Ok(()));
    let signer = H160(address(signer).0);
    let instantiated = report.events.iter().find_map(|event| match event {
        RuntimeEvent::Revive(pallet_revive::Event::<Runtime>::Instantiated {
            deployer,
            contract,
        }) if *deployer == signer => Some(*contract),
        _ => None,
    });
    Address(instantiated.expect("the event of the pallet").0)
}
