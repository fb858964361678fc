//! What a server and the wallets of its page tell each other.

use connect4_protocol::Address;
use connect4_protocol::message::ContractKind;
use serde::{Deserialize, Serialize};

use super::event::Event;
use super::text::AccountId;
use super::transaction::Transaction;
use crate::play::{Amount, Deposit, Hash};

/// What a page has to know of the chain to sign games there, and to have a wallet sign for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Signing {
    /// Hash of the chain's first block, which tells chains apart.
    pub genesis: Hash,
    /// Number of the chain by EIP-155; none if it takes no transactions of Ethereum.
    #[cfg_attr(feature = "declarations", ts(type = "number | null"))]
    pub chain_id: Option<u64>,
    /// URL of a node that a wallet of Ethereum can use, if the operator named one.
    pub wallet_rpc: Option<String>,
    /// URL of the relay of signed games, as `wss://games.example`; none: this host.
    pub relay: Option<String>,
    /// Contract of the games.
    pub games: Option<Address>,
    /// Contract of the variants; none if it is not there.
    pub variants: Option<Address>,
    /// Contract of the stakes of signed games; none if it is not there.
    pub stakes: Option<Address>,
    /// Account that has deployed the contracts, from which their addresses follow; none if the host was
    /// given their address alone.
    pub deployer: Option<Address>,
    /// How many units of contracts, and of wallets of Ethereum, the token's smallest unit is.
    pub ratio: Amount,
    /// Whether a deposit comes back whole to who signs the call that removes its storage. Else nobody gets back more
    /// than they have paid for that contract.
    pub returns_deposits: bool,
}

/// One of the contracts that wallets call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Contract {
    /// Contract of the games.
    Games,
    /// Contract of the variants.
    Variants,
    /// Contract of the stakes of signed games.
    Stakes,
}

impl From<Contract> for ContractKind {
    fn from(contract: Contract) -> Self {
        match contract {
            Contract::Games => Self::Games,
            Contract::Variants => Self::Variants,
            Contract::Stakes => Self::Stakes,
        }
    }
}

/// Asks what a call would do and cost, and what a wallet has to sign for it.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Prepare {
    /// The account: an address for a wallet of Ethereum, SS58 or 64 hexadecimal digits for another.
    pub account: String,
    /// The contract that is called.
    pub contract: Contract,
    /// Selector and arguments, as `0x` and hexadecimal digits.
    pub data: String,
    /// Payment in the token's smallest unit.
    pub payment: Amount,
    /// Block of the move that the call relies on; none if the call relies on nothing. On a branch of the chain
    /// without that block, what a wallet of a Polkadot SDK chain signs is void.
    #[serde(default)]
    #[cfg_attr(feature = "declarations", ts(optional = nullable))]
    pub answers: Option<AnsweredBlock>,
}

/// A block by its number and its hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct AnsweredBlock {
    /// Number of the block.
    pub block: u32,
    /// Hash of the block.
    pub hash: Hash,
}

/// A call that the contract would not refuse.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Prepared {
    /// Address of the contract.
    pub to: Address,
    /// Payment in the token's smallest unit.
    pub payment: Amount,
    /// Fee as estimated.
    pub fee: Amount,
    /// Deposit that it takes or gives back.
    pub deposit: Deposit,
    /// What the account can spend.
    pub balance: Amount,
    /// Units of gas for a wallet of Ethereum; none for another.
    pub gas: Option<Amount>,
    /// What another wallet signs; none for one of Ethereum.
    pub unsigned: Option<Unsigned>,
}

/// An extrinsic without its signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Unsigned {
    /// Whether it only maps the account to its address, which has to come first.
    pub maps: bool,
    /// What is signed.
    pub payload: Payload,
    /// The bytes before the signature.
    pub head: String,
    /// The bytes behind it.
    pub tail: String,
}

/// What a wallet of a Polkadot SDK chain signs, as polkadot-js defines it. Numbers are hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Payload {
    /// The account.
    pub address: AccountId,
    /// The block from which on the transaction is valid.
    pub block_hash: Hash,
    /// Number of that block.
    pub block_number: String,
    /// For how many blocks it is valid.
    pub era: String,
    /// Hash of the chain's first block.
    pub genesis_hash: Hash,
    /// The call.
    pub method: String,
    /// Whether the hash of the metadata is signed: 0, it is not; 1, it is.
    pub mode: u8,
    /// That hash; none if it is not signed.
    pub metadata_hash: Option<String>,
    /// Number of the account's transactions before.
    pub nonce: String,
    /// Names of the extensions of transactions, in order.
    pub signed_extensions: Vec<String>,
    /// Version of the runtime.
    pub spec_version: String,
    /// What is paid on top: nothing.
    pub tip: String,
    /// Version of the format of transactions.
    pub transaction_version: String,
    /// Version of extrinsics.
    pub version: u8,
}

