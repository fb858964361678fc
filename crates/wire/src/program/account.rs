//! Accounts that somebody signs for.

use connect4_client::Signer;
use connect4_protocol::Address;
use serde::Serialize;

use super::text::AccountId;
use crate::play::Amount;

/// An account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Account {
    /// Name of a development account; none for any other.
    pub name: Option<&'static str>,
    /// The account on the chain.
    pub account: AccountId,
    /// Its address as contracts see it.
    pub address: Address,
    /// Amount that it can spend; none if the chain did not tell.
    pub balance: Option<Amount>,
}

impl Account {
    /// The account of a signer, with its balance in the token's smallest unit.
    #[must_use]
    pub fn new(signer: &Signer, balance: Option<u128>) -> Self {
        Self {
            name: signer.development_name(),
            account: AccountId(signer.account()),
            address: signer.address(),
            balance: balance.map(Amount),
        }
    }
}

/// A development account, as `connect4 accounts` lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct DevelopmentAccount {
    /// The account.
    #[serde(flatten)]
    pub account: Account,
    /// Whether it is mapped to its address on the chain.
    pub mapped: bool,
}

/// An account that the keys of a browser open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct OpenAccount {
    /// The account.
    #[serde(flatten)]
    pub account: Account,
    /// The key that opens this account alone.
    pub key: String,
    /// Whether it is one of Ethereum. The program plays with it, and signs nothing else for its page.
    pub ethereum: bool,
}
