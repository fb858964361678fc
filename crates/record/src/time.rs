//! Times as RFC 3339 writes them, in UTC: `2026-11-24T20:18:17Z`, and with milliseconds `2026-11-24T20:18:17.042Z`.

use alloc::format;
use alloc::string::ToString as _;
use core::fmt;
use core::str::FromStr;

use connect4_rules::ParseError;

/// A time in seconds since 1970, up to the year 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Time(u64);

const DAY: u64 = 24 * 60 * 60;
/// The last second of the year 9999.
const LAST: u64 = 253_402_300_799;

impl Time {
    /// A time; none after the year 9999.
    pub(crate) fn new(seconds: u64) -> Option<Self> {
        (seconds <= LAST).then_some(Self(seconds))
    }

    pub(crate) const fn seconds(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = date(self.0 / DAY);
        let second = self.0 % DAY;
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"
        )
    }
}

/// Reads what `Display` writes.
impl FromStr for Time {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        read(text).ok_or(ParseError::new("a time such as 2026-11-24T20:18:17Z"))
    }
}

fn read(text: &str) -> Option<Time> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let mut date = date.splitn(3, '-').map(str::parse::<u64>);
    let mut time = time.splitn(3, ':').map(str::parse::<u64>);
    let mut of_date = || date.next()?.ok();
    let (year, month, day) = (of_date()?, of_date()?, of_date()?);
    let mut of_time = || time.next()?.ok();
    let (hour, minute, second) = (of_time()?, of_time()?, of_time()?);
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    // A day that the month lacks is one of the next month, and is written as that.
    Time::new(days(year, month, day)? * DAY + hour * 3600 + minute * 60 + second)
}

/// The days of 400 years, and of the years since March of the year 0 until 1970.
const ERA: u64 = 146_097;
const BEFORE: u64 = 719_468;

// Both functions count years from March, so that the leap day is the last one of a year: H. Hinnant,
// "chrono-Compatible Low-Level Date Algorithms".

/// Year, month and day of a day since 1970.
const fn date(days: u64) -> (u64, u64, u64) {
    let days = days + BEFORE;
    let (era, of_era) = (days / ERA, days % ERA);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let year = year + era * 400;
    match month {
        0..=9 => (year, month + 3, day),
        _ => (year + 1, month - 9, day),
    }
}

/// The days since 1970.
fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    let (year, month) = match month {
        1 | 2 => (year - 1, month + 9),
        _ => (year, month - 3),
    };
    let (era, of_era) = (year / 400, year % 400);
    let of_year = (153 * month + 2) / 5 + day - 1;
    (era * ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year).checked_sub(BEFORE)
}

/// A moment in milliseconds since 1970, up to the year 9999: `2026-11-24T20:18:17.042Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment(u64);

impl Moment {
    /// A moment; none after the year 9999.
    pub(crate) fn new(milliseconds: u64) -> Option<Self> {
        Time::new(milliseconds / 1000).map(|_| Self(milliseconds))
    }

    pub(crate) const fn milliseconds(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let second = Time(self.0 / 1000).to_string();
        let second = second.trim_end_matches('Z');
        write!(f, "{second}.{:03}Z", self.0 % 1000)
    }
}

/// Reads what `Display` writes.
impl FromStr for Moment {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let read = || {
            let (second, rest) = text.split_once('.')?;
            let milliseconds: u64 = rest.strip_suffix('Z')?.parse().ok()?;
            let second: Time = format!("{second}Z").parse().ok()?;
            Self::new((second.0 * 1000).checked_add(milliseconds)?)
        };
        read().ok_or(ParseError::new("a time such as 2026-11-24T20:18:17.042Z"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_reads_back_as_it_is_written() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (LAST, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(Time(seconds).to_string(), text);
        }
        let mut before = 0;
        for day in 0..=LAST / DAY {
            let time = Time(day * DAY + day % DAY);
            assert_eq!(time.to_string().parse(), Ok(time));
            let (year, month, _) = date(day);
            assert!(year * 12 + month >= before);
            before = year * 12 + month;
        }
        assert_eq!(Time::new(LAST + 1), None);
    }

    #[test]
    fn every_millisecond_reads_back_as_it_is_written() {
        for (milliseconds, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_042, "2000-02-28T23:59:59.042Z"),
            (LAST * 1000 + 999, "9999-12-31T23:59:59.999Z"),
        ] {
            let moment = Moment(milliseconds);
            assert_eq!(moment.to_string(), text);
            assert_eq!(text.parse(), Ok(moment));
        }
        assert_eq!(Moment::new(LAST * 1000 + 1000), None);
        for text in [
            "",
            "2026-11-24T20:18:17Z",
            "2026-11-24T20:18:17.-1Z",
            "2026-11-24T20:18:17.99999999999999999999Z",
            "9999-12-31T23:59:59.1000Z",
        ] {
            assert!(text.parse::<Moment>().is_err(), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "2026-11-24",
            "2026-11-24T20:18:17",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "1969-12-31T23:59:59Z",
            "99999999999999999999-01-01T00:00:00Z",
            "2026-01-01T00:00:-1Z",
        ] {
            assert!(text.parse::<Time>().is_err(), "{text}");
        }
        // What reads as another time is seen when it is written again.
        let none = "2026-02-30T00:00:00Z".parse::<Time>().unwrap();
        assert_eq!(none.to_string(), "2026-03-02T00:00:00Z");
    }
}
