//! The lines that players type.

use std::io::{self, BufRead, Read};

use connect4_rules::{Bin, DropError, Position};
use tokio::sync::mpsc;

/// Maximum length of an answer, in bytes; the rest is another answer.
const LONGEST: u64 = 4096;

/// The lines of standard input.
pub struct Lines(mpsc::Receiver<io::Result<String>>);

impl Lines {
    /// Starts to read, in a thread of its own: a read from a terminal can't be cancelled.
    pub fn read() -> Self {
        let (sender, receiver) = mpsc::channel(1);
        std::thread::spawn(move || {
            let mut input = io::stdin().lock();
            loop {
                let mut line = Vec::new();
                let read = (&mut input).take(LONGEST).read_until(b'\n', &mut line);
                let line = match read {
                    Ok(0) => return,
                    Ok(_) => Ok(String::from_utf8_lossy(&line)
                        .trim_end_matches(['\r', '\n'])
                        .into()),
                    Err(error) => Err(error),
                };
                let failed = line.is_err();
                if sender.blocking_send(line).is_err() || failed {
                    return;
                }
            }
        });
        Self(receiver)
    }

    /// The lines that are made of keys at a terminal.
    pub const fn typed(lines: mpsc::Receiver<io::Result<String>>) -> Self {
        Self(lines)
    }

    /// One line of standard input, which [`Self::read`] is not reading yet; empty after the end.
    pub async fn one() -> io::Result<String> {
        let reading = tokio::task::spawn_blocking(|| {
            let mut line = Vec::new();
            io::stdin()
                .lock()
                .take(LONGEST)
                .read_until(b'\n', &mut line)?;
            Ok(String::from_utf8_lossy(&line).into_owned())
        });
        reading.await.map_err(io::Error::other)?
    }

    /// The next line; none after the end.
    pub async fn next(&mut self) -> io::Result<Option<String>> {
        self.0.recv().await.transpose()
    }

    /// Drops the lines that were typed before now.
    pub fn forget(&mut self) {
        while self.0.try_recv().is_ok() {}
    }
}

/// The bin that an answer names, or why it is refused.
pub fn bin(answer: &str, position: &Position) -> Result<Bin, String> {
    let answer = answer.trim();
    if answer.is_empty() {
        return Err("empty answer, a bin index is needed".into());
    }
    let digits = answer.strip_prefix(['-', '+']).unwrap_or(answer);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        // The answer may hold control characters, which would change the terminal.
        return Err(format!("`{}` is not a number", answer.escape_debug()));
    }
    let invalid = invalid(position.shape().bins());
    // A number that does not fit a byte is beyond every board.
    let index: u8 = match answer.parse() {
        Ok(index) => index,
        Err(_) if digits.bytes().all(|byte| byte == b'0') => 0,
        Err(_) => return Err(invalid),
    };
    let bin = Bin::new(index);
    match (*position).clone().drop(bin) {
        Err(DropError::NoSuchBin) => Err(invalid),
        Err(error) => Err(error.to_string()),
        Ok(_) => Ok(bin),
    }
}

/// The bin that an answer names by a number from 1, or why it is refused.
pub fn bin_from_one(answer: &str, position: &Position) -> Result<Bin, String> {
    let answer = answer.trim();
    let bins = position.shape().bins();
    if answer.is_empty() || !answer.bytes().all(|byte| byte.is_ascii_digit()) {
        // The answer may hold control characters, which would change the terminal.
        return Err(format!(
            "`{}` is neither a bin from 1 to {bins} nor a word that is known here",
            answer.escape_debug()
        ));
    }
    let number: Option<u8> = answer.parse().ok();
    let index = match number {
        Some(0) => {
            return Err("bins count from 1 here: type 1 for the first one from the left".into());
        }
        Some(number) if number <= bins => number.saturating_sub(1),
        _ => {
            return Err(format!(
                "there is no bin {answer}: they count from 1 to {bins}"
            ));
        }
    };
    let bin = Bin::new(index);
    match (*position).clone().drop(bin) {
        Ok(_) => Ok(bin),
        Err(error) => Err(error.to_string()),
    }
}

/// Error for a bin that the board does not have.
pub fn invalid(bins: u8) -> String {
    format!("invalid bin index, needs to be in [0, {bins})")
}

#[cfg(test)]
mod tests {
    use connect4_rules::Shape;

    use super::*;

    #[test]
    fn bins_from_one_are_those_below_the_board() {
        let mut position = Position::new(Shape::CLASSROOM);
        for _ in 0..4 {
            position.drop(Bin::new(0)).unwrap();
        }
        let said = |answer| bin_from_one(answer, &position).map(Bin::index);
        for (answer, index) in [("2", 1), (" 6 ", 5), ("02", 1)] {
            assert_eq!(said(answer), Ok(index));
        }
        assert_eq!(said("1"), Err("the bin is full".into()));
        let zero = said("0").unwrap_err();
        assert!(zero.contains("count from 1"), "{zero}");
        for answer in ["7", "256", "99999999999999999999999"] {
            let error = said(answer).unwrap_err();
            assert!(error.starts_with("there is no bin"), "{error}");
        }
        for answer in ["", "-1", "+1", "a", "1.5", "\u{1b}[2J"] {
            let error = said(answer).unwrap_err();
            assert!(error.contains("is neither a bin"), "{error}");
            assert!(!error.contains('\u{1b}'));
        }
    }

    #[test]
    fn every_bad_answer_is_named() {
        let mut position = Position::new(Shape::CLASSROOM);
        for _ in 0..4 {
            position.drop(Bin::new(0)).unwrap();
        }
        let said = |answer| bin(answer, &position).map(Bin::index);
        let invalid = Err("invalid bin index, needs to be in [0, 6)".to_owned());
        for answer in ["-1", "-2", "6", "7", "10", "256", "99999999999999999999999"] {
            assert_eq!(said(answer), invalid, "{answer}");
        }
        assert_eq!(said("0"), Err("the bin is full".into()));
        assert_eq!(said("-0"), Err("the bin is full".into()));
        for answer in ["", "  ", "\t"] {
            assert_eq!(
                said(answer),
                Err("empty answer, a bin index is needed".into())
            );
        }
        for answer in ["a", "1.5", "1 2", "-", "٣", "\u{1b}[2J"] {
            let error = said(answer).unwrap_err();
            assert!(error.ends_with("is not a number"), "{error}");
            assert!(!error.contains('\u{1b}'));
        }
        for answer in ["5", " 5 ", "+5", "05"] {
            assert_eq!(said(answer), Ok(5));
        }
    }
}
