//! What a relay's refusal means.

use alloc::borrow::Cow;
use alloc::format;

use connect4_protocol::signed::relay::Refusal;

/// Why a relay does not take what was sent, in words that follow the relay's name.
#[must_use]
pub fn why_refused(refusal: Refusal) -> Cow<'static, str> {
    Cow::Borrowed(match refusal {
        Refusal::NoSuchGame => "it sees no such game on its chain",
        Refusal::ChainUnreachable => "it cannot reach the chain",
        Refusal::Full => "it has no place for more",
        Refusal::BadMessage => "it does not understand this program",
        Refusal::TooMany => "too many messages were sent",
        Refusal::Invalid(error) => {
            return Cow::Owned(format!("it refuses what was sent: {error}"));
        }
        Refusal::OtherPosition => "it holds another position",
        Refusal::Replaced => "the player is connected elsewhere",
        Refusal::OtherPool => {
            "the game that is sought is none of its pool: seek in another one, or in none"
        }
        _ => "it refuses",
    })
}
