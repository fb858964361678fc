//! The runtime: System, Timestamp, Balances, TransactionPayment and Revive, composed as on a
//! public chain with pallet-revive, and run natively in this process.
//!
//! It has two versions, so that an upgrade can be tried: [`Code`] stands for one of them. The types
//! in this module are those of the first.

mod code;
pub mod currency;
mod first;
pub(crate) mod metadata;
mod primitives;
mod second;
mod upgrades;

pub use code::Code;
pub use first::*;
pub use primitives::{
    AccountId, Address, Balance, BlockNumber, Emitted, Hash, Header, Nonce, Outcome, SS58_FORMAT,
    Signature,
};
