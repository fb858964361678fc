//! Games whose events are missing, by their records in the contracts' storage.

use std::collections::BTreeMap;

use connect4_client::{Event, GameId};
use connect4_protocol::event::GameEnded;
use connect4_protocol::variants::event::VariantEnded;
use connect4_protocol::{Game, variants};

use crate::finished::Finished;
use crate::game::{Ending, Told};
use crate::league::League;
use crate::slot::Slot;

/// Games whose starts are missing among the events, as the contracts store them, by their numbers.
///
/// A record tells who won, so wins, draws and losses are exact for such a game. It does not tell when
/// the game ended, on which ratings depend.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// Games of two.
    pub classic: BTreeMap<u32, Game>,
    /// Games of variants that have started.
    pub variants: BTreeMap<u32, variants::Game>,
}

impl Recorded {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.classic.is_empty() && self.variants.is_empty()
    }

    /// The games.
    pub(crate) fn keys(&self) -> impl Iterator<Item = Slot> {
        let classic = self.classic.keys().copied().map(GameId::Classic);
        let variants = self.variants.keys().copied().map(GameId::Variant);
        classic.chain(variants).map(Slot::new)
    }

    /// The end of a game by its record, at the place of its last event if that is known; none if there
    /// is no record, or if the game goes on.
    pub(crate) fn ending(&self, slot: Slot, events: &[Told]) -> Option<Ending> {
        let game = slot.on_chain()?;
        let (players, told, finished) = match game {
            GameId::Classic(_) => {
                let game = self.classic.get(&slot.number)?;
                let told = events
                    .iter()
                    .rev()
                    .find_map(|told| match told.event.decode() {
                        Ok(Some(Event::GameEnded(GameEnded { winner, end, .. }))) => {
                            Some((told, winner, end))
                        }
                        _ => None,
                    });
                let (winner, end) = match told {
                    Some((_, winner, end)) => (winner, end),
                    None => (
                        game.winner().map(|winner| game.account_of(winner)),
                        game.end()?,
                    ),
                };
                let players = [game.player_one(), game.player_two()];
                let (shape, turns) = (game.shape().into(), game.turns().into());
                let finished = Finished::classic(players, shape, turns, winner, end);
                (players.len(), told.map(|(told, ..)| told), finished)
            }
            GameId::Variant(number) => {
                let game = self.variants.get(&number)?;
                let told = events
                    .iter()
                    .rev()
                    .find_map(|told| match told.event.decode() {
                        Ok(Some(Event::VariantEnded(VariantEnded { winner, end, .. }))) => {
                            Some((told, winner, end))
                        }
                        _ => None,
                    });
                let (winner, end) = match told {
                    Some((_, winner, end)) => (winner, end.into()),
                    None => (game.winner(), game.end()?),
                };
                let colours = game.variant().colours();
                let left = colours.filter(|colour| game.position().has_left(*colour));
                let left: Vec<_> = left.map(|colour| game.account_of(colour)).collect();
                let (variant, turns) = (game.variant().into(), game.position().turns().into());
                let players = game.accounts();
                let finished = Finished::variant(players, &left, &variant, turns, winner, end);
                (players.len(), told.map(|(told, ..)| told), finished)
            }
        };
        Some(Ending {
            slot,
            league: League::of(game, players),
            at: told.map(|told| (told.block, told.event.place)),
            time: told.and_then(|told| told.time),
            witness: None,
            finished,
        })
    }
}
