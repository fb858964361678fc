#![cfg_attr(not(feature = "std"), no_std, no_main)]
//! Connect Four, on chain.
