//! Values of games that JSON has no type for, spelled as strings.

use core::fmt;

use connect4_protocol::json::from_text;
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

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
#[cfg(feature = "play")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(pub connect4_opponent::Level);

#[cfg(feature = "play")]
impl Serialize for Level {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

#[cfg(feature = "play")]
impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_text(deserializer).map(Self)
    }
}

/// The declarations of the names that other crates list.
#[cfg(all(feature = "declarations", feature = "play"))]
mod declared {
    use super::Level;

    /// Declares a type as one of these strings.
    macro_rules! one_of {
        ($name:ident, $docs:literal, $texts:expr) => {
            impl ts_rs::TS for $name {
                type WithoutGenerics = Self;
                type OptionInnerType = Self;

                fn docs() -> Option<String> {
                    Some(concat!("/**\n * ", $docs, "\n */\n").into())
                }

                fn name(_: &ts_rs::Config) -> String {
                    stringify!($name).into()
                }

                fn inline(_: &ts_rs::Config) -> String {
                    $texts
                        .into_iter()
                        .map(|text| format!("\"{text}\""))
                        .collect::<Vec<_>>()
                        .join(" | ")
                }

                fn decl(cfg: &ts_rs::Config) -> String {
                    format!("type {} = {};", Self::name(cfg), Self::inline(cfg))
                }

                fn decl_concrete(cfg: &ts_rs::Config) -> String {
                    Self::decl(cfg)
                }

                fn output_path() -> Option<std::path::PathBuf> {
                    Some(concat!(stringify!($name), ".ts").into())
                }
            }
        };
    }

    #[cfg(feature = "program")]
    pub(crate) use one_of;

    one_of!(
        Level,
        "Level of a computer opponent.",
        connect4_opponent::Level::ALL.map(connect4_opponent::Level::name)
    );
}

#[cfg(all(feature = "declarations", feature = "program"))]
pub(crate) use declared::one_of;
