//! Values that JSON has no type for, spelled as strings.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

/// Address of a contract or an account as contracts see it: `0x` and 40 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[cfg_attr(feature = "declarations", ts(type = "string"))]
pub struct Address(pub connect4_protocol::Address);

impl From<connect4_protocol::Address> for Address {
    fn from(address: connect4_protocol::Address) -> Self {
        Self(address)
    }
}

impl Serialize for Address {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Address {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_text(deserializer).map(Self)
    }
}

/// Number of a game: `3`, `f3` for a fast one, `v3` for a variant or its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[cfg_attr(feature = "declarations", ts(type = "string"))]
pub struct GameId(pub connect4_protocol::GameId);

impl From<connect4_protocol::GameId> for GameId {
    fn from(game: connect4_protocol::GameId) -> Self {
        Self(game)
    }
}

impl Serialize for GameId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for GameId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_text(deserializer).map(Self)
    }
}

/// Name of a game: as [`GameId`], or `0x` and the 64 hexadecimal digits of a game by signed terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[cfg_attr(feature = "declarations", ts(type = "string"))]
pub struct GameName(pub connect4_protocol::GameName);

impl From<connect4_protocol::GameName> for GameName {
    fn from(game: connect4_protocol::GameName) -> Self {
        Self(game)
    }
}

impl From<connect4_protocol::GameId> for GameName {
    fn from(game: connect4_protocol::GameId) -> Self {
        Self(game.into())
    }
}

impl Serialize for GameName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// Reads a value from its text.
///
/// # Errors
///
/// If it is no text, or not that of such a value.
pub fn from_text<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr<Err: fmt::Display>,
    D: Deserializer<'de>,
{
    String::deserialize(deserializer)?
        .parse()
        .map_err(Error::custom)
}

#[cfg(test)]
mod tests {
    use serde_json::{from_str, to_string};

    use super::*;

    #[test]
    fn numbers_of_games_read_back() {
        for text in ["\"3\"", "\"f3\"", "\"v3\""] {
            assert_eq!(to_string(&from_str::<GameId>(text).unwrap()).unwrap(), text);
        }
        for bad in [
            "3",
            "\"-1\"",
            "\"2147483648\"",
            "\"x3\"",
            "\"\"",
            "null",
            "[]",
        ] {
            assert!(from_str::<GameId>(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn addresses_read_back() {
        let text = "\"0xabababababababababababababababababababab\"";
        let address = Address(connect4_protocol::Address([0xab; 20]));
        assert_eq!(to_string(&address).unwrap(), text);
        assert_eq!(from_str::<Address>(text).unwrap(), address);
        assert!(from_str::<Address>("\"0xab\"").is_err());
    }
}
