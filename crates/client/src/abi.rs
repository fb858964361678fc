//! How the contract is spoken to: selectors and SCALE.

use codec::{Decode, Encode};
use connect4_protocol::selector;

/// The input of a call: the selector, then the arguments.
pub(crate) fn input(name: &str, arguments: impl Encode) -> Vec<u8> {
    let mut input = selector(name).to_vec();
    arguments.encode_to(&mut input);
    input
}

/// What ink! itself answers when it cannot read a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub(crate) enum LangError {
    /// No such message, or arguments of other types.
    #[codec(index = 1)]
    CouldNotReadInput,
}

/// The output of a message.
pub(crate) type Output<T> = Result<T, LangError>;

/// A value that takes all of the bytes.
pub(crate) fn decode_all<T: Decode>(bytes: &[u8]) -> Result<T, String> {
    connect4_protocol::decode_all(bytes).map_err(|error| error.to_string())
}
