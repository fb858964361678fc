//! The moves of a game, read from its events.

use std::ops::RangeInclusive;

use connect4_client::{Client, Contract, Error, Event, Occurrence, Transaction};
use connect4_protocol::{Game, GameId};
use connect4_rules::{Bin, Position};
use connect4_wire::Move;

use crate::view;

/// How often a game is read again that changes while it is read.
pub const ATTEMPTS: u32 = 4;
/// Up to so many blocks since the last look are read one by one; for more, the game's blocks are
/// searched.
const FEW_BLOCKS: u32 = 64;

/// Contracts whose games are recorded.
pub trait Source {
    /// A game as it is stored.
    type Game: Sync;
    /// A part of the record.
    type Step: Send + Sync;

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

    /// Adds what an event, which belongs to the record, tells with its transaction.
    fn add(steps: &mut Vec<Self::Step>, at: Occurrence, sent: &Transaction);

    /// Whether these steps lead to this game.
    fn leads_to(steps: &[Self::Step], game: &Self::Game) -> bool;
}

impl Source for Contract {
    type Game = Game;
    type Step = Move;

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

    fn add(moves: &mut Vec<Move>, at: Occurrence, sent: &Transaction) {
        view::add_moves(moves, &at, sent);
    }

    fn leads_to(moves: &[Move], game: &Game) -> bool {
        let mut position = Position::new(game.shape());
        let dropped = moves
            .iter()
            .all(|at| position.drop(Bin::new(at.bin)).is_ok());
        dropped && position == game.position()
    }
}

/// The record of a game, as far as it was read.
pub struct Record<S: Source> {
    steps: Vec<S::Step>,
    /// Why it cannot be read.
    missing: Option<String>,
    /// The block up to which it was read; none if it was not.
    read: Option<u32>,
}

impl<S: Source> Default for Record<S> {
    fn default() -> Self {
        Self {
            steps: Vec::new(),
            missing: None,
            read: None,
        }
    }
}

impl<S: Source> Record<S> {
    /// The steps, or why they are not known.
    pub fn steps(&self) -> Result<&[S::Step], &str> {
        match &self.missing {
            Some(why) => Err(why),
            None => Ok(&self.steps),
        }
    }

    /// Reads the steps that led to a game as it is after `block` or a later one. Returns whether
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
            && S::leads_to(&self.steps, game)
        {
            self.read = Some(read.max(block));
            return Ok(true);
        }
        let height = source.client().height().await?.max(block);
        let news = match self.read {
            Some(read) if read <= height && height - read <= FEW_BLOCKS => {
                let events = source.events(read + 1..=height).await?;
                add_steps(source, number, events, &mut self.steps).await?;
                S::leads_to(&self.steps, game)
            }
            _ => false,
        };
        if !news {
            match source.history(number).await {
                Ok(history) => self.steps = steps_of(source, number, history).await?,
                Err(error @ Error::Pruned { .. }) => self.missing = Some(error.to_string()),
                Err(error) => return Err(error),
            }
        }
        self.read = Some(height);
        Ok(self.missing.is_some() || S::leads_to(&self.steps, game))
    }
}

/// The steps of a game that these events tell.
pub async fn steps_of<S: Source>(
    source: &S,
    number: u32,
    events: Vec<Occurrence>,
) -> Result<Vec<S::Step>, Error> {
    let mut steps = Vec::new();
    add_steps(source, number, events, &mut steps).await?;
    Ok(steps)
}

/// Adds the steps of a game that these events tell to those before.
async fn add_steps<S: Source>(
    source: &S,
    number: u32,
    mut events: Vec<Occurrence>,
    steps: &mut Vec<S::Step>,
) -> Result<(), Error> {
    events.retain(|at| S::is_recorded(&at.event, number));
    let sent = source.client().transactions(&events).await?;
    for (at, sent) in events.into_iter().zip(&sent) {
        S::add(steps, at, sent);
    }
    Ok(())
}
