//! The types that blocks and transactions are made of.

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
/// A block's header.
pub type Header = generic::Header<BlockNumber, BlakeTwo256>;
/// How a transaction names an account.
pub type Address = MultiAddress<AccountId, ()>;

/// The prefix of accounts in SS58, which makes them begin with a 5, as on any chain without a
/// registered prefix.
pub const SS58_FORMAT: u16 = 42;
