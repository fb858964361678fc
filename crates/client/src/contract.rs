//! The contract: its messages and what they return.

use connect4_protocol::event::GameStarted;
use connect4_protocol::message::{ContractKind, GameCount, GamesContract, ReadGame, StartGame};
use connect4_protocol::{Game, Message};
use connect4_rules::ShapeSpec;
use subxt::utils::H256;

use crate::abi;
use crate::client::{Call, Code, DryRun, Included, Receipt};
use crate::error::Error;
use crate::event;
use crate::{Address, Client, Event, Signer};

/// A deployed contract: that of the matches with its games, or one of games alone.
#[derive(Clone, Debug)]
pub struct Contract {
    client: Client,
    games: Address,
    matches: Option<Address>,
    /// Whether both are our code.
    ours: bool,
}

/// Who reads: an account that needs no mapping and pays nothing.
const READER: Address = Address([0; 20]);

impl Contract {
    /// The contract at an address, after a look whether it is there and answers as ours does. Code
    /// of another version is fine if it does.
    ///
    /// # Errors
    ///
    /// [`Error::NoContract`] if there is none, [`Error::OtherCode`] if it is another one.
    pub async fn open(client: &Client, address: Address, code: Code<'_>) -> Result<Self, Error> {
        let found = client
            .code_hash(address)
            .await?
            .ok_or(Error::NoContract(address))?;
        let expected = sp_crypto_hashing::keccak_256(code.matches);
        let games_hash = sp_crypto_hashing::keccak_256(code.games);
        let contract = |games, matches| Self {
            client: client.clone(),
            games,
            matches,
            ours: false,
        };
        let what = "looking for the games";
        let games = match contract(address, Some(address))
            .query(what, &GamesContract {}, None)
            .await
        {
            Ok(games) => {
                let mut contract = contract(games, Some(address));
                contract.ours =
                    found == expected && client.code_hash(games).await? == Some(games_hash);
                contract
            }
            Err(Error::Unexpected { .. } | Error::Failed { .. }) => contract(address, None),
            Err(error) => return Err(error),
        };
        if !games.ours
            && found != games_hash
            && let Err(Error::Unexpected { .. } | Error::Failed { .. }) = games.game_count().await
        {
            return Err(Error::OtherCode {
                address,
                found: hex::encode(found),
                expected: hex::encode(expected),
            });
        }
        Ok(games)
    }

    /// The address it is named by: that of the matches, or of the games if there are none.
    #[must_use]
    pub fn address(&self) -> Address {
        self.matches.unwrap_or(self.games)
    }

    /// The address of the contract of the games, where discs are dropped.
    #[must_use]
    pub const fn games_address(&self) -> Address {
        self.games
    }

    /// Whether it has matches.
    #[must_use]
    pub const fn has_matches(&self) -> bool {
        self.matches.is_some()
    }

    /// The same contract, whatever its code is, for stakes too.
    #[must_use]
    pub const fn with_any_code(mut self) -> Self {
        self.ours = true;
        self
    }

    pub(crate) const fn is_ours(&self) -> bool {
        self.ours
    }

    /// The address of one of the two contracts.
    fn address_of(&self, kind: ContractKind, what: &str) -> Result<Address, Error> {
        match (kind, self.matches) {
            (ContractKind::Games, _) => Ok(self.games),
            (ContractKind::Matches, Some(matches)) => Ok(matches),
            (ContractKind::Matches, None) => Err(Error::NoMatches {
                what: what.into(),
                address: self.games,
            }),
        }
    }

    /// The chain it is on.
    #[must_use]
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// How many games were started; they are numbered from 0.
    ///
    /// # Errors
    ///
    /// If the chain can't be reached or its answer is not understood.
    pub async fn game_count(&self) -> Result<u32, Error> {
        self.query("counting the games", &GameCount {}, None).await
    }

    pub(crate) async fn game_count_at(&self, block: H256) -> Result<u32, Error> {
        self.query("counting the games", &GameCount {}, Some(block))
            .await
    }

    /// A game as it is in the best block; none if there is none with this number.
    ///
    /// # Errors
    ///
    /// If the chain can't be reached or its answer is not understood.
    pub async fn game(&self, game: u32) -> Result<Option<Game>, Error> {
        self.read_game(game, None).await
    }

    /// A game as it was after a block; none if it was not there yet. Nodes of public chains keep the
    /// state of their newest blocks only.
    ///
    /// # Errors
    ///
    /// If the chain can't be reached or its answer is not understood.
    pub async fn game_at(&self, game: u32, block: H256) -> Result<Option<Game>, Error> {
        self.read_game(game, Some(block)).await
    }

    async fn read_game(&self, game: u32, at: Option<H256>) -> Result<Option<Game>, Error> {
        let what = format!("reading game {game}");
        match self.query(&what, &ReadGame { game }, at).await? {
            Ok(game) => Ok(Some(game)),
            Err(connect4_protocol::Error::NoSuchGame) => Ok(None),
            Err(error) => Err(Error::Refused { what, error }),
        }
    }

    /// Starts a game, and returns its number. `one` is red and moves first. Who signs need not play.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `SamePlayer` or `BadShape` before anything is sent; else if the
    /// account can't pay or the chain can't be reached.
    pub async fn start_game(
        &self,
        signer: &Signer,
        one: Address,
        two: Address,
        shape: ShapeSpec,
    ) -> Result<Receipt<u32>, Error> {
        let what = "starting a game";
        let message = StartGame {
            player_one: one,
            player_two: two,
            shape,
        };
        let receipt = self.transact(what, signer, &message, 0).await?;
        self.found(what, receipt, |events| {
            events.iter().find_map(|event| match event {
                Event::GameStarted(GameStarted { game, .. }) => Some(*game),
                _ => None,
            })
        })
    }

