//! What an account signs about its session key.

use connect4_protocol::Address;
use connect4_protocol::signed::{
    AccountSignature, Digest, Domain, Native, Session, Signature, SignedSession, wrapped,
};

use crate::accounts::account::{Pair, Signer};

impl Signer {
    /// A session of this account in signed games without a stake, whose terms are no later than `until`, in seconds
    /// since 1970.
    #[must_use]
    pub fn sign_session(&self, key: Address, until: u64, domain: &Domain) -> SignedSession {
        let hash = self.session(key, until).hash(&Native);
        self.sign_digest(until, &domain.digest(&Native, &hash))
    }

    fn session(&self, key: Address, until: u64) -> Session {
        Session {
            account: self.address(),
            key,
            until,
        }
    }

    fn sign_digest(&self, until: u64, digest: &Digest) -> SignedSession {
        let signature = match self.pair() {
            Pair::Sr25519(pair) => AccountSignature::Sr25519 {
                public_key: pair.public_key().0,
                signature: pair.sign(&wrapped(digest)).0,
            },
            Pair::Ethereum(pair) => {
                let mut bytes = pair.sign_prehashed(digest).0;
                // As Ethereum writes it, and not as the curve does: 27 or 28.
                if let Some(v) = bytes.last_mut() {
                    *v = v.wrapping_add(27);
                }
                AccountSignature::Ethereum(Signature(bytes))
            }
        };
        SignedSession { until, signature }
    }
}
