//! What can fail, a type for each kind of request: opening the chain, reading it, making a block,
//! submitting a transaction.

use std::{io, path::PathBuf};

use sp_runtime::transaction_validity::TransactionValidityError;

use crate::{
    pool::{PoolError, TxStatus},
    runtime::Hash,
};

/// The store failed: the disk is full, or the file is damaged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the chain's store failed: {0}")]
pub struct StoreError(String);

impl StoreError {
    pub(crate) fn new(error: impl std::fmt::Display) -> Self {
        Self(error.to_string())
    }
}

/// The runtime panicked, with this message: its input was not what it takes, or it has a fault.
/// Nothing was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the runtime refused: {0}")]
pub struct Panicked(pub String);

/// Why a chain could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another chain, in this process or another, has this folder open.
    #[error("the chain in {} is in use by another process", .0.display())]
    InUse(PathBuf),
    /// The folder can't be made, or its file can't be opened.
    #[error("the chain's folder {} cannot be opened: {reason}; check that it may be written", folder.display())]
    Folder {
        /// The folder of the chain.
        folder: PathBuf,
        /// The system's or the database's words.
        reason: String,
    },
    /// The file is not a chain's, or is a chain's of another version.
    #[error(
        "{} is not a chain that this version can read ({found}): name another folder, or move it away",
        file.display()
    )]
    Format {
        /// The file in the chain's folder.
        file: PathBuf,
        /// What it holds instead.
        found: String,
    },
    /// The store has blocks, but no block 0.
    #[error("the chain's store has no genesis block")]
    NoGenesis,
    /// The state of block 0 could not be built.
    #[error("the genesis state cannot be built: {0}")]
    Genesis(String),
    /// The first block after block 0 could not be made.
    #[error(transparent)]
    FirstBlock(#[from] BlockError),
    /// The system gave no thread to make blocks.
    #[error("the thread that makes blocks cannot be started: {0}")]
    Thread(io::Error),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why the chain could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The state after the block of this hash is not kept any more.
    // A Substrate node's words: clients look for them.
    #[error("UnknownBlock: State already discarded for {0:?}")]
    Discarded(Hash),
    /// The block was made by a version of the runtime whose events have other types.
    #[error("the block was made by version {0} of the runtime")]
    OtherVersion(u32),
    /// The runtime panicked, as it does on arguments that do not decode.
    #[error(transparent)]
    Panicked(#[from] Panicked),
    /// The runtime's API has no function of this name.
    #[error("the runtime has no function {0}")]
    NoFunction(String),
    /// The result of a function of the runtime's API is not of the expected type.
    #[error("the result of {function} cannot be decoded: {reason}")]
    Undecodable {
        /// The function's name.
        function: String,
        /// Where decoding failed.
        reason: codec::Error,
    },
}

/// Why a block was not made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BlockError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The runtime panicked outside of any transaction.
    #[error(transparent)]
    Panicked(#[from] Panicked),
    /// The chain was stopped.
    #[error("the chain was stopped")]
    Stopped,
}

/// Why the runtime was not upgraded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UpgradeError {
    /// The chain runs the last version.
    #[error("the runtime has no newer version than {0}")]
    Newest(u32),
    /// The block could not be made.
    #[error(transparent)]
    Block(#[from] BlockError),
}

/// Why blocks were not retracted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReorganiseError {
    /// A block would be retracted that is final.
    #[error("no reorganisation retracts {depth} blocks: only the last {most} are not final")]
    Final {
        /// How many blocks were to be retracted.
        depth: u32,
        /// How many could be.
        most: u32,
    },
    /// A block of the new branch could not be made.
    #[error(transparent)]
    Block(#[from] BlockError),
}

/// Why a transaction was not taken, or was lost before it came into a block.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubmitError {
    /// Its bytes are not a transaction of this runtime.
    #[error("not a transaction of this chain: {0}")]
    Malformed(codec::Error),
    /// It is invalid on the best block, and waiting can't make it valid.
    // A Substrate node's words: clients look for them.
    #[error("{}", match .0 {
        TransactionValidityError::Invalid(error) => <&'static str>::from(*error),
        TransactionValidityError::Unknown(error) => <&'static str>::from(*error),
    })]
    Invalid(TransactionValidityError),
    /// The pool did not take it.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// The state that it is checked on could not be read, or the runtime panicked on it.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// An earlier block could not be made, so that no transaction is taken until the chain is
    /// opened again.
    #[error(
        "the chain makes no more blocks: {0}; all blocks so far are kept. Remove the cause, such \
         as a full disk, and start the chain again"
    )]
    Halted(BlockError),
    /// The chain was stopped before the transaction came into a block.
    #[error("the chain was stopped before the transaction came into a block")]
    Stopped,
    /// The pool had taken it, and dropped it before it came into a block.
    #[error("the transaction did not come into a block: {0}")]
    Lost(TxStatus),
}
