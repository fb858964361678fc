//! What all signatures share: keccak-256, keys of secp256k1, and words of EIP-712.

use core::fmt;

use crate::Address;

/// A keccak-256 hash.
pub type Digest = [u8; 32];

/// Signature with a secp256k1 key: `r`, `s` and `v`, as Ethereum writes it. `v` is 27 or 28.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
pub struct Signature(pub [u8; 65]);

impl Signature {
    /// No signature: zeros, from which no key is recovered.
    pub const NONE: Self = Self([0; 65]);
}

impl Default for Signature {
    fn default() -> Self {
        Self::NONE
    }
}

/// `0x` and 130 hexadecimal digits.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What statements need of cryptography. A contract has it from the chain, a program from a library.
pub trait Crypto {
    /// Keccak-256 of the bytes.
    fn keccak256(&self, bytes: &[u8]) -> Digest;

    /// Ethereum address of the key with which the digest was signed; none if the signature is none.
    fn recover(&self, digest: &Digest, signature: &Signature) -> Option<Address>;
}

/// Key that signs statements, with the cryptography by which its own and other signatures are checked.
pub trait Signing: Crypto {
    /// The Ethereum address of the key.
    fn address(&self) -> Address;

    /// Signs a digest.
    fn sign(&self, digest: &Digest) -> Signature;
}

/// Hash of a text at compile time.
pub(crate) const fn hash_of(text: &str) -> Digest {
    keccak_const::Keccak256::new()
        .update(text.as_bytes())
        .finalize()
}

/// A number as EIP-712 encodes it.
#[inline(never)]
pub(crate) fn word(number: u64) -> Digest {
    let mut word = [0; 32];
    let (_, low) = word.split_at_mut(24);
    low.copy_from_slice(&number.to_be_bytes());
    word
}

/// An address as EIP-712 encodes it.
#[inline(never)]
pub(crate) fn address(address: &Address) -> Digest {
    let mut word = [0; 32];
    let (_, low) = word.split_at_mut(12);
    low.copy_from_slice(&address.0);
    word
}
