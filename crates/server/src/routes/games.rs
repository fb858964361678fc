//! Games: moves, what else accounts do in them, and the computers at their seats.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use connect4_client::{Action, Address, GameId, Receipt, Signer, VariantAction, Variants};
use connect4_protocol::{Error, Game, variants};
use connect4_rules::variant::{Colour, Move, MoveError};
use connect4_rules::{Bin, Player};
use connect4_wire::{self as wire, Act, Done, MakeMove, Perform, SeatComputer, Transacted};

use super::fast;
use crate::app::App;
use crate::extract::{Asked, OfGame, named};
use crate::fast::Act as Request;
use crate::keys::Presented;
use crate::refusal::Refusal;
use crate::seats::Place;

/// The place of a player at a game between two accounts.
pub fn place(number: u32, player: Player) -> Place {
    Place {
        game: GameId::of_two(number),
        began: player.into(),
    }
}

/// Makes a move of the player to move.
pub async fn make_move(
    State(app): State<Arc<App>>,
    OfGame(id): OfGame,
    Asked { keys, asked }: Asked<MakeMove>,
) -> Result<Json<Transacted>, Refusal> {
    let action = Move::from(asked.r#move);
    let transacted = match id {
        GameId::Fast(_) => {
            let number = id.number();
            let (contract, game) = app.latest(number).await?;
            check_seen(&asked, &wire::Position::of_game(&game))?;
            let (player, _) = mover(&app, &keys, &game)?;
            let bin = bin_of(action)?;
            return fast::perform(&app, &contract, number, player, Request::Drop(bin)).await;
        }
        GameId::Classic(number) => {
            let (contract, game) = app.game(number).await?;
            check_seen(&asked, &wire::Position::of_game(&game))?;
            let (_, signer) = mover(&app, &keys, &game)?;
            let bin = bin_of(action)?;
            let dropping = async {
                let at_stake = contract.match_of(number).await?.stake > 0;
                let contract = contract.answering(number, &game, at_stake);
                contract.drop_disc(signer, number, bin).await
            };
            transacted(&app.while_there(dropping).await?)
        }
        GameId::Variant(number) => {
            let (variants, game) = app.variant(number).await?;
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
            let variants = variants.answering(number, game);
            let action = VariantAction::Move(action);
            transacted(&act_in(&app, &variants, signer, number, action).await?)
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

/// The bin of a drop, which is the only move of a game between two accounts.
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
        GameId::Classic(_) | GameId::Fast(_) => {
            perform_of_two(&app, &keys, id, account, &asked.act).await
        }
        GameId::Variant(number) => perform_variant(&app, &keys, number, account, &asked).await,
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
    let (number, action) = (id.number(), Action::from_name(name));
    let request = match action {
        _ if !id.is_fast() => None,
        Some(action) => fast::request(action),
        None => (name == Act::SETTLE).then_some(Request::Settle),
    };
    if let Some(request) = request {
        let (contract, game) = app.latest(number).await?;
        let (player, _) = player_of(app, keys, &game, account)?;
        return fast::perform(app, &contract, number, player, request).await;
    }
    let Some(action) = action else {
        return Err(unknown(name));
    };
    let (contract, game) = app.game(number).await?;
    let (_, signer) = player_of(app, keys, &game, account)?;
    if matches!(
        action,
        Action::OfferRematch | Action::AcceptRematch | Action::Free
    ) {
        return Err(Refusal::input(format!(
            "`{name}` is not done by this address"
        )));
    }
    let contract = contract.answering(number, &game, false);
    let performing = contract.perform(signer, number, action);
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
    number: u32,
    account: Address,
    asked: &Perform,
) -> Result<Json<Transacted>, Refusal> {
    let (variants, before) = app.variant(number).await?;
    let signer = app.signer_for(keys, account, "the account that does this")?;
    let Act(name) = &asked.act;
    let action = VariantAction::from_name(name).ok_or_else(|| unknown(name))?;
    let answering = variants.clone().answering(number, before);
    let receipt = act_in(app, &answering, signer, number, action).await?;
    match action {
        VariantAction::Join => {
            if let Ok(Some(game)) = variants.game(number).await
                && let Some(place) = place_of(number, &game, account)
            {
                match asked.level {
                    Some(level) => app.seat_computer(place, level.0, signer)?,
                    None => app.computers.leave(place),
                }
            }
        }
        VariantAction::Leave => {
            if let Some(place) = place_of(number, &before, account) {
                app.computers.leave(place);
            }
        }
        _ => {}
    }
    app.computers.wake(GameId::Variant(number)).await;
    Ok(transacted(&receipt))
}

/// The place of an account at a game of a variant; none if it does not play.
fn place_of(number: u32, game: &variants::Game, account: Address) -> Option<Place> {
    place_at(number, game, game.colour_of(account)?)
}

/// The place at which a colour is played now.
fn place_at(number: u32, game: &variants::Game, colour: Colour) -> Option<Place> {
    let began = Colour::ALL.into_iter().nth(game.seat_at(colour))?;
    let is_played = colour.index() < usize::from(game.variant().players());
    is_played.then_some(Place {
        game: GameId::Variant(number),
        began,
    })
}

async fn act_in(
    app: &App,
    variants: &Variants,
    signer: &Signer,
    number: u32,
    action: VariantAction,
) -> Result<Receipt<()>, Refusal> {
    let performing = variants.perform(signer, number, action);
    Ok(app.while_there(performing).await?.bare())
}

/// Has a computer play a seat, or a person again.
pub async fn computer(
    State(app): State<Arc<App>>,
    OfGame(id): OfGame,
    Asked { keys, asked }: Asked<SeatComputer>,
) -> Result<Json<Done>, Refusal> {
    let colour = Colour::from(asked.seat);
    let nobody = || Refusal::input(format!("nobody plays {colour} in this game"));
    let (place, account, is_over) = match id {
        GameId::Classic(_) | GameId::Fast(_) => {
            let number = id.number();
            let player = asked.seat.player().ok_or_else(nobody)?;
            let (_, game) = app.game(number).await?;
            let account = game.account_of(player);
            (place(number, player), account, game.is_over())
        }
        GameId::Variant(number) => {
            let (_, game) = app.variant(number).await?;
            let place = place_at(number, &game, colour).ok_or_else(nobody)?;
            (place, game.account_of(colour), game.is_over())
        }
    };
    let signer = app.signer_for(&keys, account, colour.name())?;
    match asked.level {
        Some(_) if is_over => return Err(Refusal::refused(Error::GameOver)),
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
