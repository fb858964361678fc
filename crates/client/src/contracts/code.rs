//! The contracts' code.

use sp_crypto_hashing::keccak_256;

use crate::contracts::abi;

/// Code of the contracts. Those of the games, the records and the stakes are deployed together.
#[derive(Clone, Copy, Debug)]
pub struct Code<'a> {
    /// Code of the contract of the games.
    pub games: &'a [u8],
    /// Code of the contract of the variants.
    pub variants: &'a [u8],
    /// Code of the contract of the records of signed games; none if it is not deployed.
    pub signed_records: Option<&'a [u8]>,
    /// Code of the contract of the stakes of signed games; none if it is not deployed.
    pub stakes: Option<&'a [u8]>,
}

impl Code<'_> {
    /// Keccak-256 hash of the code of the games.
    pub(crate) fn games_hash(&self) -> [u8; 32] {
        keccak_256(self.games)
    }

    /// Keccak-256 hash of the code of the variants.
    pub(crate) fn variants_hash(&self) -> [u8; 32] {
        keccak_256(self.variants)
    }

    /// Keccak-256 hash of the code of the records of signed games; none if there is no such contract.
    pub(crate) fn signed_records_hash(&self) -> Option<[u8; 32]> {
        self.signed_records.map(keccak_256)
    }

    /// Keccak-256 hash of the code of the stakes of signed games; none if there is no such contract.
    pub(crate) fn stakes_hash(&self) -> Option<[u8; 32]> {
        self.stakes.map(keccak_256)
    }

    /// Input of the constructor of each contract but that of the stakes.
    pub(crate) fn constructor() -> Vec<u8> {
        abi::constructor("new", ())
    }
}
