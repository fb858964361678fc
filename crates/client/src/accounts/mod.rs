//! Accounts that sign, their addresses, and transactions of Ethereum.
//!
//! | module | |
//! |---|---|
//! | `account` | accounts: the signer's, and others by name |
//! | `address` | addresses of accounts and of contracts, as pallet-revive makes them |
//! | `ethereum` | transactions of Ethereum accounts |
//! | `mapping` | mapping accounts to addresses, by which contracts know them |
//! | `name` | names by which people tell accounts apart |
//! | `session` | what an account signs about its session key |

pub(crate) mod account;
pub(crate) mod address;
pub(crate) mod ethereum;
pub(crate) mod mapping;
pub(crate) mod name;
mod session;
