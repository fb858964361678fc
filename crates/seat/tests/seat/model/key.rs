//! Cryptography of the model: digests are cheap hashes, and signatures are values that name their signer.

use connect4_protocol::Address;
use connect4_protocol::signed::{AccountCrypto, Crypto, Digest, Signature, Signing};
use connect4_rules::Player;

/// Hash of 128 bits that is quick, the same on every machine, and without collisions as long as nobody
/// looks for them.
pub fn hash(bytes: &[u8]) -> u128 {
    let mut lanes = [0x9e37_79b9_7f4a_7c15_u64, 0xc2b2_ae3d_27d4_eb4f];
    let mut add = |word: u64| {
        lanes[0] = fold(lanes[0].rotate_left(23) ^ word, 0xa076_1d64_78bd_642f);
        lanes[1] = fold(lanes[1].rotate_left(29) ^ word, 0xe703_7ed1_a0b4_28db);
    };
    let words = bytes.chunks_exact(8);
    let rest = words.remainder();
    for word in words {
        add(u64::from_le_bytes(word.try_into().expect("eight bytes")));
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    add(u64::from_le_bytes(last));
    add(bytes.len() as u64);
    u128::from(lanes[0]) << 64 | u128::from(lanes[1])
}

fn fold(one: u64, two: u64) -> u64 {
    let product = u128::from(one) * u128::from(two);
    product as u64 ^ (product >> 64) as u64
}

/// A player's key. What it signs is the address and the digest, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct ModelKey(pub Player);

impl ModelKey {
    /// Where the digest stands in a signature, after the address of the signer.
    const DIGEST: core::ops::Range<usize> = 20..52;
}

impl Crypto for ModelKey {
    fn keccak256(&self, bytes: &[u8]) -> Digest {
        let mut digest = [0; 32];
        digest[..16].copy_from_slice(&hash(bytes).to_le_bytes());
        digest
    }

    fn recover(&self, digest: &Digest, signature: &Signature) -> Option<Address> {
        let signer = signature.0.first_chunk().copied()?;
        (signature.0[Self::DIGEST] == digest[..]).then_some(Address(signer))
    }
}

impl AccountCrypto for ModelKey {
    fn verify_sr25519(&self, _: &[u8; 32], _: &[u8], _: &[u8; 64]) -> bool {
        false
    }
}

impl Signing for ModelKey {
    fn address(&self) -> Address {
        Address(match self.0 {
            Player::One => [1; 20],
            Player::Two => [2; 20],
        })
    }

    fn sign(&self, digest: &Digest) -> Signature {
        signed_by(self.address(), digest)
    }
}

/// The signature of the key with this address.
pub fn signed_by(address: Address, digest: &Digest) -> Signature {
    let mut bytes = [0; 65];
    bytes[..20].copy_from_slice(&address.0);
    bytes[ModelKey::DIGEST].copy_from_slice(digest);
    Signature(bytes)
}
