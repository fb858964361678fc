//! Challenges that are signed and not sent to the chain: a fast game without a stake then starts with
//! one transaction.

use super::domain::{address, hash_of, word};
use super::{AccountCrypto, AccountSignature, Crypto, Digest, Domain};
use crate::{Challenge, Error};

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
        let signer = self.signature.signer(&digest, crypto);
        if signer == Some(self.challenge.challenger) {
            Ok(())
        } else {
            Err(Error::BadSignature)
        }
    }
}
