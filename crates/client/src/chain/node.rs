//! What a node tells of past blocks: hashes, parents, times, and the chain's events as they are stored.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use connect4_protocol::Address;
use futures_util::{StreamExt as _, TryStreamExt as _};
use subxt::backend::rpc::RpcClient;
use subxt::ext::subxt_rpcs;
use subxt::ext::subxt_rpcs::rpc_params;
use subxt::utils::H256;

use crate::chain::client::{Client, PALLET};
use crate::chain::extrinsic::time_of;
use crate::contracts::deployed::answers_otherwise;
use crate::error::Error;
use crate::failure::unexpected;
use crate::task::Task;

/// Code of a Polkadot SDK node's error if a state cannot be read. Of a block that the node knows, it
/// has discarded the state.
const STATE_ERROR: i32 = 4003;
/// Number of blocks that are asked for at the same time.
const AT_ONCE: usize = 16;
/// What is stored of accounts and contracts.
const ACCOUNTS: &str = "AccountInfoOf";
/// What was stored of contracts, in earlier versions of the pallet.
const CONTRACTS: &str = "ContractInfoOf";
/// First byte of what is stored of an account that is a contract.
const CONTRACT: u8 = 0;

impl Client {
    /// The hashes of the blocks from `first` to `last` on the best chain, by one request.
    pub(crate) async fn hashes(
        &self,
        task: &Task,
        first: u32,
        last: u32,
    ) -> Result<Vec<H256>, Error> {
        let found = self.hashes_there(task, first, last).await?;
        if (first..=last).zip(&found).count() == (first..=last).count() {
            Ok(found)
        } else {
            Err(unexpected(
                task,
                format_args!("it lacks some of the blocks {first} to {last}"),
            ))
        }
    }

    /// The same of those that are there: the best chain may have got shorter.
    pub(crate) async fn hashes_there(
        &self,
        task: &Task,
        first: u32,
        last: u32,
    ) -> Result<Vec<H256>, Error> {
        let numbers: Vec<u32> = (first..=last).collect();
        let raw = RpcClient::new(self.shared.line.clone());
        let asked = raw.request("chain_getBlockHash", rpc_params![&numbers]);
        let hashes: Vec<Option<H256>> = asked.await.map_err(|error| self.failed(task, error))?;
        Ok(hashes.into_iter().map_while(|hash| hash).collect())
    }

    /// The chain's events of a block, as they are stored; none if the node has discarded the block's
    /// state.
    pub(crate) async fn event_bytes(
        &self,
        task: &Task,
        block: H256,
    ) -> Result<Option<Vec<u8>>, Error> {
        let read = async {
            let key = storage_key("System", "Events", &[]);
            let found = self.stored(task, &key, block).await?;
            Ok(found.map(Option::unwrap_or_default))
        };
        self.shared.recent.of(block, read).await
    }

    /// The same of a block whose state has to be there.
    pub(crate) async fn known_event_bytes(
        &self,
        task: &Task,
        number: u32,
        block: H256,
    ) -> Result<Vec<u8>, Error> {
        let bytes = self.event_bytes(task, block).await?;
        bytes.ok_or_else(|| Error::NoState {
            task: task.clone(),
            block: number,
        })
    }

    /// Whether a contract was there after a block, or its address known to the pallet; none if the
    /// node has discarded the block's state.
    pub(crate) async fn was_there(
        &self,
        task: &Task,
        contract: Address,
        block: H256,
    ) -> Result<Option<bool>, Error> {
        // A runtime upgrade may have renamed the entry: each name that it has had counts.
        for entry in [ACCOUNTS, CONTRACTS] {
            let key = storage_key(PALLET, entry, &contract.0);
            match self.stored(task, &key, block).await? {
                Some(None) => {}
                Some(Some(_)) => return Ok(Some(true)),
                None => return Ok(None),
            }
        }
        Ok(Some(false))
    }

    /// Whether a contract had one of these codes, by the Keccak-256 hashes of them, when the block began
    /// that follows on `parent`; none if the node has discarded the parent's state.
    ///
    /// This tells who has emitted what is in the block, if none of the codes can end or be exchanged: the
    /// contract then had it in all of the block. The state after the block does not tell it: within a block
    /// a contract can end, and another one be deployed at its address. So what a contract emits in the block
    /// in which it is deployed is of nobody who is known.
    pub(crate) async fn began_with_code(
        &self,
        task: &Task,
        contract: Address,
        codes: &[[u8; 32]],
        parent: H256,
    ) -> Result<Option<bool>, Error> {
        for (entry, begins) in [(ACCOUNTS, &[CONTRACT][..]), (CONTRACTS, &[])] {
            let key = storage_key(PALLET, entry, &contract.0);
            match self.stored(task, &key, parent).await? {
                Some(None) => {}
                Some(Some(info)) => return Ok(Some(has_code(&info, begins, codes))),
                None => return Ok(None),
            }
        }
        Ok(Some(false))
    }

