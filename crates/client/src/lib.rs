//! Typed access to the deployed contracts of on-chain Connect Four, on any chain with pallet-revive.
//!
//! A [`Client`] is a connection to a chain, by the JSON-RPC of the Polkadot SDK: the local chain is
//! spoken to as a public one is. A [`Contract`] is a deployed contract there: players
//! [perform](Contract::perform) [`Action`]s, and everybody reads games, challenges and events.
//! [`Variants`] is the contract of the variants: more players, powers, tables that others join.
//!
//! A transaction is run dry first. So a call that the contract refuses costs nothing and returns the
//! contract's reason, and the transaction is sent with the limits that it needs. Its [`Receipt`] tells
//! what it did by the contract's events. Calls are encoded by the metadata that the chain gives, so
//! that other versions of the pallet are understood too.
//!
//! ```no_run
//! use connect4_client::{Client, Code, Contract, Signer};
//! use connect4_rules::{Bin, Shape};
//!
//! # async fn play(code: Code<'_>) -> Result<(), connect4_client::Error> {
//! let (alice, bob) = (Signer::development("alice"), Signer::development("bob"));
//! # let (Some(alice), Some(bob)) = (alice, bob) else { unreachable!() };
//! let client = Client::connect("ws://127.0.0.1:9944").await?;
//! let deployed = client.deploy(&alice, code).await?;
//! let contract = Contract::open(&client, deployed.address, code).await?;
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
//! Open `contract` first, then `perform` and `submit`, which a transaction passes.
//!
//! | module | job |
//! |---|---|
//! | `client`, `connect`, `line`, `heads`, `block` | [`Client`], its connection, which is made again when it is lost, and blocks |
//! | `account`, `address`, `ethereum`, `mapping`, `token` | signers, addresses, accounts of Ethereum, amounts |
//! | `contract`, `matches`, `games`, `fast_contract`, `variants`, `deployed` | the deployed contracts and their messages |
//! | `code`, `deploy`, `lookup` | code of the contracts, deploying it, finding deployed contracts |
//! | `action`, `variant_action`, `perform` | moves and other steps of a player |
//! | `transact`, `dry_run`, `prepare`, `submit`, `retrieve`, `search`, `receipt` | a message as a transaction: tried, signed, sent, found again after an interruption |
//! | `seen`, `block_ref` | the state that a transaction relies on |
//! | `events`, `emitted`, `watch`, `watch_best`, `occurrence` | events as they happen |
//! | `blocks`, `history`, `chronicle`, `replay`, `gap`, `reading`, `recent` | events of the past |
//! | `archive`, `archived` | who keeps events of the past, so that a node need not have them |
//! | `owed`, `records` | what accounts are owed, and what the storage has of games |
//! | [`fast`] | a player of a fast game: keys on disk, relay, chain |
//! | [`durable`] | files that are whole after a crash |
//! | `abi`, `value`, `runtime_api`, `runtimes`, `versions`, `dispatch`, `state`, `node` | encodings and the runtime's interface, by its metadata |
//! | `error`, `failure`, `refusal`, `task` | [`Error`], and what the client was doing |

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod abi;
mod account;
mod action;
mod address;
mod archive;
mod archived;
mod block;
mod block_ref;
mod block_time;
mod blocks;
mod chronicle;
mod client;
mod code;
mod connect;
mod contract;
mod deploy;
mod deployed;
mod dispatch;
mod dry_run;
pub mod durable;
mod emitted;
mod error;
mod ethereum;
mod events;
mod failure;
pub mod fast;
mod fast_contract;
mod game_of;
mod games;
mod gap;
mod heads;
mod history;
mod line;
mod lookup;
mod mapping;
mod matches;
mod node;
mod occurrence;
mod owed;
mod perform;
mod prepare;
mod reading;
mod receipt;
mod recent;
mod records;
mod refusal;
mod replay;
mod retrieve;
mod runtime_api;
mod runtimes;
mod search;
mod seen;
mod skipped;
mod state;
mod submit;
mod task;
mod token;
mod transact;
mod value;
mod variant_action;
mod variants;
mod versions;
mod watch;
mod watch_best;

pub use account::{DEVELOPMENT, NameError, Named, SecretError, Signer, development_name};
pub use action::{Action, Performed, Played};
pub use address::{create2, fallback_account, is_ethereum, of_account as address_of};
pub use archive::{Archive, ArchivedGame, NEAR};
pub use block_ref::BlockRef;
pub use blocks::{Blocks, ReadBlock, ReadBlocks};
pub use client::{Client, STAKED_CONFIRMATIONS, Wait};
pub use code::Code;
pub use connect4_protocol::{Address, AddressError, Event, GameId};
pub use contract::Contract;
pub use deploy::Deployment;
pub use emitted::Emitted;
pub use error::{Error, Payer};
pub use gap::{Gap, KEEPER, utc};
pub use heads::Heads;
pub use line::{Outage, Outages, Patience, Route};
pub use lookup::Lookup;
pub use matches::Offer;
pub use occurrence::Occurrence;
pub use owed::{Owed, Owing};
pub use prepare::{Payload, Prepared, Signing, Unsigned, signed_extrinsic};
pub use reading::Reading;
pub use receipt::{Receipt, Transaction};
pub use records::Records;
pub use replay::{ReplayError, StepKind, VariantStep, moves, replay, replay_variant};
pub use search::{Landed, Search};
pub use seen::Seen;
/// Account of 32 bytes.
pub use subxt::utils::AccountId32;
/// Hash of 32 bytes.
pub use subxt::utils::H256;
pub use task::Task;
pub use token::{AmountError, Token};
pub use variant_action::VariantAction;
pub use variants::Variants;
pub use watch::Watch;
pub use watch_best::{News, WatchBest};
