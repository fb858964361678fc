//! The deployed contracts: their messages, asked or sent, and their events as they happen. Open
//! `contract` first, then `action` and `transact`.
//!
//! | module | |
//! |---|---|
//! | `abi` | how the contracts are spoken to: selectors and SCALE |
//! | `action` | what a player can do in a game, and what the chain tells of it |
//! | `code` | the contracts' code |
//! | `contract` | the deployed contract of the matches with its games: opening it, asking it, its events |
//! | `deploy` | deploying the contracts |
//! | `deployed` | deployed contracts that are used together: asking them, sending them messages, their events |
//! | `emitted` | an event of a contract, not decoded yet |
//! | `events` | the contracts' events among those of a transaction or a block |
//! | `fast_contract` | messages of the contract of the fast games, and what the account of a player signs for it |
//! | `game_of` | the game of an event, as it was then |
//! | `games` | messages of the contract of the games |
//! | `lookup` | finding the contracts on a chain without being given their addresses |
//! | `matches` | messages of the contract of the matches that are not actions in a game: challenges, and reading |
//! | `occurrence` | events and their places on the chain |
//! | `owed` | what accounts are owed on the contract of the matches |
//! | `perform` | performing an action of a player |
//! | `prepare` | transactions that a wallet signs: what they would do and cost, and the bytes that are signed |
//! | `receipt` | receipts of transactions |
//! | `records` | games whose events are missing, from the contracts' storage |
//! | `skipped` | events of the contracts that this client does not know: those of later versions of the contracts |
//! | `transact` | sending messages to the contracts as transactions |
//! | `variant_action` | what a player of a variant can do |
//! | `variants` | the deployed contract of the variants |
//! | `watch` | the contracts' events as they happen |
//! | `watch_best` | the contracts' events on the best branch of the chain, which may change |

pub(crate) mod abi;
pub(crate) mod action;
pub(crate) mod code;
pub(crate) mod contract;
pub(crate) mod deploy;
pub(crate) mod deployed;
pub(crate) mod emitted;
pub(crate) mod events;
pub(crate) mod fast_contract;
pub(crate) mod game_of;
pub(crate) mod games;
pub(crate) mod lookup;
pub(crate) mod matches;
pub(crate) mod occurrence;
pub(crate) mod owed;
pub(crate) mod perform;
pub(crate) mod prepare;
pub(crate) mod receipt;
pub(crate) mod records;
pub(crate) mod skipped;
pub(crate) mod transact;
pub(crate) mod variant_action;
pub(crate) mod variants;
pub(crate) mod watch;
pub(crate) mod watch_best;
