//! Values of options.

use std::time::Duration;

use connect4_protocol::ClockSpec;
use connect4_protocol::signed::{Pool, PoolName};
use connect4_rules::variant::Move;
use connect4_server::is_origin;

use crate::play::grammar;

/// Reads the name of a pool, or its number.
pub fn pool(text: &str) -> Result<PoolName, String> {
    let names: Vec<&str> = Pool::ALL.iter().map(|pool| pool.name()).collect();
    text.parse()
        .map_err(|()| format!("give one of {}, or a number up to 65535", names.join(", ")))
}

/// Reads a time in seconds: `300`, `90s`, `5m`, `2h` or `3d`.
pub fn time(text: &str) -> Result<u32, String> {
    let (number, unit) = match text.char_indices().last() {
        Some((at, 's')) => (&text[..at], 1),
        Some((at, 'm')) => (&text[..at], 60),
        Some((at, 'h')) => (&text[..at], 60 * 60),
        Some((at, 'd')) => (&text[..at], 24 * 60 * 60),
        _ => (text, 1),
    };
    number
        .parse::<u32>()
        .ok()
        .and_then(|number| number.checked_mul(unit))
        .ok_or_else(|| "give seconds such as 300, or a time such as 90s, 5m, 2h or 3d".into())
}

/// Reads a move in the notation.
pub fn game_move(text: &str) -> Result<Move, String> {
    match grammar::read(text) {
        Err(_) if !text.is_empty() && text.bytes().all(|byte| byte == b'0') => {
            Err("bins count from 1 here: 1 is the first one from the left".into())
        }
        read => read.map_err(|error| error.to_string()),
    }
}

/// The clock of a game at a relay, as a player asks for it; none for a game without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskedClock(pub Option<ClockSpec>);

/// Reads a clock as [`clock_text`](crate::words::clock_text) writes it, or `none`.
pub fn clock(text: &str) -> Result<AskedClock, String> {
    if text == "none" {
        return Ok(AskedClock(None));
    }
    let (bank, increment) = text.split_once('+').unwrap_or((text, "0"));
    let has_unit = !bank.ends_with(|c: char| c.is_ascii_digit());
    let bank = match has_unit {
        true => time(bank),
        false => time(&format!("{bank}m")),
    };
    let read = bank.and_then(|bank| {
        Ok(ClockSpec {
            bank,
            increment: time(increment)?,
        })
    });
    match read {
        Ok(clock) if clock.is_in_bounds() => Ok(AskedClock(Some(clock))),
        Ok(_) => Err(
            "a clock has at least a second and at most 30 days, and at most a day for each move"
                .into(),
        ),
        Err(_) => Err(
            "give the minutes of each player and the seconds of each move, such as 3+2 or 10, with units 30s+1 or 3d+1h, \
             or none"
                .into(),
        ),
    }
}

/// Reads the URL of a server, without a path.
pub fn origin(text: &str) -> Result<String, String> {
    let url = text.strip_suffix('/').unwrap_or(text);
    match is_origin(url) {
        true => Ok(url.into()),
        false => Err("give a URL without a path, such as https://games.example".into()),
    }
}

/// Reads the time between blocks, in seconds: `2` or `0.5`.
pub fn block_time(text: &str) -> Result<Duration, String> {
    match pause(text) {
        Ok(time) if time.is_zero() => Err("the time between blocks has to be more than 0".into()),
        result => result,
    }
}

/// Reads a time in seconds: `2`, `0.5` or `0`.
pub fn pause(text: &str) -> Result<Duration, String> {
    text.parse::<f64>()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|time| time.as_secs() <= 3600)
        .ok_or_else(|| "give seconds such as 2 or 0.5, at most 3600".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, seconds) in [("300", 300), ("90s", 90), ("5m", 300), ("2h", 7200)] {
            assert_eq!(time(text), Ok(seconds));
        }
        assert_eq!(time("3d"), Ok(259_200));
        for text in ["", "m", "soon", "-1", "1.5h", "99999999999", "50000d", "5µ"] {
            assert!(time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn clocks_are_minutes_and_seconds_a_move_as_they_are_written() {
        let of = |bank, increment| Ok(AskedClock(Some(ClockSpec { bank, increment })));
        for (text, bank, increment) in [
            ("3+2", 180, 2),
            ("10+0", 600, 0),
            ("30s+1", 30, 1),
            ("2h+30", 7200, 30),
            ("3d+3600", 259_200, 3600),
        ] {
            assert_eq!(clock(text), of(bank, increment));
            assert_eq!(
                crate::words::clock_text(ClockSpec { bank, increment }),
                text
            );
        }
        assert_eq!(clock("10"), of(600, 0));
        assert_eq!(clock("3d+1h"), of(259_200, 3600));
        assert_eq!(clock("none"), Ok(AskedClock(None)));
        for text in [
            "", "+", "3+", "+2", "soon", "0", "-3+2", "31d", "3+2d", "3+2+1", "1.5",
        ] {
            assert!(clock(text).is_err(), "{text}");
        }
    }

    #[test]
    fn pauses_are_short_and_blocks_take_time() {
        assert_eq!(pause("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(pause("0"), Ok(Duration::ZERO));
        assert!(block_time("0").is_err());
        for text in ["-1", "nan", "inf", "3601.5", "a"] {
            assert!(pause(text).is_err(), "{text}");
        }
    }
}
