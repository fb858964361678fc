//! How the contract is spoken to: selectors and SCALE.

use codec::{Decode, Encode};
use sp_crypto_hashing::blake2_256;

/// The first 4 bytes of the BLAKE2b-256 hash of a message's or constructor's name.
#[must_use]
pub fn selector(name: &str) -> [u8; 4] {
    let hash = blake2_256(name.as_bytes());
    [hash[0], hash[1], hash[2], hash[3]]
}

/// The input of a call: the selector, then the arguments.
pub(crate) fn input(name: &str, arguments: impl Encode) -> Vec<u8> {
    let mut input = selector(name).to_vec();
    arguments.encode_to(&mut input);
    input
}

/// What ink! itself answers when it cannot read a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub(crate) enum LangError {
    /// No such message, or arguments of other types.
    #[codec(index = 1)]
    CouldNotReadInput,
}

/// The output of a message.
pub(crate) type Output<T> = Result<T, LangError>;

/// A value that takes all of the bytes.
pub(crate) fn decode_all<T: Decode>(mut bytes: &[u8]) -> Result<T, String> {
    // Its lines go from the outermost type to what was wrong.
    let value = T::decode(&mut bytes).map_err(|error| {
        let error = error.to_string();
        let innermost = error.lines().rfind(|line| !line.trim().is_empty());
        innermost.unwrap_or("no value").trim().to_owned()
    })?;
    if bytes.is_empty() {
        Ok(value)
    } else {
        Err(format!("{} bytes too many", bytes.len()))
    }
}
