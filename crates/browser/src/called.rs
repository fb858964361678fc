//! Bytes by which contracts are called.

use alloc::string::{String, ToString as _};

use connect4_protocol::{Message, selector};
use serde::Serialize;

use crate::values::Hex;

/// Bytes for a contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Called {
    /// Which of the contracts: `games`, `variants` or `stakes`.
    pub contract: String,
    /// Name of the message there.
    pub message: String,
    /// Input of the call: the selector of the message, and its arguments.
    pub input: Hex,
}

impl Called {
    /// The input by which a message is called.
    pub(crate) fn new<M: Message>(message: &M) -> Self {
        let mut input = selector(M::NAME).to_vec();
        message.encode_to(&mut input);
        Self {
            contract: M::CONTRACT.to_string(),
            message: M::NAME.into(),
            input: Hex(input),
        }
    }
}
