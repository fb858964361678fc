//! The moves of a game, read from its events.

use connect4_client::{Contract, Error, Event, Occurrence};
use connect4_protocol::Game;
use connect4_rules::{Bin, Position};

use crate::view::{self, Moves};
use crate::wire::Move;

/// Up to so many blocks since the last look are read one by one; for more, the game's blocks are
/// searched.
const FEW_BLOCKS: u32 = 64;

/// The moves of a game, as far as they were read.
#[derive(Default)]
pub struct Record {
    moves: Vec<Move>,
    /// Why they cannot be read.
    missing: Option<String>,
    /// The block up to which they were read; none if they were not.
    read: Option<u32>,
}

impl Record {
    /// The moves, or why they are not known.
    pub fn moves(&self) -> Moves<'_> {
        match &self.missing {
            Some(why) => Err(why),
            None => Ok(&self.moves),
        }
    }

    /// Whether these are the moves that led to this game.
    fn leads_to(&self, game: &Game) -> bool {
        let mut position = Position::new(game.shape());
        let dropped = self
            .moves
            .iter()
            .all(|at| position.drop(Bin::new(at.bin)).is_ok());
        dropped && position == game.position()
    }

    /// Reads the moves that led to a game as it is after `block` or a later one. Returns whether
    /// they were found, or cannot be had.
    pub async fn update(
        &mut self,
        contract: &Contract,
        number: u32,
        game: &Game,
        block: u32,
    ) -> Result<bool, Error> {
        if self.missing.is_some() {
            return Ok(true);
        }
        if let Some(read) = self.read
            && self.leads_to(game)
        {
            self.read = Some(read.max(block));
            return Ok(true);
        }
        let height = contract.client().height().await?.max(block);
        let news = match self.read {
            Some(read) if read <= height && height - read <= FEW_BLOCKS => {
                let mut events = contract.events(read + 1..=height).await?;
                events.retain(|at| at.event.game() == Some(number));
                let moves = moves_of(contract, &events).await?;
                self.moves.extend(moves);
                self.leads_to(game)
            }
            _ => false,
        };
        if !news {
            match contract.history(number, 0).await {
                Ok(history) => self.moves = moves_of(contract, &history).await?,
                Err(error @ Error::Pruned { .. }) => self.missing = Some(error.to_string()),
                Err(error) => return Err(error),
            }
        }
        self.read = Some(height);
        Ok(self.missing.is_some() || self.leads_to(game))
    }
}

/// The moves that these events tell, with their transactions.
pub async fn moves_of(contract: &Contract, history: &[Occurrence]) -> Result<Vec<Move>, Error> {
    let drops: Vec<Occurrence> = history
        .iter()
        .filter(|at| matches!(at.event, Event::DiscDropped(_)))
        .cloned()
        .collect();
    let sent = contract.client().transactions(&drops).await?;
    Ok(drops
        .iter()
        .zip(&sent)
        .filter_map(|(at, sent)| view::moved(at, sent))
        .collect())
}
