//! Variants whose events are missing, by their records in the contract's storage.

use std::collections::BTreeMap;

use connect4_client::{Event, GameId};
use connect4_protocol::variants::Game;
use connect4_protocol::variants::event::VariantEnded;

use crate::finished::Finished;
use crate::game::{Ending, Told};
use crate::league::League;
use crate::slot::Slot;

/// Variants whose starts are missing among the events, as their contract stores them, by their numbers.
///
/// A record tells who won, so wins, draws and losses are exact for such a game. It does not tell when
/// the game ended, on which ratings depend.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// Games that have started.
    pub variants: BTreeMap<u32, Game>,
}

impl Recorded {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.variants.is_empty()
    }

    /// The games.
    pub(crate) fn keys(&self) -> impl Iterator<Item = Slot> {
        let games = self.variants.keys().copied();
        games.map(|number| Slot::new(GameId::Variant(number)))
    }

    /// The end of a game by its record, at the place of its last event if that is known; none if there
    /// is no record, or if the game goes on.
    pub(crate) fn ending(&self, slot: Slot, events: &[Told]) -> Option<Ending> {
        let Some(GameId::Variant(number)) = slot.on_chain() else {
            return None;
        };
        let game = self.variants.get(&number)?;
        let mut latest = events.iter().rev();
        let told = latest.find_map(|told| match told.event.decode() {
            Ok(Some(Event::VariantEnded(VariantEnded { winner, end, .. }))) => {
                Some((told, winner, end))
            }
            _ => None,
        });
        let (winner, end) = match told {
            Some((_, winner, end)) => (winner, end.into()),
            None => (game.winner(), game.end()?),
        };
        let told = told.map(|(told, ..)| told);
        let colours = game.variant().colours();
        let left = colours.filter(|colour| game.position().has_left(*colour));
        let left: Vec<_> = left.map(|colour| game.account_of(colour)).collect();
        let (variant, turns) = (game.variant().into(), game.position().turns().into());
        let players = game.accounts();
        Some(Ending {
            slot,
            league: League::of_variant(players.len()),
            at: told.map(|told| (told.block, told.event.place)),
            time: told.and_then(|told| told.time),
            witness: None,
            finished: Finished::variant(players, &left, &variant, turns, winner, end),
        })
    }
}
