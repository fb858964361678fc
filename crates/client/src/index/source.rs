//! Contracts whose events are indexed.

use connect4_protocol::Address;

use crate::deployed::Deployed;
use crate::events::Emitted;
use crate::past::Reading;

/// Contracts whose events are indexed together.
pub(crate) struct Source<'a> {
    pub(super) contracts: &'a [Address],
    /// Number of the game that an event is about.
    pub(super) of_game: fn(&Emitted) -> Option<u32>,
}

impl<'a> Source<'a> {
    pub(crate) fn of(deployed: &'a Deployed) -> Self {
        Self {
            contracts: deployed.addresses(),
            of_game: |event| Some(event.decode().ok().flatten()?.game()?.number()),
        }
    }
}

/// What is told how far the reading is.
pub type OnReading<'a> = &'a (dyn Fn(Reading) + Sync);
