//! Amounts, as on Polkadot, in the smallest unit.

use super::Balance;

/// One token.
pub const UNITS: Balance = 10_000_000_000;
pub const DECIMALS: u32 = 10;
/// A hundredth of a token.
pub const CENTS: Balance = UNITS / 100;
/// A thousandth of a cent.
pub const MILLICENTS: Balance = CENTS / 1_000;

/// The deposit that Polkadot Hub holds for `items` top-level storage items of `bytes` bytes
/// together.
pub const fn deposit(items: u32, bytes: u32) -> Balance {
    items as Balance * 20 * CENTS + bytes as Balance * MILLICENTS
}
