//! Accounts that play.

use connect4_client::development_name;
use connect4_protocol::Address;
use serde::Serialize;

/// An account that plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Person {
    /// Its address as contracts see it.
    pub address: Address,
    /// Name of a development account; none for any other.
    pub name: Option<&'static str>,
}

impl From<connect4_client::Address> for Person {
    fn from(address: connect4_client::Address) -> Self {
        Self {
            address,
            name: development_name(address),
        }
    }
}
