//! Signatures of accounts, and the session keys that accounts name by them.

use super::crypto::{address, hash_of, word};
use super::{Crypto, Digest, Domain, Signature};
use crate::Address;

/// Signature of an account, which proves its address to a contract.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
pub enum AccountSignature {
    /// By an account of Ethereum.
    #[codec(index = 0)]
    Ethereum(Signature),
    /// By an account with an sr25519 key, as Substrate has them.
    #[codec(index = 1)]
    Sr25519 {
        /// The public key, of which the address is made.
        public_key: [u8; 32],
        /// Signature on [`wrapped`] digest.
        signature: [u8; 64],
    },
}

/// The digest as wallets of Substrate sign bytes, so that no signature on them is one on a transaction.
#[must_use]
pub fn wrapped(digest: &Digest) -> [u8; 47] {
    let mut bytes = *b"<Bytes>                                </Bytes>";
    if let Some(inside) = bytes.get_mut(7..39) {
        inside.copy_from_slice(digest);
    }
    bytes
}

/// What the signatures of accounts need of cryptography, besides [`Crypto`].
pub trait AccountCrypto: Crypto {
    /// Whether the sr25519 signature is by this key on these bytes, in the context `substrate`.
    fn verify_sr25519(&self, public_key: &[u8; 32], bytes: &[u8], signature: &[u8; 64]) -> bool;
}

impl AccountSignature {
    /// The account by which the digest was signed; none if the signature is none.
    #[must_use]
    pub fn signer(&self, digest: &Digest, crypto: &impl AccountCrypto) -> Option<Address> {
        match self {
            Self::Ethereum(signature) => crypto.recover(digest, signature),
            Self::Sr25519 {
                public_key,
                signature,
            } => crypto
                .verify_sr25519(public_key, &wrapped(digest), signature)
                .then(|| Address::of_hash(&crypto.keccak256(public_key))),
        }
    }
}

/// Key that an account names for its signed games, for a time: so a wallet
/// is asked once for a visit. The struct of EIP-712 that the account signs:
///
/// ```text
/// Session(address account,address key,uint64 until)
/// ```
///
/// It is for games whose terms have a [time](super::Terms::time) of at most `until`, however long they
/// last.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
pub struct Session {
    /// The account.
    pub account: Address,
    /// Address of its session key.
    pub key: Address,
    /// Last second of the time of terms for which it is, since 1970.
    pub until: u64,
}

const SESSION_TYPE: Digest = hash_of("Session(address account,address key,uint64 until)");

impl Session {
    /// The digest that the account signs.
    #[must_use]
    pub fn digest(&self, domain: &Domain, crypto: &impl Crypto) -> Digest {
        domain.digest(crypto, &self.hash(crypto))
    }

    /// Hash of the struct, of which each domain makes its digest.
    #[must_use]
    pub fn hash(&self, crypto: &impl Crypto) -> Digest {
        let words = [
            SESSION_TYPE,
            address(&self.account),
            address(&self.key),
            word(self.until),
        ];
        crypto.keccak256(words.as_flattened())
    }
}

/// What an account has signed about its session key: a [`Session`] without the account and the key, which
/// stand in the terms.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
pub struct SignedSession {
    /// Last second of the time of terms for which it is, since 1970.
    pub until: u64,
    /// Signature of the account.
    pub signature: AccountSignature,
}
