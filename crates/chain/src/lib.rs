#![cfg_attr(not(test), warn(clippy::unwrap_used))]
//! A local chain with pallet-revive, in this process.
//!
//! It is a complete chain with a single block author: signed transactions with nonces and fees,
//! blocks that are final at once, states in tries, and all of it on disk in one crash-safe file.
//! [`rpc::serve`] serves it over the Polkadot SDK's JSON-RPC. Tests use [`Chain`] without sockets.

extern crate alloc;

mod author;
mod builder;
mod chain;
mod clock;
pub mod dev;
mod error;
mod execute;
mod genesis;
mod pool;
mod report;
pub mod rpc;
pub mod runtime;
mod shared;
mod state;
mod store;

pub use chain::{Chain, Options};
pub use clock::Clock;
pub use error::{BlockError, OpenError, Panicked, ReadError, StoreError, SubmitError};
pub use pool::{PoolError, TxStatus};
pub use report::Report;
pub use shared::NewBlock;
pub use store::{Storage, StoredBlock};
