//! Games whose moves are transactions, on a chain in this process: variants and their tables, and plain games.
//!
//! | module | has |
//! |---|---|
//! | `games` | games by examples: every kind of move, every end |
//! | `tables` | tables by examples: who may join, leave and close them |
//! | `refusals` | every error, and which comes first |
//! | `attacks` | what nobody gets by calls that are not meant to be |
//! | `random` | random calls at the contract and at the model |
//! | `model` | the contract a second time, on plain lists |
//! | `plain` | plain games: by examples, and by random calls |
//! | `world` | the chain with the contract |
//! | `call` | every call, with its text |

mod attacks;
mod call;
mod games;
mod model;
mod plain;
mod random;
mod refusals;
mod tables;
mod world;
