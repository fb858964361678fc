//! The deployed contracts: where they are, and asking them.

use std::sync::Arc;

use connect4_protocol::message::{ContractKind, GameCount};
use connect4_protocol::variants::message::VariantCount;
use connect4_protocol::{Address, AnyGame, Error as Refusal, GameId, Message};
use subxt::utils::H256;

use crate::accounts::address::fallback_account;
use crate::chain::block_ref::BlockRef;
use crate::chain::client::Client;
use crate::chain::dry_run::Call as ChainCall;
use crate::contracts::abi;
use crate::contracts::calls::Query;
use crate::error::Error;
use crate::failure::{failed, unexpected};
use crate::history::archive::Archive;
use crate::task::Task;

/// Origin of the calls that only read: an account that needs no mapping and pays nothing.
const READER: Address = Address::ZERO;

/// What transactions rely on: a game, as it was seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BasedOn {
    pub(crate) id: GameId,
    pub(crate) game: AnyGame,
    pub(crate) block: BlockRef,
}

/// Addresses of contracts that are used together; none of those that are not there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Places {
    pub(crate) games: Option<Address>,
    pub(crate) variants: Option<Address>,
    /// Records of signed games. What they emit is no event of the others, and is read by its own reader.
    pub(crate) signed_records: Option<Address>,
    /// Stakes of signed games. What they emit is no event of the others, and is read by its own reader.
    pub(crate) stakes: Option<Address>,
}

/// Deployed contracts that are used together: those of games and variants, and the addresses of the records and the stakes.
#[derive(Clone, Debug)]
pub struct Contracts {
    client: Client,
    places: Places,
    /// The contracts whose events are read here, games and variants: stakes and records have readers of their own.
    emitters: Vec<Address>,
    /// Hash of the code of the records of signed games; none if it is not known.
    pub(crate) signed_records_code: Option<[u8; 32]>,
    /// What their transactions rely on; none if nothing is known of it.
    pub(crate) basis: Option<BasedOn>,
}

impl Contracts {
    pub(crate) fn at(client: &Client, places: Places) -> Self {
        let Places {
            games,
            variants,
            signed_records: _,
            stakes: _,
        } = places;
        let all = [games, variants];
        Self {
            client: client.clone(),
            places,
            emitters: all.into_iter().flatten().collect(),
            signed_records_code: None,
            basis: None,
        }
    }

    pub(crate) const fn places(&self) -> &Places {
        &self.places
    }

    /// The same contracts with that of the variants of others.
    #[must_use]
    pub fn with_variants(&self, others: &Self) -> Self {
        self.moved(Places {
            variants: others.places.variants,
            ..self.places
        })
    }

    /// The same contracts with that of the records of signed games at an address; without one if none is given.
    #[must_use]
    pub fn with_signed_records(&self, signed_records: Option<Address>) -> Self {
        self.moved(Places {
            signed_records,
            ..self.places
        })
    }

    /// The same contracts with that of the stakes of signed games at an address; without one if none is given.
    #[must_use]
    pub fn with_stakes(&self, stakes: Option<Address>) -> Self {
        self.moved(Places {
            stakes,
            ..self.places
        })
    }

    fn moved(&self, places: Places) -> Self {
        Self {
            signed_records_code: self.signed_records_code,
            basis: self.basis,
            ..Self::at(&self.client, places)
        }
    }

    /// The same contracts with an archive of past events, in which games are looked up first.
    #[must_use]
    pub fn with_archive(self, archive: Arc<dyn Archive>) -> Self {
        Self {
            client: self.client.with_archive(archive),
            ..self
        }
    }

    /// The connection to the contracts' chain.
    #[must_use]
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// The address by which the contracts are named: that of the games, or of the variants if there are no games.
    #[must_use]
    pub fn address(&self) -> Address {
        let named = self.places.games.or(self.places.variants);
        named.unwrap_or(Address::ZERO)
    }

    /// Address of a contract; none if it is not there.
    #[must_use]
    pub const fn address_of(&self, kind: ContractKind) -> Option<Address> {
        match kind {
            ContractKind::Games => self.places.games,
            ContractKind::Variants => self.places.variants,
            ContractKind::SignedRecords => self.places.signed_records,
            // It is opened by itself, as [`Stakes`](crate::Stakes).
            ContractKind::Stakes => self.places.stakes,
        }
    }

