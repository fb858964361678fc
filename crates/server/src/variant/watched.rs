//! A game or a table, read for the page whenever it may have changed.

use std::sync::Arc;

use connect4_client::{Error, GameId, Variants};
use connect4_protocol::Error as Refused;
use connect4_protocol::variants::Game;
use connect4_rules::variant::Colour;
use connect4_wire::{Computer, Live};

use super::record::replay;
use super::view::Found;
use crate::link::Connected;
use crate::missing::{self, Freed};
use crate::record::{ATTEMPTS, Record, steps_of};
use crate::seats::{Place, Seats};

/// What was read of a game on one connection.
pub struct WatchedVariant {
    number: u32,
    record: Record<Variants>,
    freed: Freed,
}

impl WatchedVariant {
    pub fn new(number: u32) -> Self {
        Self {
            number,
            record: Record::default(),
            freed: Freed::default(),
        }
    }

    /// What there is to see after `block`; none if the game changes faster than it can be read, so
    /// that the next block tells more.
    pub async fn look(
        &mut self,
        at: &Connected,
        block: u32,
        seats: &Seats,
    ) -> Result<Option<Arc<Live>>, Error> {
        let number = self.number;
        let Some(variants) = at.variants() else {
            return Ok(Some(missing::nowhere(GameId::Variant(number))));
        };
        for _ in 1..ATTEMPTS {
            let Some(game) = variants.game(number).await? else {
                let back = not_stored(&variants, number);
                return self.freed.or_read(back).await.map(Some);
            };
            // Nothing was played at a table.
            let is_read =
                !game.has_started() || self.record.update(&variants, number, &game, block).await?;
            if is_read {
                let found = Found {
                    number,
                    contract: variants.address(),
                    game: &game,
                    told: self.record.steps(),
                    freed: false,
                };
                let view = found.view(computers(seats, number, &game));
                return Ok(Some(Arc::new(Live::Variant(Box::new(view)))));
            }
        }
        Ok(None)
    }
}

/// A game whose storage was freed, from its events; or that there is no such game.
async fn not_stored(variants: &Variants, number: u32) -> Result<Arc<Live>, Error> {
    let id = GameId::Variant(number);
    let count = variants.game_count().await?;
    if number >= count {
        return Ok(missing::beyond(id, count));
    }
    let freed = format!("game {id} has ended and its storage was freed");
    let history = match variants.history(number, 0).await {
        Ok(history) => history,
        Err(error @ Error::Pruned { .. }) => {
            return Ok(missing::because(format!("{freed}; {error}")));
        }
        Err(Error::Refused {
            error: Refused::NoSuchGame,
            ..
        }) => {
            return Ok(missing::because(format!(
                "the table of game {id} was closed before the game started"
            )));
        }
        Err(error) => return Err(error),
    };
    let told = steps_of(variants, number, history).await?;
    let Ok((game, _)) = replay(&told) else {
        return Ok(missing::because(freed));
    };
    let found = Found {
        number,
        contract: variants.address(),
        game: &game,
        told: Ok(&told),
        freed: true,
    };
    let nobody = game.variant().colours().map(|_| None).collect();
    Ok(Arc::new(Live::Variant(Box::new(found.view(nobody)))))
}

/// The computers at a game, by the colours that they play now.
fn computers(seats: &Seats, number: u32, game: &Game) -> Vec<Option<Computer>> {
    let computer = |colour| {
        let place = Place {
            game: GameId::Variant(number),
            began: Colour::ALL.into_iter().nth(game.seat_at(colour))?,
        };
        // Its account may have left the table by another program.
        let account = seats.look(place, |seat| seat.signer.address())?;
        let is_there = account == game.account_of(colour);
        is_there.then(|| seats.computer(place)).flatten()
    };
    game.variant().colours().map(computer).collect()
}
