//! The moves of a game, and who left it, read from its events.

use std::ops::RangeInclusive;

use connect4_client::{
    Client, Error, Event, Occurrence, ReplayError, Transaction, VariantStep, Variants,
    replay_variant,
};
use connect4_protocol::GameId;
use connect4_protocol::variants::Game;
use connect4_wire as wire;

use crate::record::Source;

/// An event of play, and its transaction.
pub struct Told {
    at: Occurrence,
    pub sent: wire::Transaction,
}

impl Source for Variants {
    type Game = Game;
    type Step = Told;

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

    fn add(told: &mut Vec<Told>, at: Occurrence, sent: &Transaction) {
        let sent = sent.into();
        told.push(Told { at, sent });
    }

    fn leads_to(steps: &[Told], game: &Game) -> bool {
        replay(steps).is_ok_and(|(replayed, _)| {
            replayed.position() == game.position()
                && replayed.is_swapped() == game.is_swapped()
                && replayed.is_over() == game.is_over()
        })
    }
}

/// The game that these events lead to, and its steps.
///
/// # Errors
///
/// Those of [`replay_variant`].
pub fn replay(told: &[Told]) -> Result<(Game, Vec<VariantStep>), ReplayError> {
    let history: Vec<_> = told.iter().map(|told| told.at.clone()).collect();
    replay_variant(&history)
}
