//! The types that blocks and transactions are made of.

use sp_core::{H160, H256};
use sp_runtime::{
    MultiAddress, MultiSignature, generic,
    traits::{BlakeTwo256, IdentifyAccount, Verify},
};

/// The signature of a transaction: sr25519, ed25519 or ECDSA.
pub type Signature = MultiSignature;
/// An account's id: a public key of 32 bytes.
pub type AccountId = <<Signature as Verify>::Signer as IdentifyAccount>::AccountId;
/// An amount in the smallest unit, of which [`UNITS`](super::currency::UNITS) make one token.
pub type Balance = u128;
/// A block's number, counted from 0, the genesis block.
pub type BlockNumber = u32;
/// The number of an account's transaction, counted from 0.
pub type Nonce = u32;
/// A BLAKE2b-256 hash.
pub type Hash = sp_core::H256;
pub type Header = generic::Header<BlockNumber, BlakeTwo256>;
/// How a transaction names an account.
pub type Address = MultiAddress<AccountId, ()>;

/// The prefix of accounts in SS58, which makes them begin with a 5, as on any chain without a
/// registered prefix.
pub const SS58_FORMAT: u16 = 42;

/// An event that a contract emitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emitted {
    /// The contract's address.
    pub contract: H160,
    /// At most four.
    pub topics: Vec<H256>,
    /// The event's data, as the contract encoded them.
    pub data: Vec<u8>,
}

/// What became of a transaction in a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Whether its call failed or was reverted. It is paid for then, too.
    pub has_failed: bool,
    /// What contracts emitted in it, in this order.
    pub emitted: Vec<Emitted>,
}
