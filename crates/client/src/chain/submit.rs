//! Transactions: signing, sending, and waiting for their block.

use std::time::Duration;

use connect4_protocol::Address;
use connect4_protocol::transaction::PalletCall;
use subxt::blocks::ExtrinsicEvents;
use subxt::events::{EventDetails, Phase};
use subxt::metadata::Metadata;
use subxt::tx::{SubmittableTransaction, TxStatus};
use subxt::utils::{AccountId32, H256};
use subxt::{OnlineClient, PolkadotConfig};

use crate::accounts::account::{Named, Pair, Signer};
use crate::accounts::address::of_account;
use crate::accounts::ethereum;
use crate::chain::block_ref::BlockRef;
use crate::chain::client::{Client, PALLET, Wait};
use crate::chain::dispatch::DispatchError;
use crate::chain::extrinsic::hash_of;
use crate::chain::form::{Form, SR25519, Written};
use crate::chain::retrieve::{Progress, Retrieved, Sent};
use crate::chain::value;
use crate::contracts::prepare::signed_extrinsic;
use crate::contracts::receipt::Transaction;
use crate::error::{Error, Payer};
use crate::failure::{self, unexpected};
use crate::refusal::Refusal;
use crate::task::Task;

/// How long a transaction may take until it counts as done.
const TRANSACTION_TIMEOUT: Duration = Duration::from_secs(180);
/// How often a transaction is signed with the same number if the node says that the number is taken, or the anchor too new.
const NONCE_ATTEMPTS: u32 = 8;
/// How often a transaction is signed again if the block at which it is anchored is replaced.
pub(crate) const ANCHOR_ATTEMPTS: u32 = 8;

/// A transaction in its block.
pub(crate) struct Included {
    pub(crate) transaction: Transaction,
    pub(crate) events: ExtrinsicEvents<PolkadotConfig>,
}

/// A transaction that was signed, and not sent.
pub(crate) struct Signed {
    pub(crate) transaction: SubmittableTransaction<PolkadotConfig, OnlineClient<PolkadotConfig>>,
    /// Hash of the transaction of Ethereum that it carries; none if it carries none.
    pub(crate) ethereum: Option<H256>,
}

/// What a transaction in a block came to.
pub(crate) struct Run {
    /// Fee that was paid, in the token's smallest unit.
    pub(crate) fee: u128,
    /// Why its call failed; none if it did not.
    pub(crate) failure: Option<DispatchError>,
}

impl Run {
    /// What these events of the transaction tell.
    pub(crate) fn of(
        task: &Task,
        events: &ExtrinsicEvents<PolkadotConfig>,
        metadata: &Metadata,
    ) -> Result<Self, Error> {
        let (mut fee, mut failure) = (0, None);
        for event in events.iter() {
            let event = event.map_err(|error| unexpected(task, error))?;
            // A transaction of Ethereum is in the block even if its call failed.
            if matches!(
                (event.pallet_name(), event.variant_name()),
                ("System", "ExtrinsicFailed") | (PALLET, "EthExtrinsicRevert")
            ) {
                let error =
                    subxt::error::DispatchError::decode_from(event.field_bytes(), metadata.clone());
                let error = error.map_err(|error| unexpected(task, error))?;
                failure = Some(DispatchError::from(&error));
            }
            fee = fee_in(task, &event)?.unwrap_or(fee);
        }
        Ok(Self { fee, failure })
    }
}

/// What the node tells of a transaction; none if the connection was lost.
type Told = Option<Progress>;

impl Client {
    /// Signs a call of the pallet that relies on nothing on the chain, sends it and waits until it
    /// is done.
    pub(crate) async fn submit(
        &self,
        task: &Task,
        signer: &Signer,
        call: &PalletCall,
    ) -> Result<Included, Error> {
        let (mut attempt, mut number) = (0, None);
        loop {
            attempt += 1;
            let anchor = self.loose_anchor(task).await?;
            let submitted = self.submit_at(task, signer, call, anchor, &mut number);
            match submitted.await {
                Err(Error::Replaced { .. } | Error::NotIncluded { .. })
                    if attempt < ANCHOR_ATTEMPTS => {}
                result => return result,
            }
        }
    }

