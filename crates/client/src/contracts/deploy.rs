//! Deploying the contracts.

use connect4_protocol::Address;
use connect4_protocol::transaction::PalletCall;
use sp_crypto_hashing::keccak_256;
use subxt::dynamic::Value;
use subxt::utils::H256;

use crate::accounts::account::Signer;
use crate::accounts::address::create2;
use crate::chain::client::{Client, PALLET};
use crate::chain::dry_run::DryRun;
use crate::chain::value;
use crate::contracts::code::Code;
use crate::contracts::receipt::{Receipt, Transaction};
use crate::error::Error;
use crate::failure::unexpected;
use crate::task::Task;

/// Salt of the contract's address. It is fixed, so that the address follows from the deployer and
/// the code.
pub(crate) const SALT: [u8; 32] = *b"connect4/contract/salt/fixed/v01";

/// Address of a contract, and the receipts of its deployment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deployment {
    /// Address of the contract: of that of the games, or of that of the variants.
    pub address: Address,
    /// Receipt of the deployment; none if the contract was there already.
    pub receipt: Option<Receipt<Address>>,
    /// Address of the contract of the records of signed games, which is deployed with them; none if there is no such
    /// contract.
    pub signed_records: Option<Address>,
    /// Receipt of its deployment; none if it was there already.
    pub signed_records_receipt: Option<Receipt<Address>>,
    /// Address of the contract of the stakes of signed games, which is deployed with them; none if there is no such
    /// contract.
    pub stakes: Option<Address>,
    /// Receipt of its deployment; none if it was there already.
    pub stakes_receipt: Option<Receipt<Address>>,
}

impl Client {
    /// Address at which `deployer`'s contract of the games is, or would be.
    #[must_use]
    pub fn contract_address(deployer: Address, code: Code<'_>) -> Address {
        create2(deployer, code.games, &Code::constructor(), &SALT)
    }

    /// Address at which `deployer`'s contract of the variants is, or would be.
    #[must_use]
    pub fn variants_address(deployer: Address, code: Code<'_>) -> Address {
        create2(deployer, code.variants, &Code::constructor(), &SALT)
    }

    /// Address at which `deployer`'s contract of the records of signed games is, or would be; none if there is no such
    /// contract.
    #[must_use]
    pub fn signed_records_address(deployer: Address, code: Code<'_>) -> Option<Address> {
        let records = code.signed_records?;
        Some(create2(deployer, records, &Code::constructor(), &SALT))
    }

    /// Deploys the contract of the games, then those of the records and of the stakes. Does not deploy again what the
    /// signer has deployed before.
    ///
    /// # Errors
    ///
    /// If the account cannot pay for it, or the chain refuses the code or cannot be reached.
    pub async fn deploy(&self, signer: &Signer, code: Code<'_>) -> Result<Deployment, Error> {
        let address = Self::contract_address(signer.address(), code);
        let data = Code::constructor();
        let receipt = self.deploy_at(signer, Some(address), Some(code.games), &data);
        let receipt = receipt.await?;
        let signed_records = Self::signed_records_address(signer.address(), code);
        let signed_records_receipt =
            self.deploy_at(signer, signed_records, code.signed_records, &data);
        let signed_records_receipt = signed_records_receipt.await?;
        let place = |code| self.stakes_address(signer.address(), code);
        let stakes = code.stakes.map(place);
        let data = self.stakes_constructor();
        let stakes_receipt = self.deploy_at(signer, stakes, code.stakes, &data);
        let stakes_receipt = stakes_receipt.await?;
        Ok(Deployment {
            address,
            receipt,
            signed_records,
            signed_records_receipt,
            stakes,
            stakes_receipt,
        })
    }

