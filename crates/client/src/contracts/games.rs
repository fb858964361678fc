//! Messages of the contract of the games.

use connect4_protocol::event::GameStarted;
use connect4_protocol::message::{GameCount, ReadGame, StartGame};
use connect4_protocol::{Address, Error as Refusal, Event, Game, GameId};
use connect4_rules::ShapeSpec;
use subxt::utils::H256;

use crate::accounts::account::Signer;
use crate::chain::seen::Seen;
use crate::contracts::contract::Contract;
use crate::contracts::receipt::Receipt;
use crate::contracts::transact::told;
use crate::error::Error;
use crate::task::Task;

impl Contract {
    /// Number of games that were started, without the [fast](Self::fast_game_count) ones; the first one
    /// is game 0.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn game_count(&self) -> Result<u32, Error> {
        self.query(&Task::CountGames, &GameCount {}, None).await
    }

    /// A game as it is in the best block, of a fast one what the chain knows; none if there is no game with this number, or its storage
    /// was freed.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached or its answer is not understood.
    pub async fn game(&self, game: u32) -> Result<Option<Game>, Error> {
        self.read_game(game, None).await
    }

    /// A game as it is in the best block, with that block; none as for [`Contract::game`].
    ///
    /// # Errors
    ///
    /// As [`Contract::game`].
    pub async fn see_game(&self, game: u32) -> Result<Option<Seen<Game>>, Error> {
        let block = self.client().best_block().await?;
        let found = self.read_game(game, Some(block.hash)).await?;
        Ok(found.map(|value| Seen { value, block }))
    }

    /// A game as it was after a block; none if it was not there. Most nodes of public chains keep
    /// the state of their newest blocks only.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached, or has dropped the block's state.
    pub async fn game_at(&self, game: u32, block: H256) -> Result<Option<Game>, Error> {
        self.read_game(game, Some(block)).await
    }

    async fn read_game(&self, game: u32, at: Option<H256>) -> Result<Option<Game>, Error> {
        let id = GameId::of_two(game);
        if id.is_fast() {
            return Ok(self.read_fast(game, at).await?.map(|fast| fast.game));
        }
        let task = Task::ReadGame { game: id };
        self.find(task, &ReadGame { game }, at, Refusal::NoSuchGame)
            .await
    }

    /// Starts a game and returns its number. Player `one` is red and moves first. The signer need
    /// not play.
    ///
    /// The game has no clock. If it stops for ever, the signer's deposit comes back only after a player
    /// has resigned, see [`Action::Free`](crate::Action::Free).
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `SamePlayer`, then `BadShape`, before anything is sent; else if the
    /// account cannot pay or the chain cannot be reached.
    pub async fn start_game(
        &self,
        signer: &Signer,
        one: Address,
        two: Address,
        shape: ShapeSpec,
    ) -> Result<Receipt<u32>, Error> {
        let task = Task::StartGame;
        let message = StartGame {
            player_one: one,
            player_two: two,
            shape,
        };
        let receipt = self.transact(&task, signer, &message, 0).await?;
        told(&task, receipt, |event| match event {
            Event::GameStarted(GameStarted { game, .. }) => Some(*game),
            _ => None,
        })
    }
}
