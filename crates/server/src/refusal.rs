//! Why a request is refused, in words for people who see the page.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use connect4_client::{Error, GameId};
use connect4_wire::{self as wire, RefusalKind};

#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    body: wire::Refusal,
}

impl Refusal {
    fn new(status: StatusCode, kind: RefusalKind, error: impl Into<String>) -> Self {
        let error = error.into();
        Self {
            status,
            body: wire::Refusal { error, kind },
        }
    }

    /// The request makes no sense.
    pub fn input(error: impl ToString) -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            RefusalKind::Input,
            error.to_string(),
        )
    }

    /// The request comes from another page than this server's.
    pub fn origin(error: String) -> Self {
        Self::new(StatusCode::FORBIDDEN, RefusalKind::Origin, error)
    }

    /// The page was loaded from a server that has ended since.
    pub fn token() -> Self {
        let error = "the program was restarted since this page was loaded: reload the page";
        Self::new(StatusCode::FORBIDDEN, RefusalKind::Token, error)
    }

    /// The request has no key for that.
    pub fn key(error: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, RefusalKind::Key, error)
    }

    /// The contract refuses it, or would.
    pub fn refused(error: impl ToString) -> Self {
        Self::new(
            StatusCode::CONFLICT,
            RefusalKind::Refused,
            error.to_string(),
        )
    }

    /// The chain does not answer.
    pub fn away(why: &str) -> Self {
        Self::chain(format!("The chain is unreachable: {why}"))
    }

    /// The connection to the chain was lost while something was under way.
    pub fn lost() -> Self {
        Self::chain(
            "the connection to the chain was lost. A transaction in flight may still be executed: \
             the board shows it once the chain is reachable",
        )
    }

    pub fn busy(what: &str) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, RefusalKind::Other, what)
    }

    pub fn too_many(what: &str) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, RefusalKind::Other, what)
    }

    pub fn gone(game: GameId) -> Self {
        let error = format!("game {game} is not on this chain, or its storage was freed");
        Self::new(StatusCode::NOT_FOUND, RefusalKind::Gone, error)
    }

    pub fn missing(why: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, RefusalKind::Gone, why)
    }

    /// The moves of a game are not known here, or there were not so many.
    pub fn no_moves() -> Self {
        Self::missing("the moves of this game are not known here, or it has fewer")
    }

    pub fn no_index() -> Self {
        let error = "this program keeps no index of games, or has not opened it yet";
        Self::new(StatusCode::NOT_FOUND, RefusalKind::Other, error)
    }

    /// It could not be done, and who asked can't change that.
    fn inner(error: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, RefusalKind::Other, error)
    }

    fn chain(error: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, RefusalKind::Chain, error)
    }
}

impl Refusal {
    /// The status, and why.
    pub fn into_words(self) -> (StatusCode, String) {
        (self.status, self.body.error)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(self.body)).into_response()
    }
}

/// The page counts bins from 1 and shows by itself what becomes of the game, so its words are not
/// those of a terminal.
impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        match &error {
            Error::Refused { error, .. } => Self::refused(error),
            Error::StakesRefused { error, .. } => Self::refused(error),
            Error::NoFunds { payer, reason, .. } => Self::new(
                StatusCode::PAYMENT_REQUIRED,
                RefusalKind::Funds,
                format!(
                    "the account {} cannot pay for the transaction ({reason}): it has {}. Send it \
                     some of the chain's token, or play with another account",
                    payer.account,
                    payer.funds()
                ),
            ),
            Error::Replaced { .. } => Self::refused(
                "not sent: the block that it relied on was replaced. Check the board and try again",
            ),
            Error::Overtaken { .. } => Self::refused(
                "not done: another transaction of the account was faster. Look at the board before you try again",
            ),
            Error::Rejected { reason, .. } => Self::chain(format!(
                "the chain rejected the transaction ({reason}). Nothing was changed: try again"
            )),
            Error::Timeout { after, .. } => Self::chain(format!(
                "the chain did not respond within {} seconds. The transaction may still be \
                 executed: then the board shows it",
                after.as_secs()
            )),
            Error::Gone { .. } | Error::Connect { .. } => Self::lost(),
            Error::Unexpected { task, .. } => Self::inner(format!(
                "{task}: a response of the chain's node could not be decoded. Try again; if that \
                 does not help, the node is of another kind or out of order"
            )),
            // Where the node is, and what it says, is not for everybody.
            Error::NotRevive { .. } => Self::inner("the chain cannot run these contracts"),
            _ => Self::inner(error.to_string()),
        }
    }
}

/// The words of a database name files, users and computers, and are not for everybody.
impl From<connect4_index::Error> for Refusal {
    fn from(error: connect4_index::Error) -> Self {
        match error {
            connect4_index::Error::Chain(error) => error.into(),
            _ => Self::busy("the index of games is out of order at the moment: try again later"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use connect4_client::{Call as _, Named, Payer, Token};
    use connect4_protocol::message::DropDisc;

    use super::*;

    /// The status, the kind and the words that a page is answered.
    fn told(error: Error) -> (u16, RefusalKind, String) {
        let refusal = Refusal::from(error);
        (
            refusal.status.as_u16(),
            refusal.body.kind,
            refusal.body.error,
        )
    }

    #[test]
    fn each_failure_says_why_and_what_to_do() {
        let task = DropDisc { game: 7, bin: 3 }.task(&Named::Development("alice"));
        let (status, kind, text) = told(Error::Refused {
            task: task.clone(),
            error: connect4_protocol::Error::BinFull,
        });
        assert_eq!((status, kind), (409, RefusalKind::Refused));
        // The page counts bins from 1: the number of this one would mislead.
        assert!(!text.contains("bin 3"), "{text}");

        let (status, kind, text) = told(Error::NoFunds {
            task: task.clone(),
            payer: Box::new(Payer {
                account: Named::Development("alice"),
                balance: Some(0),
                token: Token {
                    symbol: "DOT".into(),
                    decimals: 10,
                    ratio: 1,
                    returns_deposits: true,
                },
            }),
            reason: "Inability to pay some fees".into(),
        });
        assert_eq!((status, kind), (402, RefusalKind::Funds));
        assert!(text.contains("it has 0 DOT. Send it some"), "{text}");

        let (status, kind, text) = told(Error::Replaced {
            task: task.clone(),
            block: 17,
        });
        assert_eq!((status, kind), (409, RefusalKind::Refused));
        assert!(text.contains("Check the board and try again"), "{text}");

        let (status, kind, text) = told(Error::Rejected {
            task: task.clone(),
            reason: "other transactions of the account alice were faster".into(),
        });
        assert_eq!((status, kind), (503, RefusalKind::Chain));
        assert!(
            text.contains("were faster") && text.contains("try again"),
            "{text}"
        );

        for error in [
            Error::Gone {
                task: task.clone(),
                reason: "closed".into(),
            },
            Error::Timeout {
                task,
                after: Duration::from_secs(180),
            },
        ] {
            let (status, kind, text) = told(error);
            assert_eq!((status, kind), (503, RefusalKind::Chain));
            assert!(text.contains("may still be executed"), "{text}");
        }
    }
}
