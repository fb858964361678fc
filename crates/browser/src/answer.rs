//! Requests and answers as JSON.

use alloc::string::ToString as _;
use alloc::vec::Vec;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::failure::Failure;

pub(crate) fn read<T: DeserializeOwned>(request: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(request).map_err(|error| Failure::request(error.to_string()))
}

pub(crate) fn json<T: Serialize>(value: &T) -> Result<Vec<u8>, Failure> {
    // Nothing that is answered is without an encoding.
    serde_json::to_vec(value).map_err(|error| Failure::request(error.to_string()))
}

/// `{"ok": …}` around an answer, or `{"error": …}` with the reason for which there is none.
pub(crate) fn to_json(answer: Result<Vec<u8>, Failure>) -> Vec<u8> {
    let (name, value) = match answer {
        Ok(value) => ("ok", value),
        Err(failure) => ("error", json(&failure).unwrap_or_default()),
    };
    let mut answer = Vec::with_capacity(value.len().saturating_add(12));
    answer.extend_from_slice(b"{\"");
    answer.extend_from_slice(name.as_bytes());
    answer.extend_from_slice(b"\":");
    answer.extend_from_slice(&value);
    answer.push(b'}');
    answer
}
