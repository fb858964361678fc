//! Records of random games of every kind, written, read and proven; texts that are refused; vectors.

mod refused;
mod vectors;
mod walks;
