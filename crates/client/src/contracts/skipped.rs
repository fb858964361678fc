//! Events of the contracts that this client does not know: those of later versions of the contracts.

use std::sync::atomic::{AtomicU64, Ordering};

use connect4_protocol::Event;

/// Counts the events that were skipped.
#[derive(Debug, Default)]
pub(crate) struct Skipped(AtomicU64);

impl Skipped {
    /// The event, if it is known. One that is not, or whose data are not its encoding, is counted.
    pub(crate) fn known(&self, decoded: Result<Option<Event>, codec::Error>) -> Option<Event> {
        let known = decoded.ok().flatten();
        if known.is_none() {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
        known
    }

    /// How many were skipped.
    pub(crate) fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use connect4_protocol::event::GameEnded;
    use connect4_protocol::topic;

    use super::*;

    #[test]
    fn unknown_and_undecodable_events_are_skipped_and_counted() {
        let skipped = Skipped::default();
        let unknown = skipped.known(Event::decode(&[7; 32], &[1, 2, 3]));
        assert_eq!((unknown, skipped.count()), (None, 1));
        let none = skipped.known(Event::decode(&[], &[]));
        assert_eq!((none, skipped.count()), (None, 2), "it has no topic");
        let topic = topic(GameEnded::DECLARATION);
        let shortened = skipped.known(Event::decode(&topic, &[]));
        assert_eq!((shortened, skipped.count()), (None, 3));
    }
}
