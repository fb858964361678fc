//! What is asked of the task around a player.

use connect4_seat::{Command, GameOffer, Message, PlayerError};
use tokio::sync::oneshot;

use super::KeyringError;

/// What is asked of the task.
pub(super) enum Ask {
    Command(Command, Answer<()>),
    Tell(Box<Message>, Answer<()>),
    Rematch {
        until: u64,
        nonce: u32,
        answer: Answer<GameOffer>,
    },
    IsRematch(Box<GameOffer>, oneshot::Sender<bool>),
}

/// Where the answer to what is asked goes.
pub(super) type Answer<T> = oneshot::Sender<Result<T, PlayerError<KeyringError>>>;
