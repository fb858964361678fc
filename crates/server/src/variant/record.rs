//! The moves of a game, and who left it, read from its events.

use std::ops::RangeInclusive;

use connect4_client::{
    Client, Error, Occurrence, ReplayError, Transaction, VariantStep, Variants, replay_variant,
};
use connect4_protocol::variants::{Event, Game};
use connect4_wire as wire;

use crate::record::Source;

/// An event of play, and its transaction.
pub struct Told {
    at: Occurrence<Event>,
    pub sent: wire::Transaction,
}

impl Source for Variants {
    type Event = Event;
    type Game = Game;
    type Step = Told;

    fn client(&self) -> &Client {
        self.client()
    }

    async fn events(&self, blocks: RangeInclusive<u32>) -> Result<Vec<Occurrence<Event>>, Error> {
        self.events(blocks).await
    }

    async fn history(&self, number: u32) -> Result<Vec<Occurrence<Event>>, Error> {
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
        is_of_play && event.game() == number
    }

    fn add(told: &mut Vec<Told>, at: Occurrence<Event>, sent: &Transaction) {
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
