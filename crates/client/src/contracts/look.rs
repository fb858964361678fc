//! Asking contracts by the bytes of calls, for programs that read the answers themselves.

use connect4_protocol::Address;
use connect4_protocol::message::ContractKind;
use subxt::utils::H256;

use crate::accounts::address::fallback_account;
use crate::chain::block_ref::BlockRef;
use crate::chain::dry_run::Call;
use crate::contracts::deployed::Contracts;
use crate::error::Error;
use crate::failure::{failed, unexpected};
use crate::task::Task;

/// What a contract answers in a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookedAt {
    /// The block.
    pub block: BlockRef,
    /// Time of the block, in seconds since 1970.
    pub time: u64,
    /// The bytes that each call returns, whether it is refused or not.
    pub answers: Vec<Vec<u8>>,
}

/// What a contract answers in the newest block, and in the newest final one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looked {
    /// The newest block.
    pub newest: LookedAt,
    /// The newest final block.
    pub last_final: LookedAt,
}

impl Contracts {
    /// Asks a contract with the bytes of a call, of no account; answers the bytes that it returns, whether
    /// it refuses or not.
    ///
    /// # Errors
    ///
    /// [`Error::Lacks`] if there is no such contract; else if the call fails or the chain can't be
    /// reached.
    pub async fn ask(&self, kind: ContractKind, input: &[u8]) -> Result<Vec<u8>, Error> {
        self.ask_at(kind, input, None).await
    }

    /// Asks a contract as [`Self::ask`] in the newest block, and in the newest final one.
    ///
    /// # Errors
    ///
    /// As [`Self::ask`]; also if the time of a block can't be read.
    pub async fn look(&self, kind: ContractKind, inputs: &[Vec<u8>]) -> Result<Looked, Error> {
        let (client, task) = (self.client(), Task::FollowChain);
        // In this order, so that the newest block is not older than the final one.
        let hash = client.finalized(&task).await?;
        let number = client.block_number(&task, hash).await?;
        let newest = client.best_block_for(&task).await?;
        let last_final = BlockRef { number, hash };
        let newest = self.look_in(kind, inputs, newest).await?;
        let last_final = match newest.block.hash == hash {
            true => newest.clone(),
            false => self.look_in(kind, inputs, last_final).await?,
        };
        Ok(Looked { newest, last_final })
    }

    async fn look_in(
        &self,
        kind: ContractKind,
        inputs: &[Vec<u8>],
        block: BlockRef,
    ) -> Result<LookedAt, Error> {
        let time = self.client().time_in(block.number, block.hash).await?;
        let time = time.ok_or_else(|| {
            let number = block.number;
            unexpected(
                &Task::FollowChain,
                format_args!("block {number} has no time"),
            )
        })?;
        let mut answers = Vec::with_capacity(inputs.len());
        for input in inputs {
            answers.push(self.ask_at(kind, input, Some(block.hash)).await?);
        }
        Ok(LookedAt {
            block,
            time,
            answers,
        })
    }

    async fn ask_at(
        &self,
        kind: ContractKind,
        input: &[u8],
        at: Option<H256>,
    ) -> Result<Vec<u8>, Error> {
        let task = Task::Message("looking at the contracts".into());
        let call = Call {
            contract: self.need(&task, kind)?,
            payment: 0,
            input,
        };
        let reader = fallback_account(Address::ZERO);
        let run = self.client().dry_run(&task, &reader, call, at).await?;
        let returned = run.result.map_err(|error| failed(&task, error))?;
        Ok(returned.data)
    }
}
