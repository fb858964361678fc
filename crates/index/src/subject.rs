//! What an index is about.

use connect4_client::{Address, Client, Contracts, Emitted, Error, GameId, H256, Lookup};

use crate::game::GameKey;

/// The contracts whose events are indexed, and the connection to their chain.
#[derive(Clone, Debug)]
pub struct Subject {
    pub(crate) client: Client,
    /// The newest version first.
    versions: Vec<OfVersion>,
}

/// The contracts of a version.
#[derive(Clone, Debug)]
struct OfVersion {
    version: u32,
    classic: Vec<Address>,
    variants: Vec<Address>,
}

impl OfVersion {
    fn new(contract: Option<&Contracts>, variants: Option<Address>) -> Self {
        Self {
            version: contract.and_then(Contracts::version).unwrap_or_default(),
            classic: contract.map_or(Vec::new(), |contract| contract.emitters().to_vec()),
            variants: variants.into_iter().collect(),
        }
    }
}

impl Subject {
    /// The games of a contract, and those of variants if there is to be a contract of them at this
    /// address. It need not be there yet.
    #[must_use]
    pub fn new(contract: &Contracts, variants: Option<Address>) -> Self {
        Self::of(contract.client(), Some(contract), variants)
    }

    /// The same of a chain that need not have the contract.
    #[must_use]
    pub fn of(client: &Client, contract: Option<&Contracts>, variants: Option<Address>) -> Self {
        Self {
            client: client.clone(),
            versions: vec![OfVersion::new(contract, variants)],
        }
    }

    /// The same with the games of an earlier version of the contracts. Where its contract of the variants
    /// is that of a later version, the games of variants belong to the later one.
    #[must_use]
    pub fn with_earlier(mut self, contract: &Contracts, variants: Option<Address>) -> Self {
        let known = self.contracts();
        let variants = variants.filter(|address| !known.contains(address));
        self.versions.push(OfVersion::new(Some(contract), variants));
        self
    }

    /// The contracts as all programs index them, so that these share what is kept: with the address at
    /// which that of the variants is or will be, and those of earlier versions that are there.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn of_all(
        client: &Client,
        lookup: &Lookup,
        contract: Option<&Contracts>,
        variants: Option<Address>,
    ) -> Result<Self, Error> {
        let variants = variants.or_else(|| lookup.variants_place());
        let mut subject = Self::of(client, contract, variants);
        for lookup in lookup.earlier_versions() {
            match lookup.open(client, None).await {
                Ok(earlier) => subject = subject.with_earlier(&earlier, lookup.variants_place()),
                Err(Error::NoContract(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(subject)
    }

    /// The versions of the contracts, the newest first.
    pub(crate) fn versions(&self) -> impl Iterator<Item = u32> {
        self.versions.iter().map(|contracts| contracts.version)
    }

    /// What tells it from other chains and contracts: sixteen hexadecimal digits, for the name of a
    /// file.
    #[must_use]
    pub fn id(&self) -> String {
        let named = format!("{:?}; {}", self.genesis(), self.names());
        hex::encode(sp_crypto_hashing::blake2_64(named.as_bytes()))
    }

    /// Hash of the chain's first block.
    pub(crate) fn genesis(&self) -> H256 {
        self.client.genesis()
    }

    /// All contracts.
    pub(crate) fn contracts(&self) -> Vec<Address> {
        let all = self.versions.iter();
        all.flat_map(|of| of.classic.iter().chain(&of.variants))
            .copied()
            .collect()
    }

    /// The contracts as a text that names them.
    pub(crate) fn names(&self) -> String {
        let names = |of: &[Address]| {
            let names: Vec<String> = of.iter().map(Address::to_string).collect();
            names.join(", ")
        };
        let versions = self
            .versions
            .iter()
            .map(|of| format!("{}; variants: {}", names(&of.classic), names(&of.variants)));
        versions.collect::<Vec<_>>().join("; earlier: ")
    }

    /// A game in these contracts; none if they are others.
    pub(crate) fn game_in(&self, contracts: &[Address], game: GameId) -> Option<GameKey> {
        let mut versions = self.versions.iter();
        let of = versions.find(|of| {
            let mut known = match game {
                GameId::Classic(_) | GameId::Fast(_) => of.classic.iter(),
                GameId::Variant(_) => of.variants.iter(),
            };
            known.any(|address| contracts.contains(address))
        })?;
        Some(GameKey {
            version: of.version,
            game,
        })
    }

    /// The game that an event is about; none if it is about none, or not known.
    pub(crate) fn game_of(&self, event: &Emitted) -> Option<GameKey> {
        let mut versions = self.versions.iter();
        let of = versions.find(|of| {
            let mut contracts = of.classic.iter().chain(&of.variants);
            contracts.any(|address| *address == event.contract)
        })?;
        let game = event.decode().ok().flatten()?.game()?;
        (game.is_variant() == of.variants.contains(&event.contract)).then_some(GameKey {
            version: of.version,
            game,
        })
    }
}
