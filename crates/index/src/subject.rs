//! What an index is about.

use connect4_client::{Address, Client, Contracts, Emitted, Emitters, GameId, H256};
use connect4_protocol::message::ContractKind;

use crate::slot::Slot;

/// The contracts whose events are indexed, and the connection to their chain.
#[derive(Clone, Debug)]
pub struct Subject {
    pub(crate) client: Client,
    classic: Vec<Address>,
    variants: Option<Address>,
    /// Hash of the code of the records of signed games; none if it is not known. Their address is none of the
    /// contracts': anybody can deploy them, at any time.
    signed_records: Option<[u8; 32]>,
}

impl Subject {
    /// The games of a contract, and those of variants if there is to be a contract of them at this
    /// address. It need not be there yet.
    #[must_use]
    pub fn new(contract: &Contracts, variants: Option<Address>) -> Self {
        Self::of(contract.client(), Some(contract), variants)
    }

    /// The same of a chain that need not have the contract. Programs that share what is kept name the address at which
    /// the contract of the variants is or will be, as [`Lookup::variants_place`](connect4_client::Lookup::variants_place).
    #[must_use]
    pub fn of(client: &Client, contract: Option<&Contracts>, variants: Option<Address>) -> Self {
        Self {
            client: client.clone(),
            classic: contract.map_or(Vec::new(), |contract| {
                let of_two = [ContractKind::Games, ContractKind::Matches];
                of_two
                    .into_iter()
                    .filter_map(|kind| contract.address_of(kind))
                    .collect()
            }),
            variants,
            signed_records: contract.and_then(Contracts::signed_records_code),
        }
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
        let all = self.classic.iter().chain(&self.variants);
        all.copied().collect()
    }

    pub(crate) fn emitters(&self) -> Emitters {
        Emitters {
            contracts: self.contracts(),
            signed_records: self.signed_records.into_iter().collect(),
        }
    }

    /// The contracts as a text that names them.
    pub(crate) fn names(&self) -> String {
        let classic: Vec<String> = self.classic.iter().map(Address::to_string).collect();
        let variants = self.variants.map(|address| address.to_string());
        let variants = variants.unwrap_or_default();
        format!("{}; variants: {variants}", classic.join(", "))
    }

    /// A game in these contracts; none if they are others.
    pub(crate) fn game_in(&self, contracts: &[Address], game: GameId) -> Option<Slot> {
        let is_known = match game {
            GameId::Classic(_) => self
                .classic
                .iter()
                .any(|address| contracts.contains(address)),
            GameId::Variant(_) => self
                .variants
                .is_some_and(|address| contracts.contains(&address)),
        };
        is_known.then(|| Slot::new(game))
    }

    /// The game on the chain that an event is about; none if it is about none, or about one that is not known.
    pub(crate) fn about(&self, event: &Emitted) -> Option<Slot> {
        let decoded = event.decode().ok().flatten()?;
        let is_variants = self.variants == Some(event.contract);
        if !is_variants && !self.classic.contains(&event.contract) {
            return None;
        }
        let game = decoded.game()?;
        (game.is_variant() == is_variants).then(|| Slot::new(game))
    }
}
