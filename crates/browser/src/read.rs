//! What is read from the contracts, and their answers.

use alloc::format;
use alloc::string::ToString as _;
use alloc::vec::Vec;

use connect4_protocol::message as m;
use connect4_protocol::{Address, Error, Match, Message, decode_all};
use serde::{Deserialize, Serialize};

use crate::arguments::{Nothing, OfAccount, OfChallenge, OfGame, PageFrom};
use crate::call::Plain as _;
use crate::called::Called;
use crate::failure::Failure;
use crate::output;
use crate::records::{ChainChallenge, ChainGame, ChainMatch, ListedChallenge};
use crate::values::{Hex, Units};

/// Answer of a contract to a read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Decoded {
    /// A number or a count.
    Number(u32),
    /// An amount.
    Amount(Units),
    /// An address.
    Address(Address),
    /// An open challenge.
    Challenge(ChainChallenge),
    /// Open challenges, the newest first.
    Challenges {
        /// The challenges of this page.
        challenges: Vec<ListedChallenge>,
        /// From which number the next page goes on; none if this is the last.
        next: Option<u32>,
    },
    /// A game.
    Game(ChainGame),
    /// Match state of a game.
    Match(ChainMatch),
}

/// Why a contract refuses a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Refused {
    /// Name of the error.
    pub name: alloc::string::String,
    /// What it means and what can be done, for people.
    pub text: alloc::string::String,
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

/// What a contract may refuse to tell.
impl<T: Into<Decoded>> Answer for Result<T, Error> {
    fn decoded(self) -> Result<Decoded, Failure> {
        Ok(self?.into())
    }
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
                    Called::new(&m::$name { $($field: $field.plain()),* })
                })*
            })
        }

        pub(crate) fn decode(asked: Decode) -> Result<Decoded, Failure> {
            match asked.read {
                $(Read::$name(_) => output::read::<<m::$name as Message>::Answer>(&asked.output)?.decoded(),)*
            }
        }
    };
}

reads! {
    /// How many games were started.
    GameCount Nothing {}
    /// A game.
    ReadGame OfGame { game }
    /// The contract that referees the games.
    Referee Nothing {}

    /// Address of the contract of the games.
    GamesContract Nothing {}
    /// How many challenges were made.
    ChallengeCount Nothing {}
    /// An open challenge.
    OpenChallenge OfChallenge { challenge }
    /// A page of the open challenges, from this one on; the newest first.
    OpenChallenges PageFrom { from, limit }
    /// Match state of a game.
    MatchOf OfGame { game }
    /// What an account is owed.
    CreditOf OfAccount { account }
    /// Version of the contracts.
    Version Nothing {}
}

/// Whether a contract has refused a call. What it answers otherwise is not looked at.
pub(crate) fn refusal(output: Hex) -> Result<Option<Refused>, Failure> {
    match *output.0 {
        [0, 0, ..] => Ok(None),
        [0, 1, number, ..] => {
            let error: Error = decode_all(&[number])
                .map_err(|_| Failure::answer("a newer contract refuses for an unknown reason"))?;
            Ok(Some(error.into()))
        }
        [1, ..] => Err(Failure::answer("the contract could not read the call")),
        _ => Err(Failure::answer("this is no answer of a contract")),
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self {
            name: format!("{error:?}"),
            text: error.to_string(),
        }
    }
}

/// Defines how answers are shown.
macro_rules! shown {
    ($($of:ty => $make:expr;)*) => {
        $(
            impl From<$of> for Decoded {
                fn from(value: $of) -> Self {
                    $make(value)
                }
            }
        )*
    };
}

/// Answers that contracts do not refuse.
macro_rules! unrefused {
    ($($of:ty)*) => {
        $(
            impl Answer for $of {
                fn decoded(self) -> Result<Decoded, Failure> {
                    Ok(self.into())
                }
            }
        )*
    };
}

shown! {
    u32 => Decoded::Number;
    u128 => |amount| Decoded::Amount(Units(amount));
    Address => Decoded::Address;
    connect4_protocol::Challenge => |challenge| Decoded::Challenge(ChainChallenge::from(challenge));
    connect4_protocol::Game => |game| Decoded::Game(ChainGame::from(&game));
    Match => |state| Decoded::Match(ChainMatch::from(state));
    connect4_protocol::Page => |page: connect4_protocol::Page| Decoded::Challenges {
        challenges: page.challenges.into_iter().map(ListedChallenge::from).collect(),
        next: page.next,
    };
}

unrefused! { u32 u128 Address }
