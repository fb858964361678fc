//! Transactions of Ethereum that wait for a block.

use super::{block::Transaction, error::unreadable};
use crate::{Chain, rpc::error::RpcResult};

/// Those in the pool, the ones that are ready first.
pub fn transactions(chain: &Chain) -> RpcResult<impl Iterator<Item = Transaction>> {
    let code = chain.code(&chain.best().1).map_err(unreadable)?;
    let waiting = chain.pending().into_iter();
    Ok(waiting
        .filter_map(move |bytes| code.ethereum_payload(&bytes))
        .filter_map(|payload| Transaction::read(&payload)))
}
