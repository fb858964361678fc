//! Transactions and what they cost.

use serde::Serialize;

use crate::play::{Amount, Deposit, Hash, Sent};

/// Where a transaction is on the chain, and its fee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Transaction {
    /// Number of its block.
    pub block: u32,
    /// Hash of its block.
    pub block_hash: Hash,
    /// Its own hash.
    pub hash: Hash,
    /// Its place among the transactions of the block, from 0.
    pub index: u32,
    /// Fee that was paid.
    pub fee: Amount,
}

impl From<&connect4_client::Transaction> for Transaction {
    fn from(transaction: &connect4_client::Transaction) -> Self {
        Self {
            block: transaction.block,
            block_hash: transaction.block_hash.into(),
            hash: transaction.hash.into(),
            index: transaction.index,
            fee: transaction.fee.into(),
        }
    }
}

impl From<&connect4_client::Transaction> for Sent {
    fn from(transaction: &connect4_client::Transaction) -> Self {
        Self {
            block: transaction.block,
            hash: transaction.hash.into(),
            fee: transaction.fee.into(),
        }
    }
}

/// A transaction that was sent from here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Receipt {
    /// The transaction.
    #[serde(flatten)]
    pub transaction: Transaction,
    /// Deposit that it took or gave back.
    pub deposit: Deposit,
}

impl<T> From<&connect4_client::Receipt<T>> for Receipt {
    fn from(receipt: &connect4_client::Receipt<T>) -> Self {
        Self {
            transaction: (&receipt.transaction).into(),
            deposit: receipt.deposit.into(),
        }
    }
}