    /// The events of this contract among a block's, in order, each with the number of its
    /// transaction in the block, from 0.
    pub(crate) async fn events_in(
        &self,
        what: &str,
        block: H256,
    ) -> Result<Vec<(Event, u32)>, Error> {
        let events = self
            .client
            .api()
            .events()
            .at(block)
            .await
            .map_err(|error| self.client.failed(what, error))?;
        let mut found = Vec::new();
        for event in events.iter() {
            let event = event.map_err(|error| self.client.failed(what, error))?;
            let subxt::events::Phase::ApplyExtrinsic(index) = event.phase() else {
                continue;
            };
            if let Some(event) = event::of(&event, &self.addresses())
                .map_err(|reason| self.client.unexpected(what, reason))?
            {
                found.push((event, index));
            }
        }
        Ok(found)
    }

    fn addresses(&self) -> [Address; 2] {
        [self.games, self.address()]
    }

    /// The answer of a message after a block; the best one if none is named.
    pub(crate) async fn query<M: Message>(
        &self,
        what: &str,
        message: &M,
        at: Option<H256>,
    ) -> Result<M::Answer, Error> {
        let contract = self.address_of(M::CONTRACT, what)?;
        let input = abi::input(message);
        let reader = crate::address::fallback_account(READER);
        let call = Call {
            contract,
            value: 0,
            input: &input,
        };
        let run = self.client.dry_run(what, &reader, call, at).await?;
        let returned = run.result.map_err(|(name, docs)| Error::Failed {
            what: what.into(),
            name,
            docs,
        })?;
        if returned.data.is_empty() {
            return Err(Error::NoContract(contract));
        }
        abi::answer::<M::Answer>(&returned.data)
            .map_err(|error| self.client.unexpected(what, error))
    }

    /// Sends a message with a payment, in the chain's smallest unit: first as a dry run, then, unless
    /// that is refused, as a transaction. The receipt holds the contracts' events.
    pub(crate) async fn transact<M, T>(
        &self,
        what: &str,
        signer: &Signer,
        message: &M,
        payment: u128,
    ) -> Result<Receipt<Vec<Event>>, Error>
    where
        M: Message<Answer = Result<T, connect4_protocol::Error>>,
    {
        let contract = self.address_of(M::CONTRACT, what)?;
        let mapped = self.client.ensure_mapped(signer).await?;
        let call = Call {
            contract,
            value: payment,
            input: &abi::input(message),
        };
        let run = self.rehearse(what, signer, call).await?;
        let sent = self.client.call(what, signer, call, &run).await;
        let Included {
            transaction,
            events,
        } = match sent {
            Ok(included) => included,
            // The game went on between the dry run and the block: ask again for the reason.
            Err(Error::Failed { name, docs, .. }) if name.ends_with("::ContractReverted") => {
                self.rehearse(what, signer, call).await?;
                return Err(Error::Failed {
                    what: what.into(),
                    name,
                    docs,
                });
            }
            Err(error) => return Err(error),
        };
        let mut ours = Vec::new();
        for event in events.iter() {
            let event = event.map_err(|error| self.client.failed(what, error))?;
            if let Some(event) = event::of(&event, &self.addresses())
                .map_err(|reason| self.client.unexpected(what, reason))?
            {
                ours.push(event);
            }
        }
        Ok(Receipt {
            transaction,
            deposit: Client::deposit(&run),
            value: ours,
            mapped,
        })
    }

    /// A dry run of a message that may refuse. What it would return otherwise is not decoded: the
    /// events of the transaction tell what was really done.
    async fn rehearse(&self, what: &str, signer: &Signer, call: Call<'_>) -> Result<DryRun, Error> {
        let run = self
            .client
            .dry_run(what, &signer.account(), call, None)
            .await?;
        let returned = match &run.result {
            Ok(returned) => returned,
            Err(error) => return Err(self.client.explain(what, signer, error.clone()).await),
        };
        if returned.data.is_empty() {
            return Err(Error::NoContract(call.contract));
        }
        match abi::refusal(&returned.data) {
            Ok(Ok(())) if !returned.reverted => Ok(run),
            Ok(Ok(())) => Err(self.client.unexpected(what, "it both agreed and reverted")),
            Ok(Err(error)) => Err(Error::Refused {
                what: what.into(),
                error,
            }),
            Err(error) => Err(self.client.unexpected(what, error)),
        }
    }

    /// A receipt with what its events tell.
    pub(crate) fn found<T>(
        &self,
        what: &str,
        receipt: Receipt<Vec<Event>>,
        found: impl FnOnce(Vec<Event>) -> Option<T>,
    ) -> Result<Receipt<T>, Error> {
        let Receipt {
            transaction,
            deposit,
            value: events,
            mapped,
        } = receipt;
        match found(events) {
            Some(value) => Ok(Receipt {
                transaction,
                deposit,
                value,
                mapped,
            }),
            None => Err(self.client.unexpected(
                what,
                format!(
                    "transaction {:?} emitted no event that tells what it did",
                    transaction.hash
                ),
            )),
        }
    }
}