    /// Address of a contract that a task needs.
    pub(crate) fn need(&self, task: &Task, kind: ContractKind) -> Result<Address, Error> {
        self.address_of(kind).ok_or_else(|| Error::Lacks {
            task: task.clone(),
            address: self.address(),
            kind,
        })
    }

    /// Keccak-256 hash of the code of the records of signed games; none if there is no such code, or the code of these
    /// contracts is not known.
    #[must_use]
    pub const fn signed_records_code(&self) -> Option<[u8; 32]> {
        self.signed_records_code
    }

    /// Addresses of the contracts, whose events tell of games and variants.
    #[must_use]
    pub fn emitters(&self) -> &[Address] {
        &self.emitters
    }

    /// Asks a message, on the state of the best block.
    ///
    /// # Errors
    ///
    /// [`Error::Lacks`] if the contract of the message is not there; else if the chain cannot be reached
    /// or its answer is not understood.
    pub async fn read<M: Query>(&self, message: &M) -> Result<M::Answer, Error> {
        self.query(&message.task(), message, None).await
    }

    /// Asks a message, on the state after a block; the best one if none is given.
    pub(crate) async fn query<M: Message>(
        &self,
        task: &Task,
        message: &M,
        at: Option<H256>,
    ) -> Result<M::Answer, Error> {
        let contract = self.need(task, M::CONTRACT)?;
        self.client.ask(task, contract, message, at).await
    }

    /// Asks a message that the contract does not refuse.
    pub(crate) async fn agreed<M, T>(&self, message: &M, at: Option<H256>) -> Result<T, Error>
    where
        M: Query + Message<Answer = Result<T, Refusal>>,
    {
        let task = message.task();
        let answer = self.query(&task, message, at).await?;
        answer.map_err(|error| Error::Refused { task, error })
    }

    /// Asks for a game that may not be there.
    pub(crate) async fn find<M, T>(&self, message: &M, at: Option<H256>) -> Result<Option<T>, Error>
    where
        M: Query + Message<Answer = Result<T, Refusal>>,
    {
        match self.agreed(message, at).await {
            Err(Error::Refused {
                error: Refusal::NoSuchGame,
                ..
            }) => Ok(None),
            found => found.map(Some),
        }
    }

    /// Number of games that were started in a contract: plain games, or the variants with their tables.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn game_count(&self, of: ContractKind) -> Result<u32, Error> {
        self.game_count_at(of, None).await
    }

    /// Number of games after a block; the best one if none is given.
    pub(crate) async fn game_count_at(
        &self,
        of: ContractKind,
        at: Option<H256>,
    ) -> Result<u32, Error> {
        match of {
            ContractKind::Games => self.query(&GameCount {}.task(), &GameCount {}, at).await,
            // They store nothing, or count nothing.
            ContractKind::Stakes | ContractKind::SignedRecords => Ok(0),
            ContractKind::Variants => {
                let task = VariantCount {}.task();
                self.query(&task, &VariantCount {}, at).await
            }
        }
    }
}

impl Client {
    /// Asks a message of a contract, on the state after a block; the best one if none is given.
    pub(crate) async fn ask<M: Message>(
        &self,
        task: &Task,
        contract: Address,
        message: &M,
        at: Option<H256>,
    ) -> Result<M::Answer, Error> {
        let input = abi::input(message);
        let reader = fallback_account(READER);
        let call = ChainCall {
            contract,
            payment: 0,
            input: &input,
        };
        let run = self.dry_run(task, &reader, call, at).await?;
        let returned = run.result.map_err(|error| failed(task, error))?;
        if returned.data.is_empty() {
            return Err(Error::NoContract(contract));
        }
        abi::answer(&returned.data).map_err(|error| unexpected(task, error))
    }
}

/// The contract does not answer as ours do: it has no such message, or answers something else.
pub(crate) const fn answers_otherwise(error: &Error) -> bool {
    matches!(error, Error::Unexpected { .. } | Error::Failed { .. })
}
