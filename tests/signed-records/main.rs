//! Ends of games without a stake, which the contract of the records puts on the chain, on a chain in this process.
//!
//! | module | has |
//! |---|---|
//! | `lifecycle` | what is recorded of a game, by examples |
//! | `refusals` | each refusal by its name, and which comes first |
//! | `encodings` | signatures and keys that are written in another way |
//! | `contradictions` | witnesses that say two things of one game |
//! | `random` | random games, right and forged, at the contract and at the judgement of the protocol |
//! | `world` | the chain with the contract, and games whose players and witness sign |

mod contradictions;
mod encodings;
mod lifecycle;
mod random;
mod refusals;
mod world;
