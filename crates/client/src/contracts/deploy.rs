//! Deploying the contracts.

use connect4_protocol::Address;
use connect4_protocol::transaction::PalletCall;
use sp_crypto_hashing::keccak_256;
use subxt::dynamic::Value;
use subxt::utils::H256;

use crate::accounts::account::Signer;
use crate::accounts::address::create2;
use crate::chain::client::{Client, PALLET};
use crate::chain::dispatch::DispatchError;
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
    /// Address of the contract: of that of the matches, which knows that of the games, or of that of the
    /// variants.
    pub address: Address,
    /// Receipt for uploading the code of the games, which the contract of the matches deploys; none if the chain had it
    /// already.
    pub uploaded: Option<Receipt<()>>,
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
    /// Address at which `deployer`'s contract of the matches is, or would be.
    #[must_use]
    pub fn contract_address(deployer: Address, code: Code<'_>) -> Address {
        create2(deployer, code.matches, &code.matches_constructor(), &SALT)
    }

    /// Address at which `deployer`'s contract of the variants is, or would be.
    #[must_use]
    pub fn variants_address(deployer: Address, code: Code<'_>) -> Address {
        create2(deployer, code.variants, &code.variants_constructor(), &SALT)
    }

    /// Address at which `deployer`'s contract of the records of signed games is, or would be; none if there is no such
    /// contract.
    #[must_use]
    pub fn signed_records_address(deployer: Address, code: Code<'_>) -> Option<Address> {
        let records = code.signed_records?;
        Some(create2(
            deployer,
            records,
            &Code::records_constructor(),
            &SALT,
        ))
    }

    /// Deploys the contract of the matches, and through it that of the games; then those of the
    /// records and of the stakes. Does not deploy again what the signer has deployed before.
    ///
    /// # Errors
    ///
    /// If the account cannot pay for it, or the chain refuses the code or cannot be reached.
    pub async fn deploy(&self, signer: &Signer, code: Code<'_>) -> Result<Deployment, Error> {
        let address = Self::contract_address(signer.address(), code);
        let mut uploaded = None;
        let receipt = match self.code_hash(address).await? {
            Some(_) => None,
            None => {
                // All of it is looked at before anything is paid for.
                self.has_code(&Task::Deploy, code.matches).await?;
                let has_games = self.has_code(&Task::UploadCode, code.games).await?;
                let mapped = self.ensure_mapped(signer).await?;
                if !has_games {
                    uploaded = Some(self.upload(signer, code.games).await?);
                }
                let data = code.matches_constructor();
                self.instantiate(signer, code.matches, &data, address, mapped)
                    .await?
            }
        };
        let data = Code::records_constructor();
        let signed_records = Self::signed_records_address(signer.address(), code);
        let signed_records_receipt =
            self.deploy_beside(signer, signed_records, code.signed_records, &data);
        let signed_records_receipt = signed_records_receipt.await?;
        let place = |code| self.stakes_address(signer.address(), code);
        let stakes = code.stakes.map(place);
        let data = self.stakes_constructor();
        let stakes_receipt = self.deploy_beside(signer, stakes, code.stakes, &data);
        let stakes_receipt = stakes_receipt.await?;
        Ok(Deployment {
            address,
            uploaded,
            receipt,
            signed_records,
            signed_records_receipt,
            stakes,
            stakes_receipt,
        })
    }

    /// Deploys a contract that no other one knows by its address, unless there is none or it is there already.
    pub(crate) async fn deploy_beside(
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
        self.has_code(&Task::Deploy, code).await?;
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
        let receipt = match self.code_hash(address).await? {
            Some(_) => None,
            None => {
                self.has_code(&Task::Deploy, code.variants).await?;
                let mapped = self.ensure_mapped(signer).await?;
                let data = code.variants_constructor();
                self.instantiate(signer, code.variants, &data, address, mapped)
                    .await?
            }
        };
        Ok(Deployment {
            address,
            uploaded: None,
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

    /// Whether the chain has this code. One that does not say so is sent it anyway: it takes code that it has without
    /// harm.
    ///
    /// Anybody can have these bytes stored as code of Ethereum's machine, by a contract whose code they are. Then they
    /// are never run as what they are.
    pub(crate) async fn has_code(&self, task: &Task, code: &[u8]) -> Result<bool, Error> {
        const KNOWN: &str = "CodeInfoOf";
        if !self.has_storage(KNOWN) {
            return Ok(false);
        }
        let hash = keccak_256(code);
        let known = self.storage(task, PALLET, KNOWN, Value::from_bytes(hash));
        let Some(known) = known.await? else {
            return Ok(false);
        };
        match value::find(&known, "code_type").and_then(value::variant) {
            Some(("Evm", _)) => Err(Error::CodeOfEthereum {
                task: task.clone(),
                hash: H256(hash),
            }),
            _ => Ok(true),
        }
    }

    /// Uploads code.
    async fn upload(&self, signer: &Signer, code: &[u8]) -> Result<Receipt<()>, Error> {
        let task = Task::UploadCode;
        let origin = signer.account();
        let answer = self
            .runtime_api(&task, "upload_code", None, |name| match name {
                "origin" => Some(Value::from_bytes(origin.0)),
                "code" => Some(Value::from_bytes(code)),
                _ => None,
            })
            .await?;
        let lacks = |name| unexpected(&task, format_args!("the dry run has no {name}"));
        let deposit = match value::variant(&answer) {
            Some(("Ok", _)) => value::find(&answer, "deposit")
                .and_then(value::number)
                .ok_or_else(|| lacks("deposit"))?,
            Some(("Err", values)) => {
                let error = values.first().ok_or_else(|| lacks("result"))?;
                let error = DispatchError::of_value(error, &self.api().metadata());
                return Err(self.explain(&task, &signer.named(), error).await);
            }
            _ => return Err(lacks("result")),
        };
        let call = PalletCall::UploadCode {
            code: code.to_vec(),
            deposit,
        };
        let included = self.submit(&task, signer, &call).await?;
        Ok(Receipt {
            transaction: included.transaction,
            deposit: i128::try_from(deposit).unwrap_or(i128::MAX),
            value: (),
            mapped: None,
        })
    }
}
