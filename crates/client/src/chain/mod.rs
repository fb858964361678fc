//! A chain, by the JSON-RPC of the Polkadot SDK. Open `client` first, then `submit`, which a
//! transaction passes.
//!
//! | module | |
//! |---|---|
//! | `block` | what a block holds, decoded by the metadata of the runtime that made it |
//! | `block_ref` | a block by number and hash |
//! | `block_time` | how far blocks are apart on a chain |
//! | `client` | a connection to a chain with pallet-revive |
//! | `connect` | connecting to a chain |
//! | `dispatch` | dispatch errors of the chain, by the names that its metadata has for them |
//! | `dry_run` | dry runs: what a call would do, and the limits that it needs |
//! | `extrinsic` | transactions in blocks, read from their bytes |
//! | `form` | how transactions of the chain are written: the little that is taken from its node's metadata |
//! | `gap` | blocks whose events are missing, in words |
//! | `heads` | the best blocks as they come |
//! | `known` | what is known of a chain without its node |
//! | `line` | the connection to a node, made again whenever it is lost |
//! | `node` | what a node tells of past blocks: hashes, parents, times, and the chain's events as they are stored |
//! | `recent` | what was read of blocks a moment ago |
//! | `retrieve` | transactions whose node went away while they were on their way |
//! | `runtime_api` | calling the runtime API of pallet-revive |
//! | `runtimes` | the versions of the chain's runtime: the one that executes the next transaction, and those that made the blocks of the past |
//! | `said` | text of a node, which may be anything, as people may see it |
//! | `search` | looking for transactions that others sent, by their hashes |
//! | `seen` | what transactions rely on: a record of a contract, as it was after a block |
//! | `state` | the chain's state about accounts and contracts |
//! | `submit` | transactions: signing, sending, and waiting for their block |
//! | `token` | the chain's token, and amounts of it |
//! | `value` | reading values that the chain's metadata describes, by the names of their fields, so that chains with other versions of the pallet are understood too |
//! | `versions` | which version of the runtime a block has after it, from a few blocks that were looked at |

pub(crate) mod block;
pub(crate) mod block_ref;
pub(crate) mod block_time;
pub(crate) mod client;
pub(crate) mod connect;
pub(crate) mod dispatch;
pub(crate) mod dry_run;
pub(crate) mod extrinsic;
pub(crate) mod form;
pub(crate) mod gap;
pub(crate) mod heads;
pub(crate) mod known;
#[cfg(test)]
mod lies;
pub(crate) mod line;
pub(crate) mod node;
#[cfg(test)]
mod public_chains;
pub(crate) mod recent;
pub(crate) mod retrieve;
pub(crate) mod runtime_api;
pub(crate) mod runtimes;
pub(crate) mod said;
pub(crate) mod search;
pub(crate) mod seen;
pub(crate) mod state;
pub(crate) mod submit;
pub(crate) mod token;
pub(crate) mod value;
pub(crate) mod versions;
