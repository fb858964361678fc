//! Why a log cannot be used.

use std::{fmt, io};

/// Why a witness cannot begin.
#[derive(Debug)]
pub enum LogError {
    /// Another process has the log.
    InUse,
    /// The log is of games of another chain.
    OtherChain,
    /// The log has another version of the format.
    OtherVersion,
    /// A group is as it was written, and its entries are none that this version knows.
    UnknownEntry,
    /// The log is damaged before its end.
    Damaged,
    /// The last entry is so many seconds later than the clock of this machine.
    Ahead(u64),
    Io(io::Error),
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InUse => f.write_str("another process has the log of the witness"),
            Self::OtherChain => f.write_str("the log of the witness is of another chain"),
            Self::OtherVersion | Self::UnknownEntry => f.write_str(
                "the log of the witness is of another version of this program: run that one",
            ),
            Self::Damaged => f.write_str("the log of the witness is damaged"),
            Self::Ahead(seconds) => write!(
                f,
                "the log of the witness was written {seconds} s later than the clock of this machine shows: set the \
                 clock right, or, if it was wrong before, move the log elsewhere: then the witness begins anew, by \
                 another key"
            ),
            Self::Io(error) => write!(f, "the log of the witness: {error}"),
        }
    }
}

impl std::error::Error for LogError {}

impl From<io::Error> for LogError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