    /// Deploys a contract, unless there is none or it is there already.
    pub(crate) async fn deploy_at(
        &self,
        signer: &Signer,
        address: Option<Address>,
        code: Option<&[u8]>,
        data: &[u8],
    ) -> Result<Option<Receipt<Address>>, Error> {
        let (Some(address), Some(code)) = (address, code) else {
            return Ok(None);
        };
        if self.code_hash(address).await?.is_some() {
            return Ok(None);
        }
        self.check_code(&Task::Deploy, code).await?;
        let mapped = self.ensure_mapped(signer).await?;
        self.instantiate(signer, code, data, address, mapped).await
    }

    /// Deploys the contract of the variants. Does nothing if the signer has deployed it before.
    ///
    /// # Errors
    ///
    /// As [`Client::deploy`].
    pub async fn deploy_variants(
        &self,
        signer: &Signer,
        code: Code<'_>,
    ) -> Result<Deployment, Error> {
        let address = Self::variants_address(signer.address(), code);
        let data = Code::constructor();
        let receipt = self.deploy_at(signer, Some(address), Some(code.variants), &data);
        let receipt = receipt.await?;
        Ok(Deployment {
            address,
            receipt,
            signed_records: None,
            signed_records_receipt: None,
            stakes: None,
            stakes_receipt: None,
        })
    }

    /// Deploys code, which comes to be at `address`, by a constructor with these data; none if
    /// another program has deployed it meanwhile.
    pub(crate) async fn instantiate(
        &self,
        signer: &Signer,
        code: &[u8],
        data: &[u8],
        address: Address,
        mapped: Option<Transaction>,
    ) -> Result<Option<Receipt<Address>>, Error> {
        let task = Task::Deploy;
        let origin = signer.account();
        let answer = self
            .runtime_api(&task, "instantiate", None, |name| match name {
                "origin" => Some(Value::from_bytes(origin.0)),
                "value" => Some(Value::u128(0)),
                "code" => Some(Value::unnamed_variant("Upload", [Value::from_bytes(code)])),
                "data" | "input_data" => Some(Value::from_bytes(data)),
                "salt" => Some(value::some(Value::from_bytes(SALT))),
                _ => None,
            })
            .await?;
        let metadata = self.api().metadata();
        let run = DryRun::decode(&task, &answer, &metadata)?;
        match &run.result {
            Ok(returned) if !returned.reverted => {}
            _ if self.code_hash(address).await?.is_some() => return Ok(None),
            Ok(_) => return Err(unexpected(&task, "its constructor refused")),
            Err(error) => return Err(self.explain(&task, &signer.named(), error.clone()).await),
        }
        let call = PalletCall::InstantiateWithCode {
            limits: run.limits(&metadata),
            code: code.to_vec(),
            input: data.to_vec(),
            salt: SALT,
        };
        let included = self.submit(&task, signer, &call).await?;
        if self.code_hash(address).await?.is_none() {
            return Err(Error::NoContract(address));
        }
        Ok(Some(Receipt {
            transaction: included.transaction,
            deposit: run.deposit,
            value: address,
            mapped,
        }))
    }

    /// Whether anybody has had these bytes stored as code of Ethereum's machine, by a contract whose code they are: then
    /// they are never run as what they are.
    ///
    /// # Errors
    ///
    /// [`Error::CodeOfEthereum`] if so; else if the chain cannot be reached.
    async fn check_code(&self, task: &Task, code: &[u8]) -> Result<(), Error> {
        const KNOWN: &str = "CodeInfoOf";
        if !self.has_storage(KNOWN) {
            return Ok(());
        }
        let hash = keccak_256(code);
        let known = self.storage(task, PALLET, KNOWN, Value::from_bytes(hash));
        let known = known.await?;
        let kind = known
            .as_ref()
            .and_then(|known| value::find(known, "code_type"));
        match kind.and_then(value::variant) {
            Some(("Evm", _)) => Err(Error::CodeOfEthereum {
                task: task.clone(),
                hash: H256(hash),
            }),
            _ => Ok(()),
        }
    }
}
