//! What the calls of the cost table take on this network's pallet-revive: see `tests/costs/later.rs`.

use std::{collections::HashMap, env, fs};

use connect4_network_runtime::{
    AccountId, Balances, EthExtraImpl, Revive, Runtime, RuntimeCall, RuntimeGenesisConfig,
    RuntimeOrigin, System, currency::UNITS,
};
use frame_support::{
    dispatch::{GetDispatchInfo, extract_actual_weight},
    storage::{TransactionOutcome, with_transaction},
    traits::Currency,
    weights::Weight,
};
use pallet_revive::{ExecConfig, TransactionLimits, evm::runtime::EthExtra};
use polkadot_sdk::*;
use sp_core::{H160, U256};
use sp_io::TestExternalities;
use sp_runtime::{
    BuildStorage, DispatchError,
    traits::{Dispatchable, TransactionExtension},
};

/// Units of contracts in the smallest unit of the token.
const RATIO: u128 = 100_000_000;
/// More than any call takes.
const WEIGHT: Weight = Weight::from_parts(500_000_000_000, 5_000_000);
const DEPOSIT: u128 = 100 * UNITS;

fn bytes(digits: &str) -> Vec<u8> {
    hex::decode(digits.trim_start_matches("0x")).expect("hexadecimal digits")
}

fn address(digits: &str) -> H160 {
    H160::from_slice(&bytes(digits))
}

/// A chain on which nothing has happened.
fn chain() -> TestExternalities {
    let genesis = RuntimeGenesisConfig::default();
    genesis.build_storage().expect("it is valid").into()
}

/// Begins a block at this time, in seconds, in which this account has what it needs.
fn begin(now: u64, caller: &AccountId) {
    System::set_block_number(System::block_number() + 1);
    System::reset_events();
    pallet_timestamp::Now::<Runtime>::put(now * 1_000);
    if Balances::free_balance(caller) == 0 {
        let _ = Balances::deposit_creating(caller, 1_000_000 * UNITS);
        Revive::map_account(RuntimeOrigin::signed(caller.clone())).expect("it is not mapped yet");
    }
}

/// The weight of a transaction with a call that is no message.
fn dispatched(caller: &AccountId, call: pallet_revive::Call<Runtime>) -> Weight {
    let call = RuntimeCall::Revive(call);
    let mut info = call.get_dispatch_info();
    info.extension_weight = EthExtraImpl::get_eth_extension(0, 0).weight(&call);
    let done = call.dispatch(RuntimeOrigin::signed(caller.clone()));
    assert!(done.is_ok(), "{done:?}");
    extract_actual_weight(&done, &info)
}

/// The weight of a message.
fn called(caller: &AccountId, contract: H160, value: u128, data: Vec<u8>) -> Weight {
    let run = Revive::bare_call(
        RuntimeOrigin::signed(caller.clone()),
        contract,
        U256::from(value * RATIO),
        TransactionLimits::WeightAndDeposit {
            weight_limit: WEIGHT,
            deposit_limit: DEPOSIT,
        },
        data,
        &ExecConfig::new_substrate_tx(),
    );
    run.result.expect("it does not trap");
    run.weight_consumed
}

/// Does one call of the table, and returns its weight.
fn does(caller: &AccountId, call: &[&str]) -> Weight {
    if call[0] != "query" {
        // As the number of the transaction rises before the call.
        System::inc_account_nonce(caller);
    }
    match *call {
        ["deploy", code, constructor, made] => {
            let weight = dispatched(
                caller,
                pallet_revive::Call::instantiate_with_code {
                    value: 0,
                    weight_limit: WEIGHT,
                    storage_deposit_limit: DEPOSIT,
                    code: bytes(code),
                    data: bytes(constructor),
                    salt: None,
                },
            );
            let code = Revive::code(&address(made));
            assert!(!code.is_empty(), "there is no contract at {made}");
            weight
        }
        ["send", contract, value, data] => called(
            caller,
            address(contract),
            value.parse().expect("an amount"),
            bytes(data),
        ),
        ["query", contract, _, data] => with_transaction(|| {
            let weight = called(caller, address(contract), 0, bytes(data));
            TransactionOutcome::Rollback(Ok::<_, DispatchError>(weight))
        })
        .expect("there is room for a transaction of the storage"),
        _ => panic!("{call:?} is no call"),
    }
}

#[test]
#[ignore = "scripts/test-network writes the calls down first"]
fn the_calls_of_the_cost_table_are_measured() {
    let [calls, took, day] = ["CALLS", "TOOK", "DAY"]
        .map(|name| env::var(name).expect("scripts/test-network names the files and the day"));
    let calls = fs::read_to_string(calls).expect("the calls");
    let mut chains = HashMap::new();
    let mut lines = vec![day];
    for line in calls.lines() {
        let fields: Vec<_> = line.split(' ').collect();
        let [number, now, caller, call @ ..] = &fields[..] else {
            panic!("{line} is no call");
        };
        let caller: [u8; 32] = bytes(caller).try_into().expect("an account");
        let caller = AccountId::from(caller);
        let chain = chains.entry(*number).or_insert_with(chain);
        let weight = chain.execute_with(|| {
            begin(now.parse().expect("a time"), &caller);
            does(&caller, call)
        });
        lines.push(weight.proof_size().to_string());
    }
    fs::write(took, lines.join("\n")).expect("there is room");
}
