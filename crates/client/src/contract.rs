//! A deployed contract: opening it, and asking it.

use connect4_protocol::message::{ContractKind, GameCount, GamesContract};
use connect4_protocol::{Address, Message};
use subxt::utils::H256;

use crate::abi;
use crate::address::fallback_account;
use crate::client::Client;
use crate::code::Code;
use crate::dry_run::Call;
use crate::error::Error;
use crate::failure::{failed, unexpected};
use crate::task::Task;

/// Origin of the calls that only read: an account that needs no mapping and pays nothing.
const READER: Address = Address::ZERO;

/// A deployed contract: that of the matches with its games, or one of games alone.
#[derive(Clone, Debug)]
pub struct Contract {
    client: Client,
    games: Address,
    /// None: there are games alone.
    matches: Option<Address>,
    /// Whether stakes may be paid to it: both contracts run known code, or the user trusts them.
    trusted: bool,
}

impl Contract {
    /// Opens the contract at an address, if it is there and answers as one of the games or matches.
    /// Its code may be another version.
    ///
    /// # Errors
    ///
    /// [`Error::NoContract`] if there is no contract, then [`Error::OtherCode`] if it answers
    /// otherwise; else if the chain cannot be reached.
    pub async fn open(client: &Client, address: Address, code: Code<'_>) -> Result<Self, Error> {
        let found = client
            .code_hash(address)
            .await?
            .ok_or(Error::NoContract(address))?;
        let (expected, games_hash) = (code.matches_hash(), code.games_hash());
        let contract = |games, matches| Self {
            client: client.clone(),
            games,
            matches,
            trusted: false,
        };
        let asked = contract(address, Some(address))
            .query(&Task::FindGames, &GamesContract {}, None)
            .await;
        let opened = match asked {
            Ok(games) => {
                let mut opened = contract(games, Some(address));
                opened.trusted =
                    found == expected && client.code_hash(games).await? == Some(games_hash);
                opened
            }
            Err(Error::Unexpected { .. } | Error::Failed { .. }) => contract(address, None),
            Err(error) => return Err(error),
        };
        if !opened.trusted
            && found != games_hash
            && let Err(Error::Unexpected { .. } | Error::Failed { .. }) =
                opened.query(&Task::CountGames, &GameCount {}, None).await
        {
            return Err(Error::OtherCode {
                address,
                found: H256(found),
                expected: H256(expected),
            });
        }
        Ok(opened)
    }

    /// The address by which the contract is named: that of the matches, or of the games if there are
    /// no matches.
    #[must_use]
    pub fn address(&self) -> Address {
        self.matches.unwrap_or(self.games)
    }

    /// Address of the contract of the games, where discs are dropped.
    #[must_use]
    pub const fn games_address(&self) -> Address {
        self.games
    }

    /// Whether the contract has matches.
    #[must_use]
    pub const fn has_matches(&self) -> bool {
        self.matches.is_some()
    }

    /// The same contract, to which stakes are paid whatever its code is.
    #[must_use]
    pub const fn with_any_code(mut self) -> Self {
        self.trusted = true;
        self
    }

    /// The connection to the contract's chain.
    #[must_use]
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// Checks that a stake may be paid to the contract: nothing is paid to unknown code.
    pub(crate) fn check_trusted(&self, task: &Task) -> Result<(), Error> {
        if self.trusted {
            return Ok(());
        }
        Err(Error::UnknownCode {
            task: task.clone(),
            address: self.address(),
        })
    }

    /// The address of one of the two contracts.
    pub(crate) fn address_of(&self, kind: ContractKind, task: &Task) -> Result<Address, Error> {
        match (kind, self.matches) {
            (ContractKind::Games, _) => Ok(self.games),
            // The contract of the variants is another one.
            (ContractKind::Variants, _) => Err(Error::NoContract(self.address())),
            (ContractKind::Matches, Some(matches)) => Ok(matches),
            (ContractKind::Matches, None) => Err(Error::NoMatches {
                task: task.clone(),
                address: self.games,
            }),
        }
    }

    /// Asks a message, on the state after a block; the best one if none is given.
    pub(crate) async fn query<M: Message>(
        &self,
        task: &Task,
        message: &M,
        at: Option<H256>,
    ) -> Result<M::Answer, Error> {
        let contract = self.address_of(M::CONTRACT, task)?;
        let input = abi::input(message);
        let reader = fallback_account(READER);
        let call = Call {
            contract,
            payment: 0,
            input: &input,
        };
        let run = self.client.dry_run(task, &reader, call, at).await?;
        let returned = run.result.map_err(|error| failed(task, error))?;
        if returned.data.is_empty() {
            return Err(Error::NoContract(contract));
        }
        abi::answer(&returned.data).map_err(|error| unexpected(task, error))
    }
}
