//! The parts of a node that others are made of.

use polkadot_sdk::*;
use sc_service::{TFullBackend, TFullClient};
use sc_transaction_pool::TransactionPoolHandle;

use crate::declared::{Block, RuntimeApi};

/// Executes the runtime and keeps the chain.
pub type Client = TFullClient<Block, RuntimeApi, Executor>;
/// The blocks and states on disk.
pub type Backend = TFullBackend<Block>;
/// The transactions that are in no block yet.
pub type Pool = TransactionPoolHandle<Block, Client>;
/// Chooses the best block.
pub type Chooser = sc_consensus::LongestChain<Backend, Block>;

type Executor = sc_executor::WasmExecutor<sp_io::SubstrateHostFunctions>;
