//! Opening deployed contracts.

use connect4_protocol::message::DropDisc;
use connect4_protocol::variants::message::OpenTables;
use connect4_protocol::{Address, Message};
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
        let places = Places {
            games: Some(address),
            ..Places::default()
        };
        // A disc in a game that nobody has started: no other contract of ours understands it.
        let message = DropDisc {
            game: u32::MAX,
            bin: 0,
        };
        let code_hash = code.games_hash();
        let mut opened = Self::open_at(client, address, places, code_hash, &message).await?;
        opened.signed_records_code = code.signed_records_hash();
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
        let places = Places {
            variants: Some(address),
            ..Places::default()
        };
        // Other contracts of ours count games as well, but have no tables.
        let message = OpenTables {
            from: None,
            limit: 1,
        };
        Self::open_at(client, address, places, code.variants_hash(), &message).await
    }

    /// Opens the contract at an address, if its code is the expected one or it answers a message as that would.
    async fn open_at<M: Message>(
        client: &Client,
        address: Address,
        places: Places,
        expected: [u8; 32],
        message: &M,
    ) -> Result<Self, Error> {
        let found = client.code_hash(address).await?;
        let found = found.ok_or(Error::NoContract(address))?;
        let opened = Self::at(client, places);
        if found == expected {
            return Ok(opened);
        }
        let task = Task::Message(format!("looking for the {}", M::CONTRACT));
        match opened.query(&task, message, None).await {
            Err(error) if answers_otherwise(&error) => Err(Error::OtherCode {
                address,
                found: H256(found),
                expected: H256(expected),
            }),
            answer => answer.map(|_| opened),
        }
    }
}
