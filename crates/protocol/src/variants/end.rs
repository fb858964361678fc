//! Ways in which a game of a variant ends.

use core::fmt;
use core::str::FromStr;

use connect4_rules::ParseError;
use connect4_rules::variant::Outcome;

/// How a game of a variant ended.
///
/// # Examples
///
/// ```
/// use connect4_protocol::variants::End;
///
/// assert_eq!(End::LastLeft.to_string(), "as the last player left");
/// assert_eq!("by a line".parse(), Ok(End::Line));
/// ```
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
#[repr(u8)]
pub enum End {
    /// One player has a line, and wins.
    #[codec(index = 0)]
    Line = 0,
    /// All others have left or were late; the last one wins.
    #[codec(index = 1)]
    LastLeft = 1,
    /// The next player has no legal move: a draw.
    #[codec(index = 2)]
    NoMove = 2,
    /// 250 turns were taken: a draw.
    #[codec(index = 3)]
    TurnLimit = 3,
    /// Nobody moved for 30 days, and the storage was freed; the game does not count.
    #[codec(index = 4)]
    Abandoned = 4,
}

impl End {
    /// All ends, each at its number.
    pub const ALL: [Self; 5] = [
        Self::Line,
        Self::LastLeft,
        Self::NoMove,
        Self::TurnLimit,
        Self::Abandoned,
    ];

    const fn phrase(self) -> &'static str {
        match self {
            Self::Line => "by a line",
            Self::LastLeft => "as the last player left",
            Self::NoMove => "without a legal move",
            Self::TurnLimit => "after 250 turns",
            Self::Abandoned => "abandoned",
        }
    }
}

impl From<Outcome> for End {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Line(_) => Self::Line,
            Outcome::LastLeft(_) => Self::LastLeft,
            Outcome::NoMove => Self::NoMove,
            Outcome::TurnLimit => Self::TurnLimit,
        }
    }
}

/// `by a line`, `as the last player left`, `without a legal move`, `after 250 turns`, `abandoned`.
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
