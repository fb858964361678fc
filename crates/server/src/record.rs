//! The past of a game, read from its events.

use connect4_client::{Contracts, Error, Event, GameId, Occurrence};
use connect4_protocol::AnyGame;

use crate::past::{self, Told};

/// How often a game is read again that changes while it is read.
pub const ATTEMPTS: u32 = 4;
/// Up to so many blocks since the last look are read one by one; for more, the game's blocks are
/// searched.
const FEW_BLOCKS: u32 = 64;

/// The record of a game, as far as it was read.
#[derive(Default)]
pub struct Record {
    told: Vec<Told>,
    /// Why it cannot be read.
    missing: Option<String>,
    /// The block up to which it was read; none if it was not.
    read: Option<u32>,
}

impl Record {
    /// The events, or why they are not known.
    pub fn told(&self) -> Result<&[Told], &str> {
        match &self.missing {
            Some(why) => Err(why),
            None => Ok(&self.told),
        }
    }

    /// Reads the events that led to a game as it is after `block` or a later one. Returns whether
    /// they were found, or cannot be had.
    pub async fn update(
        &mut self,
        contract: &Contracts,
        id: GameId,
        game: &AnyGame,
        block: u32,
    ) -> Result<bool, Error> {
        if self.missing.is_some() {
            return Ok(true);
        }
        if let Some(read) = self.read
            && past::leads_to(&self.told, game)
        {
            self.read = Some(read.max(block));
            return Ok(true);
        }
        let height = contract.client().height().await?.max(block);
        let news = match self.read {
            Some(read) if read <= height && height - read <= FEW_BLOCKS => {
                let events = contract.events(read + 1..=height).await?;
                self.told.extend(told_by(contract, id, events).await?);
                past::leads_to(&self.told, game)
            }
            _ => false,
        };
        if !news {
            match contract.history(id, 0).await {
                Ok(history) => self.told = told_by(contract, id, history).await?,
                Err(error @ Error::Pruned { .. }) => self.missing = Some(error.to_string()),
                Err(error) => return Err(error),
            }
        }
        self.read = Some(height);
        Ok(self.missing.is_some() || past::leads_to(&self.told, game))
    }
}

/// The events among these that belong to the record of a game, with their transactions.
pub async fn told_by(
    contract: &Contracts,
    id: GameId,
    mut events: Vec<Occurrence>,
) -> Result<Vec<Told>, Error> {
    events.retain(|at| {
        let is_of_play = matches!(
            at.event,
            Event::DiscDropped(_)
                | Event::VariantStarted(_)
                | Event::MoveMade(_)
                | Event::PlayerLeft(_)
                | Event::VariantEnded(_)
        );
        is_of_play && at.event.game() == Some(id)
    });
    let sent = contract.client().transactions(&events).await?;
    let told = events.into_iter().zip(sent);
    Ok(told.map(|(at, sent)| Told { at, sent }).collect())
}
