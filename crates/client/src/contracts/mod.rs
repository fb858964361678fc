//! The deployed contracts: their messages, asked or sent, and their events as they happen. Open
//! `deployed` first, then `calls` and `send`.
//!
//! | module | |
//! |---|---|
//! | `abi` | how the contracts are spoken to: selectors and SCALE |
//! | `action` | what an account can do in a game |
//! | `based_on` | what transactions rely on: a game, as it was seen |
//! | `calls` | what each message does, in words, and what its events tell of it |
//! | `code` | the contracts' code |
//! | `deploy` | deploying the contracts |
//! | `deployed` | the deployed contracts: where they are, and asking them |
//! | `emitted` | an event of a contract, not decoded yet |
//! | `events` | the contracts' events among those of a transaction or a block |
//! | `look` | asking contracts by the bytes of calls, for programs that read the answers themselves |
//! | `lookup` | finding the contracts on a chain without being given their addresses |
//! | `occurrence` | events and their places on the chain |
//! | `open` | opening deployed contracts |
//! | `performed` | what an action has done, as the chain tells it |
//! | `prepare` | transactions that a wallet signs: what they would do and cost, and the bytes that are signed |
//! | `receipt` | receipts of transactions |
//! | `stored_variants` | games of variants whose events are missing, from the contract's storage |
//! | `send` | sending messages to the contracts |
//! | `signed_records` | what the records of signed games have told |
//! | `skipped` | events of the contracts that this client does not know: those of later versions of the contracts |
//! | `stakes` | the contract of the stakes of signed games |
//! | `stored` | reading games, by their kinds |
//! | `tables` | open tables of variants |
//! | `transact` | calls of the contracts as transactions |
//! | `watch` | the contracts' events as they happen |
//! | `watch_best` | the contracts' events on the best branch of the chain, which may change |

pub(crate) mod abi;
pub(crate) mod action;
pub(crate) mod based_on;
pub(crate) mod calls;
pub(crate) mod code;
pub(crate) mod deploy;
pub(crate) mod deployed;
pub(crate) mod emitted;
pub(crate) mod events;
pub(crate) mod kept;
pub(crate) mod look;
pub(crate) mod lookup;
pub(crate) mod occurrence;
pub(crate) mod open;
pub(crate) mod performed;
pub(crate) mod prepare;
pub(crate) mod receipt;
pub(crate) mod send;
pub(crate) mod signed_records;
pub(crate) mod skipped;
pub(crate) mod stakes;
pub(crate) mod stored;
pub(crate) mod stored_variants;
pub(crate) mod tables;
pub(crate) mod transact;
pub(crate) mod watch;
pub(crate) mod watch_best;
