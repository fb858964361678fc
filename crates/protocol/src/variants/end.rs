//! Encoding of the ends of games in the contract of the variants.

use connect4_rules::variant::Outcome;

/// An end as the contract of the variants encodes it, in which its byte stands for another end than
/// in the other contracts. Everything else uses [`crate::End`], which this converts into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, codec::Encode, codec::Decode, scale_info::TypeInfo)]
#[repr(u8)]
pub enum End {
    /// [`crate::End::Line`].
    #[codec(index = 0)]
    Line = 0,
    /// [`crate::End::LastLeft`].
    #[codec(index = 1)]
    LastLeft = 1,
    /// [`crate::End::NoMove`].
    #[codec(index = 2)]
    NoMove = 2,
    /// [`crate::End::TurnLimit`].
    #[codec(index = 3)]
    TurnLimit = 3,
    /// [`crate::End::Abandoned`].
    #[codec(index = 4)]
    Abandoned = 4,
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

impl From<End> for crate::End {
    fn from(end: End) -> Self {
        match end {
            End::Line => Self::Line,
            End::LastLeft => Self::LastLeft,
            End::NoMove => Self::NoMove,
            End::TurnLimit => Self::TurnLimit,
            End::Abandoned => Self::Abandoned,
        }
    }
}

/// Ends of games between two accounts compare as well: they are none of these.
impl PartialEq<crate::End> for End {
    fn eq(&self, other: &crate::End) -> bool {
        crate::End::from(*self) == *other
    }
}
