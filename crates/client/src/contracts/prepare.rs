//! Transactions that a wallet signs: what they would do and cost, and the bytes that are signed.
//!
//! Nothing here needs a key but [`Contracts::sign`], by which a program is such a wallet itself. A wallet of a Polkadot
//! SDK chain signs the [`Payload`] of an [`Unsigned`] extrinsic, whose other bytes are put around the signature. A
//! wallet of Ethereum makes its transaction by itself and needs no more than an amount of gas.

use std::ops::RangeInclusive;

use codec::{Compact, Encode as _};
use connect4_protocol::Address;
use connect4_protocol::message::ContractKind;
use connect4_protocol::transaction::PalletCall;
use subxt::utils::{AccountId32, H256};

use crate::accounts::account::{Named, Pair, Signer};
use crate::chain::block_ref::BlockRef;
use crate::chain::client::Client;
use crate::chain::dry_run::Call;
use crate::chain::form::{Form, SR25519, Written};
use crate::chain::known::Doubt;
use crate::contracts::deployed::Contracts;
use crate::error::Error;
use crate::task::Task;

/// Codes of the errors by which a node refuses a transaction, and tells why the chain would not take it:
/// those of Substrate's `author` calls, which begin at 1000.
const POOL_ERRORS: RangeInclusive<i32> = 1000..=1999;

/// A transaction of a wallet, tried without being signed.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The contract that is called.
    pub to: Address,
    /// Payment, in the token's smallest unit.
    pub payment: u128,
    /// Fee as estimated, in the token's smallest unit.
    pub fee: u128,
    /// Deposit for storage, in the token's smallest unit: it is held, not spent. Negative if one is
    /// given back.
    pub deposit: i128,
    /// Amount that the account can spend, in the token's smallest unit.
    pub balance: u128,
    /// What the wallet signs.
    pub signing: Signing,
}

/// What a wallet signs.
#[derive(Clone, Debug)]
pub enum Signing {
    /// A transaction of Ethereum, with this much gas at most.
    Ethereum {
        /// Units of gas; what is left is given back.
        gas: u128,
    },
    /// An extrinsic with the call.
    Call(Box<Unsigned>),
    /// An extrinsic that maps the account to its address, which has to come first. The fee is that of
    /// the mapping, and its deposit is not known.
    Map(Box<Unsigned>),
}

/// An extrinsic without its signature. With one it is the length of all bytes, compactly encoded, the
/// head, the signature after the byte of its kind, and the tail.
#[derive(Clone, Debug)]
pub struct Unsigned {
    /// The bytes before the signature.
    pub head: Vec<u8>,
    /// The bytes behind the signature.
    pub tail: Vec<u8>,
    /// What is signed, by its parts.
    pub payload: Payload,
}

/// What a wallet of a Polkadot SDK chain signs, by the names of polkadot-js' `SignerPayloadJSON`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload {
    /// The account.
    pub account: AccountId32,
    /// The block from which on the transaction is valid, for [`Self::era`].
    pub block: BlockRef,
    /// SCALE-encoded era: for how many blocks the transaction is valid.
    pub era: Vec<u8>,
    /// Hash of the chain's first block.
    pub genesis: H256,
    /// SCALE-encoded call.
    pub method: Vec<u8>,
    /// Number of the account's transactions before.
    pub nonce: u64,
    /// Version of the runtime.
    pub spec_version: u32,
    /// Version of the format of transactions.
    pub transaction_version: u32,
    /// Names of the extensions of transactions, in order.
    pub extensions: Vec<String>,
    /// Hash of the chain's metadata, which is signed as well; none where the chain does not compare it.
    pub metadata_hash: Option<[u8; 32]>,
}

