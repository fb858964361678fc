//! Where a signature counts.

use super::{Crypto, Digest};
use crate::Address;
use crate::fast::domain::{address, hash_of, word};

/// The domain of EIP-712 in which all of a game is signed, with the name `Connect Four` and the version `3`.
///
/// A game without a stake names the chain and no contract: guests need to know no address, and a record of the game
/// can be kept by any contract of that chain.
///
/// # Examples
///
/// ```
/// use connect4_protocol::Address;
/// use connect4_protocol::signed::Domain;
///
/// let staked = Domain { chain_id: 420_420_419, stakes: Some(Address([7; 20])) };
/// assert_ne!(staked, Domain::without_stake(420_420_419));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Domain {
    /// Number of the chain by EIP-155.
    pub chain_id: u64,
    /// The contract that holds the stakes; none of a game without a stake.
    pub stakes: Option<Address>,
}

const WITH_CONTRACT: Digest =
    hash_of("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
const WITHOUT_CONTRACT: Digest =
    hash_of("EIP712Domain(string name,string version,uint256 chainId)");
const NAME: Digest = hash_of("Connect Four");
const VERSION: Digest = hash_of("3");

impl Domain {
    /// That of games without a stake.
    #[must_use]
    pub const fn without_stake(chain_id: u64) -> Self {
        Self {
            chain_id,
            stakes: None,
        }
    }

    /// Hash of the domain, which is in each digest.
    #[must_use]
    pub fn separator(&self, crypto: &impl Crypto) -> Digest {
        let chain = word(self.chain_id);
        match &self.stakes {
            None => crypto.keccak256([WITHOUT_CONTRACT, NAME, VERSION, chain].as_flattened()),
            Some(stakes) => {
                let words = [WITH_CONTRACT, NAME, VERSION, chain, address(stakes)];
                crypto.keccak256(words.as_flattened())
            }
        }
    }

    /// Digest of a struct of this domain, which is what is signed.
    #[must_use]
    pub fn digest(&self, crypto: &impl Crypto, hash_struct: &Digest) -> Digest {
        let mut bytes = [0; 66];
        let (prefix, rest) = bytes.split_at_mut(2);
        let (domain, message) = rest.split_at_mut(32);
        prefix.copy_from_slice(&[0x19, 0x01]);
        domain.copy_from_slice(&self.separator(crypto));
        message.copy_from_slice(hash_struct);
        crypto.keccak256(&bytes)
    }
}
