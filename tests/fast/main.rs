//! Fast games: moves that two accounts sign and send each other, settled on a chain in this process.
//!
//! | module | has |
//! |---|---|
//! | `pie_rule` | games in which player two takes the first disc over |
//! | `play` | fast games by examples, and what the contract refuses |
//! | `domain` | statements that were signed for something else |
//! | `cheats` | attacks, each by an example |
//! | `terms` | games by signed terms: recorded, and started for a dispute |
//! | `encodings` | signatures and keys that are written in another way |
//! | `random` | honest players and cheats at random |
//! | `world` | the chain with the contracts, and players with session keys |

mod cheats;
mod domain;
mod encodings;
mod pie_rule;
mod play;
mod random;
mod terms;
mod world;
