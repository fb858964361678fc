//! Challenges that are signed and not sent to the chain: a fast game without a stake then starts with
//! one transaction.

use super::domain::{address, hash_of, word};
use super::{Crypto, Digest, Domain, Signature};
use crate::{Address, Challenge, Error};

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

/// A challenge to a fast game without a stake, signed by the account that makes it.
///
/// It names who may accept it and until when. The struct of EIP-712 that is signed, in which a bank of
/// 0 is no clock:
///
/// ```text
/// Challenge(address challenger,address opponent,bool challengerFirst,uint8 bins,uint8 capacity,
///     uint8 line,uint32 bank,uint32 increment,uint64 expires,address key)
/// ```
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
pub struct SignedChallenge {
    /// The challenge.
    pub challenge: Challenge,
    /// Signature of the challenger's account.
    pub signature: AccountSignature,
}

const CHALLENGE_TYPE: Digest = hash_of(
    "Challenge(address challenger,address opponent,bool challengerFirst,uint8 bins,uint8 capacity,\
     uint8 line,uint32 bank,uint32 increment,uint64 expires,address key)",
);

impl SignedChallenge {
    /// The digest that the account of the challenger signs.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::BadKey`] if it is not to a fast game,
    /// 2. [`Error::WrongStake`] if it has a stake, which nobody has paid in,
    /// 3. [`Error::NotChallenged`] if it is to anyone: each who saw it could start a game by it,
    /// 4. [`Error::ChallengeExpired`] if it never expires.
    pub fn digest(
        challenge: &Challenge,
        domain: &Domain,
        crypto: &impl Crypto,
    ) -> Result<Digest, Error> {
        let terms = challenge.terms;
        let key = challenge.key.ok_or(Error::BadKey)?;
        if terms.stake != 0 {
            return Err(Error::WrongStake);
        }
        let opponent = challenge.opponent.ok_or(Error::NotChallenged)?;
        let expires = challenge.expires.ok_or(Error::ChallengeExpired)?;
        let (bank, increment) = terms
            .clock
            .map_or((0, 0), |clock| (clock.bank, clock.increment));
        let words = [
            CHALLENGE_TYPE,
            address(&challenge.challenger),
            address(&opponent),
            word(challenge.challenger_first.into()),
            word(terms.shape.bins.into()),
            word(terms.shape.capacity.into()),
            word(terms.shape.line.into()),
            word(bank.into()),
            word(increment.into()),
            word(expires),
            address(&key),
        ];
        Ok(domain.digest(crypto, &crypto.keccak256(words.as_flattened())))
    }

    /// Checks the signature.
    ///
    /// # Errors
    ///
    /// 1. The errors of [`Self::digest`],
    /// 2. [`Error::BadSignature`] if the signature is not by the challenger.
    pub fn check(&self, domain: &Domain, crypto: &impl AccountCrypto) -> Result<(), Error> {
        let digest = Self::digest(&self.challenge, domain, crypto)?;
        let signer = match &self.signature {
            AccountSignature::Ethereum(signature) => crypto.recover(&digest, signature),
            AccountSignature::Sr25519 {
                public_key,
                signature,
            } => crypto
                .verify_sr25519(public_key, &wrapped(&digest), signature)
                .then(|| Address::of_hash(&crypto.keccak256(public_key))),
        };
        if signer == Some(self.challenge.challenger) {
            Ok(())
        } else {
            Err(Error::BadSignature)
        }
    }
}
