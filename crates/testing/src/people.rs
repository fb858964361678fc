//! The development accounts, which have funds on every new chain.

use connect4_chain::runtime::{AccountId, Runtime};
use connect4_protocol::Address;
use pallet_revive::AddressMapper;
pub use sp_keyring::Sr25519Keyring as Account;

/// The address by which contracts know a development account.
#[must_use]
pub fn address(of: Account) -> Address {
    address_of(&of.to_account_id())
}

/// The address by which contracts know an account.
#[must_use]
pub fn address_of(account: &AccountId) -> Address {
    Address(<Runtime as pallet_revive::Config>::AddressMapper::to_address(account).0)
}

/// The people who play in random sequences.
pub const PEOPLE: [Account; 5] = [
    Account::Alice,
    Account::Bob,
    Account::Charlie,
    Account::Dave,
    Account::Eve,
];

/// The development account with this address.
#[must_use]
pub fn who(has: Address) -> Account {
    let mut all = Account::iter();
    all.find(|&who| address(who) == has).expect("it is one")
}
