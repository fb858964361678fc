//! Session keys of the tests, and wallets that name them.

use connect4_protocol::Address;
#[cfg(feature = "chain")]
use connect4_protocol::signed::wrapped;
use connect4_protocol::signed::{AccountSignature, SessionKey};
#[cfg(feature = "chain")]
use sp_core::Pair as _;

#[cfg(feature = "chain")]
use crate::{Account, address};

/// A session key; each number has another. Everybody knows their secrets.
pub fn session_key(number: u64) -> SessionKey {
    let mut secret = [0x5e; 32];
    secret[..8].copy_from_slice(&number.to_le_bytes());
    SessionKey::from_secret(&secret).expect("a key")
}

/// Who names a session key.
#[derive(Clone, Debug)]
pub enum Wallet {
    /// Nobody: the key is the account.
    Guest,
    Ethereum(SessionKey),
    #[cfg(feature = "chain")]
    Substrate(Account),
}

impl Wallet {
    pub(crate) fn account(&self) -> Option<Address> {
        match self {
            Self::Guest => None,
            Self::Ethereum(key) => Some(key.address()),
            #[cfg(feature = "chain")]
            Self::Substrate(account) => Some(address(*account)),
        }
    }

    pub(crate) fn sign(&self, digest: &[u8; 32]) -> Option<AccountSignature> {
        match self {
            Self::Guest => None,
            Self::Ethereum(key) => Some(AccountSignature::Ethereum(key.sign(digest))),
            #[cfg(feature = "chain")]
            Self::Substrate(account) => {
                let pair = account.pair();
                Some(AccountSignature::Sr25519 {
                    public_key: pair.public().0,
                    signature: pair.sign(&wrapped(digest)).0,
                })
            }
        }
    }
}
