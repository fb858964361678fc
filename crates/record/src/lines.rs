//! The lines of a text, and the tags in them.

use alloc::string::String;

use crate::MOST_OF_LINE;
use crate::error::{Error, Fault};
use crate::unseen::is_unseen;

/// The lines of a text, from the first that is not read.
#[derive(Clone, Debug)]
pub(crate) struct Lines<'a> {
    rest: &'a str,
    /// Number of the last line that was read, from 1.
    pub(crate) number: u32,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            // Some editors write it.
            rest: text.strip_prefix('\u{feff}').unwrap_or(text),
            number: 0,
        }
    }

    /// The next line, without what ends it; none at the end of the text.
    pub(crate) fn next(&mut self) -> Result<Option<&'a str>, Error> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.number = self.number.saturating_add(1);
        self.rest = rest;
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

    /// Reads nothing more.
    pub(crate) const fn stop(&mut self) {
        self.rest = "";
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
