//! How a chain is to run.

use std::time::Duration;

use crate::{clock::Clock, finality::Finality, store::Storage};

#[derive(Clone, Debug, Default)]
pub struct Options {
    pub storage: Storage,
    /// The time between two blocks, which are then made with or without transactions. `None`: a
    /// block is made as soon as a transaction comes.
    pub block_time: Option<Duration>,
    pub clock: Clock,
    /// When blocks become final. What was final stays final when a chain is opened again with a
    /// longer lag.
    pub finality: Finality,
    /// How many final blocks keep their state, at least one; the blocks after them keep it, too.
    /// `None`: all do.
    ///
    /// Requests for a state that is not kept are refused as a Substrate node with
    /// `--state-pruning` refuses them. The trie nodes stay in the file: they are shared between
    /// states and not counted, so that they can't be removed one by one. A chain that is opened
    /// again with another value answers by that value.
    pub keep_states: Option<u32>,
}
