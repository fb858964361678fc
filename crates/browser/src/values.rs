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

/// Number of a game between two accounts in its contract, named by its text: `3`.
#[cfg(feature = "chain")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(as = "connect4_protocol::GameId"))]
pub struct ClassicNumber(pub u32);

#[cfg(feature = "chain")]
impl From<ClassicNumber> for u32 {
    fn from(ClassicNumber(number): ClassicNumber) -> Self {
        number
    }
}

#[cfg(feature = "chain")]
impl<'de> Deserialize<'de> for ClassicNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = GameId::deserialize(deserializer)?;
        match id {
            GameId::Classic(number) => Ok(Self(number)),
            _ => Err(Error::custom(
                "the page calls the contract of plain games alone",
            )),
        }
    }
}
