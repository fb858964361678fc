//! The accounts that the server signs for.

use connect4_client::{Address, Signer};

/// The signers, in the order in which the page proposes them.
pub struct Signers(Vec<Signer>);

impl Signers {
    pub const fn new(signers: Vec<Signer>) -> Self {
        Self(signers)
    }

    /// The signer of an address; none if the server does not sign for it.
    pub fn of(&self, address: Address) -> Option<&Signer> {
        self.0.iter().find(|signer| signer.address() == address)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Signer> {
        self.0.iter()
    }
}
