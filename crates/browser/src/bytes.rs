//! Bytes, spelled as a string.

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use connect4_protocol::json::from_text;
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

/// Bytes: `0x` and two hexadecimal digits for each.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(type = "string"))]
pub struct Hex(pub Vec<u8>);

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Hex {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let digits = text.strip_prefix("0x").unwrap_or_default().as_bytes();
        let (pairs, rest) = digits.as_chunks::<2>();
        let value = |digit: u8| char::from(digit).to_digit(16).map(|value| value as u8);
        let byte = |[high, low]: &[u8; 2]| Some(value(*high)?.wrapping_shl(4) | value(*low)?);
        let bytes: Option<Vec<u8>> = pairs.iter().map(byte).collect();
        let is_whole = rest.is_empty() && text.starts_with("0x");
        let bytes = bytes.filter(|_| is_whole);
        bytes
            .map(Self)
            .ok_or("bytes are 0x and two hexadecimal digits for each")
    }
}

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_text(deserializer)
    }
}
