//! An event of a contract, not decoded yet.

use connect4_protocol::Address;

/// An event of a contract as the chain has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emitted {
    /// The contract.
    pub contract: Address,
    /// Index of the transaction in its block, from 0.
    pub index: u32,
    /// Place among all events of the block, from 0.
    pub place: u32,
    /// The first topic, which tells events apart; zeros if there is none.
    pub topic: [u8; 32],
    /// The encoding of the event's fields.
    pub data: Vec<u8>,
}
