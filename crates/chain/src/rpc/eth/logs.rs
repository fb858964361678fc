//! Logs: what contracts have emitted in transactions of Ethereum.

use std::sync::Arc;

use jsonrpsee::RpcModule;
use pallet_revive::{
    EthBlock,
    evm::{BlockNumberOrTagOrHash, BlockTag, Log},
};
use serde::Deserialize;
use sp_core::{H160, H256, U256};

use super::{
    Ethereum, Index,
    block::Block,
    error::{no_block, too_much},
    locate::{find, numbered},
    method,
};
use crate::{
    Chain,
    rpc::error::{RpcResult, invalid_params},
};

/// In how many blocks a request looks at most.
pub const MAX_BLOCKS: u32 = 10_000;
pub(super) const MAX_LOGS: usize = 10_000;
const MAX_TOPICS: usize = 4;
/// How many addresses, and how many topics at one place, a request may name.
const MAX_CHOICES: usize = 1_000;

#[derive(Clone, Deserialize)]
#[serde(untagged)]
enum Choice<T> {
    One(T),
    Many(Vec<T>),
}

impl<T: Copy + PartialEq> Choice<T> {
    fn all(&self) -> &[T] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Many(many) => many,
        }
    }

    /// Whether this is chosen. An empty list chooses everything.
    fn has(&self, it: &T) -> bool {
        self.all().is_empty() || self.all().contains(it)
    }
}

/// Which logs are meant: those of the contracts, with the topics at their places. What is left out
/// may be anything.
#[derive(Clone, Default, Deserialize)]
pub struct Wanted {
    address: Option<Choice<H160>>,
    topics: Option<Vec<Option<Choice<H256>>>>,
    /// The first and the last block whose logs are meant, for a filter of new blocks.
    #[serde(skip)]
    numbers: (Option<U256>, Option<U256>),
}

impl Wanted {
    /// Refuses what takes too long to look for.
    pub(super) fn check(&self) -> RpcResult<()> {
        let topics = self.topics.as_deref().unwrap_or_default();
        if topics.len() > MAX_TOPICS {
            return Err(invalid_params(format!(
                "a log has at most {MAX_TOPICS} topics"
            )));
        }
        let addresses = self.address.as_ref().map_or(0, |it| it.all().len());
        let choices = topics.iter().flatten().map(|it| it.all().len());
        if choices.chain([addresses]).any(|count| count > MAX_CHOICES) {
            return Err(too_much(format!(
                "at most {MAX_CHOICES} addresses or topics"
            )));
        }
        Ok(())
    }

    /// Whether this log is meant.
    #[must_use]
    pub fn has(&self, log: &Log) -> bool {
        let topics = self.topics.as_deref().unwrap_or_default();
        self.address.as_ref().is_none_or(|it| it.has(&log.address))
            && topics.len() <= log.topics.len()
            && topics
                .iter()
                .zip(&log.topics)
                .all(|(wanted, topic)| wanted.as_ref().is_none_or(|it| it.has(topic)))
    }

    /// Whether a block may have such logs, by its Bloom filter.
    fn may_be_in(&self, block: &EthBlock) -> bool {
        let bloom = &block.logs_bloom.0;
        let has = |bytes: &[u8]| {
            let hash = sp_core::keccak_256(bytes);
            [0, 2, 4].into_iter().all(|at| {
                let bit = (usize::from(hash[at]) << 8 | usize::from(hash[at + 1])) & 0x7ff;
                bloom[bloom.len() - 1 - bit / 8] & 1 << (bit % 8) != 0
            })
        };
        let addresses = self.address.as_ref().map_or(&[][..], Choice::all);
        let topics = self.topics.as_deref().unwrap_or_default();
        (addresses.is_empty() || addresses.iter().any(|it| has(it.as_bytes())))
            && topics.iter().flatten().all(|choice| {
                choice.all().is_empty() || choice.all().iter().any(|it| has(it.as_bytes()))
            })
    }

    pub(super) fn of(&self, chain: &Chain, block: &Block) -> RpcResult<Vec<Log>> {
        let number = block.ethereum.number;
        let is_between = self.numbers.0.is_none_or(|first| first <= number)
            && self.numbers.1.is_none_or(|last| number <= last);
        if block.hashes().is_empty() || !is_between || !self.may_be_in(&block.ethereum) {
            return Ok(Vec::new());
        }
        let transactions = block.transactions(chain)?;
        let logs = transactions.into_iter().flat_map(|it| it.receipt.logs);
        Ok(logs.filter(|log| self.has(log)).collect())
    }
}

/// Where to look: in one block, or in those from one to another.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Blocks {
    block_hash: Option<H256>,
    from_block: Option<BlockNumberOrTagOrHash>,
    to_block: Option<BlockNumberOrTagOrHash>,
}

