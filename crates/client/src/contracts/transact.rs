//! Sending messages to the contracts as transactions.

use connect4_protocol::signed::{RecordsError, StakesError};
use connect4_protocol::{Address, Error as Refusal, Event};
use subxt::utils::H256;

use crate::accounts::account::{Named, Signer};
use crate::accounts::address::fallback_account;
use crate::chain::block_ref::BlockRef;
use crate::chain::client::Client;
use crate::chain::dry_run::{Call, DryRun};
use crate::chain::submit::{ANCHOR_ATTEMPTS, Included};
use crate::contracts::abi::{self, Refuses};
use crate::contracts::based_on::InContracts;
use crate::contracts::deployed::Contracts;
use crate::contracts::receipt::{Receipt, Transaction};
use crate::error::Error;
use crate::failure::unexpected;
use crate::task::Task;

impl Contracts {
    /// Makes a call: first as a dry run, then, unless that is refused, as a transaction. It is void on
    /// a branch of the chain on which what it relies on does not stand. The receipt holds the
    /// contracts' events.
    pub(crate) async fn transact(
        &self,
        task: &Task,
        signer: &Signer,
        call: Call<'_>,
    ) -> Result<Receipt<Vec<Event>>, Error> {
        let mapped = self.map_if_accepted(task, signer, call).await?;
        let basis = self.basis.map(|based_on| InContracts(self, based_on));
        let (mut attempt, mut number) = (0, None);
        loop {
            attempt += 1;
            let anchor = match &basis {
                Some(basis) => self.client().anchor(task, basis).await?,
                None => self.client().loose_anchor(task).await?,
            };
            let run = self.rehearse(task, &signer.named(), call, None).await?;
            let deposit = run.deposit;
            let included = match self
                .submit(task, signer, call, run, anchor, &mut number)
                .await
            {
                Err(Error::Replaced { .. } | Error::NotIncluded { .. })
                    if attempt < ANCHOR_ATTEMPTS =>
                {
                    continue;
                }
                Err(failed @ Error::Failed { .. }) => {
                    if let Error::Failed { name, .. } = &failed
                        && name.ends_with("::ContractReverted")
                    {
                        // Another transaction came in between: a dry run tells the reason.
                        self.rehearse(task, &signer.named(), call, None).await?;
                    }
                    return Err(failed);
                }
                sent => sent?,
            };
            return Ok(Receipt {
                transaction: included.transaction,
                deposit,
                value: self.events_of(task, &included.events)?,
                mapped,
            });
        }
    }

    /// Maps the signer's account to its address, unless the contract refuses the call or the account
    /// cannot pay for it: then mapping would be paid for nothing. Returns the transaction; none if
    /// the account was mapped before.
    ///
    /// Only a mapped account can be the origin of a dry run. The account that the chain derives from
    /// the address has no need of mapping, and contracts take it for the same caller; but it has
    /// nothing to pay with.
    async fn map_if_accepted(
        &self,
        task: &Task,
        signer: &Signer,
        call: Call<'_>,
    ) -> Result<Option<Transaction>, Error> {
        let client = self.client();
        let account = signer.account();
        if client.is_mapped(&account).await? {
            return Ok(None);
        }
        self.rehearse_unmapped(task, &signer.named(), call, None)
            .await?;
        client.map(signer).await
    }

    /// Runs a call dry for an account that is not mapped yet, and refuses it if the contract would or if
    /// the account cannot pay for it. The state is that after a block; the best one if none is given.
    pub(crate) async fn rehearse_unmapped(
        &self,
        task: &Task,
        caller: &Named,
        call: Call<'_>,
        at: Option<H256>,
    ) -> Result<(), Error> {
        let client = self.client();
        if call.payment > 0 && client.balance(&caller.account()).await? < call.payment {
            let reason = "the payment is more than that".to_owned();
            return Err(client.no_funds(task, caller, reason).await);
        }
        let stands_for = fallback_account(caller.address());
        let unpaid = Call { payment: 0, ..call };
        let run = client.dry_run(task, &stands_for, unpaid, at).await?;
        if let Ok(returned) = &run.result {
            if returned.data.is_empty() {
                return Err(Error::NoContract(call.contract));
            }
            match self.refused(task, call, &returned.data) {
                Some(error) if call.payment > 0 && lacks_payment(&error) => {}
                Some(error) => return Err(error),
                None => {}
            }
        }
        Ok(())
    }

