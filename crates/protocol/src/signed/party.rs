//! A player, with the key that signs.

use codec::{Decode, Encode, EncodeLike, Input, MaxEncodedLen};

use crate::Address;

/// A player of a signed game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Party {
    /// An account that is its own session key.
    Guest(Address),
    /// An account that has named a session key, which is not the account itself.
    Account {
        /// The account.
        account: Address,
        /// Address of its session key.
        key: Address,
    },
}

impl Party {
    /// That of an account which signs by this key.
    #[must_use]
    pub fn new(account: Address, key: Address) -> Self {
        if account == key {
            Self::Guest(account)
        } else {
            Self::Account { account, key }
        }
    }

    /// The account.
    #[must_use]
    pub const fn account(&self) -> Address {
        match self {
            Self::Guest(account) | Self::Account { account, .. } => *account,
        }
    }

    /// Address of the key that signs.
    #[must_use]
    pub const fn key(&self) -> Address {
        match self {
            Self::Guest(key) | Self::Account { key, .. } => *key,
        }
    }
}

/// The account, then its key: 40 bytes, one form for each party.
impl Encode for Party {
    fn encode_to<O: codec::Output + ?Sized>(&self, dest: &mut O) {
        (self.account(), self.key()).encode_to(dest);
    }
}

impl EncodeLike for Party {}

impl Decode for Party {
    fn decode<I: Input>(input: &mut I) -> Result<Self, codec::Error> {
        let (account, key) = Decode::decode(input)?;
        Ok(Self::new(account, key))
    }
}

impl MaxEncodedLen for Party {
    fn max_encoded_len() -> usize {
        2 * Address::max_encoded_len()
    }
}
