//! The tests of this crate, in one program: linking each file by itself takes longer than compiling it.

mod address;
#[cfg(feature = "sign")]
mod chain_game;
mod clock;
mod common;
mod error;
#[cfg(feature = "decode")]
mod events;
mod game;
#[cfg(feature = "sign")]
mod keys;
mod message;
#[cfg(feature = "decode")]
mod metadata;
mod moves;
mod properties;
mod record;
#[cfg(feature = "sign")]
mod relay;
#[cfg(feature = "sign")]
mod signed;
#[cfg(feature = "sign")]
mod staked;
#[cfg(feature = "sign")]
mod timeouts;
mod variants_events;
mod variants_game;
