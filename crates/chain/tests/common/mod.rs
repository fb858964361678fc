//! A chain in memory, and transfers on it.

pub mod ethereum;
pub mod served;

use connect4_chain::{
    Chain, Clock, Options,
    runtime::{Balance, Runtime, RuntimeCall},
};
use sp_keyring::Sr25519Keyring as Account;

/// A chain in memory whose clock stands still.
pub fn chain() -> Chain {
    Chain::open(Options {
        clock: Clock::Manual(1_000),
        ..Options::default()
    })
    .unwrap()
}

pub fn pay(to: Account, value: Balance) -> RuntimeCall {
    let dest = to.to_account_id().into();
    RuntimeCall::Balances(pallet_balances::Call::transfer_keep_alive { dest, value })
}

/// What an account can spend, at the best block.
pub fn free(chain: &Chain, of: Account) -> Balance {
    let (_, header) = chain.best();
    let key = frame_system::Account::<Runtime>::hashed_key_for(of.to_account_id());
    let backend = chain.state(&header).unwrap();
    let value = sp_state_machine::Backend::storage(&backend, &key)
        .unwrap()
        .unwrap();
    let account: frame_system::AccountInfo<u32, pallet_balances::AccountData<Balance>> =
        codec::Decode::decode(&mut &value[..]).unwrap();
    account.data.free
}
