//! The connection of a watcher to the room of a game, of which the number is all that is known.

use connect4_protocol::fast::GameNumber;
use connect4_protocol::fast::wire::{self, FromRelay};
use tokio::time::Instant;

use super::allowance::Allowance;
use super::messages::{LobbyError, Messages};

/// A watcher's place in a room of a relay, until this is dropped. It ends when the connection is lost.
///
/// Nothing that comes is checked.
#[derive(Debug)]
pub struct RoomWatch {
    messages: Messages,
    allowance: Allowance,
}

impl RoomWatch {
    /// Enters the room of a game at the relay with this URL. If there is no such room, nothing comes.
    ///
    /// # Errors
    ///
    /// [`LobbyError`].
    pub async fn enter(url: &str, game: GameNumber) -> Result<Self, LobbyError> {
        let path = wire::path(game);
        let mut messages = Messages::connect(url, &path, wire::MAX_LEN).await?;
        match messages.first().await? {
            FromRelay::Welcome { .. } => Ok(Self {
                messages,
                allowance: Allowance::new(Instant::now()),
            }),
            FromRelay::Refused(refusal) => Err(LobbyError::Refused(refusal)),
            _ => Err(LobbyError::lost("it does not welcome")),
        }
    }

    /// What comes next.
    ///
    /// # Errors
    ///
    /// [`LobbyError`], also if the relay sends more than a game has to say.
    pub async fn next(&mut self) -> Result<FromRelay, LobbyError> {
        let message = self.messages.receive().await?;
        if !self.allowance.take(Instant::now()) {
            return Err(LobbyError::lost("it sends more than a game has to say"));
        }
        match message {
            FromRelay::Refused(refusal) => Err(LobbyError::Refused(refusal)),
            message => Ok(message),
        }
    }
}
