//! The connection of a watcher to the room of a signed game, of which the number is all that is known.

use connect4_protocol::Game;
use connect4_protocol::signed::Native;
use connect4_protocol::signed::lobby::WitnessAt;
use connect4_protocol::signed::wire::{self, FromWitness};
use connect4_protocol::signed::{Chain, GameNumber, Moves, Terms};
use connect4_seat::{Unseen, Watcher};
use tokio::time::Instant;

use super::allowance::Allowance;
use super::messages::{LobbyError, Messages};
use super::relay::rooms_at;

/// What is not signed, or not legal, after which a relay is left.
const UNSEEN: u32 = 32;

/// A watcher's place in the room of a game at its witness, until this is dropped. It ends when the connection is lost.
///
/// Nothing is shown that both players and the witness have not signed, for the chain of the witness.
pub struct RoomWatch {
    messages: Messages,
    allowance: Allowance,
    chain: Chain,
    watcher: Watcher<Native>,
    unseen: u32,
}

impl RoomWatch {
    /// Enters the room of a game at a witness, which the relay with this URL is. If there is no such room, nothing comes.
    ///
    /// # Errors
    ///
    /// [`LobbyError`].
    pub async fn enter(url: &str, at: WitnessAt, game: GameNumber) -> Result<Self, LobbyError> {
        let path = wire::path(at.key, game);
        let messages = Messages::connect(&rooms_at(url), &path, wire::MAX_LEN).await?;
        Ok(Self {
            messages,
            allowance: Allowance::new(Instant::now()),
            chain: Chain {
                id: at.chain_id,
                genesis: at.genesis,
            },
            watcher: Watcher::new(game, at.key, Native),
            unseen: 0,
        })
    }

    /// Waits for what comes next.
    ///
    /// # Errors
    ///
    /// [`LobbyError`], also if the relay sends more than a game has to say, too much that is not signed, what contradicts
    /// what it has signed before, or games of another chain.
    pub async fn hear(&mut self) -> Result<(), LobbyError> {
        let message: FromWitness = self.messages.receive().await?;
        if !self.allowance.take(Instant::now()) {
            return Err(LobbyError::lost("it sends more than a game has to say"));
        }
        if let FromWitness::Refused(refusal) = message {
            return Err(LobbyError::Refused(refusal));
        }
        match self.watcher.hear(&message) {
            Ok(()) if self.watcher.chain() == Some(self.chain) => Ok(()),
            Ok(()) => Err(LobbyError::lost("it signs for another chain")),
            Err(unseen @ Unseen::Contradicted(_)) => Err(LobbyError::Lost(unseen.to_string())),
            Err(unseen) => {
                self.unseen += 1;
                match self.unseen > UNSEEN {
                    true => Err(LobbyError::Lost(unseen.to_string())),
                    false => Ok(()),
                }
            }
        }
    }

    /// The terms, the moves and the game as its witness has told it last; none before the room has told the terms.
    #[must_use]
    pub fn shown(&self) -> Option<(Terms, Moves, Game)> {
        let room = self.watcher.room()?;
        Some((room.agreed.terms, room.moves(), self.watcher.game()?))
    }
}
