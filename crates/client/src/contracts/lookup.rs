//! Finding the contracts on a chain without being given their addresses.

use connect4_protocol::Address;

use crate::accounts::account::Signer;
use crate::chain::client::Client;
use crate::contracts::code::Code;
use crate::contracts::deploy::Deployment;
use crate::contracts::deployed::Contracts;
use crate::contracts::stakes::Stakes;
use crate::error::Error;

/// Which contracts to use. The address of each follows from its code and its deployer.
#[derive(Clone, Debug)]
pub struct Lookup {
    /// The contracts' code.
    pub code: Code<'static>,
    /// Address of the contract of the games. None: it is where a deployer's contract would be.
    pub contract: Option<Address>,
    /// Address of the contract of the variants. None: it is where a deployer's contract would be.
    pub variants: Option<Address>,
    /// The deployer. None: alice, or the signer.
    pub deployer: Option<Address>,
}

impl Lookup {
    /// The address at which every program looks for the games first if it is given neither an
    /// address nor a deployer.
    #[must_use]
    pub fn usual_address(code: Code<'_>) -> Option<Address> {
        let alice = Signer::development("alice")?;
        Some(Client::contract_address(alice.address(), code))
    }

    /// The same for the variants.
    #[must_use]
    pub fn usual_variants_address(code: Code<'_>) -> Option<Address> {
        let alice = Signer::development("alice")?;
        Some(Client::variants_address(alice.address(), code))
    }

    /// Whether the contract of the games may be deployed if it is not there: not if a certain one
    /// is wanted.
    #[must_use]
    pub const fn may_deploy(&self) -> bool {
        self.contract.is_none()
    }

    /// Whether the contract of the variants may be deployed if it is not there: not if a certain one
    /// is wanted.
    #[must_use]
    pub const fn may_deploy_variants(&self) -> bool {
        self.variants.is_none()
    }

    /// Opens the contract of the stakes of the first of the deployers who has one.
    ///
    /// # Errors
    ///
    /// [`Error::NoContract`] with the first address looked at if there is none; those of [`Stakes::open`].
    pub async fn open_stakes(
        &self,
        client: &Client,
        signer: Option<&Signer>,
    ) -> Result<Stakes, Error> {
        let code = self.code.stakes.unwrap_or_default();
        let deployers = self.deployers(signer).into_iter();
        let places = deployers.map(|deployer| client.stakes_address(deployer, code));
        first_of(places.collect(), |address| {
            Stakes::open(client, address, code)
        })
        .await
    }

    /// The address at which the contract of the variants is looked for first.
    #[must_use]
    pub fn variants_place(&self) -> Option<Address> {
        let places = self.candidates(self.variants, None, Client::variants_address);
        places.first().copied()
    }

    /// Opens the contract of the games, with those of the records and the stakes that are there.
    ///
    /// # Errors
    ///
    /// [`Error::NoContract`] with the first address looked at if there is none; those of
    /// [`Contracts::open`].
    pub async fn open(&self, client: &Client, signer: Option<&Signer>) -> Result<Contracts, Error> {
        let addresses = self.candidates(self.contract, signer, Client::contract_address);
        let open = |address| async move {
            let code = self.code;
            let opened = Contracts::open(client, address, code).await?;
            let signed = self.records(client, signer, code.signed_records_hash(), |deployer| {
                Client::signed_records_address(deployer, code)
            });
            let signed = signed.await?;
            let stakes = self.records(client, signer, code.stakes_hash(), |deployer| {
                Some(client.stakes_address(deployer, code.stakes?))
            });
            Ok(opened
                .with_signed_records(signed)
                .with_stakes(stakes.await?))
        };
        first_of(addresses, open).await
    }

    /// The contract of records, or of stakes, with this code of the first of the deployers who has one.
    async fn records(
        &self,
        client: &Client,
        signer: Option<&Signer>,
        code: Option<[u8; 32]>,
        place: impl Fn(Address) -> Option<Address>,
    ) -> Result<Option<Address>, Error> {
        let Some(expected) = code else {
            return Ok(None);
        };
        for deployer in self.deployers(signer) {
            if let Some(address) = place(deployer)
                && client.code_hash(address).await? == Some(expected)
            {
                return Ok(Some(address));
            }
        }
        Ok(None)
    }

