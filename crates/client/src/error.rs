//! Errors on the way to a contract and back.

use std::time::Duration;

use connect4_protocol::message::ContractKind;
use connect4_protocol::{Address, GameId};
use subxt::utils::H256;

use crate::accounts::account::Named;
use crate::chain::gap::{Gap, KEEPER};
use crate::chain::known::Doubt;
use crate::chain::token::Token;
use crate::task::Task;

/// Error on the way to a contract and back.
///
/// Its text says what was tried and what came back. A program that has commands and options for
/// it adds what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Returned if no chain answers at the URL.
    #[error("cannot connect to {url}: {reason}")]
    Connect {
        /// URL of the node.
        url: String,
        /// Text of the system's or the node's error.
        reason: String,
    },
    /// Returned if the chain runs no contracts.
    #[error("the chain at {url} cannot run this contract: its runtime has no {missing}")]
    NotRevive {
        /// URL of the node.
        url: String,
        /// The part of pallet-revive that the chain's runtime lacks.
        missing: String,
    },
    /// Returned if the account cannot pay for a transaction.
    #[error(
        "{task}: the account {} cannot pay for it ({reason}); it has {}",
        .payer.account,
        .payer.funds()
    )]
    NoFunds {
        /// The task that failed.
        task: Task,
        /// The account that was to pay.
        payer: Box<Payer>,
        /// Text of the chain's error.
        reason: String,
    },
    /// Returned if there is no contract at the address.
    #[error("there is no contract at {0} on this chain")]
    NoContract(Address),
    /// Returned if the contract at the address does not answer as ours of its kind does.
    #[error(
        "the contract at {address} is another one: its code hash is {found:?}, ours is \
         {expected:?}, and it does not support our calls"
    )]
    OtherCode {
        /// Address of the contract.
        address: Address,
        /// Keccak-256 hash of the contract's code.
        found: H256,
        /// Keccak-256 hash of the code that was expected.
        expected: H256,
    },
    /// Returned if the task needs a contract that is not there.
    #[error("{task}: with the contract at {address} there are no {kind}")]
    Lacks {
        /// The task that failed.
        task: Task,
        /// Address by which the contract is named.
        address: Address,
        /// Kind of the contract that would be needed.
        kind: ContractKind,
    },
    /// Returned if the chain has the bytes of code that is to be deployed as code of Ethereum's machine.
    #[error(
        "{task}: somebody has stored the bytes of this code ({hash:?}) on this chain as code of Ethereum's machine, so \
         that no contract with them works here; build the contracts so that they have other bytes, or use another chain"
    )]
    CodeOfEthereum {
        /// The task that failed.
        task: Task,
        /// Keccak-256 hash of the code.
        hash: H256,
    },
    /// Returned if no payment in the chain's token is exactly the stake.
    #[error(
        "{task}: the stake of {stake} is not a whole number of the token's smallest unit, so it \
         cannot be paid from here; choose another stake"
    )]
    BrokenStake {
        /// The task that failed.
        task: Task,
        /// The stake, in the unit in which a contract sees amounts.
        stake: u128,
    },
    /// Returned if the node reports something else than is known of its chain, or asks for more than a call takes.
    #[error("{task}: nothing was signed: {doubt}")]
    Doubtful {
        /// The task that failed.
        task: Task,
        /// What is wrong.
        doubt: Box<Doubt>,
    },
    /// Returned if another transaction of the account has the number with which this one was signed. It is not signed
    /// again with another number, as both could happen if the node does not tell the truth.
    #[error(
        "{task}: another transaction of the account {account} has taken its number, {number}, by the node's word. If that is \
         not true, what was signed can still happen"
    )]
    Overtaken {
        /// The task that failed.
        task: Task,
        /// The account, as it is shown.
        account: String,
        /// The number of the account's transaction.
        number: u64,
    },
    /// Returned if the chain does not know the hash of its own metadata, which was signed: its runtime was built without
    /// it. What was signed counts for nothing.
    #[error(
        "{task}: the chain can't compare the hash of its metadata, which was signed, by the node's word"
    )]
    Unhashed {
        /// The task that failed.
        task: Task,
    },
    /// Returned if the contract refused. Nothing was changed, and nothing was paid unless the
    /// transaction was already under way.
    #[error("{task}: the contract refused: {error}")]
    Refused {
        /// The task that failed.
        task: Task,
        /// The contract's reason.
        error: connect4_protocol::Error,
    },
    /// Returned if the contract of the stakes refused for a reason that the other contracts do not have. Nothing was
    /// changed.
    #[error("{task}: the contract refused: {error}")]
    StakesRefused {
        /// The task that failed.
        task: Task,
        /// The contract's reason.
        error: connect4_protocol::signed::StakesError,
    },
    /// Returned if the contract of the records of signed games refused. Nothing was changed.
    #[error("{task}: the contract refused: {error}")]
    RecordsRefused {
        /// The task that failed.
        task: Task,
        /// The contract's reason.
        error: connect4_protocol::signed::RecordsError,
    },
    /// Returned if a contract of stakes was deployed for another chain. What is signed for games there counts for nothing.
    #[error(
        "the contract at {address} was deployed for another chain: no game can be played there"
    )]
    OtherDomain {
        /// Address of the contract.
        address: Address,
    },
    /// Returned if the chain ran the call and it failed.
    #[error("{task}: the chain returned {name}{}", explanation(.docs))]
    Failed {
        /// The task that failed.
        task: Task,
        /// Name that the chain has for the error, as `Revive::OutOfGas`.
        name: String,
        /// Explanation by the chain; may be empty.
        docs: String,
    },
    /// Returned if the node did not take the transaction; nothing was changed.
    #[error("{task}: the transaction was rejected ({reason}). Nothing was changed; try again")]
    Rejected {
        /// The task that failed.
        task: Task,
        /// Text of the node's error.
        reason: String,
    },
    /// Returned if the node went away with the transaction, and the transaction cannot be included
    /// any more. Nothing was changed.
    #[error(
        "{task}: the transaction was lost with the connection to the node ({reason}). Nothing was \
         changed; try again"
    )]
    NotIncluded {
        /// The task that failed.
        task: Task,
        /// Why it cannot be included any more.
        reason: String,
    },
    /// Returned if the block was replaced in which the sender saw what the transaction relies
    /// on, and that is not as it was any more. Nothing was changed.
    #[error(
        "{task}: not sent: block {block}, which it relied on, was replaced. Check the current \
         state and try again"
    )]
    Replaced {
        /// The task that failed.
        task: Task,
        /// Number of the block.
        block: u32,
    },
    /// Returned if the chain did not answer in time. A transaction may still be included.
    #[error("{task}: no response within {} seconds. It may still be executed", .after.as_secs())]
    Timeout {
        /// The task that failed.
        task: Task,
        /// Time that was waited.
        after: Duration,
    },
    /// Returned if the connection was lost and could not be made again. A transaction may still be
    /// included.
    #[error(
        "{task}: the connection to the node was lost ({reason}). If it was a transaction, it may \
         still be executed"
    )]
    Gone {
        /// The task that failed.
        task: Task,
        /// Text of the system's or the node's error.
        reason: String,
    },
    /// Returned if a game's first blocks are not among those whose states the node keeps.
    #[error("looking up the history of game {game}: its start cannot be read, as {gap}")]
    Pruned {
        /// The game.
        game: GameId,
        /// The blocks that cannot be read.
        gap: Box<Gap>,
    },
    /// Returned if a game has started before the first block that was asked about.
    #[error("looking up the history of game {game}: it started before block {first}")]
    StartsBefore {
        /// The game.
        game: GameId,
        /// Number of the first block that was asked about.
        first: u32,
    },
    /// Returned if the node does not have a block's state any more, and so none of its events.
    #[error(
        "{task}: the node has discarded the state of block {block}, and with it the \
         block's events; {KEEPER} has them"
    )]
    NoState {
        /// The task that failed.
        task: Task,
        /// Number of the block.
        block: u32,
    },
    /// Returned if the chain's answer was not understood.
    #[error("{task}: a response of the chain could not be decoded: {reason}")]
    Unexpected {
        /// The task that failed.
        task: Task,
        /// Text that says what was wrong with the answer.
        reason: String,
    },
}

