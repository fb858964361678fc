//! What the client was doing when an error occurred.

use std::fmt;

use connect4_protocol::{Address, GameId};
use subxt::utils::{AccountId32, H256};

use crate::accounts::account::Named;

/// What the client was doing when an error occurred. As text it is a phrase such as `reading game 3`.
///
/// Games, bins, blocks and the transactions of a block count from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Task {
    /// Reading an account's balance.
    ReadBalance {
        /// The account.
        account: AccountId32,
    },
    /// Looking up whether an account is mapped to its address.
    ReadMapping {
        /// The account.
        account: AccountId32,
    },
    /// Mapping an account to its address, so that it may call contracts.
    MapAccount {
        /// The account.
        account: Named,
    },
    /// Looking whether there is a contract.
    FindContract {
        /// Address of the contract.
        address: Address,
    },
    /// Deploying a contract.
    Deploy,
    /// Asking for the number of the best block.
    ReadHeight,
    /// Looking up a transaction.
    ReadTransaction {
        /// Number of the block.
        block: u32,
        /// Index of the transaction in its block.
        index: u32,
    },
    /// Asking or sending a message of the contracts: a phrase such as `reading game 3`.
    Message(String),
    /// Following the chain's blocks.
    FollowChain,
    /// Waiting for a change of a game.
    AwaitChange {
        /// The game.
        game: GameId,
    },
    /// Looking up the events of a game.
    ReadHistory {
        /// The game.
        game: GameId,
    },
    /// Reading the events of the contracts.
    ReadEvents,
    /// Looking for the first block after which the contract was there.
    FindFirstBlock,
    /// Preparing a transaction that a wallet signs.
    Prepare {
        /// The account whose wallet signs.
        account: Named,
    },
    /// Signing a transaction that was prepared for a page.
    Sign,
    /// Passing on a transaction that a wallet signed.
    PassOn,
    /// Looking for a transaction by its hash.
    FindTransaction {
        /// Hash of the transaction.
        hash: H256,
    },
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReadBalance { account } => write!(f, "reading the balance of {account}"),
            Self::ReadMapping { account } => write!(f, "looking up the address of {account}"),
            Self::MapAccount { account } => {
                write!(f, "making the account {account} known to contracts")
            }
            Self::FindContract { address } => write!(f, "looking for a contract at {address}"),
            Self::Deploy => f.write_str("deploying the contract"),
            Self::ReadHeight => f.write_str("asking for the newest block"),
            Self::ReadTransaction { block, index } => {
                write!(f, "looking up transaction {index} of block {block}")
            }
            Self::Message(what) => f.write_str(what),
            Self::FollowChain => f.write_str("following the chain"),
            Self::AwaitChange { game } => write!(f, "waiting for a change in game {game}"),
            Self::ReadHistory { game } => write!(f, "looking up the history of game {game}"),
            Self::ReadEvents => f.write_str("reading the contract's events"),
            Self::FindFirstBlock => f.write_str("looking for the contract's first block"),
            Self::Prepare { account } => write!(f, "preparing a transaction of {account}"),
            Self::Sign => f.write_str("signing a transaction for the page"),
            Self::PassOn => f.write_str("passing on a signed transaction"),
            Self::FindTransaction { hash } => write!(f, "looking for the transaction {hash:?}"),
        }
    }
}
