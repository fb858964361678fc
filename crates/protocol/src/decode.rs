//! Hashes and bytes at the boundary between contracts and clients.

use codec::Decode;
use sp_crypto_hashing::blake2_256;

/// The selector of a message or constructor: the first 4 bytes of the BLAKE2b-256 hash of its
/// name.
#[must_use]
pub fn selector(name: &str) -> [u8; 4] {
    let [a, b, c, d, ..] = blake2_256(name.as_bytes());
    [a, b, c, d]
}

/// The first topic of the event with this declaration.
#[must_use]
pub fn topic(declaration: &str) -> [u8; 32] {
    blake2_256(declaration.as_bytes())
}

/// Decodes a value from exactly these bytes.
///
/// # Errors
///
/// Returned if the bytes are not the encoding of a `T`, or longer than one.
pub fn decode_all<T: Decode>(bytes: &[u8]) -> Result<T, codec::Error> {
    codec::DecodeAll::decode_all(&mut &bytes[..])
}
