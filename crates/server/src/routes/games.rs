//! Games: moves, what else accounts do in them, and the computers at their seats.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use connect4_client::{Action, Address, GameId, Receipt};
use connect4_protocol::{AnyGame, Error, Game, variants};
use connect4_rules::Bin;
use connect4_rules::variant::{Colour, Move, MoveError};
use connect4_wire::{self as wire, Act, Done, MakeMove, Perform, SeatComputer, Transacted};

use crate::app::App;
use crate::extract::{Asked, OfGame, named};
use crate::refusal::Refusal;
use crate::seats::Place;

pub async fn make_move(
    State(app): State<Arc<App>>,
    OfGame(id): OfGame,
    Asked { keys, asked }: Asked<MakeMove>,
) -> Result<Json<Transacted>, Refusal> {
    let action = Move::from(asked.r#move);
    let over = || Refusal::refused(Error::GameOver);
    let transacted = match id {
        GameId::Classic(_) => {
            let (contract, game) = app.game::<Game>(id).await?;
            check_seen(&asked, &wire::Position::of_game(&game))?;
            let player = game.to_move().ok_or_else(over)?;
            let signer = app.signer_for(&keys, game.account_of(player), player.colour())?;
            let bin = bin_of(action)?;
            let contract = contract.based_on(id, &game);
            let dropping = contract.drop_disc(signer, id, bin);
            transacted(&app.while_there(dropping).await?)
        }
        GameId::Variant(_) => {
            let (variants, game) = app.game::<variants::Game>(id).await?;
            if !game.has_started() {
                return Err(Refusal::refused(Error::NotStarted));
            }
            check_seen(&asked, &wire::Position::of_variant_game(&game))?;
            let to_move = game.to_move().ok_or_else(over)?;
            let signer = app.signer_for(&keys, game.account_of(to_move), to_move.name())?;
            // In the words of the rules: those of the contract say how it counts bins and rows, which the
            // page counts from 1.
            game.position().check(action).map_err(Refusal::refused)?;
            let variants = variants.based_on(id, &game);
            let moving = variants.perform(signer, id, Action::Move(action));
            transacted(&app.while_there(moving).await?)
        }
    };
    app.computers.wake(id).await;
    Ok(transacted)
}

/// Checks that the position is the one that the player saw.
fn check_seen(asked: &MakeMove, position: &wire::Position) -> Result<(), Refusal> {
    let is_other = asked.turns.is_some_and(|turns| turns != position.turns)
        || asked
            .board
            .as_ref()
            .is_some_and(|board| *board != position.board);
    match is_other {
        true => Err(Refusal::refused(
            "the board is not the one you saw: look at it, then move again",
        )),
        false => Ok(()),
    }
}

/// The bin of a drop, which is the only move of a classic game.
fn bin_of(action: Move) -> Result<Bin, Refusal> {
    match action {
        Move::Drop(bin) => Ok(bin),
        _ => Err(Refusal::refused(MoveError::NotInVariant)),
    }
}

/// Has an account do something other than a move: give a game up, free its storage, join or leave a table, or remove a
/// player who is late.
pub async fn perform(
    State(app): State<Arc<App>>,
    OfGame(id): OfGame,
    Asked { keys, asked }: Asked<Perform>,
) -> Result<Json<Transacted>, Refusal> {
    let account = named(&asked.account)?;
    let Act(name) = &asked.act;
    let action = Action::from_name(name).filter(|action| action.is_in(id));
    let action =
        action.ok_or_else(|| Refusal::input(format!("`{name}` is no action of a player")))?;
    let (contract, before) = app.game::<AnyGame>(id).await?;
    let signer = app.signer_for(&keys, account, "the account that does this")?;
    let based_on = contract.based_on(id, &before);
    let receipt = app
        .while_there(based_on.perform(signer, id, action))
        .await?;
    match action {
        Action::Join => {
            if let Ok(Some(game)) = contract.game(id).await
                && let Some(place) = place_of(id, &game, account)
            {
                match asked.level {
                    Some(level) => app.seat_computer(place, level.0, signer)?,
                    None => app.computers.leave(place),
                }
            }
        }
        Action::Leave => {
            let left = before
                .variant()
                .and_then(|game| place_of(id, game, account));
            if let Some(place) = left {
                app.computers.leave(place);
            }
        }
        _ => {}
    }
    app.computers.wake(id).await;
    Ok(transacted(&receipt))
}

/// The place of an account at a game of a variant; none if it does not play.
fn place_of(id: GameId, game: &variants::Game, account: Address) -> Option<Place> {
    place_at(id, game, game.colour_of(account)?)
}

/// The place at which a colour is played now.
fn place_at(id: GameId, game: &variants::Game, colour: Colour) -> Option<Place> {
    let began = Colour::ALL.into_iter().nth(game.seat_at(colour))?;
    let is_played = colour.index() < usize::from(game.variant().players());
    is_played.then_some(Place { game: id, began })
}

/// Has a computer play a seat, or a person again.
pub async fn computer(
    State(app): State<Arc<App>>,
    OfGame(id): OfGame,
    Asked { keys, asked }: Asked<SeatComputer>,
) -> Result<Json<Done>, Refusal> {
    let colour = asked.seat;
    let nobody = || Refusal::input(format!("nobody plays {colour} in this game"));
    let (_, game) = app.game::<AnyGame>(id).await?;
    let place = match &game.value {
        AnyGame::Two(_) => colour.player().map(|player| Place {
            game: id,
            began: player.into(),
        }),
        AnyGame::Variant(game) => place_at(id, game, colour),
    };
    let place = place.ok_or_else(nobody)?;
    let signer = app.signer_for(&keys, game.account_of(colour), colour.name())?;
    match asked.level {
        Some(_) if game.is_over() => return Err(Refusal::refused(Error::GameOver)),
        Some(level) => app.seat_computer(place, level.0, signer)?,
        None => app.computers.leave(place),
    }
    Ok(Json(Done {}))
}

fn transacted<T>(receipt: &Receipt<T>) -> Json<Transacted> {
    Json(Transacted {
        transaction: Some(receipt.into()),
    })
}
