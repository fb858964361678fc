//! The refusal of a text that was not written by a type's `Display`.

use core::fmt;

/// Returned if a text does not have the form that `Display` of the type writes.
///
/// # Examples
///
/// ```
/// use connect4_rules::Player;
///
/// let error = "green".parse::<Player>().unwrap_err();
/// assert_eq!(error.to_string(), "expected red or blue");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParseError {
    expected: &'static str,
}

impl ParseError {
    /// The error of a type whose texts have the form `expected`.
    #[must_use]
    pub const fn new(expected: &'static str) -> Self {
        Self { expected }
    }

    /// The form that the text should have.
    #[must_use]
    pub const fn expected(self) -> &'static str {
        self.expected
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.expected)
    }
}

impl core::error::Error for ParseError {}

/// Reads a number as `Display` writes it: digits without a sign and without leading zeros.
pub(crate) fn number(text: &str) -> Option<u8> {
    let canonical = text == "0" || text.starts_with(|first: char| matches!(first, '1'..='9'));
    text.parse().ok().filter(|_| canonical)
}
