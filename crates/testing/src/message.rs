//! Data of calls, and answers from their bytes.

use codec::{Decode, Encode};
use connect4_protocol::message::ContractKind;
use connect4_protocol::{Message, decode_all, selector};

/// Data of a call: the selector of the message or constructor with this name, then its arguments.
pub fn data(name: &str, arguments: impl Encode) -> Vec<u8> {
    let mut data = selector(name).to_vec();
    arguments.encode_to(&mut data);
    data
}

/// What a call takes of a message: where it goes, and its data.
#[derive(Clone, Debug)]
pub struct Input {
    pub name: &'static str,
    pub contract: ContractKind,
    pub data: Vec<u8>,
}

impl<M: Message> From<M> for Input {
    fn from(message: M) -> Self {
        Self {
            name: M::NAME,
            contract: M::CONTRACT,
            data: data(M::NAME, message),
        }
    }
}

/// The answer of a message from the bytes that the contract returned.
///
/// ink! returns every answer in a `Result`, which is an error if the contract does not know the
/// message.
#[track_caller]
pub fn answer<T: Decode>(returned: &[u8]) -> T {
    decode_all::<Result<T, u8>>(returned)
        .expect("the answer has the declared type")
        .expect("the contract knows the message")
}
