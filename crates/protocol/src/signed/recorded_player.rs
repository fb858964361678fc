//! Players of games that are recorded.

use super::{AccountCrypto, AccountSignature, Party, Signature, SignedSession};
use crate::Address;

/// A player of a recorded game.
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
pub enum RecordedPlayer {
    /// An account that is its own session key.
    #[codec(index = 0)]
    Guest(Address),
    /// An account of Ethereum with a session key.
    #[codec(index = 1)]
    Ethereum {
        /// The account.
        account: Address,
        /// Address of its session key.
        key: Address,
        /// Last second of the time of terms for which the key is.
        until: u64,
        /// Signature of the account on the [session](super::Session).
        signature: Signature,
    },
    /// An account with an sr25519 key, of which its address is made.
    #[codec(index = 2)]
    Sr25519 {
        /// Address of its session key.
        key: Address,
        /// Last second of the time of terms for which the key is.
        until: u64,
        /// The public key.
        public_key: [u8; 32],
        /// Signature of the account on the [session](super::Session), in the bytes that wallets put around
        /// it.
        signature: [u8; 64],
    },
}

impl RecordedPlayer {
    /// A player of terms; none if the session of an account is missing.
    #[must_use]
    pub fn of(party: Party, session: Option<SignedSession>) -> Option<Self> {
        let (account, key) = match party {
            Party::Guest(account) => return Some(Self::Guest(account)),
            Party::Account { account, key } => (account, key),
        };
        let SignedSession { until, signature } = session?;
        Some(match signature {
            AccountSignature::Ethereum(signature) => Self::Ethereum {
                account,
                key,
                until,
                signature,
            },
            AccountSignature::Sr25519 {
                public_key,
                signature,
            } => Self::Sr25519 {
                key,
                until,
                public_key,
                signature,
            },
        })
    }

    /// The account with its session key.
    #[must_use]
    pub fn party(&self, crypto: &impl AccountCrypto) -> Party {
        match self {
            Self::Guest(account) => Party::Guest(*account),
            Self::Ethereum { account, key, .. } => Party::new(*account, *key),
            Self::Sr25519 {
                key, public_key, ..
            } => Party::new(Address::of_hash(&crypto.keccak256(public_key)), *key),
        }
    }

    /// What the account has signed about its session key; none of a guest.
    #[must_use]
    pub const fn signed_session(&self) -> Option<SignedSession> {
        let (until, signature) = match *self {
            Self::Guest(_) => return None,
            Self::Ethereum {
                until, signature, ..
            } => (until, AccountSignature::Ethereum(signature)),
            Self::Sr25519 {
                until,
                public_key,
                signature,
                ..
            } => {
                let signature = AccountSignature::Sr25519 {
                    public_key,
                    signature,
                };
                (until, signature)
            }
        };
        Some(SignedSession { until, signature })
    }
}
