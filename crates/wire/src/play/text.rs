//! Values of games that JSON has no type for, spelled as strings.

use core::fmt;

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::from_text;

/// Defines a value that is a string on the wire: what its `Display` writes and its `FromStr`
/// reads.
macro_rules! strings {
    ($($(#[$meta:meta])* $name:ident($inner:ty);)*) => {
        $(
            $(#[$meta])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            #[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
            #[cfg_attr(feature = "declarations", ts(type = "string"))]
            pub struct $name(pub $inner);

            impl From<$inner> for $name {
                fn from(value: $inner) -> Self {
                    Self(value)
                }
            }

            impl Serialize for $name {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.collect_str(&self.0)
                }
            }
        )*
    };
}

strings! {
    /// Amount in the token's smallest unit, as a decimal string: it may be beyond the numbers that
    /// JavaScript knows exactly.
    Amount(u128);

    /// Deposit for storage in the token's smallest unit, as a decimal string: it is held, not
    /// spent. Negative if one was given back.
    Deposit(i128);

    /// Hash of a block or a transaction: `0x` and 64 hexadecimal digits.
    Hash(Digits);
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_text(deserializer).map(Self)
    }
}

/// All digits of a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits(pub(crate) [u8; 32]);

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Level of a computer opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(pub connect4_opponent::Level);

impl Serialize for Level {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_text(deserializer).map(Self)
    }
}
