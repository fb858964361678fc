//! A node of a network with pallet-revive: a validator, or one that only follows.
//!
//! The runtime is not in it. It is in the chain spec, where `new-spec` puts it, and later in the
//! chain's state: a runtime can be upgraded without a new node.

mod cli;
mod declared;
mod keys;
mod metadata;
mod parts;
mod rpc;
mod seal;
mod service;
mod spec;

fn main() -> polkadot_sdk::sc_cli::Result<()> {
    cli::run()
}
