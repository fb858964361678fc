//! A contract that has two codes within one block: `tests/impostor`.

use codec::Encode;
use connect4_chain::runtime::currency::UNITS;
use connect4_chain::runtime::{Hash, Runtime, RuntimeCall, RuntimeEvent};
use connect4_chain::{Chain, Report, TxStatus, dev};
use connect4_protocol::Address;
use frame_support::weights::Weight;
use pallet_revive::{Call, Event, create1};
use sp_core::sr25519::Pair;
use sp_core::{H160, H256};

use crate::contracts::{IMPOSTOR, SIGNED_RECORDS, code_hash};
use crate::message::data;
use crate::people::{Account, address};

/// Salt of the deployer's address: whenever an account deploys it, it is at the same place.
const SALT: [u8; 32] = *b"the place of a contract's maker.";
const WEIGHT: Weight = Weight::from_parts(500_000_000_000, 5_000_000);
const DEPOSIT: u128 = 100 * UNITS;

/// A contract that emits what it is told, and makes room for other code at its address in the same block.
pub struct Impostor {
    chain: Chain,
    pair: Pair,
    deployer: Address,
    pub address: Address,
}

impl Impostor {
    /// Puts it there, in blocks before. An account does so once. It blocks the thread, so that it must not
    /// be called from asynchronous code.
    #[must_use]
    pub fn new(chain: &Chain, account: Account) -> Self {
        let pair = account.pair();
        let submit = |call: Call<Runtime>| {
            let report = chain.submit(&pair, call.into()).expect("it is taken");
            assert_eq!(report.outcome, Ok(()));
            report
        };
        let instantiate = |salt| {
            submit(Call::instantiate {
                value: 0,
                weight_limit: WEIGHT,
                storage_deposit_limit: DEPOSIT,
                code_hash: H256(code_hash(IMPOSTOR)),
                data: Vec::new(),
                salt,
            })
        };
        submit(Call::upload_code {
            code: IMPOSTOR.to_vec(),
            storage_deposit_limit: DEPOSIT,
        });
        // The code stays as long as a contract has it.
        instantiate(None);
        let deployer = deployed(&instantiate(Some(SALT)), address(account));
        let order = [&[2][..], &code_hash(IMPOSTOR)].concat();
        submit(told(deployer, order));
        let address = Address(create1(&H160(deployer.0), 1).0);
        // The next contract that it deploys is the first one again.
        submit(told(deployer, vec![1]));
        instantiate(Some(SALT));
        Self {
            chain: chain.clone(),
            pair,
            deployer,
            address,
        }
    }

    /// Emits events, each with its topic and its data, ends, and is replaced by a contract with uploaded code,
    /// whose constructor has these data: in one block, whose hash is returned. It blocks the thread, too.
    #[must_use]
    pub fn act(self, events: Vec<([u8; 32], Vec<u8>)>, code: &[u8], constructor: &[u8]) -> Hash {
        let emit = |(topic, data): ([u8; 32], Vec<u8>)| [&[0][..], &topic, &data].concat();
        let count = events.len();
        let mut calls: Vec<_> = events
            .into_iter()
            .map(|event| told(self.address, emit(event)))
            .collect();
        calls.push(told(self.address, vec![1]));
        let order = [&[2][..], &code_hash(code), constructor].concat();
        calls.push(told(self.deployer, order));
        let account = dev::account_of(&self.pair);
        let first = self.chain.next_nonce(&account).expect("a nonce");
        let genesis = self.chain.genesis_hash();
        // The last one first: all of them wait for the first one, and come into its block.
        let sent = (first..).zip(calls).collect::<Vec<_>>().into_iter().rev();
        let sent = sent.map(|(nonce, call)| {
            let signed = dev::sign(&self.pair, RuntimeCall::from(call), nonce, 0, genesis);
            let sent = self.chain.submit_and_watch(signed.encode());
            sent.expect("it is taken").1
        });
        let blocks = sent.collect::<Vec<_>>().into_iter().map(|mut statuses| {
            loop {
                match statuses.blocking_recv().expect("it goes on") {
                    TxStatus::Future | TxStatus::Ready => {}
                    TxStatus::InBlock(block, index) => break (block, index),
                    lost => panic!("{lost:?}"),
                }
            }
        });
        let blocks: Vec<(Hash, u32)> = blocks.collect();
        let (block, _) = blocks[0];
        let emitted = |event: &RuntimeEvent| {
            matches!(
                event,
                RuntimeEvent::Revive(Event::<Runtime>::ContractEmitted { contract, .. })
                    if contract.0 == self.address.0
            )
        };
        let mut heard = 0;
        for (of, index) in &blocks {
            assert_eq!(*of, block, "all are in one block");
            let events = self.chain.events_of(of, *index).expect("they are kept");
            heard += events.iter().filter(|event| emitted(event)).count();
        }
        assert_eq!(heard, count, "it emits all of it");
        block
    }
}

/// Has events emitted, each with its topic and its data, at an address at which the code of the records of signed games is at the end
/// of the block, by other code that was there before. An account does so once. It blocks the thread.
#[must_use]
pub fn forge(chain: &Chain, account: Account, events: Vec<([u8; 32], Vec<u8>)>) -> Address {
    let impostor = Impostor::new(chain, account);
    let address = impostor.address;
    let _ = impostor.act(events, SIGNED_RECORDS, &data("new", ()));
    address
}

fn told(contract: Address, order: Vec<u8>) -> Call<Runtime> {
    Call::call {
        dest: H160(contract.0),
        value: 0,
        weight_limit: WEIGHT,
        storage_deposit_limit: DEPOSIT,
        data: order,
    }
}

/// The contract that an account has deployed.
fn deployed(report: &Report, by: Address) -> Address {
    let contract = report.events.iter().find_map(|event| match event {
        RuntimeEvent::Revive(Event::<Runtime>::Instantiated { deployer, contract })
            if deployer.0 == by.0 =>
        {
            Some(*contract)
        }
        _ => None,
    });
    Address(contract.expect("it was deployed").0)
}
