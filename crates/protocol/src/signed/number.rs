//! Which game a statement is about.

use core::fmt;
use core::str::FromStr;

use connect4_rules::ParseError;

use super::Digest;

/// Number of a signed game: the digest of its [terms](super::Terms).
///
/// # Examples
///
/// ```
/// use connect4_protocol::signed::GameNumber;
///
/// let number = GameNumber([0xab; 32]);
/// assert_eq!(number.to_string().len(), 66);
/// assert_eq!(number.to_string().parse(), Ok(number));
/// ```
#[derive(
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
pub struct GameNumber(pub Digest);

/// `0x` and 64 hexadecimal digits.
impl fmt::Display for GameNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for GameNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Reads what `Display` writes.
impl FromStr for GameNumber {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let read = text.strip_prefix("0x").and_then(digest).map(Self);
        // Capitals parse, but are never written.
        let is_written = |number: &Self| {
            use alloc::string::ToString as _;
            number.to_string() == text
        };
        read.filter(is_written).ok_or(ParseError::new(
            "the number of a signed game: 0x and the 64 digits of its terms",
        ))
    }
}

fn digest(digits: &str) -> Option<Digest> {
    let (pairs, []) = digits.as_bytes().as_chunks::<2>() else {
        return None;
    };
    let mut digest = Digest::default();
    if pairs.len() != digest.len() {
        return None;
    }
    for (byte, pair) in digest.iter_mut().zip(pairs) {
        *byte = u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(digest)
}