    /// Signs a call of the pallet for the branch of the chain that has the block `anchor`, sends it
    /// and waits until it is done.
    ///
    /// `number` is that of the account's transaction, once something was signed for it. However often a call is signed
    /// again, it has the same number, so that it can happen once: that an earlier one did not happen is the word of the
    /// node.
    ///
    /// # Errors
    ///
    /// [`Error::Replaced`] if the block of the anchor is replaced before: the transaction is void then.
    /// [`Error::Overtaken`] if another transaction of the account has the number.
    pub(crate) async fn submit_at(
        &self,
        task: &Task,
        signer: &Signer,
        call: &PalletCall,
        anchor: BlockRef,
        number: &mut Option<u64>,
    ) -> Result<Included, Error> {
        let mut is_first = true;
        let (block_hash, sent) = loop {
            let signed_for = self.spec_version();
            let (told, sent) = self.send(task, signer, call, anchor, number).await?;
            let included = tokio::select! {
                included = self.included(task, told, &sent) => included,
                // The node's absence does not count.
                () = self.shared.line.present_for(TRANSACTION_TIMEOUT) => Err(Error::Timeout {
                    task: task.clone(),
                    after: TRANSACTION_TIMEOUT,
                }),
            };
            match included {
                // The runtime was upgraded while the transaction waited.
                Err(Error::Rejected { .. })
                    if is_first && self.is_upgraded_since(task, signed_for).await? =>
                {
                    is_first = false;
                }
                included => break (included?, sent),
            }
        };
        let (number, events, metadata) = self
            .transaction_events(task, block_hash, sent.signed.hash())
            .await?;
        let Run { fee, failure } = Run::of(task, &events, &metadata)?;
        if let Some(error) = failure {
            return Err(self.explain(task, &signer.named(), error).await);
        }
        Ok(Included {
            transaction: Transaction {
                block: number,
                block_hash,
                hash: sent.ethereum.unwrap_or_else(|| sent.signed.hash()),
                index: events.extrinsic_index(),
                fee,
            },
            events,
        })
    }

    /// Signs and sends.
    async fn send(
        &self,
        task: &Task,
        signer: &Signer,
        call: &PalletCall,
        anchor: BlockRef,
        number: &mut Option<u64>,
    ) -> Result<(Told, Sent), Error> {
        let account = signer.account();
        let _one_at_a_time = self.shared.submitting.lock().await;
        let mut attempt = 0;
        let mut is_resigned = false;
        loop {
            attempt += 1;
            let signed_for = self.spec_version();
            let nonce = self.shared.rpc.system_account_next_index(&account).await;
            let next = nonce.map_err(|error| self.failed(task, error))?;
            let overtaken = |number| Error::Overtaken {
                task: task.clone(),
                account: signer.to_string(),
                number,
            };
            let nonce = match *number {
                Some(signed) if next > signed => return Err(overtaken(signed)),
                Some(signed) => signed,
                None => next,
            };
            let form = self.form(task)?;
            let Signed {
                transaction,
                ethereum: hash,
            } = self.sign(task, signer, &form, call, nonce, anchor).await?;
            *number = Some(nonce);
            let sent = |signed| Sent {
                signed,
                account: account.clone(),
                nonce,
                anchor,
                ethereum: hash,
            };
            let error = match transaction.submit_and_watch().await {
                Ok(progress) => return Ok((Some(progress), sent(transaction))),
                // The node may have taken it.
                Err(error) if error.is_disconnected_will_reconnect() => {
                    return Ok((None, sent(transaction)));
                }
                Err(error) => error,
            };
            let reason = match Refusal::of(&error) {
                Some(Refusal::Overtaken | Refusal::Early(_)) if attempt < NONCE_ATTEMPTS => {
                    tokio::time::sleep(Duration::from_millis(50) * attempt).await;
                    continue;
                }
                Some(Refusal::Unpaid(reason)) => {
                    return Err(self.no_funds(task, &signer.named(), reason).await);
                }
                Some(Refusal::Unhashed) => {
                    return Err(Error::Unhashed { task: task.clone() });
                }
                Some(Refusal::Overtaken) => return Err(overtaken(nonce)),
                // The runtime was upgraded, and the node has not told it yet.
                Some(Refusal::Other(_))
                    if !is_resigned && self.is_upgraded_since(task, signed_for).await? =>
                {
                    is_resigned = true;
                    continue;
                }
                Some(Refusal::Other(reason) | Refusal::Early(reason)) => reason,
                None => return Err(self.failed(task, error)),
            };
            return Err(self.rejected(task, anchor, reason).await);
        }
    }

