//! Games: moves, what else accounts do in them, and the computers at their seats.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use connect4_client::{Action, Address, GameId, Receipt, Signer};
use connect4_protocol::{AnyGame, Error, Game, variants};
use connect4_rules::variant::{Colour, Move, MoveError};
use connect4_rules::{Bin, Player};
use connect4_wire::{self as wire, Act, Done, MakeMove, Perform, SeatComputer, Transacted};

use crate::app::App;
use crate::extract::{Asked, OfGame, named};
use crate::keys::Presented;
use crate::refusal::Refusal;
use crate::seats::Place;

pub fn place(game: GameId, player: Player) -> Place {
    let began = player.into();
    Place { game, began }
}

pub async fn make_move(
    State(app): State<Arc<App>>,
    OfGame(id): OfGame,
    Asked { keys, asked }: Asked<MakeMove>,
) -> Result<Json<Transacted>, Refusal> {
    let action = Move::from(asked.r#move);
    let transacted = match id {
        GameId::Classic(_) => {
            let (contract, game) = app.game::<Game>(id).await?;
            check_seen(&asked, &wire::Position::of_game(&game))?;
            let (_, signer) = mover(&app, &keys, &game)?;
            let bin = bin_of(action)?;
            let dropping = async {
                let at_stake = contract.match_of(id).await?.stake > 0;
                let contract = contract.based_on(id, &game, at_stake);
                contract.drop_disc(signer, id, bin).await
            };
            transacted(&app.while_there(dropping).await?)
        }
        GameId::Variant(_) => {
            let (variants, game) = app.game::<variants::Game>(id).await?;
            if !game.has_started() {
                return Err(Refusal::refused(Error::NotStarted));
            }
            check_seen(&asked, &wire::Position::of_variant_game(&game))?;
            let over = || Refusal::refused(Error::GameOver);
            let to_move = game.to_move().ok_or_else(over)?;
            let signer = app.signer_for(&keys, game.account_of(to_move), to_move.name())?;
            // In the words of the rules: those of the contract say how it counts bins and rows, which the
            // page counts from 1.
            game.position().check(action).map_err(Refusal::refused)?;
            let variants = variants.based_on(id, &game, false);
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

/// The player to move in a game between two accounts, if these keys open its account.
fn mover<'a>(app: &'a App, keys: &Presented, game: &Game) -> Result<(Player, &'a Signer), Refusal> {
    let over = || Refusal::refused(Error::GameOver);
    let player = game.to_move().ok_or_else(over)?;
    Ok((player, app.signer_at(keys, game, player)?))
}

/// The bin of a drop, which is the only move of a classic game.
fn bin_of(action: Move) -> Result<Bin, Refusal> {
    match action {
        Move::Drop(bin) => Ok(bin),
        _ => Err(Refusal::refused(MoveError::NotInVariant)),
    }
}

/// Has an account do something other than a move.
pub async fn perform(
    State(app): State<Arc<App>>,
    OfGame(id): OfGame,
    Asked { keys, asked }: Asked<Perform>,
) -> Result<Json<Transacted>, Refusal> {
    let account = named(&asked.account)?;
    match id {
        GameId::Classic(_) => perform_of_two(&app, &keys, id, account, &asked.act).await,
        GameId::Variant(_) => perform_variant(&app, &keys, id, account, &asked).await,
    }
}

/// Performs an action of a player: one that costs its fee alone.
async fn perform_of_two(
    app: &App,
    keys: &Presented,
    id: GameId,
    account: Address,
    Act(name): &Act,
) -> Result<Json<Transacted>, Refusal> {
    let action = Action::from_name(name).filter(|action| action.is_in(id));
    let Some(action) = action else {
        return Err(unknown(name));
    };
    let (contract, game) = app.game::<Game>(id).await?;
    let (_, signer) = player_of(app, keys, &game, account)?;
    if matches!(
        action,
        Action::OfferRematch | Action::AcceptRematch | Action::Free
    ) {
        return Err(Refusal::input(format!(
            "`{name}` is not done by this address"
        )));
    }
    let contract = contract.based_on(id, &game, false);
    let performing = contract.perform(signer, id, action);
    Ok(transacted(&app.while_there(performing).await?))
}

/// The player with this account and who signs for it, if these keys open the account.
fn player_of<'a>(
    app: &'a App,
    keys: &Presented,
    game: &Game,
    account: Address,
) -> Result<(Player, &'a Signer), Refusal> {
    let player = game.player_of(&account);
    let player = player.ok_or_else(|| Refusal::refused(Error::NotAPlayer))?;
    Ok((player, app.signer_at(keys, game, player)?))
}

fn unknown(name: &str) -> Refusal {
    Refusal::input(format!("`{name}` is no action of a player"))
}

/// Has an account join or leave, remove a player who is late, or free the storage of a game.
async fn perform_variant(
    app: &Arc<App>,
    keys: &Presented,
    id: GameId,
    account: Address,
    asked: &Perform,
) -> Result<Json<Transacted>, Refusal> {
    let (variants, before) = app.game::<variants::Game>(id).await?;
    let signer = app.signer_for(keys, account, "the account that does this")?;
    let Act(name) = &asked.act;
    let action = Action::from_name(name).filter(|action| action.is_in(id));
    let action = action.ok_or_else(|| unknown(name))?;
    let based_on = variants.based_on(id, &before, false);
    let receipt = app
        .while_there(based_on.perform(signer, id, action))
        .await?;
    match action {
        Action::Join => {
            if let Ok(Some(game)) = variants.game(id).await
                && let Some(place) = place_of(id, &game, account)
            {
                match asked.level {
                    Some(level) => app.seat_computer(place, level.0, signer)?,
                    None => app.computers.leave(place),
                }
            }
        }
        Action::Leave => {
            if let Some(place) = place_of(id, &before, account) {
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
        AnyGame::Two(_) => colour.player().map(|player| place(id, player)),
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
