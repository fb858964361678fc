//! Which puzzles were solved on this machine, and the days.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use connect4_opponent::Puzzle;
use connect4_wire::words::now;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// File in the folder of what belongs to this machine.
const FILE: &str = "puzzles.json";
/// Seconds of a day.
const DAY: u64 = 24 * 60 * 60;

/// A day in UTC, counted from 1 January 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Day(pub u32);

impl Day {
    /// The day by this machine's clock.
    pub fn today() -> Self {
        Self(u32::try_from(now() / DAY).unwrap_or(u32::MAX))
    }

    /// Year, month and day of the month (H. Hinnant, "chrono-compatible low-level date algorithms").
    fn civil(self) -> (u64, u64, u64) {
        let days = u64::from(self.0) + 719_468;
        let era = days / 146_097;
        let of_era = days % 146_097;
        let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let from_march = (5 * of_year + 2) / 153;
        let day = of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 {
            from_march + 3
        } else {
            from_march - 9
        };
        (year_of_era + era * 400 + u64::from(month <= 2), month, day)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.civil();
        write!(f, "{year}-{month:02}-{day:02}")
    }
}

impl FromStr for Day {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WHY: &str = "a day is written as 2026-11-24, and is from 1970 to 9999";
        let year: u32 = text
            .get(..4)
            .and_then(|year| year.parse().ok())
            .ok_or(WHY)?;
        // Some days before that year's first; the text is compared with each day of it and a few more.
        let first = year.checked_sub(1970).ok_or(WHY)? * 365;
        (first..first + 366 * 8)
            .map(Self)
            .find(|day| day.to_string() == text)
            .ok_or(WHY)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Solved {
    /// Edition of the puzzles whose numbers these are.
    edition: String,
    numbers: BTreeSet<usize>,
    /// The last day whose puzzle was solved.
    last: Option<Day>,
    /// Days up to it in succession whose puzzle was solved.
    streak: u32,
    /// Longest streak.
    best: u32,
}

impl Solved {
    /// What the folder has; nothing in none.
    pub fn read(folder: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = folder.map(path) else {
            return Ok(Self::default());
        };
        let solved: Self = match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map_err(|error| {
                    Failure::Other(format!(
                        "{}, which has the puzzles that you have solved, is damaged: {error}. Repair it, or move \
                         it away to begin anew",
                        path.display()
                    ))
                })?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Self::default(),
            Err(error) => return Err(failed(&path, &error)),
        };
        Ok(solved.of_edition(Puzzle::edition()))
    }

    /// The same for this edition: numbers of another one are of other puzzles.
    fn of_edition(self, edition: &str) -> Self {
        let numbers = match self.edition == edition {
            true => self.numbers,
            false => BTreeSet::new(),
        };
        Self {
            edition: edition.into(),
            numbers,
            ..self
        }
    }

    /// Writes it into the folder.
    pub fn write(&self, folder: Option<&Path>) -> Result<(), Failure> {
        let Some(folder) = folder else {
            return Ok(());
        };
        let path = path(folder);
        let new = path.with_extension("new");
        let bytes = serde_json::to_vec(self).map_err(|error| Failure::Other(error.to_string()))?;
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&new, bytes))
            // All of it, or what was there before.
            .and_then(|()| fs::rename(&new, &path))
            .map_err(|error| failed(&path, &error))
    }

    /// A puzzle was solved, which is that of this day if there is one. A day that is still to come does not count:
    /// all of them could be solved at once.
    pub fn solve(&mut self, number: usize, day: Option<Day>, today: Day) {
        self.numbers.insert(number);
        let Some(day) = day.filter(|day| *day <= today) else {
            return;
        };
        match self.last {
            Some(last) if last >= day => return,
            Some(Day(last)) if last + 1 == day.0 => self.streak += 1,
            _ => self.streak = 1,
        }
        self.last = Some(day);
        self.best = self.best.max(self.streak);
    }

    pub fn has(&self, number: usize) -> bool {
        self.numbers.contains(&number)
    }

    /// Days in succession whose puzzle was solved, up to this day or the one before.
    pub fn streak(&self, today: Day) -> u32 {
        match self.last {
            Some(Day(last)) if last + 1 >= today.0 => self.streak,
            _ => 0,
        }
    }

    /// Longest streak.
    pub const fn best(&self) -> u32 {
        self.best
    }
}

fn path(folder: &Path) -> PathBuf {
    folder.join(FILE)
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Other(format!(
        "{}, which has the puzzles that you have solved, cannot be used: {error}",
        path.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_as_they_are_written() {
        for (day, text) in [
            (0, "1970-01-01"),
            (11_016, "2000-02-29"),
            (20_781, "2026-11-24"),
            (2_932_896, "9999-12-31"),
        ] {
            assert_eq!(Day(day).to_string(), text);
            assert_eq!(text.parse(), Ok(Day(day)));
        }
        for text in [
            "",
            "2026",
            "2026-02-30",
            "1969-12-31",
            "24.11.2026",
            "2026-1-1",
        ] {
            assert!(text.parse::<Day>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_streak_ends_with_a_day_without_its_puzzle() {
        let mut solved = Solved::default();
        assert_eq!(solved.streak(Day(9)), 0);
        solved.solve(1, Some(Day(10)), Day(10));
        solved.solve(2, Some(Day(11)), Day(11));
        // A day that is still to come.
        solved.solve(6, Some(Day(12)), Day(11));
        // Once more, an earlier day, and no daily one.
        solved.solve(2, Some(Day(11)), Day(11));
        solved.solve(3, Some(Day(4)), Day(4));
        solved.solve(4, None, Day(11));
        assert_eq!([11, 12, 13].map(|day| solved.streak(Day(day))), [2, 2, 0]);
        solved.solve(5, Some(Day(13)), Day(13));
        assert_eq!((solved.streak(Day(13)), solved.best()), (1, 2));
        assert!((1..=5).all(|number| solved.has(number)));
    }

    #[test]
    fn it_is_kept_on_disk_and_numbers_of_other_editions_are_not_taken_over() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let folder = folder.path().join("new");
        let mut solved = Solved::read(Some(&folder)).expect("nothing");
        solved.solve(7, Some(Day(10)), Day(10));
        solved.write(Some(&folder)).expect("a disk");
        let again = Solved::read(Some(&folder)).expect("what was written");
        assert_eq!(again, solved);
        let other = again.of_edition("another");
        assert!(!other.has(7));
        assert_eq!(other.streak(Day(10)), 1);
        fs::write(path(&folder), "{").expect("a disk");
        assert!(Solved::read(Some(&folder)).is_err());
    }
}
