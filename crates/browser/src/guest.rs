//! The account of a guest.

use alloc::string::{String, ToString as _};

use connect4_protocol::Address;
use connect4_seat::Phrase;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::values::Hex;

/// What a guest's account is made of.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum GuestSource {
    /// 16 random bytes: a new one.
    Random(Hex),
    /// The words of a phrase.
    Words(String),
}

/// The account of a guest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GuestAccount {
    /// The words of its phrase, with a space between two.
    pub phrase: String,
    /// The path of BIP-32 at which wallets derive its key from the phrase.
    pub path: String,
    /// Secret of the key, of 32 bytes.
    pub secret: Hex,
    /// Its address.
    pub address: Address,
}

pub(crate) fn account(source: GuestSource) -> Result<GuestAccount, Failure> {
    let phrase = match source {
        GuestSource::Random(bytes) => Phrase::from_random(&bytes.exactly()?)
            .ok_or_else(|| Failure::request("these bytes are no key"))?,
        GuestSource::Words(words) => {
            words.parse().map_err(|error: connect4_seat::PhraseError| {
                Failure::new("BadPhrase", error.to_string())
            })?
        }
    };
    let key = phrase.key();
    Ok(GuestAccount {
        phrase: phrase.to_string(),
        path: Phrase::PATH.into(),
        secret: Hex(key.secret().into()),
        address: key.address(),
    })
}
