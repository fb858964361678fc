//! Transactions whose node went away while they were on their way.

use connect4_protocol::transaction::MORTALITY;
use subxt::dynamic::Value;
use subxt::tx::{SubmittableTransaction, TxProgress};
use subxt::utils::{AccountId32, H256};
use subxt::{OnlineClient, PolkadotConfig};

use crate::chain::block_ref::BlockRef;
use crate::chain::client::{Client, Wait};
use crate::chain::value;
use crate::error::Error;
use crate::refusal::Refusal;
use crate::task::Task;

/// What a node tells of a transaction, as it happens.
pub(crate) type Progress = TxProgress<PolkadotConfig, OnlineClient<PolkadotConfig>>;

/// A transaction on its way.
pub(crate) struct Sent {
    pub(crate) signed: SubmittableTransaction<PolkadotConfig, OnlineClient<PolkadotConfig>>,
    pub(crate) account: AccountId32,
    pub(crate) nonce: u64,
    /// The block at which it is anchored.
    pub(crate) anchor: BlockRef,
    /// Hash of the transaction of Ethereum that it carries; none if it carries none.
    pub(crate) ethereum: Option<H256>,
}

/// What became of a transaction whose node went away.
pub(crate) enum Retrieved {
    /// It is in the block with this hash, and counts as done.
    InBlock(H256),
    /// It was submitted again, which tells this.
    Again(Progress),
}

impl Client {
    /// What became of a transaction whose node went away, once it is back: the transaction is in a
    /// block, or it is submitted again. That is the same transaction, which cannot happen twice.
    ///
    /// # Errors
    ///
    /// [`Error::Replaced`] or [`Error::NotIncluded`] if it cannot be included any more.
    pub(crate) async fn retrieve(&self, task: &Task, sent: &Sent) -> Result<Retrieved, Error> {
        let hash = sent.signed.hash();
        let anchor = sent.anchor.number;
        let mut heads = self.heads().await?;
        loop {
            let height = heads.next().await?;
            let first = anchor.saturating_add(1);
            let last = match sent.ethereum {
                // It may be in any block.
                Some(_) => height,
                None => height.min(anchor.saturating_add(MORTALITY)),
            };
            let mut is_in_a_block = false;
            for number in first..=last {
                let Some(block) = self.block_hash(task, number).await? else {
                    break;
                };
                if self.index_in(task, block, hash).await?.is_some() {
                    if self.wait == Wait::Best || number <= self.finalized_number(task).await? {
                        return Ok(Retrieved::InBlock(block));
                    }
                    is_in_a_block = true;
                }
            }
            if is_in_a_block {
                continue; // until it is final
            }
            let nonce = self.nonce(task, &sent.account).await?;
            if nonce > sent.nonce && height == self.height().await? {
                return Err(Error::NotIncluded {
                    task: task.clone(),
                    reason: "another transaction of the account took its place".into(),
                });
            }
            match sent.signed.submit_and_watch().await {
                Ok(progress) => return Ok(Retrieved::Again(progress)),
                Err(error) if error.is_disconnected_will_reconnect() => {}
                Err(error) => match Refusal::of(&error) {
                    // The node has it: a block will tell.
                    Some(Refusal::Overtaken) => {}
                    Some(Refusal::Unhashed) => {
                        return Err(Error::Unhashed { task: task.clone() });
                    }
                    Some(
                        Refusal::Early(reason) | Refusal::Unpaid(reason) | Refusal::Other(reason),
                    ) => {
                        return Err(match self.rejected(task, sent.anchor, reason).await {
                            Error::Rejected { task, reason } => Error::NotIncluded { task, reason },
                            error => error,
                        });
                    }
                    None => return Err(self.failed(task, error)),
                },
            }
        }
    }

    /// Number of transactions of an account in the best block and before it.
    async fn nonce(&self, task: &Task, account: &AccountId32) -> Result<u64, Error> {
        let key = Value::from_bytes(account.0);
        let info = self.storage(task, "System", "Account", key).await?;
        let nonce = info
            .as_ref()
            .and_then(|info| value::find(info, "nonce"))
            .and_then(value::number);
        Ok(nonce.map_or(0, |nonce| u64::try_from(nonce).unwrap_or(u64::MAX)))
    }
}
