//! Finding the contract on a chain without being given its address.

use connect4_protocol::Address;

use crate::account::Signer;
use crate::client::Client;
use crate::code::Code;
use crate::contract::Contract;
use crate::deploy::Deployment;
use crate::error::Error;

/// Which contract to use. Its address follows from its code and its deployer.
#[derive(Clone, Debug)]
pub struct Lookup {
    /// The contracts' code.
    pub code: Code<'static>,
    /// The contract's address. None: it is where a deployer's contract would be.
    pub contract: Option<Address>,
    /// The deployer. None: alice, or the signer.
    pub deployer: Option<Address>,
    /// Whether stakes are paid to a contract that runs other code, see [`Error::UnknownCode`].
    pub any_code: bool,
}

impl Lookup {
    /// The address at which every program looks first if it is given neither an address nor a
    /// deployer.
    #[must_use]
    pub fn usual_address(code: Code<'_>) -> Option<Address> {
        let alice = Signer::development("alice")?;
        Some(Client::contract_address(alice.address(), code))
    }

    /// Whether the contract may be deployed if it is not there: not if a certain one is wanted.
    #[must_use]
    pub const fn may_deploy(&self) -> bool {
        self.contract.is_none()
    }

    /// Opens the contract.
    ///
    /// # Errors
    ///
    /// [`Error::NoContract`] with the first address looked at if there is none; those of
    /// [`Contract::open`].
    pub async fn open(&self, client: &Client, signer: Option<&Signer>) -> Result<Contract, Error> {
        let mut missing = None;
        for address in self.candidates(signer) {
            match Contract::open(client, address, self.code).await {
                Err(Error::NoContract(address)) => missing = missing.or(Some(address)),
                Ok(contract) if self.any_code => return Ok(contract.with_any_code()),
                result => return result,
            }
        }
        Err(Error::NoContract(missing.unwrap_or(Address::ZERO)))
    }

    /// Deploys the contract and opens it.
    ///
    /// # Errors
    ///
    /// [`Error::NoContract`] if another account's contract is wanted, which the signer cannot
    /// deploy; those of [`Client::deploy`] and [`Contract::open`].
    pub async fn deploy(
        &self,
        client: &Client,
        signer: &Signer,
    ) -> Result<(Contract, Deployment), Error> {
        // All programs look for alice's contract first, so any development account deploys as
        // alice.
        let alice = Signer::development("alice");
        let deployer = match (signer.development_name(), &alice) {
            (Some(_), Some(alice)) => alice,
            _ => signer,
        };
        if let Some(wanted) = self.deployer
            && wanted != deployer.address()
        {
            return Err(Error::NoContract(Client::contract_address(
                wanted, self.code,
            )));
        }
        let deployment = client.deploy(deployer, self.code).await?;
        let contract = Contract::open(client, deployment.address, self.code).await?;
        Ok((contract, deployment))
    }

    /// The addresses at which the contract may be, in the order in which they are tried.
    fn candidates(&self, signer: Option<&Signer>) -> Vec<Address> {
        if let Some(address) = self.contract {
            return vec![address];
        }
        let mut deployers = match self.deployer {
            Some(deployer) => vec![deployer],
            None => Signer::development("alice")
                .iter()
                .chain(signer)
                .map(Signer::address)
                .collect(),
        };
        deployers.dedup();
        deployers
            .into_iter()
            .map(|deployer| Client::contract_address(deployer, self.code))
            .collect()
    }
}
