//! What an index is about.

use connect4_client::{Address, Client, Contracts, Emitted, Emitters, Error, GameId, H256, Lookup};
use connect4_protocol::message::ContractKind;

use crate::signed::terms_of;
use crate::signed_rows::About;
use crate::slot::Slot;

/// The contracts whose events are indexed, and the connection to their chain.
#[derive(Clone, Debug)]
pub struct Subject {
    pub(crate) client: Client,
    /// The newest version first.
    versions: Vec<OfVersion>,
    /// Hash of the code of the records of signed games; none if it is not known.
    signed_records: Option<[u8; 32]>,
}

#[derive(Clone, Debug)]
struct OfVersion {
    version: u32,
    classic: Vec<Address>,
    variants: Vec<Address>,
    /// The contract of the fast games, if there is one.
    fast: Option<Address>,
    /// Hash of the code of the records; none if it is not known. Their address is none of the contracts':
    /// anybody can deploy them, at any time.
    records: Option<[u8; 32]>,
}

impl OfVersion {
    fn new(contract: Option<&Contracts>, variants: Option<Address>) -> Self {
        Self {
            version: contract.and_then(Contracts::version).unwrap_or_default(),
            classic: contract.map_or(Vec::new(), |contract| {
                let records = contract.address_of(ContractKind::Records);
                let all = contract.emitters().iter().copied();
                all.filter(|address| Some(*address) != records).collect()
            }),
            variants: variants.into_iter().collect(),
            fast: contract.and_then(|contract| contract.address_of(ContractKind::Fast)),
            records: contract.and_then(Contracts::records_code),
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
            signed_records: contract.and_then(Contracts::signed_records_code),
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

    /// Version of the newest contracts; 0 if it is not known.
    pub(crate) fn newest(&self) -> u32 {
        self.versions().next().unwrap_or_default()
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

    pub(crate) fn contracts(&self) -> Vec<Address> {
        let all = self.versions.iter();
        all.flat_map(|of| of.classic.iter().chain(&of.variants))
            .copied()
            .collect()
    }

    pub(crate) fn emitters(&self) -> Emitters {
        Emitters {
            contracts: self.contracts(),
            records: self
                .versions
                .iter()
                .filter_map(|of| of.fast.zip(of.records))
                .collect(),
            signed_records: self.signed_records.into_iter().collect(),
        }
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
    pub(crate) fn game_in(&self, contracts: &[Address], game: GameId) -> Option<Slot> {
        let mut versions = self.versions.iter();
        let of = versions.find(|of| {
            let mut known = match game {
                GameId::Classic(_) | GameId::Fast(_) => of.classic.iter(),
                GameId::Variant(_) => of.variants.iter(),
            };
            known.any(|address| contracts.contains(address))
        })?;
        Some(Slot::new(of.version, game))
    }

    /// What an event is about; none if it is about no game, or about one that is not known.
    pub(crate) fn about(&self, event: &Emitted) -> Option<About> {
        let mut versions = self.versions.iter();
        let decoded = event.decode().ok().flatten()?;
        if let Some(fast) = event.fast() {
            // It was read as the code of the contract is that of records.
            let of = versions.find(|of| of.records.is_some() && of.fast == Some(fast))?;
            let (number, terms) = terms_of(&decoded)?;
            let dispute = decoded.game().map(|game| Slot::new(of.version, game));
            return Some(About::Terms {
                line: Slot::line_by_terms(of.version),
                number,
                terms,
                contract: fast,
                dispute,
            });
        }
        let of = versions.find(|of| {
            let mut contracts = of.classic.iter().chain(&of.variants);
            contracts.any(|address| *address == event.contract)
        })?;
        let game = decoded.game()?;
        let is_of = game.is_variant() == of.variants.contains(&event.contract);
        is_of.then(|| About::Chain(Slot::new(of.version, game)))
    }
}
