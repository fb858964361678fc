//! Signed games from a player's side.
//!
//! | module | tests |
//! |---|---|
//! | `attacks` | what is signed and believed when the opponent is late, or the node lies |
//! | `clocks` | a witness that is unfair with the time, case by case and in ten thousand games |
//! | `seats`, `duties`, `lines` | what a seat signs, takes and has to do, case by case |
//! | `guards` | the same for a guard |
//! | `journals` | what is kept, and read back |
//! | `thefts` | thefts by an opponent, each by an example |
//! | `model` | the same, looked at state by state within bounds |
//! | `player` | a game with a stake from the offer to the payment, case by case; `staked_world` is its contract |
//! | `staked_attacks` | what an opponent, a node or a clock can try there |
//! | `staked_walks` | the same at random, with an opponent who signs whatever it likes |
//! | `witnessed` | a game without a stake from the offer to the rematch, case by case; `witness_world` is its room |
//! | `witnessed_losses` | what is refused there by a full disk, comes too late or is for somebody else |
//! | `witnessed_walks` | the same at random |
//! | `vectors` | offers, letters and frames, for other implementations |
//!
//! `world` is the chain, as the contract runs it, and the players' disks. `counts` plays random sequences
//! and counts what occurs in them.

mod attacks;
mod clocks;
mod counts;
mod duties;
mod guards;
mod journals;
mod lines;
mod model;
mod player;
mod seats;
mod staked_attacks;
mod staked_walks;
mod staked_world;
mod thefts;
mod vectors;
mod witness_world;
mod witnessed;
mod witnessed_losses;
mod witnessed_walks;
mod world;