impl Contracts {
    /// Tries a call of an account without signing it. `input` is the selector and the arguments of a
    /// message of the contract of this kind, `wanted` is the payment in the unit of contracts. `based_on` is the block
    /// of what the call relies on: what is signed is void on a branch of the chain without that block,
    /// unless it is a transaction of Ethereum.
    ///
    /// # Errors
    ///
    /// [`Error::Lacks`] if there is no such contract, [`Error::Replaced`] if the chain does not have the
    /// block that it relies on, [`Error::Refused`] or [`Error::StakesRefused`] if the contract would refuse the call,
    /// [`Error::NoFunds`] if the account can't pay for it.
    pub async fn prepare(
        &self,
        account: &Named,
        kind: ContractKind,
        input: &[u8],
        wanted: u128,
        based_on: Option<BlockRef>,
    ) -> Result<Prepared, Error> {
        let task = Task::Prepare {
            account: account.clone(),
        };
        let to = self.need(&task, kind)?;
        let task = &task;
        let client = self.client();
        let token = client.token();
        let payment = token.in_smallest_unit(wanted);
        let call = Call {
            contract: to,
            payment,
            input,
        };
        let payer = account.account();
        let is_ethereum = matches!(account, Named::Address(_));
        let is_mapped = client.is_mapped(&payer).await?;
        // The call is tried on the branch for which it is signed.
        let best = client.best_block_for(task).await?;
        let anchor = client.anchor_on(task, best, based_on).await?;
        let at = Some(best.hash);
        let (fee, deposit, signing) = if is_ethereum {
            let deposit = self.rehearse(task, account, call, at).await?.deposit;
            let gas = client.ethereum_gas(task, account.address(), to, wanted, input);
            let gas = gas.await?;
            // Gas pays for the deposit as well.
            let fee = token
                .in_smallest_unit(gas.amount.saturating_mul(gas.price))
                .saturating_sub(u128::try_from(deposit).unwrap_or(0));
            (fee, deposit, Signing::Ethereum { gas: gas.amount })
        } else if is_mapped {
            let run = self.rehearse(task, account, call, at).await?;
            let deposit = run.deposit;
            let call = run.signed(call, &client.api().metadata());
            let (unsigned, fee) = client.unsigned(task, &payer, &call, anchor).await?;
            (fee, deposit, Signing::Call(Box::new(unsigned)))
        } else {
            self.rehearse_unmapped(task, account, call, at).await?;
            let map = PalletCall::MapAccount;
            let (unsigned, fee) = client.unsigned(task, &payer, &map, anchor).await?;
            (fee, 0, Signing::Map(Box::new(unsigned)))
        };
        let balance = client.balance(&payer).await?;
        let needs = payment
            .saturating_add(fee)
            .saturating_add(u128::try_from(deposit).unwrap_or(0));
        if balance < needs {
            let reason = format!("it takes {} in all", token.amount(needs));
            return Err(client.no_funds(task, account, reason).await);
        }
        Ok(Prepared {
            to,
            payment,
            fee,
            deposit,
            balance,
            signing,
        })
    }

    /// Signs what [`Self::prepare`] has given out, as a wallet does: the byte of the signature's kind, and the signature.
    /// Nothing is signed but calls of the contracts of games and stakes, and `map_account`, as this chain takes them now.
    ///
    /// # Errors
    ///
    /// [`Error::Doubtful`] if the chain's transactions can't be signed, or this is not such a payload of the signer.
    pub fn sign(&self, signer: &Signer, payload: &Payload) -> Result<Vec<u8>, Error> {
        let task = Task::Sign;
        let client = self.client();
        let form = client.form(&task)?;
        let Pair::Sr25519(pair) = signer.pair() else {
            return Err(Error::doubtful(&task, Doubt::NotPrepared));
        };
        let call = PalletCall::read(&payload.method).map(|(_, call)| call);
        let written = match &call {
            Some(PalletCall::MapAccount) => {
                client.bytes_of(&task, &form, &PalletCall::MapAccount)?
            }
            Some(call @ PalletCall::Call { contract, .. }) if self.takes_calls(*contract) => {
                client.bytes_of(&task, &form, call)?
            }
            _ => return Err(Error::doubtful(&task, Doubt::NotPrepared)),
        };
        let written = form.write(written, payload.nonce, payload.block);
        let bytes = written.payload();
        let account = signer.account();
        if Payload::of(written, &form, account, payload.nonce, payload.block) != *payload {
            return Err(Error::doubtful(&task, Doubt::NotPrepared));
        }
        Ok([&[SR25519][..], &pair.sign(&bytes).0].concat())
    }