    /// Opens the contract of the variants.
    ///
    /// # Errors
    ///
    /// [`Error::NoContract`] with the first address looked at if there is none; those of
    /// [`Contracts::open_variants`].
    pub async fn open_variants(
        &self,
        client: &Client,
        signer: Option<&Signer>,
    ) -> Result<Contracts, Error> {
        let addresses = self.candidates(self.variants, signer, Client::variants_address);
        first_of(addresses, |address| {
            Contracts::open_variants(client, address, self.code)
        })
        .await
    }

    /// Deploys the contract of the games, and those of the records and the stakes, and opens them.
    ///
    /// # Errors
    ///
    /// [`Error::NoContract`] if another account's contract is wanted, which the signer cannot
    /// deploy; those of [`Client::deploy`] and [`Contracts::open`].
    pub async fn deploy(
        &self,
        client: &Client,
        signer: &Signer,
    ) -> Result<(Contracts, Deployment), Error> {
        let deployer = self.deployer(signer, Client::contract_address)?;
        let deployment = client.deploy(&deployer, self.code).await?;
        let contract = Contracts::open(client, deployment.address, self.code).await?;
        let contract = contract.with_signed_records(deployment.signed_records);
        let contract = contract.with_stakes(deployment.stakes);
        Ok((contract, deployment))
    }

    /// Deploys the contract of the variants and opens it.
    ///
    /// # Errors
    ///
    /// [`Error::NoContract`] if another account's contract is wanted, which the signer cannot
    /// deploy; those of [`Client::deploy_variants`] and [`Contracts::open_variants`].
    pub async fn deploy_variants(
        &self,
        client: &Client,
        signer: &Signer,
    ) -> Result<(Contracts, Deployment), Error> {
        let deployer = self.deployer(signer, Client::variants_address)?;
        let deployment = client.deploy_variants(&deployer, self.code).await?;
        let variants = Contracts::open_variants(client, deployment.address, self.code).await?;
        Ok((variants, deployment))
    }

    /// The account that deploys for a signer. All programs look for alice's contracts first, so any
    /// development account deploys as alice.
    fn deployer(&self, signer: &Signer, place: Place) -> Result<Signer, Error> {
        let alice = signer
            .development_name()
            .and_then(|_| Signer::development("alice"));
        let deployer = alice.unwrap_or_else(|| signer.clone());
        match self.deployer {
            Some(wanted) if wanted != deployer.address() => {
                Err(Error::NoContract(place(wanted, self.code)))
            }
            _ => Ok(deployer),
        }
    }

    /// The addresses at which a contract may be, in the order in which they are tried.
    fn candidates(
        &self,
        named: Option<Address>,
        signer: Option<&Signer>,
        place: Place,
    ) -> Vec<Address> {
        if let Some(address) = named {
            return vec![address];
        }
        self.deployers(signer)
            .into_iter()
            .map(|deployer| place(deployer, self.code))
            .collect()
    }

    /// The accounts whose contracts are looked for, in order.
    fn deployers(&self, signer: Option<&Signer>) -> Vec<Address> {
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
    }

    /// The account that has deployed the contract of the games at an address, if it is one of those
    /// whose contracts are looked for.
    #[must_use]
    pub fn deployer_of(&self, contract: Address) -> Option<Address> {
        let mut deployers = self.deployers(None).into_iter();
        deployers.find(|deployer| Client::contract_address(*deployer, self.code) == contract)
    }
}

/// Where a deployer's contract is, or would be.
type Place = fn(Address, Code<'_>) -> Address;

/// Opens the first of these contracts that is there.
async fn first_of<C, F>(addresses: Vec<Address>, open: impl Fn(Address) -> F) -> Result<C, Error>
where
    F: Future<Output = Result<C, Error>>,
{
    let mut missing = None;
    for address in addresses {
        match open(address).await {
            Err(Error::NoContract(address)) => missing = missing.or(Some(address)),
            result => return result,
        }
    }
    Err(Error::NoContract(missing.unwrap_or(Address::ZERO)))
}
