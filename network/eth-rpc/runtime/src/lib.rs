//! The runtime whose metadata `eth-rpc` is built with: this network's.

pub use connect4_network_runtime::*;
