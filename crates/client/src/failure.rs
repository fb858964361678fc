//! Errors of subxt and of nodes as errors of the client.

use std::fmt;

use subxt::error::RpcError;
use subxt::ext::subxt_rpcs;

use crate::chain::dispatch::DispatchError;
use crate::chain::said::{MOST_OF_ERROR, said};
use crate::error::Error;
use crate::task::Task;

/// The error for an answer that was not understood.
pub(crate) fn unexpected(task: &Task, reason: impl fmt::Display) -> Error {
    Error::Unexpected {
        task: task.clone(),
        reason: said(&reason.to_string(), MOST_OF_ERROR),
    }
}

/// The error for a connection that was lost.
pub(crate) fn gone(task: &Task, reason: impl fmt::Display) -> Error {
    Error::Gone {
        task: task.clone(),
        reason: reason.to_string(),
    }
}

/// The error for a call that the chain ran and that failed.
pub(crate) fn failed(task: &Task, error: DispatchError) -> Error {
    let DispatchError { name, docs } = error;
    Error::Failed {
        task: task.clone(),
        name: said(&name, MOST_OF_ERROR),
        docs: said(&docs, MOST_OF_ERROR),
    }
}

/// The error for one of subxt's.
pub(crate) fn of_subxt(task: &Task, error: &subxt::Error) -> Error {
    match error {
        subxt::Error::Runtime(error) => failed(task, error.into()),
        subxt::Error::Rpc(RpcError::ClientError(subxt_rpcs::Error::User(answer))) => {
            unexpected(task, answer_text(answer))
        }
        subxt::Error::Rpc(_) | subxt::Error::Io(_) => gone(task, innermost(error)),
        _ => unexpected(task, innermost(error)),
    }
}

/// Text of an error that a node has answered, with its data.
pub(crate) fn answer_text(answer: &subxt_rpcs::UserError) -> String {
    let data = answer
        .data
        .as_ref()
        .map(|data| data.get().trim_matches('"'));
    let text = match data {
        Some(data) if !data.is_empty() => &format!("{}: {data}", answer.message),
        _ => &answer.message,
    };
    said(text, MOST_OF_ERROR)
}

/// Text of the error at the bottom of the chain of sources, without the layers around it.
pub(crate) fn innermost(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    // Some layers have the error below them in their text only.
    let (outer, inner) = (error.to_string(), innermost.to_string());
    let text = if outer.contains(&inner) { inner } else { outer };
    said(&text, MOST_OF_ERROR)
}
