//! Seekers whom a bot does not answer for a while, as no game has come of earlier answers.

use std::collections::BTreeMap;
use std::time::Duration;

use connect4_protocol::Address;
use tokio::time::Instant;

/// For how long a seeker is not answered after the first answer that has come to nothing, and at most: each further
/// one doubles the time.
const SEEKER: [Duration; 2] = [Duration::from_secs(30), Duration::from_secs(60 * 60)];
/// For how long nobody is answered if two such seekers are remembered, and at most: each further one doubles the
/// time. Keys cost nothing, and while an answer waits the bot declines those to its own seek.
const ANYBODY: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(60)];
/// After how long a seeker is forgotten who is answered again.
const FORGOTTEN: Duration = Duration::from_secs(10 * 60);
/// How many seekers are remembered.
const MOST: usize = 256;

/// What is remembered of seekers, by the keys of their seeks.
#[derive(Debug, Default)]
pub struct Wary {
    seekers: BTreeMap<Address, Reluctant>,
    /// Until when nobody is answered.
    until: Option<Instant>,
}

#[derive(Debug)]
struct Reluctant {
    /// How many answers in succession have come to nothing.
    times: u32,
    /// Until when the seeker is not answered.
    until: Instant,
}

impl Wary {
    /// An answer to the seeker with this key has come to nothing.
    pub fn failed(&mut self, key: Address, now: Instant) {
        self.seekers
            .retain(|_, seeker| now.saturating_duration_since(seeker.until) < FORGOTTEN);
        let times = self.seekers.get(&key).map_or(0, |seeker| seeker.times);
        let until = now + doubled(SEEKER, times);
        let times = times.saturating_add(1);
        self.seekers.insert(key, Reluctant { times, until });
        if self.seekers.len() > MOST {
            // Who has failed most often is waited for longest, and stays.
            let first = self.seekers.iter().min_by_key(|(_, seeker)| seeker.until);
            let first = first.map(|(key, _)| *key);
            first.and_then(|key| self.seekers.remove(&key));
        }
        let beyond = self.seekers.len().checked_sub(2);
        let times = beyond.map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        self.until = times.map(|times| now + doubled(ANYBODY, times));
    }

    /// The seeker with this key has agreed to a game.
    pub fn agreed(&mut self, key: Address) {
        self.seekers.remove(&key);
    }

    /// Whether a seek with this key is answered.
    pub fn answers(&self, key: Address, now: Instant) -> bool {
        let is_over = |until: Instant| until <= now;
        let seeker = self.seekers.get(&key);
        self.until.is_none_or(is_over) && seeker.is_none_or(|seeker| is_over(seeker.until))
    }

    /// When somebody is answered next who is not answered now; none if everybody is.
    pub fn next(&self, now: Instant) -> Option<Instant> {
        let later = |until: &Instant| *until > now;
        let of_seekers = self.seekers.values().map(|seeker| seeker.until);
        self.until
            .filter(later)
            .or_else(|| of_seekers.filter(later).min())
    }
}

/// The first of these times, doubled so often, and at most the second.
fn doubled([first, most]: [Duration; 2], times: u32) -> Duration {
    let factor = 1_u32.checked_shl(times).unwrap_or(u32::MAX);
    first.saturating_mul(factor).min(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn key(number: u16) -> Address {
        let mut key = [0; 20];
        key[..2].copy_from_slice(&number.to_be_bytes());
        Address(key)
    }

    /// How often a seeker is answered in this time who always seeks and accepts nothing.
    fn answered(wary: &mut Wary, seeker: Address, from: Instant, seconds: u32) -> u32 {
        let mut count = 0;
        for second in 0..seconds {
            let now = from + SECOND * second;
            if wary.answers(seeker, now) {
                wary.failed(seeker, now);
                count += 1;
            }
        }
        count
    }

    #[test]
    fn a_seeker_who_accepts_nothing_is_answered_ever_less_often_and_others_at_once() {
        let (mut wary, start) = (Wary::default(), Instant::now());
        // After 0, 30, 90, 210, 450, 930, 1890 and 3810 seconds.
        assert_eq!(answered(&mut wary, key(1), start, 3600), 7);
        let after = start + SECOND * 3600;
        assert!(wary.answers(key(2), after));
        assert!(!wary.answers(key(1), after));
        assert_eq!(wary.next(after), Some(start + SECOND * 3810));
        // At the end once in an hour.
        assert_eq!(answered(&mut wary, key(1), after, 86_400), 24);
        wary.agreed(key(1));
        assert_eq!(wary.next(after), None);
        assert!(wary.answers(key(1), after));
    }

    #[test]
    fn a_flood_of_keys_takes_an_answer_in_a_minute_and_bounded_memory() {
        let (mut wary, start) = (Wary::default(), Instant::now());
        let mut count = 0;
        // Each second a new key: after 0, 0, 5, 15, 35 and 75 seconds, then once in a minute.
        for second in 0..3600_u16 {
            let now = start + SECOND * u32::from(second);
            if wary.answers(key(second), now) {
                wary.failed(key(second), now);
                count += 1;
            }
        }
        assert!((60..=66).contains(&count), "{count}");
        for number in 5000..6000 {
            wary.failed(key(number), start);
        }
        assert_eq!(wary.seekers.len(), MOST);
        // Those who have failed most often are not forgotten for those.
        let (mut wary, teaser) = (Wary::default(), key(1));
        wary.failed(teaser, start);
        wary.failed(teaser, start);
        (2..1000).for_each(|number| wary.failed(key(number), start));
        assert!(!wary.answers(teaser, start + SECOND * 59));
        assert!(wary.seekers.contains_key(&teaser));
    }

    #[test]
    fn a_seeker_who_has_been_away_for_long_begins_anew() {
        let (mut wary, start) = (Wary::default(), Instant::now());
        (0..20).for_each(|_| wary.failed(key(1), start));
        let later = start + SECOND * 3 * 3600;
        wary.failed(key(1), later);
        assert!(!wary.answers(key(1), later + SECOND * 29));
        assert!(wary.answers(key(1), later + SECOND * 30));
    }
}
