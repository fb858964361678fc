#![deny(missing_docs)]
#![forbid(unsafe_code)]
//! A local chain with pallet-revive, in this process.
//!
//! It is a whole chain of one maker: signed transactions with nonces and fees, blocks that are
//! final at once, state in a trie, everything on disk in one crash-safe file. [`rpc::serve`] speaks
//! the Polkadot SDK's JSON-RPC for it; a test uses [`Chain`] without sockets.

extern crate alloc;

mod chain;
pub mod dev;
mod pool;
pub mod rpc;
pub mod runtime;
mod state;
mod store;

pub use chain::{Chain, Clock, NewBlock, Options, Report, SubmitError};
pub use pool::{PoolError, TxStatus};
pub use state::Panicked;
pub use store::{OpenError, Storage, StoreError, StoredBlock};
