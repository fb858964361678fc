//! What is needed of a log.

use std::collections::HashSet;

use connect4_protocol::signed::{Chain, Crypto, GameNumber};

use crate::witness::entry::Entry;
use crate::witness::log::Keeps;

/// The games of which entries are needed when the log is written anew.
#[derive(Debug)]
pub struct Kept<C> {
    pub(super) chain: Chain,
    pub(super) crypto: C,
    pub(super) running: HashSet<GameNumber>,
    pub(super) over: HashSet<GameNumber>,
}

impl<C: Crypto> Kept<C> {
    #[must_use]
    pub fn keeps(&self, entry: &Entry) -> Keeps {
        let running = |game: &GameNumber| match self.running.contains(game) {
            true => Keeps::Running,
            false => Keeps::Nothing,
        };
        match entry {
            Entry::Opened { terms, .. } => running(&terms.number(self.chain, &self.crypto)),
            Entry::Moved { game, .. } | Entry::Back { game, .. } => running(game),
            Entry::Ended { game, .. } if self.over.contains(game) => Keeps::End,
            Entry::Ended { .. } | Entry::Key(_) | Entry::Alive(_) | Entry::Started(_) => {
                Keeps::Nothing
            }
        }
    }
}