    /// Whether wallets call the contract at this address.
    fn takes_calls(&self, contract: Address) -> bool {
        [ContractKind::Games, ContractKind::Stakes]
            .into_iter()
            .any(|kind| self.address_of(kind) == Some(contract))
    }
}

impl Payload {
    /// What is signed for a transaction that was written in this form.
    fn of(
        written: Written,
        form: &Form,
        account: AccountId32,
        nonce: u64,
        block: BlockRef,
    ) -> Self {
        Self {
            account,
            block,
            era: written.era.to_vec(),
            genesis: form.genesis(),
            method: written.call,
            nonce,
            spec_version: form.spec_version(),
            transaction_version: form.transaction_version(),
            extensions: form.extension_names().to_vec(),
            metadata_hash: form.metadata_hash(),
        }
    }
}

impl Client {
    /// An extrinsic of the pallet without its signature, and its fee.
    async fn unsigned(
        &self,
        task: &Task,
        account: &AccountId32,
        call: &PalletCall,
        anchor: BlockRef,
    ) -> Result<(Unsigned, u128), Error> {
        let nonce = self.shared.rpc.system_account_next_index(account).await;
        let nonce = nonce.map_err(|error| self.failed(task, error))?;
        let form = self.form(task)?;
        let written = form.write(self.bytes_of(task, &form, call)?, nonce, anchor);
        let (head, tail) = (Written::head(account), written.tail());
        // Nobody's.
        let signature = [&[SR25519][..], &[0; 64]].concat();
        let signed = self.submittable(signed_extrinsic(&head, &signature, &tail));
        let fee = signed.partial_fee_estimate().await;
        let fee = fee.map_err(|error| self.failed(task, error))?;
        let payload = Payload::of(written, &form, account.clone(), nonce, anchor);
        Ok((
            Unsigned {
                head,
                tail,
                payload,
            },
            fee,
        ))
    }

    /// Passes a signed extrinsic on to the chain; answers its hash.
    ///
    /// # Errors
    ///
    /// [`Error::Rejected`] if the node does not take it; else if the chain can't be reached.
    pub async fn pass_on(&self, extrinsic: &[u8]) -> Result<H256, Error> {
        let submitted = self.shared.rpc.author_submit_extrinsic(extrinsic).await;
        submitted.map_err(|error| match subxt::Error::from(error) {
            subxt::Error::Rpc(subxt::error::RpcError::ClientError(
                subxt::ext::subxt_rpcs::Error::User(answer),
            )) => Error::Rejected {
                task: Task::PassOn,
                // What else a node says is its operator's business: it may name a key.
                reason: match answer.code {
                    code if POOL_ERRORS.contains(&code) => crate::failure::answer_text(&answer),
                    code => format!("the node answered error {code}"),
                },
            },
            error => self.failed(&Task::PassOn, error),
        })
    }
}

/// An extrinsic of these parts.
#[must_use]
pub fn signed_extrinsic(head: &[u8], signature: &[u8], tail: &[u8]) -> Vec<u8> {
    let length = head.len() + signature.len() + tail.len();
    // No extrinsic comes near 4 GiB.
    let mut extrinsic = Compact(u32::try_from(length).unwrap_or(u32::MAX)).encode();
    for part in [head, signature, tail] {
        extrinsic.extend_from_slice(part);
    }
    extrinsic
}
