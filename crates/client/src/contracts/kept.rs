//! Transactions that are kept on disk before they are sent, so that nothing is paid twice.

use connect4_protocol::transaction::MORTALITY;
use subxt::utils::H256;

use crate::accounts::account::Signer;
use crate::chain::dry_run;
use crate::contracts::abi::{self, Packed};
use crate::contracts::calls::Call;
use crate::contracts::deployed::Contracts;
use crate::contracts::prepare::Prepared;
use crate::error::Error;
use crate::failure::unexpected;

/// A signed transaction that was not sent. [`Client::pass_on`](crate::Client::pass_on) sends it, as often as wanted,
/// also after a restart, and [`Contracts::search`] finds it. At most one block can have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptCall {
    /// The extrinsic.
    pub extrinsic: Vec<u8>,
    /// Its hash.
    pub hash: H256,
    /// The first block that can have it.
    pub from: u32,
    /// The last block that can have it.
    pub until: u32,
    /// Fee and deposit at most, in the token's smallest unit.
    pub most: u128,
    /// Deposit in it, which is the limit that is signed.
    pub deposit: u128,
}

impl Contracts {
    /// What a message would cost. Nothing is sent.
    ///
    /// # Errors
    ///
    /// As [`Contracts::prepare`].
    pub async fn estimate<M: Call>(&self, signer: &Signer, message: &M) -> Result<Prepared, Error> {
        let input = abi::input(message);
        self.prepare(&signer.named(), M::CONTRACT, &input, 0, None)
            .await
    }

    /// Signs a message, and sends nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Rejected`] if the account is one of Ethereum: its transactions do not expire.
    /// [`Error::Lacks`] if the contract of the message is not there, [`Error::Refused`] with the contract's reason,
    /// or if the chain cannot be reached. The account has to be [mapped](crate::Client::ensure_mapped).
    pub async fn keep<M: Call>(&self, signer: &Signer, message: &M) -> Result<KeptCall, Error> {
        let Packed {
            task, kind, input, ..
        } = Packed::of(signer, message);
        let task = &task;
        if signer.is_ethereum() {
            return Err(Error::Rejected {
                task: task.clone(),
                reason: "transactions of Ethereum accounts do not expire".into(),
            });
        }
        let client = self.client();
        let call = dry_run::Call {
            contract: self.need(task, kind)?,
            payment: 0,
            input: &input,
        };
        let run = self.rehearse(task, &signer.named(), call, None).await?;
        let anchor = client.loose_anchor(task).await?;
        let account = signer.account();
        let nonce = client.shared.rpc.system_account_next_index(&account).await;
        let nonce = nonce.map_err(|error| client.failed(task, error))?;
        let (call, deposit) = run.signed_for_deposit(call, &client.api().metadata());
        let form = client.form(task)?;
        let signed = client
            .sign(task, signer, &form, &call, nonce, anchor)
            .await?;
        let fee = signed.transaction.partial_fee_estimate().await;
        let fee = fee.map_err(|error| unexpected(task, error))?;
        // The chain takes its own prices, whatever the node has said.
        let fee = fee.max(form.least_fee(&call, signed.transaction.encoded().len()));
        Ok(KeptCall {
            extrinsic: signed.transaction.encoded().to_vec(),
            hash: signed.transaction.hash(),
            from: anchor.number.saturating_add(1),
            until: anchor.number.saturating_add(MORTALITY),
            most: fee.saturating_add(deposit),
            deposit,
        })
    }
}
