//! Opening deployed contracts.

use connect4_protocol::Address;
use connect4_protocol::message::{GamesContract, Referee, Version};
use connect4_protocol::variants::message::OpenTables;
use subxt::utils::H256;

use crate::chain::client::Client;
use crate::contracts::calls::Query;
use crate::contracts::code::Code;
use crate::contracts::deployed::{Contracts, Places, answers_otherwise};
use crate::error::Error;
use crate::task::Task;

impl Contracts {
    /// Opens the contract of the games or matches at an address, if it is there and answers as one. Its
    /// code may be another version.
    ///
    /// # Errors
    ///
    /// [`Error::NoContract`] if there is no contract, then [`Error::OtherCode`] if it answers
    /// otherwise, then [`Error::NewerContract`] if its matches are of a higher version than the
    /// client's, then [`Error::OtherReferee`] if the games have a referee that is neither the
    /// contract of the matches that was opened nor one with its code; else if the chain cannot be
    /// reached.
    pub async fn open(client: &Client, address: Address, code: Code<'_>) -> Result<Self, Error> {
        let (opened, referee) = Self::look_at(client, address, code).await?;
        opened.check_version(code.version).await?;
        let knows = match referee {
            None => true,
            Some(referee) if Some(referee) == opened.places().matches => true,
            // The contract of the games is named itself, without its matches.
            Some(referee) => client.code_hash(referee).await? == Some(code.matches_hash()),
        };
        match (referee, opened.places().games) {
            (Some(referee), Some(address)) if !knows => {
                Err(Error::OtherReferee { address, referee })
            }
            _ => Ok(opened),
        }
    }

    /// The same, to which stakes are paid whatever its code is, and whichever account is the referee of its
    /// games: for users who trust its deployer.
    ///
    /// # Errors
    ///
    /// Those of [`Contracts::open`] without [`Error::NewerContract`] and [`Error::OtherReferee`].
    pub async fn open_with_any_code(
        client: &Client,
        address: Address,
        code: Code<'_>,
    ) -> Result<Self, Error> {
        let (mut opened, _) = Self::look_at(client, address, code).await?;
        opened.trusted = true;
        Ok(opened)
    }

    /// Opens the contract of the variants at an address, if it is there and answers as one. Its code may
    /// be another version.
    ///
    /// # Errors
    ///
    /// [`Error::NoContract`] if there is no contract, then [`Error::OtherCode`] if it answers
    /// otherwise; else if the chain cannot be reached.
    pub async fn open_variants(
        client: &Client,
        address: Address,
        code: Code<'_>,
    ) -> Result<Self, Error> {
        let (found, expected) = (found_at(client, address).await?, code.variants_hash());
        let places = Places {
            variants: Some(address),
            ..Places::default()
        };
        let opened = Self::at(client, places);
        if found != expected {
            // Other contracts of ours count games as well, but have no tables.
            let message = OpenTables {
                from: None,
                limit: 1,
            };
            let task = Task::Message("looking for the variants".into());
            let answer = opened.query(&task, &message, None).await;
            known(answer.map(|_| ()), address, found, expected)?;
        }
        Ok(opened)
    }

    /// Checks that the matches are not of a higher version than the client's.
    async fn check_version(&self, ours: u32) -> Result<(), Error> {
        let Some(address) = self.places().matches.filter(|_| !self.trusted) else {
            return Ok(());
        };
        // That of the first version has no such message.
        match self.if_known(&Version {}).await? {
            Some(Ok(version)) if version > ours => Err(Error::NewerContract {
                address,
                version,
                ours,
            }),
            _ => Ok(()),
        }
    }

    /// The contract at an address, and the referee of its games if there is one that its code does
    /// not tell.
    async fn look_at(
        client: &Client,
        address: Address,
        code: Code<'_>,
    ) -> Result<(Self, Option<Address>), Error> {
        let (found, expected) = (found_at(client, address).await?, code.matches_hash());
        let mut places = Places {
            games: Some(address),
            matches: Some(address),
            ..Places::default()
        };
        let asked = Self::at(client, places);
        match asked.if_known(&GamesContract {}).await? {
            Some(games) => places.games = Some(games),
            None => places.matches = None,
        }
        let mut opened = Self::at(client, places);
        if found == expected && opened.runs(places.games, code.games_hash()).await? {
            // These matches have deployed their games, as the referee.
            opened.trusted = true;
            opened.signed_records_code = code.signed_records_hash();
            return Ok((opened, None));
        }
        // The contract of the variants counts games as well, but has no referee.
        let task = Referee {}.task();
        let answer = opened.query(&task, &Referee {}, None).await;
        match known(answer, address, found, expected)? {
            Ok(referee) => Ok((opened, Some(referee).filter(|of| *of != Address::ZERO))),
            Err(error) => Err(Error::Refused { task, error }),
        }
    }

    /// The answer to a message; none if the contract has no such message.
    async fn if_known<M: Query>(&self, message: &M) -> Result<Option<M::Answer>, Error> {
        match self.read(message).await {
            Err(error) if answers_otherwise(&error) => Ok(None),
            answer => answer.map(Some),
        }
    }

    /// Whether a contract is there and runs code with this hash.
    async fn runs(&self, contract: Option<Address>, code: [u8; 32]) -> Result<bool, Error> {
        match contract {
            Some(address) => Ok(self.client().code_hash(address).await? == Some(code)),
            None => Ok(false),
        }
    }
}

/// Hash of the code of a contract that has to be there.
async fn found_at(client: &Client, address: Address) -> Result<[u8; 32], Error> {
    let found = client.code_hash(address).await?;
    found.ok_or(Error::NoContract(address))
}

/// The answer of a contract whose code is not the expected one, if it answers as that would.
fn known<T>(
    answer: Result<T, Error>,
    address: Address,
    found: [u8; 32],
    expected: [u8; 32],
) -> Result<T, Error> {
    match answer {
        Err(error) if answers_otherwise(&error) => Err(Error::OtherCode {
            address,
            found: H256(found),
            expected: H256(expected),
        }),
        answer => answer,
    }
}
