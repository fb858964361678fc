//! Values that JSON has no type for, spelled as strings.

use connect4_client::Token;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

use crate::play::{Amount, Digits, Hash};

impl Amount {
    /// The amount of the token for an amount in the unit of contracts.
    #[must_use]
    pub const fn of_contract(amount: u128, token: &Token) -> Self {
        Self(token.in_smallest_unit(amount))
    }
}

impl From<connect4_client::H256> for Hash {
    fn from(hash: connect4_client::H256) -> Self {
        Self(Digits(hash.0))
    }
}

impl From<Hash> for connect4_client::H256 {
    fn from(hash: Hash) -> Self {
        Self(hash.0.0)
    }
}

/// Account of 32 bytes, in the SS58 encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[cfg_attr(feature = "declarations", ts(type = "string"))]
pub struct AccountId(pub connect4_client::AccountId32);

impl Serialize for AccountId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'a> Deserialize<'a> for AccountId {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(D::Error::custom)
    }
}

impl<'a> Deserialize<'a> for Hash {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let mut hash = [0; 32];
        match text
            .strip_prefix("0x")
            .map(|digits| hex::decode_to_slice(digits, &mut hash))
        {
            Some(Ok(())) => Ok(Self(Digits(hash))),
            _ => Err(D::Error::custom(
                "a block or a transaction is named by its hash: 0x and 64 digits",
            )),
        }
    }
}

/// What an account can do in a game other than a move, by its name. Which names there are depends on the kind of
/// the game.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Act(pub String);

/// The declarations of the names that other crates list.
#[cfg(feature = "declarations")]
mod declared {
    use super::Act;
    use crate::play::one_of;

    one_of!(
        Act,
        "What an account can do in a game other than a move.",
        acts()
    );

    /// The names of all kinds of games.
    fn acts() -> Vec<&'static str> {
        connect4_client::Action::WITHOUT_MOVE
            .map(connect4_client::Action::name)
            .to_vec()
    }
}
