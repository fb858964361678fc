//! What can go wrong on the way to a contract and back.

use std::time::Duration;

use crate::Address;

/// Why a request failed. Each says what was tried, what came back and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No chain answers at the address.
    #[error(
        "cannot connect to {url}: {reason}. Check the address, and that a node runs there; \
         `connect4 node` starts one"
    )]
    Connect {
        /// The address.
        url: String,
        /// What came back.
        reason: String,
    },
    /// The chain runs no contracts.
    #[error(
        "the chain at {url} cannot run this contract: its runtime has no {missing}. Use a chain \
         with pallet-revive, such as Polkadot Hub or `connect4 node`"
    )]
    NotRevive {
        /// The address.
        url: String,
        /// What its runtime lacks.
        missing: String,
    },
    /// The account cannot pay.
    #[error(
        "{what}: the account {account} cannot pay for it ({reason}); it has {balance}. Send it \
         some of the chain's token, or use another account"
    )]
    NoFunds {
        /// What was tried.
        what: String,
        /// Who was to pay.
        account: String,
        /// What it can spend, with the token's symbol.
        balance: String,
        /// What came back.
        reason: String,
    },
    /// There is no contract at the address.
    #[error(
        "there is no contract at {0} on this chain. Deploy one with `connect4 deploy`, or name \
         another with --contract"
    )]
    NoContract(Address),
    /// There is a contract, but none that answers as this one does.
    #[error(
        "the contract at {address} is another one: its code hash is 0x{found}, ours is \
         0x{expected}, and it does not answer our calls. Name another with --contract, or deploy \
         ours with `connect4 deploy`"
    )]
    OtherCode {
        /// Where it is.
        address: Address,
        /// Its code's Keccak-256 hash.
        found: String,
        /// Ours.
        expected: String,
    },
    /// The contract is one of games alone, which has no matches.
    #[error(
        "{what}: the contract at {address} has games alone, without matches. Deploy one that has \
         them with `connect4 deploy`, or name another with --contract"
    )]
    NoMatches {
        /// What was tried.
        what: String,
        /// Where it is.
        address: Address,
    },
    /// Something is at stake, and the contract's code is not what this program knows.
    #[error(
        "{what}: the contract at {address} answers as ours does but runs other code, so what it \
         does with a stake is not known. If you trust who deployed it, say --any-code"
    )]
    UnknownCode {
        /// What was tried.
        what: String,
        /// Where it is.
        address: Address,
    },
    /// A stake that cannot be paid in the chain's token.
    #[error(
        "{what}: the stake of {stake} is no whole number of the token's smallest unit, so it \
         cannot be paid from here. Choose another challenge"
    )]
    BrokenStake {
        /// What was tried.
        what: String,
        /// The stake, in the unit in which a contract sees amounts.
        stake: u128,
    },
    /// The contract refused; nothing was changed or paid unless a transaction was already under way.
    #[error("{what}: the contract refused: {error}")]
    Refused {
        /// What was tried.
        what: String,
        /// Why it refused.
        error: connect4_protocol::Error,
    },
    /// The chain ran it and it failed.
    #[error("{what}: the chain answered {name}{}", explanation(.docs))]
    Failed {
        /// What was tried.
        what: String,
        /// The error by the chain's own name for it, as `Revive::OutOfGas`.
        name: String,
        /// What the chain says about it; may be empty.
        docs: String,
    },
    /// The chain did not take the transaction.
    #[error("{what}: the transaction was not taken ({reason}). Nothing was changed; try again")]
    Rejected {
        /// What was tried.
        what: String,
        /// What came back.
        reason: String,
    },
    /// The chain did not answer in time.
    #[error(
        "{what}: no answer within {} seconds. It may still happen: look with `connect4 show` \
         before you try again",
        .after.as_secs()
    )]
    Timeout {
        /// What was tried.
        what: String,
        /// How long was waited.
        after: Duration,
    },
    /// The connection was lost and could not be made again.
    #[error(
        "{what}: the connection to {url} was lost ({reason}). If it was a transaction, it may \
         still happen: look with `connect4 show` once the chain is back"
    )]
    Gone {
        /// What was tried.
        what: String,
        /// The address.
        url: String,
        /// What came back.
        reason: String,
    },
    /// A game's first blocks are not among those that the node keeps, or that were asked for.
    #[error(
        "looking up the history of game {game}: its start is not in block {first} or after it, \
         and what was before is out of reach at {url}. Give an earlier --from-block; if the node \
         does not keep blocks that old, give --url with one that does"
    )]
    Pruned {
        /// The game.
        game: u32,
        /// The address.
        url: String,
        /// The oldest block that could be looked at.
        first: u32,
    },
    /// The chain's answer makes no sense here.
    #[error("{what}: an answer of the chain was not understood: {reason}")]
    Unexpected {
        /// What was tried.
        what: String,
        /// What came back.
        reason: String,
    },
}

fn explanation(docs: &str) -> String {
    match docs.trim() {
        "" => String::new(),
        docs => format!(" ({})", docs.trim_end_matches('.')),
    }
}

impl Error {
    /// Why the contract refused, if it did.
    #[must_use]
    pub const fn refusal(&self) -> Option<connect4_protocol::Error> {
        match self {
            Self::Refused { error, .. } => Some(*error),
            _ => None,
        }
    }

    /// Whether the same request may succeed later as it is: the chain was away or slow.
    #[must_use]
    pub const fn is_passing(&self) -> bool {
        matches!(
            self,
            Self::Gone { .. } | Self::Timeout { .. } | Self::Rejected { .. }
        )
    }
}
