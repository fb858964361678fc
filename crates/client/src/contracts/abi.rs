//! How the contracts are spoken to: selectors and SCALE.

use codec::{Decode, Encode};
use connect4_protocol::message::ContractKind;
use connect4_protocol::signed::{RecordsError, StakesError};
use connect4_protocol::{Error as Refusal, Event, Message, decode_all, selector};

use crate::accounts::account::Signer;
use crate::contracts::calls::Call;
use crate::contracts::performed::Performed;
use crate::error::Error;
use crate::task::Task;

/// A message that changes something, as it is sent.
pub(crate) struct Packed<T> {
    /// Contract that has the message.
    pub(crate) kind: ContractKind,
    /// What the client does meanwhile.
    pub(crate) task: Task,
    /// The input of the call.
    pub(crate) input: Vec<u8>,
    /// What the events of its transaction tell of it.
    pub(crate) told: fn(&[Event]) -> Option<T>,
}

impl<T> Packed<T> {
    pub(crate) fn of<M: Call<Told = T>>(signer: &Signer, message: &M) -> Self {
        Self {
            kind: M::CONTRACT,
            task: message.task(&signer.named()),
            input: input(message),
            told: M::told,
        }
    }
}

impl Packed<Performed> {
    /// A message of which all events are wanted.
    pub(crate) fn action<M: Call>(signer: &Signer, message: &M) -> Self {
        let of = Packed::of(signer, message);
        Self {
            kind: of.kind,
            task: of.task,
            input: of.input,
            told: |events| {
                M::told(events).map(|_| Performed {
                    events: events.to_vec(),
                })
            },
        }
    }
}

/// The input of a call: the selector of the message, then its arguments.
pub(crate) fn input<M: Message>(message: &M) -> Vec<u8> {
    named(M::NAME, message)
}

/// The input of a constructor.
pub(crate) fn constructor(name: &str, arguments: impl Encode) -> Vec<u8> {
    named(name, arguments)
}

fn named(name: &str, arguments: impl Encode) -> Vec<u8> {
    let mut input = selector(name).to_vec();
    arguments.encode_to(&mut input);
    input
}

/// Answer of ink! itself if it cannot read a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, thiserror::Error)]
enum LangError {
    /// No such message, or arguments of other types.
    #[codec(index = 1)]
    #[error("the contract could not read the call")]
    CouldNotReadInput,
}

/// The output of a message, as ink! wraps it.
type Output<T> = Result<T, LangError>;

/// The answer of a message, from all of its output.
pub(crate) fn answer<T: Decode>(output: &[u8]) -> Result<T, String> {
    decode_all::<Output<T>>(output)
        .map_err(|error| error.to_string())?
        .map_err(|error| error.to_string())
}

/// Why a contract refuses.
pub(crate) trait Refuses: Decode {
    /// The error for a task that was refused for it.
    fn refused(self, task: &Task) -> Error;
}

impl Refuses for Refusal {
    fn refused(self, task: &Task) -> Error {
        Error::Refused {
            task: task.clone(),
            error: self,
        }
    }
}

impl Refuses for StakesError {
    fn refused(self, task: &Task) -> Error {
        match self {
            Self::Common(error) => error.refused(task),
            error => Error::StakesRefused {
                task: task.clone(),
                error,
            },
        }
    }
}

impl Refuses for RecordsError {
    fn refused(self, task: &Task) -> Error {
        Error::RecordsRefused {
            task: task.clone(),
            error: self,
        }
    }
}

/// Whether a message that may refuse does so. The value that it answers otherwise is not decoded.
pub(crate) fn refusal<E: Decode>(output: &[u8]) -> Result<Result<(), E>, String> {
    Output::<Result<(), E>>::decode(&mut &output[..])
        .map_err(|error| error.to_string())?
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use connect4_protocol::message::DropDisc;
    use connect4_rules::Dropped;

    use super::*;

    #[test]
    fn an_input_is_selector_and_arguments() {
        let [a, b, c, d] = selector("drop_disc");
        let input = input(&DropDisc { game: 258, bin: 3 });
        assert_eq!(input, [a, b, c, d, 2, 1, 0, 0, 3]);
    }

    #[test]
    fn a_refusal_is_told_from_an_answer() {
        let dropped = Dropped {
            row: 2,
            outcome: None,
        };
        let agreed: Output<Result<Dropped, Refusal>> = Ok(Ok(dropped));
        assert_eq!(refusal::<Refusal>(&agreed.encode()), Ok(Ok(())));
        let refused: Output<Result<Dropped, Refusal>> = Ok(Err(Refusal::BinFull));
        assert_eq!(refusal(&refused.encode()), Ok(Err(Refusal::BinFull)));
        let unread: Output<Result<Dropped, Refusal>> = Err(LangError::CouldNotReadInput);
        assert!(refusal::<Refusal>(&unread.encode()).is_err());
        assert!(refusal::<Refusal>(&[]).is_err());
    }

    #[test]
    fn an_answer_takes_all_of_the_output() {
        let output = Output::Ok(7_u32).encode();
        assert_eq!(answer(&output), Ok(7_u32));
        assert!(answer::<u32>(&[&output[..], &[0]].concat()).is_err());
        let unread: Output<u32> = Err(LangError::CouldNotReadInput);
        assert!(answer::<u32>(&unread.encode()).is_err());
    }
}
