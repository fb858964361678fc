//! The game of an event, as it was then.

use connect4_protocol::{Game, GameId, variants};
use subxt::utils::H256;

use crate::chain::client::Client;
use crate::contracts::contract::Contract;
use crate::contracts::deployed::answers_otherwise;
use crate::contracts::occurrence::Occurrence;
use crate::contracts::variants::Variants;
use crate::error::Error;
use crate::task::Task;

impl Contract {
    /// The game of an event, as it was after the event's block, or before it if its storage was
    /// freed in that block. Where the node has dropped these states it is the game as it is now.
    /// None if the event is not of a game, or if nothing of the game can be read any more.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn game_of(&self, at: &Occurrence) -> Result<Option<Game>, Error> {
        let Some(number) = at.event.game().map(GameId::number) else {
            return Ok(None);
        };
        let read = async |block| match block {
            Some(block) => self.game_at(number, block).await,
            None => self.game(number).await,
        };
        around(self.client(), at.block_hash, read).await
    }
}

impl Variants {
    /// The game or table of an event, as it was after the event's block, or before it if its storage
    /// was freed or the table closed in that block. Where the node has dropped these states it is the
    /// game as it is now. None if nothing of the game can be read any more.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn game_of(&self, at: &Occurrence) -> Result<Option<variants::Game>, Error> {
        let Some(number) = at.event.game().map(GameId::number) else {
            return Ok(None);
        };
        let read = async |block| match block {
            Some(block) => self.game_at(number, block).await,
            None => self.game(number).await,
        };
        around(self.client(), at.block_hash, read).await
    }
}

/// What is first found of a record that was changed in a block: after the block, before it, or, with
/// no block, now.
async fn around<T>(
    client: &Client,
    block: H256,
    read: impl AsyncFn(Option<H256>) -> Result<Option<T>, Error>,
) -> Result<Option<T>, Error> {
    let found = |result: Result<Option<T>, Error>| match result {
        // The node has dropped the state.
        Err(error) if answers_otherwise(&error) => Ok(None),
        // The contract is younger than the state.
        Err(Error::NoContract(_)) => Ok(None),
        result => result,
    };
    if let Some(after) = found(read(Some(block)).await)? {
        return Ok(Some(after));
    }
    // A node forgets blocks that were taken back.
    let parent = match client.parent(&Task::ReadEvents, block).await {
        Err(error) if answers_otherwise(&error) => None,
        parent => Some(parent?),
    };
    if let Some(parent) = parent
        && let Some(before) = found(read(Some(parent)).await)?
    {
        return Ok(Some(before));
    }
    found(read(None).await)
}
