//! What players type.

use std::io::{self, BufRead, Read};

use connect4_rules::{Bin, DropError, Position};
use tokio::sync::mpsc;

/// How long an answer can be, in bytes; the rest is another answer.
const LONGEST: u64 = 4096;

/// The lines of standard input.
pub struct Lines(mpsc::Receiver<io::Result<String>>);

impl Lines {
    /// Starts to read. A thread of its own does, as a read of a terminal can't be given up.
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

    /// The next line; none after the end.
    pub async fn next(&mut self) -> io::Result<Option<String>> {
        self.0.recv().await.transpose()
    }

    /// Forgets what was typed while nobody asked.
    pub fn forget(&mut self) {
        while self.0.try_recv().is_ok() {}
    }
}

/// What a player wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// To drop a disc.
    Drop(Bin),
    /// To do something else.
    Other(Wish),
}

/// What a player may want besides dropping a disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    Resign,
    Draw,
    Accept,
    Decline,
    Claim,
    Help,
}

/// What `help` says.
pub const HELP: &str = "a bin drops a disc; draw offers a draw, accept and decline answer such an \
                        offer, resign gives the game up, claim ends it if the other's time has run \
                        out; Ctrl-C leaves";

/// What an answer says beside bins; none if it may be a bin.
pub fn wish(answer: &str) -> Option<Wish> {
    Some(match answer.trim().to_ascii_lowercase().as_str() {
        "resign" => Wish::Resign,
        "draw" => Wish::Draw,
        "accept" => Wish::Accept,
        "decline" => Wish::Decline,
        "claim" => Wish::Claim,
        "help" | "?" => Wish::Help,
        _ => return None,
    })
}

/// What an answer says, or what is wrong with it.
pub fn answer(answer: &str, position: &Position) -> Result<Answer, String> {
    match wish(answer) {
        Some(wish) => Ok(Answer::Other(wish)),
        None => bin(answer, position).map(Answer::Drop),
    }
}

/// The bin that an answer names, or what is wrong with it.
fn bin(answer: &str, position: &Position) -> Result<Bin, String> {
    let answer = answer.trim();
    if answer.is_empty() {
        return Err("empty answer, a bin index is needed".into());
    }
    let digits = answer.strip_prefix(['-', '+']).unwrap_or(answer);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        // Whatever was typed may hold what would change the terminal.
        return Err(format!("`{}` is not a number", answer.escape_debug()));
    }
    let invalid = invalid(position.shape().bins());
    // What does not fit a byte is past every board.
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

/// What is said of a bin that a board does not have.
pub fn invalid(bins: u8) -> String {
    format!("invalid bin index, needs to be in [0, {bins})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use connect4_rules::Shape;

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

    #[test]
    fn words_are_wishes() {
        let position = Position::new(Shape::CLASSROOM);
        for (word, wish) in [
            ("resign", Wish::Resign),
            (" Draw ", Wish::Draw),
            ("ACCEPT", Wish::Accept),
            ("decline", Wish::Decline),
            ("claim", Wish::Claim),
            ("?", Wish::Help),
        ] {
            assert_eq!(answer(word, &position), Ok(Answer::Other(wish)));
        }
        assert_eq!(answer("3", &position), Ok(Answer::Drop(Bin::new(3))));
        assert!(answer("resign!", &position).is_err());
    }
}
