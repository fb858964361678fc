//! What contracts answer.

use alloc::format;

use connect4_protocol::decode_all;

use crate::failure::Failure;
use crate::values::Hex;

/// The answer in the output of a contract, which ink! wraps in a result of its own.
pub(crate) fn read<T: codec::Decode>(Hex(bytes): &Hex) -> Result<T, Failure> {
    match bytes.split_first() {
        Some((0, answer)) => decode_all(answer)
            .map_err(|error| Failure::answer(format!("this is no such answer: {error}"))),
        Some((1, _)) => Err(Failure::answer("the contract could not read the call")),
        _ => Err(Failure::answer("this is no answer of a contract")),
    }
}