    /// Signs a call of the pallet for the branch of the chain that has the block `anchor`.
    ///
    /// # Errors
    ///
    /// [`Error::Doubtful`] if it would be allowed to take more than such a call takes; for an account of Ethereum if
    /// the chain can't be reached.
    pub(crate) async fn sign(
        &self,
        task: &Task,
        signer: &Signer,
        form: &Form,
        call: &PalletCall,
        nonce: u64,
        anchor: BlockRef,
    ) -> Result<Signed, Error> {
        let call = self.bytes_of(task, form, call)?;
        match signer.pair() {
            Pair::Sr25519(pair) => {
                let written = form.write(call, nonce, anchor);
                let signature = pair.sign(&written.payload()).0;
                let signature = [&[SR25519][..], &signature].concat();
                let head = Written::head(&signer.account());
                Ok(Signed {
                    transaction: self.submittable(signed_extrinsic(
                        &head,
                        &signature,
                        &written.tail(),
                    )),
                    ethereum: None,
                })
            }
            Pair::Ethereum(pair) => {
                let chain = form
                    .chain_id()
                    .ok_or_else(|| unexpected(task, "it takes no transactions of Ethereum"))?;
                let payload = self
                    .ethereum_transaction(task, pair, nonce, chain, &call)
                    .await?;
                Ok(Signed {
                    transaction: self.submittable(form.carry(&payload)),
                    ethereum: Some(ethereum::hash_of(&payload)),
                })
            }
        }
    }

    /// A call as bytes, if it may not take more than such a call takes.
    pub(crate) fn bytes_of(
        &self,
        task: &Task,
        form: &Form,
        call: &PalletCall,
    ) -> Result<Vec<u8>, Error> {
        form.call(call)
            .map_err(|doubt| Error::doubtful(task, doubt))
    }

    /// An extrinsic that can be sent.
    pub(crate) fn submittable(
        &self,
        extrinsic: Vec<u8>,
    ) -> SubmittableTransaction<PolkadotConfig, OnlineClient<PolkadotConfig>> {
        SubmittableTransaction::from_bytes(self.api().clone(), extrinsic)
    }

    /// The hash of the block of a transaction, once the transaction counts as done.
    async fn included(&self, task: &Task, mut told: Told, sent: &Sent) -> Result<H256, Error> {
        loop {
            let Some(progress) = &mut told else {
                match self.retrieve(task, sent).await? {
                    Retrieved::InBlock(block) => return Ok(block),
                    Retrieved::Again(progress) => told = Some(progress),
                }
                continue;
            };
            let status = match progress.next().await {
                Some(Ok(status)) => status,
                Some(Err(error)) if !error.is_disconnected_will_reconnect() => {
                    return Err(self.failed(task, error));
                }
                // The node is away, or has been.
                Some(Err(_)) | None => {
                    told = None;
                    continue;
                }
            };
            match status {
                TxStatus::InFinalizedBlock(block) => return Ok(block.block_hash()),
                TxStatus::InBestBlock(block) if self.wait == Wait::Best => {
                    return Ok(block.block_hash());
                }
                TxStatus::Error { message }
                | TxStatus::Invalid { message }
                | TxStatus::Dropped { message } => {
                    return Err(self.rejected(task, sent.anchor, message).await);
                }
                _ => {}
            }
        }
    }

