//! Games with a stake, which the contract of the stakes holds, on a chain in this process.
//!
//! | module | has |
//! |---|---|
//! | `lifecycle` | whole games by examples, with what everybody has after each call |
//! | `refusals` | each refusal by its name, and which comes first |
//! | `blocks` | calls in one block, and blocks that are replaced |
//! | `contracts` | players that are contracts and misuse payments |
//! | `model` | the rules a second time, plainly |
//! | `random` | random calls at the contract and at the model |
//! | `world` | the chain with the contract, and games whose players sign |

mod blocks;
mod contracts;
mod lifecycle;
mod model;
mod random;
mod refusals;
mod world;
