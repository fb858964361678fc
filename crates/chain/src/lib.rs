#![cfg_attr(not(test), warn(clippy::unwrap_used))]
//! A local chain with pallet-revive, in this process.
//!
//! It is a complete chain with a single block author: signed transactions with nonces and fees,
//! blocks that are final at once, states in tries, and all of it on disk in one crash-safe file.
//! [`rpc::serve`] serves it over the Polkadot SDK's JSON-RPC. Tests use [`Chain`] without sockets.
//!
//! For development and tests it also does what happens on public chains: finality that lags
//! ([`Finality`]) or stalls ([`Chain::stall_finality`]), branches that replace the last blocks
//! ([`Chain::reorganise`]), states that are not kept ([`Options::keep_states`]), and an upgrade of
//! the runtime ([`Chain::upgrade`]).
//!
//! # Modules
//!
//! Open `chain` first, the handle to a running chain, then `author`, which makes the blocks.
//!
//! | module | job |
//! |---|---|
//! | `chain`, `options`, `error` | [`Chain`], its [`Options`], and what can fail |
//! | `author`, `make`, `builder`, `execute` | the thread that makes blocks, one block, the runtime's part in it |
//! | `pool`, `report` | transactions that wait for a block, and what became of them |
//! | `heads`, `finality`, `clock` | the tree of blocks, which of them are final, and their times |
//! | `genesis`, `store`, `state`, `shared` | block 0, blocks and states on disk, what handle and author share |
//! | [`runtime`] | the pallets, composed as on a public chain, in two versions |
//! | [`rpc`] | JSON-RPC of the Polkadot SDK and of Ethereum, a file for each family of methods |
//! | [`dev`] | the development accounts |

extern crate alloc;

mod author;
mod builder;
mod chain;
mod clock;
pub mod dev;
mod error;
mod execute;
mod finality;
mod genesis;
mod heads;
mod make;
mod options;
mod pool;
mod report;
pub mod rpc;
pub mod runtime;
mod shared;
mod state;
mod store;

pub use chain::Chain;
pub use clock::Clock;
pub use error::{
    BlockError, OpenError, Panicked, ReadError, ReorganiseError, StoreError, SubmitError,
    UpgradeError,
};
pub use finality::{Finality, Retracted};
pub use heads::{FinalBlocks, Follow, Head, NewBlock, Update};
pub use options::Options;
pub use pool::{PoolError, TxStatus};
pub use report::Report;
pub use store::{Storage, StoredBlock};