    /// The error for a transaction that the node did not take or has given up.
    pub(crate) async fn rejected(&self, task: &Task, anchor: BlockRef, reason: String) -> Error {
        let task = task.clone();
        match self.is_canonical(&task, anchor).await {
            Ok(false) => Error::Replaced {
                task,
                block: anchor.number,
            },
            _ => Error::Rejected { task, reason },
        }
    }

    /// The error for a dispatch error of the chain.
    pub(crate) async fn explain(&self, task: &Task, payer: &Named, error: DispatchError) -> Error {
        const UNPAID: [&str; 5] = [
            "::StorageDepositNotEnoughFunds",
            "::TransferFailed",
            "::InsufficientBalance",
            "Token::FundsUnavailable",
            "Token::CannotCreateHold",
        ];
        if UNPAID.iter().any(|end| error.name.ends_with(end)) {
            return self.no_funds(task, payer, error.name).await;
        }
        failure::failed(task, error)
    }

    pub(crate) async fn no_funds(&self, task: &Task, payer: &Named, reason: String) -> Error {
        Error::NoFunds {
            task: task.clone(),
            payer: Box::new(Payer {
                account: payer.clone(),
                balance: self.balance(&payer.account()).await.ok(),
                token: self.token().clone(),
            }),
            reason,
        }
    }

    /// A transaction by its place: the index in its block counts from 0.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or has dropped the block, or if the block has no such
    /// transaction.
    pub async fn transaction(
        &self,
        block: u32,
        block_hash: H256,
        index: u32,
    ) -> Result<Transaction, Error> {
        let fee = self.archived_fees(&[(block, block_hash, index)]).await;
        let fee = fee.into_iter().next().flatten();
        self.transaction_with(block, block_hash, index, fee).await
    }

    /// The same with its fee, if that is known: then the block's state is not needed.
    pub(crate) async fn transaction_with(
        &self,
        block: u32,
        block_hash: H256,
        index: u32,
        fee: Option<u128>,
    ) -> Result<Transaction, Error> {
        let task = Task::ReadTransaction { block, index };
        let metadata = self.api_of(&task, block).await?.metadata();
        let body = self.body(&task, block_hash).await?;
        let extrinsic = usize::try_from(index)
            .ok()
            .and_then(|index| body.get(index))
            .ok_or_else(|| unexpected(&task, "the block has no such transaction"))?;
        let fee = match fee {
            Some(fee) => fee,
            None => {
                let (events, _) = self.block_events(&task, block, block_hash).await?;
                let mut fee = 0;
                for event in events.iter() {
                    let event = event.map_err(|error| unexpected(&task, error))?;
                    if event.phase() == Phase::ApplyExtrinsic(index) {
                        fee = fee_in(&task, &event)?.unwrap_or(fee);
                    }
                }
                fee
            }
        };
        Ok(Transaction {
            block,
            block_hash,
            hash: hash_of(extrinsic, &metadata),
            index,
            fee,
        })
    }
}

/// The fee of a transaction, if this is the event that tells it.
pub(crate) fn fee_in(
    task: &Task,
    event: &EventDetails<PolkadotConfig>,
) -> Result<Option<u128>, Error> {
    Ok(paid_in(task, event)?.map(|(fee, _)| fee))
}

/// The same with the account that pays; none if that is not told in a way that is known.
pub(crate) fn paid_in(
    task: &Task,
    event: &EventDetails<PolkadotConfig>,
) -> Result<Option<(u128, Option<Address>)>, Error> {
    if (event.pallet_name(), event.variant_name()) != ("TransactionPayment", "TransactionFeePaid") {
        return Ok(None);
    }
    let fields = event
        .field_values()
        .map_err(|error| unexpected(task, error))?;
    let who = value::in_composite(&fields, "who").and_then(value::bytes);
    let who = who.and_then(|bytes| bytes.try_into().ok());
    let payer = who.map(|account| of_account(&AccountId32(account)));
    let fee = value::in_composite(&fields, "actual_fee").and_then(value::number);
    Ok(fee.map(|fee| (fee, payer)))
}
