//! Networks of validators and the program on them, run as processes, as their users run them.
//!
//! For tests only: where an expectation does not hold, everything here panics, and prints the last
//! lines of what the processes said.

mod general;
mod network;
mod program;
mod rpc;
mod staked;
mod wait;

pub use general::remark;
pub use network::{EthRpc, Host, Network, Options, metadata_hash};
pub use program::{Answer, Running, node_tests, program, runtime};
pub use rpc::Rpc;
pub use staked::play_for_a_stake;
pub use wait::{LIMIT, until};
