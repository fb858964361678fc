//! What the contracts do otherwise than ink! by itself, to take less code and fewer storage accesses.
//!
//! A contract pays for every byte of its code and for every storage access in every call.
//!
//! | item | saves |
//! |---|---|
//! | [`end`], [`end_as`] | the write of the root cell after a message that did not change it |
//! | [`Last`], [`Earlier`] | the read of the root cell, too |
//! | [`immutable`], [`set_immutable`] | a storage item for what never changes |
//! | [`emit`], [`emit_with`] | ink!'s encoders of events and topics |
//! | [`pay`] | ink!'s builder of calls |
//! | [`caller`], [`paid`], [`now`] | ink!'s conversions to any type of account and number |
//! | [`Chain`], [`chain_id`] | hashes, signatures and the number of the chain, which ink! has no working functions for |
//! | [`Bytes`], [`Encoded`] | a heap for answers |
//!
//! Open `calls` first, the functions of the table; `bytes` has the buffers, [`records`] storage items
//! of fixed size.

#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod bytes;
mod calls;
mod last;
pub mod records;

pub use bytes::{Bytes, Encoded};
#[cfg(target_arch = "riscv64")]
pub use calls::CallData;
pub use calls::{
    Chain, Topic, account, caller, chain_id, emit, emit_parts, emit_with, end, end_as, immutable,
    now, paid, pay, set_immutable, this,
};
pub use last::{Answers, Earlier, Last};
