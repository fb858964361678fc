//! Opening deployed contracts.

use connect4_protocol::Address;
use connect4_protocol::message::DropDisc;
use connect4_protocol::variants::message::OpenTables;
use subxt::utils::H256;

use crate::chain::client::Client;
use crate::contracts::code::Code;
use crate::contracts::deployed::{Contracts, Places, answers_otherwise};
use crate::error::Error;
use crate::task::Task;

impl Contracts {
    /// Opens the contract of the games at an address, if it is there and answers as one. Its code may be another version.
    ///
    /// # Errors
    ///
    /// [`Error::NoContract`] if there is no contract, then [`Error::OtherCode`] if it answers otherwise; else if the
    /// chain cannot be reached.
    pub async fn open(client: &Client, address: Address, code: Code<'_>) -> Result<Self, Error> {
        let (found, expected) = (found_at(client, address).await?, code.games_hash());
        let places = Places {
            games: Some(address),
            ..Places::default()
        };
        let mut opened = Self::at(client, places);
        opened.signed_records_code = code.signed_records_hash();
        if found != expected {
            // A disc in a game that nobody has started: no other contract of ours understands it.
            let message = DropDisc {
                game: u32::MAX,
                bin: 0,
            };
            let task = Task::Message("looking for the games".into());
            let answer = opened.query(&task, &message, None).await;
            known(answer.map(|_| ()), address, found, expected)?;
        }
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