    /// Sends a call within the limits of its dry run.
    async fn submit(
        &self,
        task: &Task,
        signer: &Signer,
        call: Call<'_>,
        run: DryRun,
        anchor: BlockRef,
        number: &mut Option<u64>,
    ) -> Result<Included, Error> {
        let client = self.client();
        let call = run.signed(call, &client.api().metadata());
        let submitted = client.submit_at(task, signer, &call, anchor, number);
        submitted.await
    }

    /// As [`Client::rehearse`], by the reasons that the contract has.
    pub(crate) async fn rehearse(
        &self,
        task: &Task,
        caller: &Named,
        call: Call<'_>,
        at: Option<H256>,
    ) -> Result<DryRun, Error> {
        let client = self.client();
        match self.reasons_of(call.contract) {
            Reasons::OfRecords => {
                client
                    .rehearse::<RecordsError>(task, caller, call, at)
                    .await
            }
            Reasons::OfStakes => client.rehearse::<StakesError>(task, caller, call, at).await,
            Reasons::Common => client.rehearse::<Refusal>(task, caller, call, at).await,
        }
    }

    /// Why a contract refuses a call, by what it has returned; none if it does not refuse.
    fn refused(&self, task: &Task, call: Call<'_>, returned: &[u8]) -> Option<Error> {
        fn by<E: Refuses>(task: &Task, returned: &[u8]) -> Option<Error> {
            let error = abi::refusal::<E>(returned).ok()?.err()?;
            Some(error.refused(task))
        }
        match self.reasons_of(call.contract) {
            Reasons::OfRecords => by::<RecordsError>(task, returned),
            Reasons::OfStakes => by::<StakesError>(task, returned),
            Reasons::Common => by::<Refusal>(task, returned),
        }
    }

    fn reasons_of(&self, contract: Address) -> Reasons {
        let places = self.places();
        match Some(contract) {
            to if to == places.signed_records => Reasons::OfRecords,
            to if to == places.stakes => Reasons::OfStakes,
            _ => Reasons::Common,
        }
    }
}

/// The reasons for which a contract refuses.
#[derive(Clone, Copy)]
enum Reasons {
    Common,
    /// Of the contract of the records of signed games.
    OfRecords,
    OfStakes,
}

/// Whether a call is refused that is tried without its payment, for that alone.
const fn lacks_payment(error: &Error) -> bool {
    matches!(
        error,
        Error::StakesRefused {
            error: StakesError::StakeUnpaid,
            ..
        }
    )
}

impl Client {
    /// Runs a message dry that may refuse. The value that it answers otherwise is not decoded: the
    /// events of the transaction tell what was really done. The state is that after a block; the best one
    /// if none is given.
    pub(crate) async fn rehearse<E: Refuses>(
        &self,
        task: &Task,
        caller: &Named,
        call: Call<'_>,
        at: Option<H256>,
    ) -> Result<DryRun, Error> {
        let run = self.dry_run(task, &caller.account(), call, at).await?;
        let returned = match &run.result {
            Ok(returned) => returned,
            Err(error) => return Err(self.explain(task, caller, error.clone()).await),
        };
        if returned.data.is_empty() {
            return Err(Error::NoContract(call.contract));
        }
        match abi::refusal::<E>(&returned.data) {
            Ok(Ok(())) if !returned.reverted => Ok(run),
            Ok(Ok(())) => Err(unexpected(task, "it both agreed and reverted")),
            Ok(Err(error)) => Err(error.refused(task)),
            Err(error) => Err(unexpected(task, error)),
        }
    }
}
