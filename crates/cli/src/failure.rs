//! Failures of commands, with their exit status and the options that may help.

use std::fmt;
use std::io;

use connect4_client::{Doubt, Error};
use connect4_rules::variant::Colour;

/// Failure of a command. Each kind has its exit status.
#[derive(Debug)]
pub enum Failure {
    /// The command line does not make sense.
    Usage(String),
    Refused(String),
    /// The input ended in the middle of a game.
    Unfinished(String),
    /// Nobody reads the output any more.
    Unread,
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

    /// The input ended before the game.
    pub fn unfinished() -> Self {
        Self::Unfinished("the input ended in the middle of the game".into())
    }

    /// A colour was named that does not play in a game of so many.
    pub fn no_seat(colour: Colour, players: usize) -> Self {
        Self::Usage(format!(
            "a game of {players} has no {colour}; give --players {} for one",
            colour.index() + 1
        ))
    }

    /// The same failure with another line of text.
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
            Self::Unread => f.write_str("the reader of the output has closed it"),
        }
    }
}

/// The error with the options and commands of this program that may help.
impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let text = match hint(&error) {
            Some(hint) => format!("{error}. {hint}"),
            None => error.to_string(),
        };
        match error.refusal() {
            Some(_) => Self::Refused(text),
            None => Self::Other(text),
        }
    }
}

/// What to do about an error of the client; none if its own text says so.
fn hint(error: &Error) -> Option<&'static str> {
    Some(match error {
        Error::Connect { .. } => {
            "Check the address, and that a node runs there; `connect4 node` starts one"
        }
        Error::NotRevive { .. } => {
            "Use a chain with pallet-revive, such as Polkadot Hub or `connect4 node`"
        }
        Error::NoFunds { .. } => "Send it some of the chain's token, or use another account",
        Error::NoContract(_) => {
            "Deploy one with `connect4 deploy`, or name another with --contract, or with \
             --variants for variants"
        }
        Error::OtherCode { .. } => {
            "Name another with --contract, or with --variants for variants; or deploy ours with \
             `connect4 deploy`"
        }
        Error::Lacks { .. } => {
            "Deploy them with `connect4 deploy`, or name another contract with --contract"
        }
        Error::Doubtful { doubt, .. } => match **doubt {
            Doubt::UnknownChain { .. } => {
                "If you trust this node, or run it, use --trust-chain once: the chain is known from then on"
            }
            Doubt::NoMetadataHash => {
                "Use another node. Only if the chain has changed in this way, say --no-metadata-hash"
            }
            Doubt::Unkept { .. } => {
                "Make the folder writable, or name another one by CONNECT4_DATA"
            }
            _ => {
                "Use another node. Only if you know that the chain has changed, say --trust-chain, or update the \
                 program"
            }
        },
        Error::Overtaken { .. } => {
            "Look at what has happened, with `connect4 show`, before you try again"
        }
        Error::Unhashed { .. } => {
            "Only if you know that the chain's runtime was built without that hash, say --no-metadata-hash"
        }
        Error::Replaced { .. } => "`connect4 show` shows a game",
        Error::Timeout { .. } => "Check with `connect4 show` before you try again",
        Error::Gone { .. } => "Check with `connect4 show` once the chain is reachable",
        Error::Pruned { .. } | Error::NoState { .. } => "Give --url with such a node",
        Error::StartsBefore { .. } => "Give an earlier --from-block",
        _ => return None,
    })
}

impl From<connect4_index::Error> for Failure {
    fn from(error: connect4_index::Error) -> Self {
        match error {
            connect4_index::Error::Chain(error) => error.into(),
            error => Self::Other(error.to_string()),
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
                format!(
                    "{error}: connect to that one with --url, name another folder, or stop it first"
                )
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

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Unread,
            _ => Self::Other(format!("cannot write the output: {error}")),
        }
    }
}
