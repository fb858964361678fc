//! Typed access to the deployed contracts of on-chain Connect Four, on any chain with pallet-revive.
//!
//! A [`Client`] is a connection to a chain, by the JSON-RPC of the Polkadot SDK: the local chain is
//! spoken to as a public one is. [`Contracts`] are the contracts that are deployed there: players
//! [perform](Contracts::perform) [`Action`]s and [send](Contracts::send) messages, and everybody reads games,
//! tables and events.
//!
//! A transaction is run dry first. So a call that the contract refuses costs nothing and returns the
//! contract's reason, and the transaction is sent with the limits that it needs. Its [`Receipt`] tells
//! what it did by the contract's events. Answers are decoded by the metadata that the node reports, so
//! that other versions of the pallet are understood too. What is signed is written here, and nothing is signed if the
//! node reports something else than is known of its chain: see [`Trust`].
//!
//! ```no_run
//! use connect4_client::{Client, Code, Contracts, Signer};
//! use connect4_rules::{Bin, Shape};
//!
//! # async fn play(code: Code<'_>) -> Result<(), connect4_client::Error> {
//! let (alice, bob) = (Signer::development("alice"), Signer::development("bob"));
//! # let (Some(alice), Some(bob)) = (alice, bob) else { unreachable!() };
//! let client = Client::connect("ws://127.0.0.1:9944").await?;
//! let deployed = client.deploy(&alice, code).await?;
//! let contract = Contracts::open(&client, deployed.address, code).await?;
//! let started = contract
//!     .start_game(&alice, alice.address(), bob.address(), Shape::STANDARD.into())
//!     .await?;
//! let played = contract.drop_disc(&alice, started.value, Bin::new(3)).await?;
//! let fee = client.token().amount(played.transaction.fee);
//! println!("row {}, fee {fee}", played.value.dropped.row);
//! # Ok(())
//! # }
//! ```
//!
//! # Modules
//!
//! Open `contracts` first. Each folder begins with a list of its modules.
//!
//! | module | job |
//! |---|---|
//! | `chain` | [`Client`] and its connection, blocks, transactions, the runtime's interface by its metadata |
//! | `accounts` | signers, addresses, accounts of Ethereum |
//! | `contracts` | the deployed contracts, their messages and events |
//! | `history` | events of the past, replaying games |
//! | [`signed`] | a player of a signed game: its key and its record on disk, the room of its witness, the contract of its stake; a relay's feed |
//! | [`durable`], `file_lock` | files that are whole after a crash; [`FileLock`] |
//! | `error`, `failure`, `refusal`, `task` | [`Error`], and what the client was doing |

#![deny(missing_docs)]
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod accounts;
mod chain;
mod contracts;
pub mod durable;
mod error;
mod failure;
mod file_lock;
mod history;
mod refusal;
pub mod signed;
mod task;

pub use accounts::account::{DEVELOPMENT, NameError, Named, SecretError, Signer, development_name};
pub use accounts::address::{create2, fallback_account, is_ethereum, of_account as address_of};
pub use accounts::name::name_of;
pub use chain::block_ref::BlockRef;
pub use chain::client::{Client, Wait};
pub use chain::gap::{Gap, KEEPER, utc};
pub use chain::heads::Heads;
pub use chain::known::{Doubt, Trust};
pub use chain::line::{Outage, Outages, Patience, Route};
pub use chain::search::{Landed, Search};
pub use chain::seen::Seen;
pub use chain::token::{AmountError, Token};
pub use connect4_protocol::{Address, AddressError, Event, GameId};
pub use contracts::action::Action;
pub use contracts::calls::{Call, Query};
pub use contracts::code::Code;
pub use contracts::deploy::Deployment;
pub use contracts::deployed::Contracts;
pub use contracts::emitted::Emitted;
pub use contracts::kept::KeptCall;
pub use contracts::look::{Looked, LookedAt};
pub use contracts::lookup::Lookup;
pub use contracts::occurrence::Occurrence;
pub use contracts::performed::{Performed, Played};
pub use contracts::prepare::{Payload, Prepared, Signing, Unsigned, signed_extrinsic};
pub use contracts::receipt::{Receipt, Transaction};
pub use contracts::stakes::Stakes;
pub use contracts::stored::Stored;
pub use contracts::stored_variants::StoredVariants;
pub use contracts::watch::Watch;
pub use contracts::watch_best::{News, WatchBest};
pub use error::{Error, Payer};
pub use file_lock::FileLock;
pub use history::archive::{Archive, ArchivedGame, NEAR};
pub use history::blocks::{Blocks, Emitters, ReadBlock, ReadBlocks};
pub use history::reading::Reading;
pub use history::replay::{
    ReplayError, StepKind, VariantStep, drops, moves, replay, replay_variant,
};
/// Account of 32 bytes.
pub use subxt::utils::AccountId32;
/// Hash of 32 bytes.
pub use subxt::utils::H256;
pub use task::Task;
