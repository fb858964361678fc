//! The lists of ended games that relays send first.

use std::collections::BTreeMap;
use std::time::Duration;

/// For how long a relay is waited for that sends nothing, and has not sent all of its list.
pub const SILENCE: Duration = Duration::from_secs(30);

/// The relays whose lists are not complete, each with how long it has sent nothing.
#[derive(Clone, Debug)]
pub struct Lists(BTreeMap<u16, Duration>);

impl Lists {
    /// Nothing was sent yet by these relays.
    pub fn of(relays: impl IntoIterator<Item = u16>) -> Self {
        let relays = relays.into_iter();
        Self(relays.map(|relay| (relay, Duration::ZERO)).collect())
    }

    /// Whether nobody is waited for.
    pub fn are_complete(&self) -> bool {
        self.0.is_empty()
    }

    /// A relay has sent something.
    pub fn heard(&mut self, relay: u16) {
        if let Some(silence) = self.0.get_mut(&relay) {
            *silence = Duration::ZERO;
        }
    }

    /// A relay has sent all of its list, or was left.
    pub fn complete(&mut self, relay: u16) {
        self.0.remove(&relay);
    }

    /// All were waited for, for so long. Returns those that are waited for no more, as they have sent nothing for
    /// [too long](SILENCE).
    pub fn waited(&mut self, time: Duration) -> Vec<u16> {
        let mut silent = Vec::new();
        self.0.retain(|relay, silence| {
            *silence = silence.saturating_add(time);
            let is_waited_for = *silence < SILENCE;
            if !is_waited_for {
                silent.push(*relay);
            }
            is_waited_for
        });
        silent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_relay_is_waited_for_as_long_whatever_others_send() {
        let mut lists = Lists::of([1, 2, 3]);
        let half = SILENCE / 2;
        assert!(lists.waited(half).is_empty());
        lists.heard(1);
        lists.complete(3);
        assert_eq!(lists.waited(half), [2]);
        assert!(!lists.are_complete());
        // What it sends too late, or one that is complete, changes nothing.
        lists.heard(2);
        lists.heard(3);
        assert_eq!(lists.waited(half), [1]);
        assert!(lists.are_complete());
        assert!(lists.waited(SILENCE).is_empty());
    }
}
