//! Which block a request means.

use jsonrpsee::types::params::ParamsSequence;
use pallet_revive::evm::{BlockNumberOrTagOrHash, BlockTag};

use super::{Ethereum, error::no_block};
use crate::{
    rpc::error::{RpcResult, internal},
    runtime::{BlockNumber, Header},
};

/// The header of the best branch's block of this number.
pub fn numbered(ethereum: &Ethereum, number: BlockNumber) -> RpcResult<Option<Header>> {
    let chain = &ethereum.chain;
    match chain.hash_of(number).map_err(internal)? {
        Some(hash) => chain.header(&hash).map_err(internal),
        None => Ok(None),
    }
}

/// The header of the block that is meant, on the best branch.
pub fn find(ethereum: &Ethereum, block: &BlockNumberOrTagOrHash) -> RpcResult<Option<Header>> {
    let number = match block {
        BlockNumberOrTagOrHash::BlockTag(BlockTag::Latest | BlockTag::Pending) => {
            return Ok(Some(ethereum.chain.best().1));
        }
        BlockNumberOrTagOrHash::BlockTag(BlockTag::Safe | BlockTag::Finalized) => {
            return Ok(Some(ethereum.chain.finalized().1));
        }
        BlockNumberOrTagOrHash::BlockTag(BlockTag::Earliest) => Some(0),
        // No block has a number that does not fit.
        BlockNumberOrTagOrHash::BlockNumber(number) => BlockNumber::try_from(*number).ok(),
        BlockNumberOrTagOrHash::BlockHash(hash) => ethereum.index.block(&ethereum.chain, hash)?,
    };
    match number {
        Some(number) => numbered(ethereum, number),
        None => Ok(None),
    }
}

/// The header of the block that the next parameter means, which is the best block if it is left out.
pub fn next(ethereum: &Ethereum, params: &mut ParamsSequence) -> RpcResult<Header> {
    let block: Option<BlockNumberOrTagOrHash> = params.optional_next()?;
    find(ethereum, &block.unwrap_or_default())?.ok_or_else(no_block)
}
