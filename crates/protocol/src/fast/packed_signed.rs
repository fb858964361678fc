//! Signed terms and sessions as a contract takes them: bytes at fixed places.

use connect4_rules::Player;

use super::{
    AccountCrypto, AccountSignature, Digest, Domain, FastGame, GameNumber, PackedTerms, Signature,
    SignedSession, SignedTerms,
};
use crate::{Address, Error};

/// What an account has signed about its session key: the last second as a big-endian number of 8 bytes;
/// [what kind](Self::ETHEREUM) of signature, in one byte; and 96 bytes, of which a signature of Ethereum
/// takes the first 65, while one of sr25519 has the public key before it.
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
pub struct PackedSession(pub [u8; Self::LEN]);

impl PackedSession {
    /// Bytes.
    pub const LEN: usize = 105;
    /// No signature: of a guest.
    pub const NONE: u8 = 0;
    /// By an account of Ethereum.
    pub const ETHEREUM: u8 = 1;
    /// By an account with an sr25519 key.
    pub const SR25519: u8 = 2;

    pub(super) fn put(&mut self, kind: u8, until: u64, parts: &[&[u8]]) {
        self.0[..8].copy_from_slice(&until.to_be_bytes());
        self.0[8] = kind;
        let mut at = 9_usize;
        for part in parts {
            let end = at.wrapping_add(part.len());
            self.0[at..end].copy_from_slice(part);
            at = end;
        }
    }

    pub(super) fn until(&self) -> u64 {
        let mut until = [0; 8];
        until.copy_from_slice(&self.0[..8]);
        u64::from_be_bytes(until)
    }

    /// The account by which the digest was signed; none if the signature is none.
    pub(super) fn signer(&self, digest: &Digest, crypto: &impl AccountCrypto) -> Option<Address> {
        let (kind, bytes) = self.0[8..].split_first()?;
        match *kind {
            Self::ETHEREUM => crypto.recover(digest, &Signature(*bytes.first_chunk()?)),
            Self::SR25519 => {
                let (public_key, signature) = bytes.split_first_chunk()?;
                let wrapped = super::wrapped(digest);
                crypto
                    .verify_sr25519(public_key, &wrapped, signature.first_chunk()?)
                    .then(|| Address::of_hash(&crypto.keccak256(public_key)))
            }
            _ => None,
        }
    }
}

impl From<&Option<SignedSession>> for PackedSession {
    fn from(signed: &Option<SignedSession>) -> Self {
        let mut packed = Self([0; Self::LEN]);
        if let Some(SignedSession { until, signature }) = signed {
            match signature {
                AccountSignature::Ethereum(Signature(signature)) => {
                    packed.put(Self::ETHEREUM, *until, &[signature]);
                }
                AccountSignature::Sr25519 {
                    public_key,
                    signature,
                } => packed.put(Self::SR25519, *until, &[public_key, signature]),
            }
        }
        packed
    }
}

/// [`SignedTerms`] for a contract: the terms, the signature of each player on them, and the session of each.
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
pub struct PackedSigned(pub [u8; Self::LEN]);

impl PackedSigned {
    /// Bytes.
    pub const LEN: usize = PackedTerms::LEN + 2 * 65 + 2 * PackedSession::LEN;

    /// The terms.
    #[must_use]
    pub fn terms(&self) -> PackedTerms {
        PackedTerms(self.part(0))
    }

    /// The game at its start, as [`SignedTerms::start`].
    ///
    /// # Errors
    ///
    /// As [`SignedTerms::start`].
    pub fn start(
        &self,
        payer: Address,
        domain: &Domain,
        crypto: &impl AccountCrypto,
    ) -> Result<FastGame, Error> {
        let terms = self.terms();
        let number = GameNumber(terms.digest(domain, crypto));
        let game = terms.start(number, payer)?;
        for player in Player::ALL {
            let place = player as usize;
            let signature = Signature(self.part(PackedTerms::LEN + 65 * place));
            if crypto.recover(&number.0, &signature) != Some(*game.keys.get(player)) {
                return Err(Error::BadSignature);
            }
            let session = self.part(PackedTerms::LEN + 2 * 65 + PackedSession::LEN * place);
            terms.check_session(player, &PackedSession(session), domain, crypto)?;
        }
        Ok(game)
    }

    fn part<const LEN: usize>(&self, at: usize) -> [u8; LEN] {
        let mut part = [0; LEN];
        part.copy_from_slice(&self.0[at..at.wrapping_add(LEN)]);
        part
    }
}

impl From<&SignedTerms> for PackedSigned {
    fn from(signed: &SignedTerms) -> Self {
        let SignedTerms {
            terms,
            sessions,
            signatures,
        } = signed;
        let mut packed = [0; Self::LEN];
        let (of_terms, rest) = packed.split_at_mut(PackedTerms::LEN);
        let (of_signatures, of_sessions) = rest.split_at_mut(2 * 65);
        of_terms.copy_from_slice(&PackedTerms::from(terms).0);
        let (both, _) = of_signatures.as_chunks_mut::<65>();
        for (place, player) in both.iter_mut().zip(Player::ALL) {
            *place = signatures.get(player).0;
        }
        let (both, _) = of_sessions.as_chunks_mut::<{ PackedSession::LEN }>();
        for (place, player) in both.iter_mut().zip(Player::ALL) {
            *place = PackedSession::from(sessions.get(player)).0;
        }
        Self(packed)
    }
}
