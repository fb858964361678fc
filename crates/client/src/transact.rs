//! Sending messages to the contracts as transactions.

use connect4_protocol::{Address, Error as Refusal, Message};
use subxt::dynamic::Value;

use crate::abi;
use crate::account::Signer;
use crate::deployed::Deployed;
use crate::dry_run::{Call, DryRun};
use crate::error::Error;
use crate::events::ContractEvent;
use crate::failure::unexpected;
use crate::receipt::Receipt;
use crate::submit::Included;
use crate::task::Task;

impl Deployed {
    /// Sends a contract a message with a payment, in the token's smallest unit: first as a dry run, then, unless
    /// that is refused, as a transaction. The receipt holds the contracts' events.
    pub(crate) async fn transact<M, T, E>(
        &self,
        contract: Address,
        task: &Task,
        signer: &Signer,
        message: &M,
        payment: u128,
    ) -> Result<Receipt<Vec<E>>, Error>
    where
        M: Message<Answer = Result<T, Refusal>>,
        E: ContractEvent,
    {
        let mapped = self.client().ensure_mapped(signer).await?;
        let call = Call {
            contract,
            payment,
            input: &abi::input(message),
        };
        let run = self.rehearse(task, signer, call).await?;
        let included = match self.send(task, signer, call, &run).await {
            Err(failed @ Error::Failed { .. }) => {
                if let Error::Failed { name, .. } = &failed
                    && name.ends_with("::ContractReverted")
                {
                    // Another transaction came in between: a dry run tells the reason.
                    self.rehearse(task, signer, call).await?;
                }
                return Err(failed);
            }
            sent => sent?,
        };
        Ok(Receipt {
            transaction: included.transaction,
            deposit: run.deposit,
            value: self.events_of(task, &included.events)?,
            mapped,
        })
    }

    /// Sends a call within the limits of its dry run.
    async fn send(
        &self,
        task: &Task,
        signer: &Signer,
        call: Call<'_>,
        run: &DryRun,
    ) -> Result<Included, Error> {
        const CALL: &str = "call";
        let fields = vec![
            ("dest", Value::from_bytes(call.contract.0)),
            ("value", Value::u128(call.payment)),
            ("data", Value::from_bytes(call.input)),
        ];
        let client = self.client();
        let fields = run.with_limits(CALL, fields, &client.api().metadata());
        client.submit(task, signer, CALL, fields).await
    }

    /// Runs a message dry that may refuse. The value that it answers otherwise is not decoded: the
    /// events of the transaction tell what was really done.
    async fn rehearse(
        &self,
        task: &Task,
        signer: &Signer,
        call: Call<'_>,
    ) -> Result<DryRun, Error> {
        let client = self.client();
        let run = client.dry_run(task, &signer.account(), call, None).await?;
        let returned = match &run.result {
            Ok(returned) => returned,
            Err(error) => return Err(client.explain(task, signer, error.clone()).await),
        };
        if returned.data.is_empty() {
            return Err(Error::NoContract(call.contract));
        }
        match abi::refusal(&returned.data) {
            Ok(Ok(())) if !returned.reverted => Ok(run),
            Ok(Ok(())) => Err(unexpected(task, "it both agreed and reverted")),
            Ok(Err(error)) => Err(Error::Refused {
                task: task.clone(),
                error,
            }),
            Err(error) => Err(unexpected(task, error)),
        }
    }
}

/// A receipt with what one of its events tells.
pub(crate) fn told<E, T>(
    task: &Task,
    receipt: Receipt<Vec<E>>,
    tells: impl Fn(&E) -> Option<T>,
) -> Result<Receipt<T>, Error> {
    let Some(value) = receipt.value.iter().find_map(tells) else {
        return Err(untold(task, &receipt));
    };
    Ok(receipt.map(|_| value))
}

/// The error for a transaction without the event that tells what it did.
pub(crate) fn untold<T>(task: &Task, receipt: &Receipt<T>) -> Error {
    unexpected(
        task,
        format_args!(
            "transaction {:?} emitted no event that tells what it did",
            receipt.transaction.hash
        ),
    )
}
