//! Where a signature counts.

use super::crypto::{address, hash_of, word};
use super::{Crypto, Digest};
use crate::Address;

/// The domain of EIP-712 in which all of a game is signed, with the name `Connect Four` and the version `3`.
///
/// A game without a stake names the chain and no contract: guests need to know no address, and a record of the game
/// can be kept by any contract of that chain. A chain is named by its number and, as the salt, by its first block: local
/// chains and networks among friends share a number.
///
/// # Examples
///
/// ```
/// use connect4_protocol::Address;
/// use connect4_protocol::signed::{Chain, Domain};
///
/// let chain = Chain { id: 420_420_419, genesis: [9; 32] };
/// let staked = Domain { chain, stakes: Some(Address([7; 20])) };
/// assert_ne!(staked, Domain::without_stake(chain));
/// ```
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
pub struct Domain {
    /// The chain.
    pub chain: Chain,
    /// The contract that holds the stakes; none of a game without a stake.
    pub stakes: Option<Address>,
}

/// Which chain.
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
pub struct Chain {
    /// Number by EIP-155.
    pub id: u64,
    /// Hash of its first block.
    pub genesis: Digest,
}

const WITH_CONTRACT: Digest = hash_of(
    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)",
);
const WITHOUT_CONTRACT: Digest =
    hash_of("EIP712Domain(string name,string version,uint256 chainId,bytes32 salt)");
const NAME: Digest = hash_of("Connect Four");
const VERSION: Digest = hash_of("3");

impl Domain {
    /// That of games without a stake.
    #[must_use]
    pub const fn without_stake(chain: Chain) -> Self {
        Self {
            chain,
            stakes: None,
        }
    }

    /// Hash of the domain, which is in each digest.
    #[must_use]
    pub fn separator(&self, crypto: &impl Crypto) -> Digest {
        let Chain { id, genesis } = self.chain;
        let id = word(id);
        match &self.stakes {
            None => {
                let words = [WITHOUT_CONTRACT, NAME, VERSION, id, genesis];
                crypto.keccak256(words.as_flattened())
            }
            Some(stakes) => {
                let words = [WITH_CONTRACT, NAME, VERSION, id, address(stakes), genesis];
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
