//! Values that JSON has no type for, spelled as strings.

use alloc::string::String;

use codec::{Decode, Encode};
#[cfg(feature = "chain")]
use connect4_protocol::GameId;
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

pub use crate::bytes::Hex;
use crate::failure::Failure;

impl Hex {
    /// The SCALE encoding of a value.
    #[must_use]
    pub fn of(value: &impl Encode) -> Self {
        Self(value.encode())
    }

    /// So many bytes.
    pub(crate) fn exactly<const LEN: usize>(&self) -> Result<[u8; LEN], Failure> {
        let wrong = || Failure::request(alloc::format!("{LEN} bytes are expected"));
        <[u8; LEN]>::try_from(&*self.0).map_err(|_| wrong())
    }
}

/// A value by its SCALE encoding, as [`Hex`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale<T>(pub T);

impl<T: Encode> Serialize for Scale<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Hex::of(&self.0).serialize(serializer)
    }
}

impl<'de, T: Decode> Deserialize<'de> for Scale<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Hex(bytes) = Hex::deserialize(deserializer)?;
        let value = connect4_protocol::decode_all(&bytes);
        value.map(Self).map_err(Error::custom)
    }
}

/// Amount in the unit that contracts see, as a decimal string: it may be beyond the numbers that
/// JavaScript knows exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(type = "string"))]
pub struct Units(pub u128);

impl Serialize for Units {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Units {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        // A sign parses, but is never written.
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|_| is_plain);
        let number = number.ok_or_else(|| Error::custom("an amount is decimal digits"));
        number.map(Self)
    }
}

/// Defines numbers of games in a contract, each named by its text.
#[cfg(feature = "chain")]
macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident of $kind:ident, else $why:literal)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            #[cfg_attr(test, derive(ts_rs::TS))]
            #[cfg_attr(test, ts(as = "connect4_protocol::GameId"))]
            pub struct $name(pub u32);

            impl From<$name> for u32 {
                fn from($name(number): $name) -> Self {
                    number
                }
            }

            impl<'de> Deserialize<'de> for $name {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    match GameId::deserialize(deserializer)? {
                        GameId::$kind(number) => Ok(Self(number)),
                        _ => Err(Error::custom($why)),
                    }
                }
            }
        )*
    };
}

#[cfg(feature = "chain")]
numbers! {
    /// Number of a game between two accounts: `3`.
    ClassicNumber of Classic, else "the contract of plain games has no variants"
    /// Number of a variant, or its table: `v3`.
    VariantNumber of Variant, else "the contract of the variants has no plain games"
}
