//! What an index is about.

use connect4_client::{Address, Client, Contracts, Emitted, Emitters, GameId, H256};
use connect4_protocol::message::ContractKind;

use crate::slot::Slot;

/// The contracts whose events are indexed, and the connection to their chain.
#[derive(Clone, Debug)]
pub struct Subject {
    pub(crate) client: Client,
    /// Contract of the plain games; none if there is none.
    games: Option<Address>,
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
            games: contract.and_then(|contract| contract.address_of(ContractKind::Games)),
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
        self.games.into_iter().chain(self.variants).collect()
    }

    pub(crate) fn emitters(&self) -> Emitters {
        Emitters {
            contracts: self.contracts(),
            signed_records: self.signed_records.into_iter().collect(),
        }
    }

    /// The contracts as a text that names them.
    pub(crate) fn names(&self) -> String {
        let name = |address: Option<Address>| address.map_or(String::new(), |of| of.to_string());
        format!(
            "games: {}; variants: {}",
            name(self.games),
            name(self.variants)
        )
    }

    /// The contract of a game.
    const fn contract_of(&self, game: GameId) -> Option<Address> {
        match game {
            GameId::Classic(_) => self.games,
            GameId::Variant(_) => self.variants,
        }
    }

    /// A game in these contracts; none if they are others.
    pub(crate) fn game_in(&self, contracts: &[Address], game: GameId) -> Option<Slot> {
        let contract = self.contract_of(game)?;
        contracts.contains(&contract).then(|| Slot::new(game))
    }

    /// The game on the chain that an event is about; none if it is about none, or about one that is not known.
    pub(crate) fn about(&self, event: &Emitted) -> Option<Slot> {
        let game = event.decode().ok().flatten()?.game()?;
        let is_its = self.contract_of(game) == Some(event.contract);
        is_its.then(|| Slot::new(game))
    }
}