    /// The bytes under a key in the state after a block; none if the node has discarded that state.
    async fn stored(
        &self,
        task: &Task,
        key: &[u8],
        block: H256,
    ) -> Result<Option<Option<Vec<u8>>>, Error> {
        match self.shared.rpc.state_get_storage(key, Some(block)).await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(subxt_rpcs::Error::User(error)) if error.code == STATE_ERROR => Ok(None),
            Err(error) => Err(self.failed(task, error)),
        }
    }

    /// The time of a block in seconds since 1970, from its body, which nodes keep longer than its
    /// state; none if it cannot be read.
    pub(crate) async fn time_of(&self, number: u32, block: H256) -> Option<u64> {
        self.time_in(number, block).await.ok().flatten()
    }

    /// The time now in seconds since 1970: that of this machine, or of the best block if that is later.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn time(&self) -> Result<u64, Error> {
        let task = Task::ReadHeight;
        let best = self.best(&task).await?;
        let number = self.block_number(&task, best).await?;
        let chain = self.time_of(number, best).await.unwrap_or_default();
        let machine = SystemTime::now().duration_since(UNIX_EPOCH);
        Ok(machine.map_or(chain, |machine| machine.as_secs().max(chain)))
    }

    /// The times of blocks, by their numbers, in seconds since 1970; without those that the node does
    /// not have any more.
    pub(crate) async fn times(
        &self,
        blocks: BTreeMap<u32, H256>,
    ) -> Result<BTreeMap<u32, u64>, Error> {
        let look_up = async |(number, block)| match self.time_in(number, block).await {
            Ok(time) => Ok(time.map(|time| (number, time))),
            Err(error) if answers_otherwise(&error) => Ok(None),
            Err(error) => Err(error),
        };
        futures_util::stream::iter(blocks.into_iter().map(look_up))
            .buffer_unordered(AT_ONCE)
            .try_filter_map(async |found| Ok(found))
            .try_collect()
            .await
    }

    /// The time of a block in seconds since 1970, from its body; none if the body has none.
    /// The time of a block in seconds since 1970; none if its body has none.
    ///
    /// # Errors
    ///
    /// If the body cannot be read.
    pub(crate) async fn time_in(&self, number: u32, block: H256) -> Result<Option<u64>, Error> {
        let task = &Task::ReadEvents;
        let metadata = self.api_of(task, number).await?.metadata();
        let body = self.body(task, block).await?;
        let mut times = body.iter().filter_map(|one| time_of(one, &metadata));
        Ok(times.next().map(|milliseconds| milliseconds / 1000))
    }
}

/// Whether what is stored of a contract begins with these bytes, and has the hash of one of these codes. An account
/// that has lent itself code (EIP-7702) has its hash, too, and can take other code in any transaction: it is no
/// contract.
fn has_code(info: &[u8], begins: &[u8], codes: &[[u8; 32]]) -> bool {
    // Nothing else of what is stored of a contract is a hash that its deployer can choose.
    let has = |code: &[u8; 32]| info.windows(32).any(|part| part == code);
    info.starts_with(begins) && codes.iter().any(has)
}

/// The key of a storage entry; of a map, that of a value whose key is not hashed.
fn storage_key(pallet: &str, entry: &str, key: &[u8]) -> Vec<u8> {
    let (pallet, entry) = (
        sp_crypto_hashing::twox_128(pallet.as_bytes()),
        sp_crypto_hashing::twox_128(entry.as_bytes()),
    );
    [&pallet[..], &entry, key].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_that_have_lent_themselves_code_are_no_contracts() {
        let (code, other) = ([7; 32], [8; 32]);
        let of = |kind: &[u8]| [kind, &[0x80], &[1; 32], &code, &[0; 40]].concat();
        assert!(has_code(&of(&[CONTRACT]), &[CONTRACT], &[other, code]));
        assert!(!has_code(&of(&[CONTRACT]), &[CONTRACT], &[other]));
        assert!(has_code(&of(&[]), &[], &[code]));
        // The third kind has the address of a contract before the rest.
        let lent = [&[2, 1][..], &[9; 20]].concat();
        assert!(!has_code(&of(&lent), &[CONTRACT], &[code]));
    }
}
