//! Session keys, and the cryptography of programs.

use core::fmt;

use k256::ecdsa::{RecoveryId, SigningKey, VerifyingKey};

use super::{AccountCrypto, Crypto, Digest, Signature, Signing};
use crate::Address;

/// Cryptography by libraries, outside a contract.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Native;

impl Crypto for Native {
    fn keccak256(&self, bytes: &[u8]) -> Digest {
        sp_crypto_hashing::keccak_256(bytes)
    }

    fn recover(&self, digest: &Digest, Signature(bytes): &Signature) -> Option<Address> {
        let (v, rs) = bytes.split_last()?;
        let recovery = RecoveryId::from_byte(v.checked_sub(27)?)?;
        // The precompile takes 27 and 28 alone.
        if recovery.is_x_reduced() {
            return None;
        }
        let signature = k256::ecdsa::Signature::from_slice(rs).ok()?;
        // The precompile takes both of the two values of s that fit, k256 the low one alone: that with
        // the other parity of the point.
        let (signature, recovery) = match signature.normalize_s() {
            Some(low) => (low, RecoveryId::new(!recovery.is_y_odd(), false)),
            None => (signature, recovery),
        };
        let key = VerifyingKey::recover_from_prehash(digest, &signature, recovery).ok()?;
        Some(address_of(&key))
    }
}

impl AccountCrypto for Native {
    fn verify_sr25519(&self, public_key: &[u8; 32], bytes: &[u8], signature: &[u8; 64]) -> bool {
        let key = schnorrkel::PublicKey::from_bytes(public_key);
        let signature = schnorrkel::Signature::from_bytes(signature);
        match (key, signature) {
            (Ok(key), Ok(signature)) => key.verify_simple(b"substrate", bytes, &signature).is_ok(),
            _ => false,
        }
    }
}

/// A secp256k1 key that signs the statements of one player in one game.
#[derive(Clone)]
pub struct SessionKey(SigningKey);

impl SessionKey {
    /// The key with this secret; none if it is zero or not below the order of the curve, which a
    /// random secret is not.
    #[must_use]
    pub fn from_secret(secret: &[u8; 32]) -> Option<Self> {
        SigningKey::from_slice(secret).ok().map(Self)
    }

    /// The secret.
    #[must_use]
    pub fn secret(&self) -> [u8; 32] {
        self.0.to_bytes().into()
    }

    /// The Ethereum address of the key.
    #[must_use]
    pub fn address(&self) -> Address {
        address_of(self.0.verifying_key())
    }

    /// Signs a digest. The same digest has the same signature (RFC 6979).
    ///
    /// # Panics
    ///
    /// Never: no digest is known for which it would, and finding one is as hard as breaking the key.
    #[must_use]
    pub fn sign(&self, digest: &Digest) -> Signature {
        let (signature, recovery) = self
            .0
            .sign_prehash_recoverable(digest)
            .expect("a digest of 32 bytes is signed");
        let mut bytes = [0; 65];
        let (rs, v) = bytes.split_at_mut(64);
        rs.copy_from_slice(&signature.to_bytes());
        v.fill(recovery.to_byte().wrapping_add(27));
        Signature(bytes)
    }
}

/// Checks signatures as [`Native`] does.
impl Crypto for SessionKey {
    fn keccak256(&self, bytes: &[u8]) -> Digest {
        Native.keccak256(bytes)
    }

    fn recover(&self, digest: &Digest, signature: &Signature) -> Option<Address> {
        Native.recover(digest, signature)
    }
}

impl AccountCrypto for SessionKey {
    fn verify_sr25519(&self, public_key: &[u8; 32], bytes: &[u8], signature: &[u8; 64]) -> bool {
        Native.verify_sr25519(public_key, bytes, signature)
    }
}

impl Signing for SessionKey {
    fn address(&self) -> Address {
        self.address()
    }

    fn sign(&self, digest: &Digest) -> Signature {
        self.sign(digest)
    }
}

/// Its address, and not the secret.
impl fmt::Debug for SessionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SessionKey({})", self.address())
    }
}

fn address_of(key: &VerifyingKey) -> Address {
    let point = key.to_encoded_point(false);
    // Without the tag of an uncompressed point.
    let hash = sp_crypto_hashing::keccak_256(point.as_bytes().get(1..).unwrap_or_default());
    Address::of_hash(&hash)
}