impl Error {
    pub(crate) fn doubtful(task: &Task, doubt: Doubt) -> Self {
        Self::Doubtful {
            task: task.clone(),
            doubt: Box::new(doubt),
        }
    }
}

fn explanation(docs: &str) -> String {
    match docs.trim() {
        "" => String::new(),
        docs => format!(" ({})", docs.trim_end_matches('.')),
    }
}

/// An account that was to pay for a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payer {
    /// The account.
    pub account: Named,
    /// Amount that the account can spend, in the token's smallest unit; none if it could not be
    /// read.
    pub balance: Option<u128>,
    /// The chain's token.
    pub token: Token,
}

impl Payer {
    /// The balance as text: `0.5 DOT`, or `an unknown balance`.
    #[must_use]
    pub fn funds(&self) -> String {
        match self.balance {
            Some(balance) => self.token.amount(balance),
            None => "an unknown balance".into(),
        }
    }
}

impl Error {
    /// The contract's reason to refuse; none for other errors.
    #[must_use]
    pub const fn refusal(&self) -> Option<connect4_protocol::Error> {
        match self {
            Self::Refused { error, .. } => Some(*error),
            _ => None,
        }
    }

    /// Whether the same request may succeed later: the chain was unreachable or slow.
    #[must_use]
    pub const fn is_passing(&self) -> bool {
        matches!(
            self,
            Self::Gone { .. }
                | Self::Timeout { .. }
                | Self::Rejected { .. }
                | Self::NotIncluded { .. }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_balance_is_told_in_tokens() {
        let error = |balance| Error::NoFunds {
            task: Task::Deploy,
            payer: Box::new(Payer {
                account: Named::Development("alice"),
                balance,
                token: Token {
                    symbol: "DOT".into(),
                    decimals: 10,
                    ratio: 1,
                    returns_deposits: true,
                },
            }),
            reason: "Token::FundsUnavailable".into(),
        };
        assert_eq!(
            error(Some(5_000_000_000)).to_string(),
            "deploying the contract: the account alice cannot pay for it (Token::FundsUnavailable); it \
             has 0.5 DOT"
        );
        assert!(error(None).to_string().ends_with("has an unknown balance"));
    }

    #[test]
    fn the_chains_explanation_is_told_if_there_is_one() {
        let error = |docs: &str| Error::Failed {
            task: Task::Deploy,
            name: "Revive::OutOfGas".into(),
            docs: docs.into(),
        };
        assert_eq!(
            error(" Ran out of gas. ").to_string(),
            "deploying the contract: the chain returned Revive::OutOfGas (Ran out of gas)"
        );
        assert!(error("").to_string().ends_with("Revive::OutOfGas"));
    }
}
