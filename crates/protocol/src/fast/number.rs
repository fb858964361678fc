//! Which game a statement is about.

use core::fmt;
use core::str::FromStr;

use connect4_rules::ParseError;

use super::domain::word;
use super::{Digest, FIRST};

/// Number of a game in statements, of 256 bits: of a game that began on the chain its number there, of one
/// by [signed terms](super::GameTerms) the digest of its terms.
///
/// # Examples
///
/// ```
/// use connect4_protocol::fast::{FIRST, GameNumber};
///
/// let on_chain = GameNumber::from(FIRST + 3);
/// assert_eq!(on_chain.on_chain(), Some(FIRST + 3));
/// assert_eq!(on_chain.to_string(), "2147483651");
/// assert_eq!("2147483651".parse(), Ok(on_chain));
///
/// let by_terms = GameNumber([0xab; 32]);
/// assert_eq!(by_terms.on_chain(), None);
/// assert_eq!(by_terms.to_string().len(), 66);
/// assert_eq!(by_terms.to_string().parse(), Ok(by_terms));
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

impl GameNumber {
    /// The number of the game on the chain; none if the game is one by signed terms. (No terms are known
    /// whose digest is so small a number, and none can be found.)
    #[must_use]
    pub fn on_chain(self) -> Option<u32> {
        let (high, low) = self.0.split_last_chunk()?;
        let is_small = high.iter().all(|byte| *byte == 0);
        is_small.then(|| u32::from_be_bytes(*low))
    }
}

impl From<u32> for GameNumber {
    fn from(number: u32) -> Self {
        Self(word(number.into()))
    }
}

/// The number on the chain; `0x` and 64 hexadecimal digits for a game by signed terms.
impl fmt::Display for GameNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(number) = self.on_chain() {
            return write!(f, "{number}");
        }
        f.write_str("0x")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for GameNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Reads what `Display` writes of a fast game.
impl FromStr for GameNumber {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = ParseError::new(
            "the number of a fast game, such as 2147483651, or 0x and the 64 digits of its terms",
        );
        let read = match text.strip_prefix("0x") {
            None => text
                .parse()
                .ok()
                .filter(|number: &u32| *number >= FIRST)
                .map(Self::from),
            Some(digits) => digest(digits).map(Self),
        };
        // Signs, leading zeros and capitals parse, but are never written.
        read.filter(|number| number.is_written(text)).ok_or(error)
    }
}

impl GameNumber {
    fn is_written(self, text: &str) -> bool {
        use alloc::string::ToString as _;
        self.to_string() == text
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
