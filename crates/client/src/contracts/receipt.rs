//! Receipts of transactions.

use subxt::utils::H256;

use crate::chain::block_ref::BlockRef;

/// Place of a transaction on the chain, and its fee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// Number of the block, from 0 at the chain's first.
    pub block: u32,
    /// Hash of the block.
    pub block_hash: H256,
    /// Hash of the transaction.
    pub hash: H256,
    /// Index of the transaction in its block, from 0.
    pub index: u32,
    /// Fee that was paid, in the token's smallest unit.
    pub fee: u128,
}

impl Transaction {
    /// The block.
    #[must_use]
    pub const fn block_ref(&self) -> BlockRef {
        BlockRef {
            number: self.block,
            hash: self.block_hash,
        }
    }
}

/// Receipt of a transaction that succeeded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt<T> {
    /// The transaction.
    pub transaction: Transaction,
    /// Deposit for storage, in the token's smallest unit, as the dry run foretold it: it is held,
    /// not spent. Negative if a deposit was given back.
    pub deposit: i128,
    /// Result of the transaction.
    pub value: T,
    /// The transaction before it that mapped the signer's account to an address; none if it was
    /// mapped already. Its own deposit and fee come on top.
    pub mapped: Option<Transaction>,
}

impl<T> Receipt<T> {
    /// The same receipt with another value.
    #[must_use]
    pub fn map<U>(self, map: impl FnOnce(T) -> U) -> Receipt<U> {
        Receipt {
            transaction: self.transaction,
            deposit: self.deposit,
            value: map(self.value),
            mapped: self.mapped,
        }
    }

    /// The same receipt without its value.
    #[must_use]
    pub fn bare(self) -> Receipt<()> {
        self.map(|_| ())
    }
}
