//! A text as records.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use connect4_rules::variant::Move;

use crate::MOST_OF_COMMENTS;
use crate::board::{Board, in_words};
use crate::error::{Error, Fault};
use crate::lines::{Lines, tag};
use crate::record::{Record, Step};
use crate::tags::Tags;
use crate::unseen::is_unseen;

/// A game that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The line in which it begins, from 1.
    pub line: u32,
    /// The game.
    pub record: Record,
}

/// Reads the games of a text. Each is checked by the rules, and none by its signatures: [`Record::prove`] does
/// that. A game that is not written as it has to be is an error, and the games after it are read. A text without a
/// game has none.
#[must_use]
pub fn read(text: &str) -> Games<'_> {
    read_bytes(text.as_bytes())
}

/// Reads the games of a text in UTF-8, as [`read`]. A game with a line that is not in UTF-8 is an error like others.
#[must_use]
pub const fn read_bytes(bytes: &[u8]) -> Games<'_> {
    Games {
        lines: Lines::new(bytes),
    }
}

/// The games of a text; see [`read`].
#[derive(Clone, Debug)]
pub struct Games<'a> {
    lines: Lines<'a>,
}

impl Iterator for Games<'_> {
    type Item = Result<Found, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.lines.clone();
        let read = self.game().transpose()?;
        if read.is_err() {
            // From its start: a comment without an end may have taken the games after it.
            self.lines = start;
            self.lines.skip_game();
        }
        Some(read)
    }
}

impl Games<'_> {
    fn game(&mut self) -> Result<Option<Found>, Error> {
        let Some(mut line) = self.lines.next_filled()? else {
            return Ok(None);
        };
        let first = self.lines.number;
        let mut tags = Tags::default();
        loop {
            let number = self.lines.number;
            let (name, value) =
                tag(line).ok_or_else(|| not_a_tag(line, number == first).at(number))?;
            tags.add(number, name, value)?;
            match self.lines.next()? {
                None | Some("") => break,
                Some(next) => line = next,
            }
        }
        let record = tags.into_record(self.lines.number)?;
        let mut steps = Steps {
            board: Board::start(&record),
            record,
            comment: None,
            of_comments: 0,
        };
        while let Some(line) = self.lines.next_filled()? {
            if steps.line(line, self.lines.number)? {
                return Ok(Some(Found {
                    line: first,
                    record: steps.record,
                }));
            }
        }
        Err(match steps.comment {
            Some((_, begun)) => Fault::OpenComment.at(begun),
            None => Fault::NoResult.at(self.lines.number),
        })
    }
}

fn not_a_tag(line: &str, is_first: bool) -> Fault {
    // What follows is no file of this kind at all.
    match is_first && !line.starts_with('[') {
        true => Fault::NoVersion,
        false => Fault::NotATag,
    }
}

/// The moves of a game, as far as they are read.
struct Steps {
    record: Record,
    board: Board,
    /// The comment that is open, and the line in which it begins.
    comment: Option<(String, u32)>,
    /// Bytes of comments.
    of_comments: usize,
}

impl Steps {
    /// Reads a line; returns whether the result was in it.
    fn line(&mut self, line: &str, number: u32) -> Result<bool, Error> {
        let mut rest = line;
        loop {
            if let Some((mut comment, begun)) = self.comment.take() {
                let (text, after) = match rest.split_once('}') {
                    Some((text, after)) => (text, Some(after)),
                    None => (rest, None),
                };
                self.of_comments = self.of_comments.saturating_add(text.len() + 1);
                if self.of_comments > MOST_OF_COMMENTS {
                    return Err(Fault::LongComments.at(number));
                }
                for word in text.split_whitespace() {
                    if !comment.is_empty() {
                        comment.push(' ');
                    }
                    let shown = word.chars().filter(|character| !is_unseen(*character));
                    comment.extend(shown);
                }
                let Some(after) = after else {
                    self.comment = Some((comment, begun));
                    return Ok(false);
                };
                self.record
                    .comments
                    .push((self.record.steps.len(), comment));
                rest = after;
            }
            rest = rest.trim_start();
            if let Some(comment) = rest.strip_prefix('{') {
                self.comment = Some((String::new(), number));
                rest = comment;
                continue;
            }
            let is_end = |character: char| character.is_whitespace() || character == '{';
            let (token, after) = rest.split_at(rest.find(is_end).unwrap_or(rest.len()));
            if token.is_empty() {
                return Ok(false);
            }
            if token == "*" || token.contains('-') {
                self.result(token).map_err(|fault| fault.at(number))?;
                return match after.trim() {
                    "" => Ok(true),
                    after => Err(Fault::AfterResult(short(after)).at(number)),
                };
            }
            self.step(token).map_err(|fault| fault.at(number))?;
            rest = after;
        }
    }

    fn step(&mut self, token: &str) -> Result<(), Fault> {
        let number = self.record.steps.len() + 1;
        let bad = |why: String| Fault::BadMove {
            number,
            text: short(token),
            why,
        };
        if token.starts_with('[') {
            return Err(Fault::NoResult);
        }
        let step = match token.strip_prefix('q') {
            Some(seat) => seat
                .parse()
                .ok()
                .and_then(|seat: u8| seat.checked_sub(1))
                .map(Step::Left),
            None => token.parse::<Move>().ok().map(Step::Move),
        };
        // One step has one form.
        let step = step.filter(|step| step.to_string() == token);
        let step = step.ok_or_else(|| {
            bad("not a move: moves are as in 4, (10), p3, t3.2, r2, f4.5, s, or q2 if player 2 leaves".into())
        })?;
        self.board.take(step).map_err(bad)?;
        self.record.steps.push(step);
        Ok(())
    }

    fn result(&mut self, token: &str) -> Result<(), Fault> {
        let players = self.record.terms.players();
        let none = || Fault::NotAResult(short(token), players);
        if token != "*" {
            let scores: Vec<&str> = token.split('-').collect();
            let is_score = |score: &&str| matches!(*score, "1" | "0" | "1/2");
            if scores.len() != usize::from(players) || !scores.iter().all(is_score) {
                return Err(none());
            }
            let won = scores.iter().position(|score| *score == "1");
            self.record.winner = won.and_then(|seat| u8::try_from(seat).ok());
        }
        let record = &self.record;
        if record.end.is_none() && token != "*" {
            return Err(Fault::Missing("End"));
        }
        let says = in_words(token.into(), record.end);
        let is_possible = self.board.check_end(record);
        is_possible.map_err(|fault| match fault {
            Fault::OtherResult { by, gives, .. } => Fault::OtherResult {
                says: says.clone(),
                by,
                gives,
            },
            fault => fault,
        })?;
        let gives = self.board.result(record.end, record.winner);
        match gives == token {
            true => Ok(()),
            false => Err(Fault::OtherResult {
                says,
                by: "moves",
                gives: in_words(gives, record.end),
            }),
        }
    }
}

/// The beginning of a text, for an error.
fn short(text: &str) -> String {
    const MOST: usize = 40;
    let mut short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
