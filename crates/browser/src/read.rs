//! What is read from the contracts, and their answers.

use alloc::format;
use alloc::string::ToString as _;

use connect4_protocol::message::ReadGame;
use connect4_protocol::signed::message::ReadDomain;
use connect4_protocol::signed::{Domain, StakesError};
use connect4_protocol::variants::message::ReadVariant;
use connect4_protocol::{Error, Game, Message, variants};
use serde::{Deserialize, Serialize};

use crate::arguments::{Nothing, OfGame, OfVariant};
use crate::called::Called;
use crate::failure::Failure;
use crate::output;
use crate::place::SignedPlace;
use crate::records::ChainGame;
use crate::values::Hex;

/// Answer of a contract to a read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Decoded {
    /// A game.
    Game(ChainGame),
    /// Where the games of the contract of the stakes are signed.
    Domain(SignedPlace),
}

/// An answer to a read, and to which.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Decode {
    /// What was read.
    pub read: Read,
    /// Output of the contract.
    pub output: Hex,
}

/// An answer as contracts give it.
trait Answer {
    fn decoded(self) -> Result<Decoded, Failure>;
}

/// Defines what can be read, each by the message of the same name, with the fields of its arguments.
macro_rules! reads {
    ($($(#[$doc:meta])* $name:ident $arguments:ident { $($field:ident),* })*) => {
        /// What is read from a contract: an object with one field, whose name is that of the message.
        #[derive(Clone, Debug, Deserialize)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        #[serde(rename_all = "snake_case")]
        pub enum Read {
            $($(#[$doc])* $name($arguments),)*
        }

        pub(crate) fn encode(read: Read) -> Result<Called, Failure> {
            Ok(match read {
                $(Read::$name($arguments { $($field),* }) => {
                    Called::new(&$name { $($field: $field.into()),* })
                })*
            })
        }

        pub(crate) fn decode(asked: Decode) -> Result<Decoded, Failure> {
            match asked.read {
                $(Read::$name(_) => output::read::<<$name as Message>::Answer>(&asked.output)?.decoded(),)*
            }
        }
    };
}

reads! {
    /// A game.
    ReadGame OfGame { game }
    /// A variant, or its table.
    ReadVariant OfVariant { game }
    /// Where the games of the contract of the stakes are signed.
    ReadDomain Nothing {}
}

impl Answer for Result<Game, Error> {
    fn decoded(self) -> Result<Decoded, Failure> {
        Ok(Decoded::Game(ChainGame::from(&self?)))
    }
}

impl Answer for Result<variants::Game, Error> {
    fn decoded(self) -> Result<Decoded, Failure> {
        Ok(Decoded::Game(ChainGame::from(&self?)))
    }
}

impl Answer for Result<Domain, StakesError> {
    fn decoded(self) -> Result<Decoded, Failure> {
        let refused = |error: StakesError| Failure::new(&format!("{error:?}"), error.to_string());
        Ok(Decoded::Domain((&self.map_err(refused)?).into()))
    }
}
