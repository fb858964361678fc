//! Why a request is not answered.

use alloc::format;
use alloc::string::{String, ToString as _};

use connect4_protocol::Error;
use serde::Serialize;

/// Why a request is not answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Failure {
    /// Name of the reason, for programs: that of an error of the contracts, such as `NotYourTurn`, or
    ///
    /// - `BadRequest`: the request is not one of those that there are, or its values are out of bounds,
    /// - `BadAnswer`: these bytes are no answer to the message,
    /// - `BadPhrase`: these words are not the phrase of an account,
    /// - `OtherForm`: what is signed with a call is not in the order of all chains, or the call is one of another pallet,
    /// - `OtherTerms`, `NotSigned` and the like: what the player of a signed game says,
    /// - `AlreadyOpen`, `NotOpen`: the module plays a game, or none,
    /// - `DamagedRecord`: the record is not as it was written, so that nobody knows what was signed,
    /// - `NoBook`: the position is one of the book of the opening, which the page has not handed in,
    /// - `NotKept`: the page could not write the record,
    /// - `Unwritten`: the page has not said yet what has become of the record that it was to write.
    pub name: String,
    /// The reason, for people.
    pub text: String,
}

impl Failure {
    pub(crate) fn new(name: &str, text: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
        }
    }

    pub(crate) fn request(text: impl Into<String>) -> Self {
        Self::new("BadRequest", text)
    }

    #[cfg(any(feature = "chain", feature = "player"))]
    pub(crate) fn answer(text: impl Into<String>) -> Self {
        Self::new("BadAnswer", text)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::new(&format!("{error:?}"), error.to_string())
    }
}
