//! The coin that decides the colours of a game, so that neither player can choose them alone.
//!
//! An offer has the [commitment] to a secret. The taker signs the terms for both colours, with a random
//! [nonce](super::Terms::nonce). The player who offers signs those that [`offerer_is_first`] gives, and shows the secret
//! by it. The taker has chosen the nonce without the secret, and the player who offers the secret before the nonce.

use super::{Crypto, Digest};

/// What is shown of a secret before the colours are decided.
#[must_use]
pub fn commitment(secret: &[u8; 32], crypto: &impl Crypto) -> Digest {
    crypto.keccak256(secret)
}

/// Whether the player who offers is the one who moves first, by its secret and the nonce of the taker: the last bit of
/// the hash of both is 0.
#[must_use]
pub fn offerer_is_first(secret: &[u8; 32], nonce: u32, crypto: &impl Crypto) -> bool {
    let mut bytes = [0; 36];
    let (first, last) = bytes.split_at_mut(32);
    first.copy_from_slice(secret);
    last.copy_from_slice(&nonce.to_be_bytes());
    let [.., last] = crypto.keccak256(&bytes);
    last & 1 == 0
}
