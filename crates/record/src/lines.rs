//! The lines of a text, and the tags in them.

use alloc::string::String;

use crate::MOST_OF_LINE;
use crate::error::{Error, Fault};
use crate::unseen::is_unseen;

/// How the first line of a game begins.
const FIRST: &str = "[Connect4 \"";

/// The lines of a text, from the first that is not read.
#[derive(Clone, Debug)]
pub(crate) struct Lines<'a> {
    rest: &'a [u8],
    /// Number of the last line that was read, from 1.
    pub(crate) number: u32,
}

impl<'a> Lines<'a> {
    pub(crate) const fn new(text: &'a [u8]) -> Self {
        Self {
            rest: match text {
                // The mark of UTF-8, which some editors write.
                [0xEF, 0xBB, 0xBF, rest @ ..] => rest,
                text => text,
            },
            number: 0,
        }
    }

    /// The next line, without what ends it; none at the end of the text.
    pub(crate) fn next(&mut self) -> Result<Option<&'a str>, Error> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let mut parts = self.rest.splitn(2, |byte| *byte == b'\n');
        let line = parts.next().unwrap_or_default();
        self.rest = parts.next().unwrap_or_default();
        self.number = self.number.saturating_add(1);
        let line = core::str::from_utf8(line).map_err(|_| Fault::NotText.at(self.number))?;
        let line = line.trim_end();
        match line.len() > MOST_OF_LINE {
            true => Err(Fault::LongLine.at(self.number)),
            false => Ok(Some(line)),
        }
    }

    /// The next line that is not empty.
    pub(crate) fn next_filled(&mut self) -> Result<Option<&'a str>, Error> {
        loop {
            match self.next()? {
                Some("") => {}
                line => return Ok(line),
            }
        }
    }

    /// Skips the game that begins here, up to the line in which the next one begins.
    pub(crate) fn skip_game(&mut self) {
        // Its own first line, whatever is wrong with it.
        let _ = self.next_filled();
        loop {
            let before = self.clone();
            match self.next() {
                Ok(None) => return,
                Ok(Some(line)) if line.starts_with(FIRST) => {
                    *self = before;
                    return;
                }
                Ok(Some(_)) | Err(_) => {}
            }
        }
    }
}

/// Name and value of a line that is a tag.
pub(crate) fn tag(line: &str) -> Option<(&str, String)> {
    let (name, value) = line.strip_prefix('[')?.split_once(" \"")?;
    let mut value = value.strip_suffix("\"]")?.chars();
    let is_name = name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.len() <= 32
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let mut read = String::new();
    while let Some(character) = value.next() {
        match character {
            '"' => return None,
            '\\' => read.push(value.next().filter(|next| matches!(next, '"' | '\\'))?),
            _ if is_unseen(character) => return None,
            _ => read.push(character),
        }
    }
    is_name.then_some((name, read))
}
