//! The tests of this crate, in one program: linking each file by itself takes longer than compiling it.

mod deep;
mod perfect;
mod play;
mod variant_play;
