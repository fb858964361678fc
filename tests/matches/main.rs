//! Matches between people who do not trust each other, on a chain in this process.
//!
//! | module | is |
//! |---|---|
//! | `terms` | the terms, told by examples, and every refusal |
//! | `model` | the terms a second time, plainly |
//! | `random` | random people at the contracts and at the model |
//! | `reentrant` | a player that is a contract, and misuses its payments |
//! | `world` | the chain that all of it runs on |

mod model;
mod random;
mod reentrant;
mod terms;
mod world;
