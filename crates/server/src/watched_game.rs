//! A game or a table, read for the page whenever it may have changed.

use std::sync::Arc;

use connect4_client::{Contracts, Error, GameId, replay, replay_variant};
use connect4_protocol::{AnyGame, Error as Refused};
use connect4_rules::variant::Colour;
use connect4_wire::{self as wire, Live, View};

use crate::link::Connected;
use crate::not_found::{self, Freed};
use crate::past::Past;
use crate::record::{ATTEMPTS, Record, told_by};
use crate::seats::{Place, Seats};
use crate::view::Found;

/// What was read of a game on one connection.
pub struct WatchedGame {
    id: GameId,
    record: Record,
    freed: Freed,
}

impl WatchedGame {
    pub fn new(id: GameId) -> Self {
        Self {
            id,
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
        let id = self.id;
        let Some(contract) = at.contract_of(id) else {
            return Ok(Some(not_found::nowhere(id)));
        };
        let looked = self.look_stored(&contract, block, seats).await?;
        match looked {
            Looked::Seen(view) => Ok(Some(Arc::new(Live::Game(view)))),
            Looked::TooFast => Ok(None),
            Looked::Freed => {
                let seen = self.freed.or_read(freed_game(&contract, id));
                seen.await.map(Some)
            }
        }
    }

    /// What there is to see of a game that is stored, or of a table.
    async fn look_stored(
        &mut self,
        contract: &Contracts,
        block: u32,
        seats: &Seats,
    ) -> Result<Looked, Error> {
        let id = self.id;
        for _ in 1..ATTEMPTS {
            let Some(game) = contract.game::<AnyGame>(id).await? else {
                return Ok(Looked::Freed);
            };
            // Nothing was played at a table.
            let is_table = game.variant().is_some_and(|game| !game.has_started());
            if is_table || self.record.update(contract, id, &game, block).await? {
                let past = self.record.told().map(|told| Past::of(&game, told));
                let found = Found::on_chain(contract, id, past);
                let mut view = view_of(&game, found);
                for player in &mut view.game.players {
                    player.computer = computer(seats, id, &game, player.colour);
                }
                return Ok(Looked::Seen(Box::new(view)));
            }
        }
        Ok(Looked::TooFast)
    }
}

/// What a look at a game has found.
enum Looked {
    Seen(Box<View>),
    /// It is not stored.
    Freed,
    /// It changes faster than it can be read.
    TooFast,
}

/// The computer that plays a colour now.
fn computer(seats: &Seats, id: GameId, game: &AnyGame, colour: Colour) -> Option<wire::Computer> {
    let began = match game {
        AnyGame::Two(_) => colour,
        AnyGame::Variant(game) => Colour::ALL.into_iter().nth(game.seat_at(colour))?,
    };
    let place = Place { game: id, began };
    if let AnyGame::Variant(game) = game {
        // Its account may have left the table by another program.
        let account = seats.look(place, |seat| seat.signer.address())?;
        if account != game.account_of(colour) {
            return None;
        }
    }
    seats.computer(place)
}

fn view_of(game: &AnyGame, found: Found<'_>) -> View {
    match game {
        AnyGame::Two(game) => found.of_two(game),
        AnyGame::Variant(game) => found.of_variant(game),
    }
}

/// A game whose storage was freed, from its events; or that there is no such game or table.
async fn freed_game(contract: &Contracts, id: GameId) -> Result<Arc<Live>, Error> {
    let count = contract.game_count(id.contract()).await?;
    if id.number() >= count {
        return Ok(not_found::out_of(id, count));
    }
    let history = match contract.history(id, 0).await {
        Ok(history) => history,
        Err(error @ Error::Pruned { .. }) => return Ok(not_found::freed(id, Some(&error))),
        Err(Error::Refused {
            error: Refused::NoSuchGame,
            ..
        }) if id.is_variant() => {
            return Ok(not_found::because(format!(
                "the table of game {id} was closed before the game started"
            )));
        }
        Err(error) => return Err(error),
    };
    let game: Option<AnyGame> = match id.is_variant() {
        true => replay_variant(&history).ok().map(|(game, _)| game.into()),
        false => replay(&history).ok().map(Into::into),
    };
    let Some(game) = game else {
        return Ok(not_found::freed(id, None));
    };
    let told = told_by(contract, id, history).await?;
    let past = Ok(Past::of(&game, &told));
    let found = Found {
        freed: true,
        ..Found::on_chain(contract, id, past)
    };
    let view = view_of(&game, found);
    Ok(Arc::new(Live::Game(Box::new(view))))
}
