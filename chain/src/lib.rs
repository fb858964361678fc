//! The local chain.
