//! Positions from pictures of them.

use core::fmt;

/// Why a picture is no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReadError {
    /// This is not a cell, in this line of text, counted from 1.
    NotACell {
        /// The line of text, counted from 1.
        line: usize,
    },
}
impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("")
    }
}
impl core::error::Error for ReadError {}
