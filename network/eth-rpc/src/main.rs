//! Parity's `eth-rpc`, which serves Ethereum's JSON-RPC from a node, so that wallets such as MetaMask
//! reach the network.
//!
//! Built from crates.io it takes the metadata of Parity's development runtime, and RocksDB, which
//! nothing here uses. The workspace replaces both, by `runtime/` and `no-rocksdb/`.

use pallet_revive_eth_rpc::cli;

fn main() -> anyhow::Result<()> {
    cli::run(cli::CliCommand::parse_cli()?)
}
