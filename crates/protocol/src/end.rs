//! Ways in which a game ends.

use core::fmt;
use core::str::FromStr;

use connect4_rules::{ParseError, variant};

/// How a game ended: on the board, or otherwise.
///
/// Its encoding is that of the contracts of games between two accounts. The contract of the variants
/// has [another](crate::variants::End), in which the same bytes stand for other ends.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
// Ends of variants are negative: the byte after the largest one stands for no end in the code of the
// contracts, which have the ends of games between two accounts alone.
#[repr(i8)]
pub enum End {
    /// One player has a line, and wins.
    #[codec(index = 0)]
    Line = 0,
    /// The board is full: a draw.
    #[codec(index = 1)]
    #[cfg_attr(feature = "serde", serde(rename = "full board"))]
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
    /// Of variants: all others have left or were late; the last one wins.
    #[codec(skip)]
    #[cfg_attr(feature = "serde", serde(rename = "last left"))]
    LastLeft = -4,
    /// Of variants: the next player has no legal move: a draw.
    #[codec(skip)]
    #[cfg_attr(feature = "serde", serde(rename = "no move"))]
    NoMove = -3,
    /// Of variants: 250 turns were taken: a draw.
    #[codec(skip)]
    #[cfg_attr(feature = "serde", serde(rename = "turn limit"))]
    TurnLimit = -2,
    /// Of variants: nobody moved for 30 days, and the storage was freed; the game does not count.
    #[codec(skip)]
    Abandoned = -1,
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
    /// All ends.
    pub const ALL: [Self; 10] = [
        Self::Line,
        Self::FullBoard,
        Self::Resignation,
        Self::Agreement,
        Self::Timeout,
        Self::Abort,
        Self::LastLeft,
        Self::NoMove,
        Self::TurnLimit,
        Self::Abandoned,
    ];

    /// Whether the game has a result. One that was aborted or abandoned does not count.
    #[must_use]
    pub const fn has_result(self) -> bool {
        !matches!(self, Self::Abort | Self::Abandoned)
    }

    /// Whether the position on the board ended the game, and not what a player did beside it.
    #[must_use]
    pub const fn is_on_the_board(self) -> bool {
        matches!(
            self,
            Self::Line | Self::FullBoard | Self::NoMove | Self::TurnLimit
        )
    }

    const fn phrase(self) -> &'static str {
        match self {
            Self::Line => "by a line",
            Self::FullBoard => "on a full board",
            Self::Resignation => "by resignation",
            Self::Agreement => "by agreement",
            Self::Timeout => "on time",
            Self::Abort => "aborted",
            Self::LastLeft => "as the last player left",
            Self::NoMove => "without a legal move",
            Self::TurnLimit => "after 250 turns",
            Self::Abandoned => "abandoned",
        }
    }
}

impl From<variant::Outcome> for End {
    fn from(outcome: variant::Outcome) -> Self {
        match outcome {
            variant::Outcome::Line(_) => Self::Line,
            variant::Outcome::LastLeft(_) => Self::LastLeft,
            variant::Outcome::NoMove => Self::NoMove,
            variant::Outcome::TurnLimit => Self::TurnLimit,
        }
    }
}

/// `by a line`, `on a full board`, `by resignation`, `by agreement`, `on time`, `aborted`; of variants
/// also `as the last player left`, `without a legal move`, `after 250 turns`, `abandoned`.
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
