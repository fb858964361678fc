//! What an index is about.

use connect4_client::{Address, Client, Contract, Emitted, Event, GameId, H256};
use connect4_protocol::variants;

/// The contracts whose events are indexed, and the connection to their chain.
#[derive(Clone, Debug)]
pub struct Subject {
    pub(crate) client: Client,
    classic: Vec<Address>,
    variants: Vec<Address>,
}

impl Subject {
    /// The games of a contract, and those of variants if there is to be a contract of them at this
    /// address. It need not be there yet.
    #[must_use]
    pub fn new(contract: &Contract, variants: Option<Address>) -> Self {
        Self {
            client: contract.client().clone(),
            classic: contract.emitters().to_vec(),
            variants: variants.into_iter().collect(),
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

    /// All contracts.
    pub(crate) fn contracts(&self) -> Vec<Address> {
        self.classic.iter().chain(&self.variants).copied().collect()
    }

    /// The contracts as a text that names them.
    pub(crate) fn names(&self) -> String {
        let names = |of: &[Address]| {
            let names: Vec<String> = of.iter().map(Address::to_string).collect();
            names.join(", ")
        };
        format!(
            "{}; variants: {}",
            names(&self.classic),
            names(&self.variants)
        )
    }

    /// The game that an event is about; none if it is about none, or not known.
    pub(crate) fn game_of(&self, event: &Emitted) -> Option<GameId> {
        if self.classic.contains(&event.contract) {
            let event: Event = event.decode().ok().flatten()?;
            event.game().map(GameId::Classic)
        } else {
            let event: variants::Event = event.decode().ok().flatten()?;
            Some(GameId::Variant(event.game()))
        }
    }
}
