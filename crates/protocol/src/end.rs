//! Ways in which a game between two accounts ends.

use core::fmt;
use core::str::FromStr;

use connect4_rules::ParseError;

/// How a game between two accounts ended: on the board, or otherwise.
///
/// # Examples
///
/// ```
/// use connect4_protocol::End;
///
/// assert_eq!(End::Timeout.to_string(), "on time");
/// assert_eq!("on time".parse(), Ok(End::Timeout));
/// ```
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
#[repr(u8)]
pub enum End {
    /// One player has a line, and wins.
    #[codec(index = 0)]
    Line = 0,
    /// The board is full: a draw.
    #[codec(index = 1)]
    FullBoard = 1,
    /// A player resigned; the opponent wins.
    #[codec(index = 2)]
    Resignation = 2,
    /// The players agreed on a draw.
    #[codec(index = 3)]
    Agreement = 3,
    /// A player's time ran out after both had moved; the opponent wins.
    #[codec(index = 4)]
    Timeout = 4,
    /// A player's time ran out before both had moved; the game does not count.
    #[codec(index = 5)]
    Abort = 5,
}

/// As derived code would write it, but without a branch for each variant, which a contract pays
/// for.
impl codec::Encode for End {
    fn encode_to<T: codec::Output + ?Sized>(&self, dest: &mut T) {
        dest.push_byte(*self as u8);
    }
}

impl codec::EncodeLike for End {}

impl End {
    /// All ends, each at its number.
    pub const ALL: [Self; 6] = [
        Self::Line,
        Self::FullBoard,
        Self::Resignation,
        Self::Agreement,
        Self::Timeout,
        Self::Abort,
    ];

    const fn phrase(self) -> &'static str {
        match self {
            Self::Line => "by a line",
            Self::FullBoard => "on a full board",
            Self::Resignation => "by resignation",
            Self::Agreement => "by agreement",
            Self::Timeout => "on time",
            Self::Abort => "aborted",
        }
    }
}

/// `by a line`, `on a full board`, `by resignation`, `by agreement`, `on time`, `aborted`.
impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.phrase())
    }
}

/// Reads what `Display` writes.
impl FromStr for End {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::ALL
            .into_iter()
            .find(|end| end.phrase() == text)
            .ok_or(ParseError::new("an end of a game, such as \"by a line\""))
    }
}
