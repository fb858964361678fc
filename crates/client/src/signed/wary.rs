//! Players whose offers are not taken for a while, as no game has come of earlier ones.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use connect4_protocol::Address;
use tokio::time::Instant;

/// For how long offers of a player are not taken after the first that has come to nothing, and at most: each further
/// one doubles the time.
const PLAYER: [Duration; 2] = [Duration::from_secs(30), Duration::from_secs(60 * 60)];
/// For how long no offer is taken if two such players are remembered, and at most: each further one doubles the time.
/// Keys cost nothing, and while an offer is taken the own one is withdrawn.
const ANYBODY: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(60)];
/// After how long a player is forgotten whose offers are taken again.
const FORGOTTEN: Duration = Duration::from_secs(10 * 60);
/// How many players are remembered.
const MOST: usize = 256;

/// Whose offers are not taken for a while, for all games that are sought by one program. A copy remembers the same.
#[derive(Clone, Debug, Default)]
pub struct Wary(Arc<Mutex<Remembered>>);

impl Wary {
    fn lock(&self) -> MutexGuard<'_, Remembered> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nothing has come of an offer of the player with this key.
    pub fn failed(&self, key: Address) {
        self.lock().failed(key, Instant::now());
    }

    /// The player with this key has come to play.
    pub fn agreed(&self, key: Address) {
        self.lock().agreed(key);
    }

    /// Whether an offer by this key is taken.
    pub(super) fn takes(&self, key: Address) -> bool {
        self.lock().takes(key, Instant::now())
    }

    /// When an offer is taken next that is not taken now; none if all are.
    pub(super) fn next(&self) -> Option<Instant> {
        self.lock().next(Instant::now())
    }
}

/// What is remembered of players, by the keys of their offers.
#[derive(Debug, Default)]
struct Remembered {
    players: BTreeMap<Address, Reluctant>,
    /// Until when no offer is taken.
    until: Option<Instant>,
}

#[derive(Debug)]
struct Reluctant {
    /// How many offers in succession have come to nothing.
    times: u32,
    /// Until when no offer of the player is taken.
    until: Instant,
}

impl Remembered {
    fn failed(&mut self, key: Address, now: Instant) {
        self.players
            .retain(|_, player| now.saturating_duration_since(player.until) < FORGOTTEN);
        let times = self.players.get(&key).map_or(0, |player| player.times);
        let until = now + doubled(PLAYER, times);
        let times = times.saturating_add(1);
        self.players.insert(key, Reluctant { times, until });
        if self.players.len() > MOST {
            // Who has failed most often is waited for longest, and stays.
            let first = self.players.iter().min_by_key(|(_, player)| player.until);
            let first = first.map(|(key, _)| *key);
            first.and_then(|key| self.players.remove(&key));
        }
        let beyond = self.players.len().checked_sub(2);
        let times = beyond.map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        self.until = times.map(|times| now + doubled(ANYBODY, times));
    }

    fn agreed(&mut self, key: Address) {
        self.players.remove(&key);
    }

    fn takes(&self, key: Address, now: Instant) -> bool {
        let is_over = |until: Instant| until <= now;
        let player = self.players.get(&key);
        self.until.is_none_or(is_over) && player.is_none_or(|player| is_over(player.until))
    }

    fn next(&self, now: Instant) -> Option<Instant> {
        let later = |until: &Instant| *until > now;
        let of_players = self.players.values().map(|player| player.until);
        self.until
            .filter(later)
            .or_else(|| of_players.filter(later).min())
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

    /// How often offers are taken in this time of a player who always offers and accepts nothing.
    fn taken(wary: &mut Remembered, player: Address, from: Instant, seconds: u32) -> u32 {
        let mut count = 0;
        for second in 0..seconds {
            let now = from + SECOND * second;
            if wary.takes(player, now) {
                wary.failed(player, now);
                count += 1;
            }
        }
        count
    }

    #[test]
    fn who_accepts_nothing_is_taken_ever_less_often_and_others_at_once() {
        let (mut wary, start) = (Remembered::default(), Instant::now());
        // After 0, 30, 90, 210, 450, 930, 1890 and 3810 seconds.
        assert_eq!(taken(&mut wary, key(1), start, 3600), 7);
        let after = start + SECOND * 3600;
        assert!(wary.takes(key(2), after));
        assert!(!wary.takes(key(1), after));
        assert_eq!(wary.next(after), Some(start + SECOND * 3810));
        // At the end once in an hour.
        assert_eq!(taken(&mut wary, key(1), after, 86_400), 24);
        wary.agreed(key(1));
        assert_eq!(wary.next(after), None);
        assert!(wary.takes(key(1), after));
    }

    #[test]
    fn of_a_flood_of_keys_one_is_taken_in_a_minute_and_memory_is_bounded() {
        let (mut wary, start) = (Remembered::default(), Instant::now());
        let mut count = 0;
        // Each second a new key: after 0, 0, 5, 15, 35 and 75 seconds, then once in a minute.
        for second in 0..3600_u16 {
            let now = start + SECOND * u32::from(second);
            if wary.takes(key(second), now) {
                wary.failed(key(second), now);
                count += 1;
            }
        }
        assert!((60..=66).contains(&count), "{count}");
        for number in 5000..6000 {
            wary.failed(key(number), start);
        }
        assert_eq!(wary.players.len(), MOST);
        // Those who have failed most often are not forgotten for those.
        let (mut wary, teaser) = (Remembered::default(), key(1));
        wary.failed(teaser, start);
        wary.failed(teaser, start);
        (2..1000).for_each(|number| wary.failed(key(number), start));
        assert!(!wary.takes(teaser, start + SECOND * 59));
        assert!(wary.players.contains_key(&teaser));
    }

    #[test]
    fn who_has_been_away_for_long_begins_anew() {
        let (mut wary, start) = (Remembered::default(), Instant::now());
        (0..20).for_each(|_| wary.failed(key(1), start));
        let later = start + SECOND * 3 * 3600;
        wary.failed(key(1), later);
        assert!(!wary.takes(key(1), later + SECOND * 29));
        assert!(wary.takes(key(1), later + SECOND * 30));
    }
}
