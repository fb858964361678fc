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

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another chain, in this process or another, has this folder open.
    #[error("the chain in {} is in use by another process", .0.display())]
    InUse(PathBuf),
    #[error("the chain's folder {} cannot be opened: {reason}; check that it may be written", folder.display())]
    Folder {
        folder: PathBuf,
        /// The system's or the database's words.
        reason: String,
    },
    #[error(
        "{} is not a chain that this version can read ({found}): name another folder, or move it away",
        file.display()
    )]
    Format { file: PathBuf, found: String },
    #[error("the chain's store has no genesis block")]
    NoGenesis,
    #[error("the genesis state cannot be built: {0}")]
    Genesis(String),
    #[error(transparent)]
    FirstBlock(#[from] BlockError),
    #[error("the thread that makes blocks cannot be started: {0}")]
    Thread(io::Error),
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
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
    #[error("the runtime has no function {0}")]
    NoFunction(String),
    #[error("the result of {function} cannot be decoded: {reason}")]
    Undecodable {
        function: String,
        reason: codec::Error,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BlockError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The runtime panicked outside of any transaction.
    #[error(transparent)]
    Panicked(#[from] Panicked),
    #[error("the chain was stopped")]
    Stopped,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UpgradeError {
    #[error("the runtime has no newer version than {0}")]
    Newest(u32),
    #[error(transparent)]
    Block(#[from] BlockError),
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReorganiseError {
    #[error("no reorganisation retracts {depth} blocks: only the last {most} are not final")]
    Final { depth: u32, most: u32 },
    #[error(transparent)]
    Block(#[from] BlockError),
}

/// Why a transaction was not taken, or was lost before it came into a block.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubmitError {
    #[error("not a transaction of this chain: {0}")]
    Malformed(codec::Error),
    /// It is invalid on the best block, and waiting can't make it valid.
    // A Substrate node's words: clients look for them.
    #[error("{}", match .0 {
        TransactionValidityError::Invalid(error) => <&'static str>::from(*error),
        TransactionValidityError::Unknown(error) => <&'static str>::from(*error),
    })]
    Invalid(TransactionValidityError),
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
    #[error("the chain was stopped before the transaction came into a block")]
    Stopped,
    /// The pool had taken it, and dropped it before it came into a block.
    #[error("the transaction did not come into a block: {0}")]
    Lost(TxStatus),
}
