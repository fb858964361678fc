//! Games of variants and their tables, on a chain in this process.
//!
//! | module | has |
//! |---|---|
//! | `games` | games by examples: every kind of move, every end |
//! | `tables` | tables by examples: who may join, leave and close them |
//! | `refusals` | every error, and which comes first |
//! | `attacks` | what nobody gets by calls that are not meant to be |
//! | `random` | random calls at the contract and at the model |
//! | `model` | the contract a second time, on plain lists |
//! | `world` | the chain with the contract |
//! | `call` | every call, with its text |

mod attacks;
mod call;
mod games;
mod model;
mod random;
mod refusals;
mod tables;
mod world;
