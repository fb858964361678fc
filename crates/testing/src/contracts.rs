//! Code of the built contracts, from `artifacts/`.

use sp_core::hashing::keccak_256;

pub const GAMES: &[u8] = include_bytes!("../../../artifacts/connect4.polkavm");
pub const VARIANTS: &[u8] = include_bytes!("../../../artifacts/connect4_variants.polkavm");
pub const STAKES: &[u8] = include_bytes!("../../../artifacts/connect4_stakes.polkavm");
pub const SIGNED_RECORDS: &[u8] =
    include_bytes!("../../../artifacts/connect4_signed_records.polkavm");
/// The smallest ink! contract that changes its storage: `tests/flipper`.
pub const FLIPPER: &[u8] = include_bytes!("../../../artifacts/flipper.polkavm");
/// A player that is a contract: `tests/reentrant`.
pub const REENTRANT: &[u8] = include_bytes!("../../../artifacts/reentrant.polkavm");
/// A contract that emits any event, and makes room for other code at its address: `tests/impostor`.
pub const IMPOSTOR: &[u8] = include_bytes!("../../../artifacts/impostor.polkavm");

/// The hash that names uploaded code on the chain.
#[must_use]
pub fn code_hash(code: &[u8]) -> [u8; 32] {
    keccak_256(code)
}
