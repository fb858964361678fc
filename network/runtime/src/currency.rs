//! Amounts, as on Polkadot, in the smallest unit.

use crate::Balance;

/// A hundredth of a token, which has 10 decimals.
pub const CENTS: Balance = 100_000_000;
/// A thousandth of a cent.
pub const MILLICENTS: Balance = CENTS / 1_000;

/// The deposit that Polkadot Hub holds for `items` top-level storage items of `bytes` bytes
/// together.
pub const fn deposit(items: u32, bytes: u32) -> Balance {
    items as Balance * 20 * CENTS + bytes as Balance * MILLICENTS
}
