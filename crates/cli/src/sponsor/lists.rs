//! The lists of ended games that relays send first.

use std::collections::BTreeMap;
use std::time::Duration;

/// For how long a relay is waited for that sends nothing, and has not sent all of its list.
const SILENCE: Duration = Duration::from_secs(30);
/// For how long it is waited for whatever it sends: many times what the longest list takes.
const LONGEST: Duration = Duration::from_secs(600);

/// The relays whose lists are not complete.
#[derive(Clone, Debug)]
pub struct Lists(BTreeMap<u16, Waited>);

/// For how long a relay was waited for: since it has sent something, and in all.
#[derive(Clone, Copy, Debug, Default)]
struct Waited {
    silence: Duration,
    all: Duration,
}

impl Lists {
    /// Nothing was sent yet by these relays.
    pub fn of(relays: impl IntoIterator<Item = u16>) -> Self {
        let relays = relays.into_iter();
        Self(relays.map(|relay| (relay, Waited::default())).collect())
    }

    /// Whether nobody is waited for.
    pub fn are_complete(&self) -> bool {
        self.0.is_empty()
    }

    /// A relay has sent something.
    pub fn heard(&mut self, relay: u16) {
        if let Some(waited) = self.0.get_mut(&relay) {
            waited.silence = Duration::ZERO;
        }
    }

    /// A relay has sent all of its list, or was left. Returns whether it was waited for.
    pub fn end(&mut self, relay: u16) -> bool {
        self.0.remove(&relay).is_some()
    }

    /// All were waited for, for so long. Returns those that are waited for no more, as they have sent nothing for half
    /// a minute, or no end of their list for ten minutes.
    pub fn waited(&mut self, time: Duration) -> Vec<u16> {
        let mut silent = Vec::new();
        self.0.retain(|relay, waited| {
            waited.silence = waited.silence.saturating_add(time);
            waited.all = waited.all.saturating_add(time);
            let is_waited_for = waited.silence < SILENCE && waited.all < LONGEST;
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
        assert!(lists.end(3) && !lists.end(3));
        assert_eq!(lists.waited(half), [2]);
        assert!(!lists.are_complete());
        // What it sends too late, or one that is complete, changes nothing.
        lists.heard(2);
        lists.heard(3);
        assert_eq!(lists.waited(half), [1]);
        assert!(lists.are_complete());
        assert!(lists.waited(SILENCE).is_empty());
    }

    #[test]
    fn a_relay_that_drips_is_not_waited_for_without_an_end() {
        let mut lists = Lists::of([1]);
        let each = SILENCE - Duration::from_secs(1);
        let times = std::iter::from_fn(|| {
            lists.heard(1);
            lists.waited(each).is_empty().then_some(())
        });
        assert_eq!(times.count(), 20);
        assert!(lists.are_complete());
    }
}
