//! The tests of this crate, in one program: linking each file by itself takes longer than compiling it.

#[cfg(feature = "arbitrary")]
mod arbitrary;
mod by_player;
mod cells;
mod classroom;
mod common;
mod lines;
mod properties;
mod read_back;
#[cfg(feature = "scale")]
mod scale;
#[cfg(feature = "serde")]
mod serde;
mod text;
mod variant_change;
mod variant_counts;
mod variant_random;
mod variant_rules;
mod variant_text;
