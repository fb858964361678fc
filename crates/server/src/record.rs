//! The past of a game, read from its events.

use std::marker::PhantomData;
use std::ops::RangeInclusive;

use connect4_client::{Client, Contract, Error, Event, Occurrence, Variants};
use connect4_protocol::{Game, GameId, variants};

use crate::past::{self, Told};

/// How often a game is read again that changes while it is read.
pub const ATTEMPTS: u32 = 4;
/// Up to so many blocks since the last look are read one by one; for more, the game's blocks are
/// searched.
const FEW_BLOCKS: u32 = 64;

/// Contracts whose games are recorded.
pub trait Source: Sync {
    /// A game as it is stored.
    type Game: Sync;

    /// The connection to the chain.
    fn client(&self) -> &Client;

    /// All events of these blocks.
    fn events(
        &self,
        blocks: RangeInclusive<u32>,
    ) -> impl Future<Output = Result<Vec<Occurrence>, Error>> + Send;

    /// The events of a game from its start on.
    fn history(&self, number: u32) -> impl Future<Output = Result<Vec<Occurrence>, Error>> + Send;

    /// Whether an event belongs to the record of a game.
    fn is_recorded(event: &Event, number: u32) -> bool;

    /// Whether these events lead to this game.
    fn leads_to(told: &[Told], game: &Self::Game) -> bool;
}

impl Source for Contract {
    type Game = Game;

    fn client(&self) -> &Client {
        self.client()
    }

    async fn events(&self, blocks: RangeInclusive<u32>) -> Result<Vec<Occurrence>, Error> {
        self.events(blocks).await
    }

    async fn history(&self, number: u32) -> Result<Vec<Occurrence>, Error> {
        self.history(number, 0).await
    }

    fn is_recorded(event: &Event, number: u32) -> bool {
        matches!(event, Event::DiscDropped(_) | Event::Advanced(_))
            && event.game() == Some(GameId::of_two(number))
    }

    fn leads_to(told: &[Told], game: &Game) -> bool {
        past::leads_to(told, game)
    }
}

impl Source for Variants {
    type Game = variants::Game;

    fn client(&self) -> &Client {
        self.client()
    }

    async fn events(&self, blocks: RangeInclusive<u32>) -> Result<Vec<Occurrence>, Error> {
        self.events(blocks).await
    }

    async fn history(&self, number: u32) -> Result<Vec<Occurrence>, Error> {
        self.history(number, 0).await
    }

    fn is_recorded(event: &Event, number: u32) -> bool {
        let is_of_play = matches!(
            event,
            Event::VariantStarted(_)
                | Event::MoveMade(_)
                | Event::PlayerLeft(_)
                | Event::VariantEnded(_)
        );
        is_of_play && event.game() == Some(GameId::Variant(number))
    }

    fn leads_to(told: &[Told], game: &variants::Game) -> bool {
        past::replay(told).is_ok_and(|(replayed, _)| {
            replayed.position() == game.position()
                && replayed.is_swapped() == game.is_swapped()
                && replayed.is_over() == game.is_over()
        })
    }
}

/// The record of a game, as far as it was read.
pub struct Record<S: Source> {
    told: Vec<Told>,
    /// Why it cannot be read.
    missing: Option<String>,
    /// The block up to which it was read; none if it was not.
    read: Option<u32>,
    source: PhantomData<fn(&S)>,
}

impl<S: Source> Default for Record<S> {
    fn default() -> Self {
        Self {
            told: Vec::new(),
            missing: None,
            read: None,
            source: PhantomData,
        }
    }
}

impl<S: Source> Record<S> {
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
        source: &S,
        number: u32,
        game: &S::Game,
        block: u32,
    ) -> Result<bool, Error> {
        if self.missing.is_some() {
            return Ok(true);
        }
        if let Some(read) = self.read
            && S::leads_to(&self.told, game)
        {
            self.read = Some(read.max(block));
            return Ok(true);
        }
        let height = source.client().height().await?.max(block);
        let news = match self.read {
            Some(read) if read <= height && height - read <= FEW_BLOCKS => {
                let events = source.events(read + 1..=height).await?;
                self.told.extend(told_by(source, number, events).await?);
                S::leads_to(&self.told, game)
            }
            _ => false,
        };
        if !news {
            match source.history(number).await {
                Ok(history) => self.told = told_by(source, number, history).await?,
                Err(error @ Error::Pruned { .. }) => self.missing = Some(error.to_string()),
                Err(error) => return Err(error),
            }
        }
        self.read = Some(height);
        Ok(self.missing.is_some() || S::leads_to(&self.told, game))
    }
}

/// The events among these that belong to the record of a game, with their transactions.
pub async fn told_by<S: Source>(
    source: &S,
    number: u32,
    mut events: Vec<Occurrence>,
) -> Result<Vec<Told>, Error> {
    events.retain(|at| S::is_recorded(&at.event, number));
    let sent = source.client().transactions(&events).await?;
    let told = events.into_iter().zip(sent);
    Ok(told.map(|(at, sent)| Told { at, sent }).collect())
}
