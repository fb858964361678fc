//! Where signed games are signed.

use connect4_protocol::Address;
use connect4_protocol::signed::{Chain, Domain};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::values::Hex;

/// Where a game is signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SignedPlace {
    /// EIP-155 number of the chain.
    pub chain_id: u64,
    /// Hash of its first block.
    pub genesis: Hex,
    /// The contract of the stakes; none of a game without a stake.
    pub stakes: Option<Address>,
}

impl SignedPlace {
    pub(crate) fn domain(&self) -> Result<Domain, Failure> {
        Ok(Domain {
            chain: Chain {
                id: self.chain_id,
                genesis: self.genesis.exactly()?,
            },
            stakes: self.stakes,
        })
    }
}

impl From<&Domain> for SignedPlace {
    fn from(domain: &Domain) -> Self {
        Self {
            chain_id: domain.chain.id,
            genesis: Hex(domain.chain.genesis.to_vec()),
            stakes: domain.stakes,
        }
    }
}
