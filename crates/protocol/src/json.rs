//! JSON of values that it has no type for: they are texts.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::signed::GameNumber;
use crate::{Address, GameId, GameName};

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

macro_rules! texts {
    ($($name:ident)*) => {
        $(
            /// What `Display` writes.
            impl Serialize for $name {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.collect_str(self)
                }
            }

            /// What `Display` writes.
            impl<'de> Deserialize<'de> for $name {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    from_text(deserializer)
                }
            }
        )*
    };
}

texts!(Address GameId GameName GameNumber);

#[cfg(test)]
mod tests {
    use alloc::format;

    use serde_json::{from_str, to_string};

    use super::*;

    #[test]
    fn names_of_games_read_back() {
        for text in ["\"3\"", "\"v3\""] {
            assert_eq!(to_string(&from_str::<GameId>(text).unwrap()).unwrap(), text);
            assert_eq!(
                to_string(&from_str::<GameName>(text).unwrap()).unwrap(),
                text
            );
        }
        for bad in [
            "3",
            "\"-1\"",
            "\"4294967296\"",
            "\"f3\"",
            "\"x3\"",
            "\"\"",
            "null",
            "[]",
        ] {
            assert!(from_str::<GameId>(bad).is_err(), "{bad}");
            assert!(from_str::<GameName>(bad).is_err(), "{bad}");
        }
        let number = format!("\"0x{}\"", "ab".repeat(32));
        let by_terms = GameNumber([0xab; 32]);
        assert_eq!(from_str::<GameNumber>(&number).unwrap(), by_terms);
        assert_eq!(to_string(&GameName::Terms(by_terms)).unwrap(), number);
        assert!(from_str::<GameNumber>("\"3\"").is_err());
    }

    #[test]
    fn addresses_read_back() {
        let text = "\"0xabababababababababababababababababababab\"";
        let address = Address([0xab; 20]);
        assert_eq!(to_string(&address).unwrap(), text);
        assert_eq!(from_str::<Address>(text).unwrap(), address);
        assert!(from_str::<Address>("\"0xab\"").is_err());
    }
}
