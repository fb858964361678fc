//! Values that JSON has no type for, spelled as strings.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use connect4_protocol as protocol;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

/// Address of a contract or an account as contracts see it: `0x` and 40 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[cfg_attr(feature = "declarations", ts(type = "string"))]
pub struct Address(pub protocol::Address);

impl From<protocol::Address> for Address {
    fn from(address: protocol::Address) -> Self {
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

/// Number of a game between two accounts: 3, or `f3` for a fast one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[cfg_attr(feature = "declarations", ts(type = "number | string"))]
pub struct ClassicId(pub u32);

impl From<u32> for ClassicId {
    fn from(number: u32) -> Self {
        Self(number)
    }
}

impl Serialize for ClassicId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        GameId(protocol::GameId::of_two(self.0)).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ClassicId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;

        impl Visitor<'_> for Read {
            type Value = ClassicId;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the number of a game, such as 3 or \"f3\"")
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<ClassicId, E> {
                let number = u32::try_from(number)
                    .ok()
                    .filter(|number| !protocol::GameId::of_two(*number).is_fast());
                number
                    .map(ClassicId)
                    .ok_or_else(|| E::custom("no such number"))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<ClassicId, E> {
                match text.parse() {
                    Ok(id @ (protocol::GameId::Classic(_) | protocol::GameId::Fast(_))) => {
                        Ok(ClassicId(id.number()))
                    }
                    _ => Err(E::custom("not the number of a game between two accounts")),
                }
            }
        }

        deserializer.deserialize_any(Read)
    }
}

/// Name of a game: 3, `f3` for a fast one, `v3` for a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[cfg_attr(feature = "declarations", ts(type = "number | string"))]
pub struct GameId(pub protocol::GameId);

impl Serialize for GameId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            protocol::GameId::Classic(number) => serializer.serialize_u32(number),
            id => serializer.collect_str(&id),
        }
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
    use connect4_protocol::fast::FIRST;
    use serde_json::{from_str, to_string};

    use super::*;

    #[test]
    fn numbers_of_games_read_back() {
        for (number, text) in [(3, "3"), (FIRST + 3, "\"f3\"")] {
            assert_eq!(to_string(&ClassicId(number)).unwrap(), text);
            assert_eq!(from_str::<ClassicId>(text).unwrap(), ClassicId(number));
        }
        assert_eq!(from_str::<ClassicId>("\"3\"").unwrap(), ClassicId(3));
        for bad in ["-1", "1.5", "2147483648", "\"v3\"", "\"\"", "null", "[]"] {
            assert!(from_str::<ClassicId>(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn addresses_read_back() {
        let text = "\"0xabababababababababababababababababababab\"";
        let address = Address(protocol::Address([0xab; 20]));
        assert_eq!(to_string(&address).unwrap(), text);
        assert_eq!(from_str::<Address>(text).unwrap(), address);
        assert!(from_str::<Address>("\"0xab\"").is_err());
    }
}
