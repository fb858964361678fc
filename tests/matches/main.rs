//! Matches between accounts that do not trust each other, on a chain in this process.
//!
//! | module | has |
//! |---|---|
//! | `terms` | the terms by examples, and every error |
//! | `model` | the terms a second time, plainly |
//! | `random` | random calls at the contracts and at the model |
//! | `reentrant` | a player that is a contract and misuses payments |
//! | `stalled` | games that stop for ever, and their deposits |
//! | `strangers` | accounts that do not play, the deployer among them |
//! | `world` | the chain with both contracts |
//! | `call` | every call, with its text, and every answer |

mod call;
mod model;
mod random;
mod reentrant;
mod stalled;
mod strangers;
mod terms;
mod world;
