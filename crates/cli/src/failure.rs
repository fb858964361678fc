//! How a command ends when it does not end well.

use std::fmt;
use std::io;

/// Why a command failed; each kind has its exit status.
#[derive(Debug)]
pub enum Failure {
    /// The command line does not make sense.
    Usage(String),
    /// The contract refused.
    Refused(String),
    /// The input ended in the middle of a game.
    Unfinished(String),
    /// Nobody reads the output any more.
    Unread,
    /// Anything else.
    Other(String),
}

impl Failure {
    /// The exit status, as the help documents it.
    pub const fn status(&self) -> u8 {
        match self {
            Self::Other(_) => 1,
            Self::Usage(_) => 2,
            Self::Refused(_) => 3,
            Self::Unfinished(_) => 4,
            Self::Unread => 141,
        }
    }

    /// The same failure with more to say.
    pub fn and(self, more: &str) -> Self {
        let join = |text: String| format!("{text}\n{more}");
        match self {
            Self::Usage(text) => Self::Usage(join(text)),
            Self::Refused(text) => Self::Refused(join(text)),
            Self::Unfinished(text) => Self::Unfinished(join(text)),
            Self::Other(text) => Self::Other(join(text)),
            Self::Unread => Self::Unread,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(text)
            | Self::Refused(text)
            | Self::Unfinished(text)
            | Self::Other(text) => f.write_str(text),
            Self::Unread => f.write_str("nobody reads the output any more"),
        }
    }
}

impl From<connect4_client::Error> for Failure {
    fn from(error: connect4_client::Error) -> Self {
        match error.refusal() {
            Some(_) => Self::Refused(error.to_string()),
            None => Self::Other(error.to_string()),
        }
    }
}

impl From<connect4_client::ReplayError> for Failure {
    fn from(error: connect4_client::ReplayError) -> Self {
        Self::Other(error.to_string())
    }
}

impl From<connect4_chain::OpenError> for Failure {
    fn from(error: connect4_chain::OpenError) -> Self {
        Self::Other(match error {
            connect4_chain::OpenError::InUse(_) => {
                format!("{error}: reach that one with --url, name another folder, or stop it first")
            }
            error => error.to_string(),
        })
    }
}

impl From<connect4_chain::rpc::Error> for Failure {
    fn from(error: connect4_chain::rpc::Error) -> Self {
        Self::Other(error.to_string())
    }
}

/// From writing what was asked for.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Unread,
            _ => Self::Other(format!("cannot write the output: {error}")),
        }
    }
}