/// Which logs are meant, and where to look for them.
#[derive(Clone, Default, Deserialize)]
pub(super) struct Filter {
    #[serde(flatten)]
    blocks: Blocks,
    #[serde(flatten)]
    wanted: Wanted,
}

impl Filter {
    /// Which logs of new blocks are meant.
    ///
    /// # Errors
    /// Returned if it looks in one block or up to one that there is already, and if it takes too long to look for them.
    pub(super) fn of_new_blocks(&self) -> RpcResult<Wanted> {
        self.wanted.check()?;
        let Blocks {
            block_hash,
            from_block,
            to_block,
        } = &self.blocks;
        let number = |block: &Option<BlockNumberOrTagOrHash>| match block {
            Some(BlockNumberOrTagOrHash::BlockNumber(number)) => Some(*number),
            _ => None,
        };
        let is_open = match to_block {
            None | Some(BlockNumberOrTagOrHash::BlockNumber(_)) => true,
            Some(BlockNumberOrTagOrHash::BlockTag(tag)) => {
                matches!(tag, BlockTag::Latest | BlockTag::Pending)
            }
            Some(BlockNumberOrTagOrHash::BlockHash(_)) => false,
        };
        let (first, last) = (number(from_block), number(to_block));
        let is_order = first.zip(last).is_none_or(|(first, last)| first <= last);
        match block_hash.is_none() && is_open && is_order {
            true => Ok(Wanted {
                numbers: (first, last),
                ..self.wanted.clone()
            }),
            false => Err(invalid_params(
                "a filter is for new blocks: name numbers, or latest, or leave them out",
            )),
        }
    }
}

impl Blocks {
    /// The numbers of the first and the last block. `None`: the first one does not exist yet.
    fn range(&self, ethereum: &Ethereum) -> RpcResult<Option<(u32, u32)>> {
        if let Some(hash) = self.block_hash {
            if self.from_block.is_some() || self.to_block.is_some() {
                return Err(invalid_params("a block's hash leaves no choice of others"));
            }
            let block = BlockNumberOrTagOrHash::BlockHash(hash);
            let number = find(ethereum, &block)?.ok_or_else(no_block)?.number;
            return Ok(Some((number, number)));
        }
        let best = ethereum.chain.best().1.number;
        let number = |block: &Option<BlockNumberOrTagOrHash>| -> RpcResult<u32> {
            match block {
                None => Ok(best),
                // It may not be made yet.
                Some(BlockNumberOrTagOrHash::BlockNumber(number)) => {
                    Ok(u32::try_from(*number).unwrap_or(u32::MAX))
                }
                Some(block) => Ok(find(ethereum, block)?.ok_or_else(no_block)?.number),
            }
        };
        let (first, last) = (number(&self.from_block)?, number(&self.to_block)?);
        range(first, last, best)
    }
}

/// The numbers of the first and the last block between two that there are, up to the best one.
/// `None`: there are none yet.
///
/// # Errors
///
/// -32602 if the first block is after the last one, and -32005 if there are more than [`MAX_BLOCKS`].
pub fn range(first: u32, last: u32, best: u32) -> RpcResult<Option<(u32, u32)>> {
    if first > last {
        return Err(invalid_params("the first block is after the last one"));
    }
    let last = last.min(best);
    if first > last {
        return Ok(None);
    }
    let between = last - first;
    if between >= MAX_BLOCKS {
        return Err(too_much(format!(
            "more than {MAX_BLOCKS} blocks: ask for those of fewer at once"
        )));
    }
    Ok(Some((first, last)))
}

pub(super) fn find_logs(ethereum: &Ethereum, filter: &Filter) -> RpcResult<Vec<Log>> {
    filter.wanted.check()?;
    let Some((first, last)) = filter.blocks.range(ethereum)? else {
        return Ok(Vec::new());
    };
    let chain = &ethereum.chain;
    let mut found = Vec::new();
    for number in first..=last {
        // A branch that became the best one may be shorter than it was.
        let Some(header) = numbered(ethereum, number)? else {
            break;
        };
        found.extend(filter.wanted.of(chain, &Block::read(chain, &header)?)?);
        if found.len() > MAX_LOGS {
            return Err(too_much(format!(
                "more than {MAX_LOGS} logs: ask for fewer blocks"
            )));
        }
    }
    Ok(found)
}

pub(super) fn register(module: &mut RpcModule<Chain>, index: &Arc<Index>) {
    method(module, index, "eth_getLogs", |ethereum, params| {
        let filter: Filter = params.sequence().optional_next()?.unwrap_or_default();
        find_logs(ethereum, &filter)
    });
}
