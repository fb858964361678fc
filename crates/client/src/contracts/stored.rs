//! Reading games, by their kinds.

use connect4_protocol::message::ReadGame;
use connect4_protocol::variants::message::ReadVariant;
use connect4_protocol::{AnyGame, Error as Refusal, Game, GameId, variants};
use subxt::utils::H256;

use crate::chain::seen::Seen;
use crate::contracts::deployed::{Contracts, answers_otherwise};
use crate::contracts::occurrence::Occurrence;
use crate::error::Error;
use crate::task::Task;

/// What can be read of a game: a [`Game`] between two accounts; a game of a [variant](variants::Game) or a table; or [`AnyGame`] of each
/// kind. There is nothing of a game of another kind.
pub trait Stored: Clone + PartialEq + Send + Sync + Sized {
    /// What there is of a game after a block; the best one if none is given.
    fn read(
        contracts: &Contracts,
        game: GameId,
        at: Option<H256>,
    ) -> impl Future<Output = Result<Option<Self>, Error>> + Send;
}

impl Stored for Game {
    async fn read(
        contracts: &Contracts,
        id: GameId,
        at: Option<H256>,
    ) -> Result<Option<Self>, Error> {
        match id {
            GameId::Classic(game) => {
                let message = ReadGame { game };
                contracts.find(&message, at).await
            }
            GameId::Variant(_) => Ok(None),
        }
    }
}

impl Stored for variants::Game {
    async fn read(
        contracts: &Contracts,
        id: GameId,
        at: Option<H256>,
    ) -> Result<Option<Self>, Error> {
        let GameId::Variant(game) = id else {
            return Ok(None);
        };
        let message = ReadVariant { game };
        contracts.find(&message, at).await
    }
}

impl Stored for AnyGame {
    async fn read(
        contracts: &Contracts,
        id: GameId,
        at: Option<H256>,
    ) -> Result<Option<Self>, Error> {
        Ok(match id {
            GameId::Classic(_) => Game::read(contracts, id, at).await?.map(Into::into),
            GameId::Variant(_) => {
                let game = variants::Game::read(contracts, id, at).await?;
                game.map(Into::into)
            }
        })
    }
}

impl Contracts {
    /// A game as it is in the best block; none if there is no such game, or its storage was freed, or it
    /// was a table that was closed. The type says how much of it is wanted.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn game<G: Stored>(&self, game: GameId) -> Result<Option<G>, Error> {
        G::read(self, game, None).await
    }

    /// A game as it is in the best block, with that block; none as for [`Contracts::game`].
    ///
    /// # Errors
    ///
    /// As [`Contracts::game`].
    pub async fn see_game<G: Stored>(&self, game: GameId) -> Result<Option<Seen<G>>, Error> {
        let block = self.client().best_block().await?;
        let found = G::read(self, game, Some(block.hash)).await?;
        Ok(found.map(|value| Seen { value, block }))
    }

    /// A game as it was after a block; none if it was not there. Most nodes of public chains keep the
    /// state of their newest blocks only.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached, or has dropped the block's state.
    pub async fn game_at<G: Stored>(&self, game: GameId, block: H256) -> Result<Option<G>, Error> {
        G::read(self, game, Some(block)).await
    }

    /// The game of an event, as it was after the event's block, or before it if its storage was freed or
    /// its table closed in that block. Where the node has dropped these states it is the game as it is
    /// now. None if the event is not of a game, or if nothing of the game can be read any more.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn game_of<G: Stored>(&self, at: &Occurrence) -> Result<Option<G>, Error> {
        let Some(game) = at.event.game() else {
            return Ok(None);
        };
        let read = async |block| match G::read(self, game, block).await {
            // The node has dropped the state, or the contract is younger than the state.
            Err(error) if answers_otherwise(&error) => Ok(None),
            Err(Error::NoContract(_)) => Ok(None),
            result => result,
        };
        if let Some(after) = read(Some(at.block_hash)).await? {
            return Ok(Some(after));
        }
        // A node forgets blocks that were replaced.
        let parent = self.client().parent(&Task::ReadEvents, at.block_hash).await;
        let parent = match parent {
            Err(error) if answers_otherwise(&error) => None,
            parent => Some(parent?),
        };
        if let Some(parent) = parent
            && let Some(before) = read(Some(parent)).await?
        {
            return Ok(Some(before));
        }
        read(None).await
    }

    /// Waits until a game differs from what is given here, and returns it
    /// with the block after which it is so.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame`, also if the game's storage is freed or its table closed
    /// meanwhile; else if the chain cannot be reached.
    pub async fn wait_for_change<G: Stored>(
        &self,
        game: GameId,
        known: &G,
    ) -> Result<Seen<G>, Error> {
        let task = &Task::AwaitChange { game };
        let mut heads = self.client().heads_for(task).await?;
        loop {
            match self.see_game(game).await? {
                Some(now) if now.value != *known => return Ok(now),
                Some(_) => heads.next().await?,
                None => {
                    return Err(Error::Refused {
                        task: task.clone(),
                        error: Refusal::NoSuchGame,
                    });
                }
            };
        }
    }
}
