//! The tests of this crate, in one program: linking each file by itself takes longer than compiling it.

mod branches;
mod chain;
mod common;
mod rpc;
mod rpc_branches;
mod rpc_ethereum;
mod upgrade;