/// Has the program that serves the page sign for an account of its own what it has prepared.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Sign {
    /// What is signed, as it was prepared.
    pub payload: Payload,
}

/// What the program has signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Signature {
    /// The signature with the byte of its kind, as wallets give it.
    pub signature: String,
}

/// Has the program that serves the page name a session key for an account of its own, for signed games of its chain
/// without a stake.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct NameKey {
    /// The account.
    pub account: Address,
    /// Address of the session key.
    pub key: Address,
    /// Last second of the time of terms for which it is, since 1970; a week ahead at most.
    #[cfg_attr(feature = "declarations", ts(type = "number"))]
    pub until: u64,
}

/// What an account of the program has signed about a session key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum KeyNamed {
    /// Signature of an account of Ethereum.
    Ethereum(String),
    /// An account of the Polkadot SDK, and its signature.
    Sr25519(AccountId, String),
}

/// Passes a signed extrinsic on.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Submit {
    /// The bytes before the signature, as they were prepared.
    pub head: String,
    /// The signature with the byte of its kind, as wallets give it.
    pub signature: String,
    /// The bytes behind it, as they were prepared.
    pub tail: String,
}

/// A transaction that was passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Submitted {
    /// Hash of the transaction.
    pub hash: Hash,
    /// Number of the best block when it was passed on: the transaction is in none up to there.
    pub after: u32,
}

/// Where to look for a transaction.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct SearchFrom {
    /// Number of the first block to look at.
    pub from: u32,
}

/// What was found of a transaction.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Searched {
    /// The transaction, if it is in a block that was looked at.
    pub found: Option<Landed>,
    /// The first block that was not looked at.
    pub next: u32,
    /// Number of the best block.
    pub best: u32,
    /// Number of the newest final block.
    pub last_final: u32,
}

/// A transaction in a block.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Landed {
    /// The transaction.
    pub transaction: Transaction,
    /// Why the call failed; none if it did what it should.
    pub failure: Option<String>,
    /// What the contracts told.
    pub events: Vec<Event>,
}

/// Asks a contract in the newest block, and in the newest final one.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Look {
    /// The contract.
    pub contract: Contract,
    /// Selector and arguments of each message, as `0x` and hexadecimal digits; [`Look::MOST`] at most.
    pub data: Vec<String>,
}

impl Look {
    /// Messages that are asked at once, at most.
    pub const MOST: usize = 4;
}

/// What a contract answers in the newest block, and in the newest final one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Looked {
    /// The newest block.
    pub newest: LookedAt,
    /// The newest final block, which is an ancestor of the newest one or that itself.
    pub last_final: LookedAt,
}

/// What a contract answers in a block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct LookedAt {
    /// Number of the block.
    pub block: u32,
    /// Hash of the block.
    pub hash: Hash,
    /// Time of the block, in seconds since 1970.
    #[cfg_attr(feature = "declarations", ts(type = "number"))]
    pub time: u64,
    /// The answers in order, each as `0x` and hexadecimal digits.
    pub data: Vec<String>,
}

/// Asks what a contract has emitted in final blocks, 64 at most.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct AskEvents {
    /// The contract.
    pub contract: Contract,
    /// Number of the first block.
    pub from: u32,
}

/// What a contract has emitted in final blocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct FinalEvents {
    /// The encoding of the fields of each event in order, as `0x` and hexadecimal digits.
    pub events: Vec<String>,
    /// Number of the next block to ask from: the one after those that were looked at.
    pub next: u32,
}

/// Asks for what an account can spend.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct OfAccount {
    /// The account, as in [`Prepare`].
    pub account: String,
}

/// What an account is and has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Holder {
    /// Its address as contracts see it.
    pub address: Address,
    /// The account on the chain.
    pub account: AccountId,
    /// What it can spend.
    pub balance: Amount,
}
