//! Variants: starting games, opening tables, moves, and what else accounts do there.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use connect4_client::{Address, GameId, Receipt, Signer, VariantAction, Variants};
use connect4_protocol::Error;
use connect4_protocol::variants::Game;
use connect4_rules::variant::{Colour, Move, Variant};
use connect4_wire::{
    self as wire, Done, MakeMove, OpenTable, SeatVariantComputer, StartVariant, Transacted,
    VariantAct, VariantId, VariantNumber,
};

use crate::app::App;
use crate::extract::{Asked, named, variant, variant_number};
use crate::keys::Presented;
use crate::refusal::Refusal;
use crate::seats::Place;

/// A seat of a new game.
struct NewSeat<'a> {
    account: Address,
    /// Who signs for the account, if the keys of the request open it.
    signer: Option<&'a Signer>,
    /// The computer that plays here.
    level: Option<connect4_opponent::Level>,
}

/// Starts a game, or opens a table for its players if it has a limit. Deploys the contract before
/// if it is not there.
pub async fn start(
    State(app): State<Arc<App>>,
    Asked { keys, asked }: Asked<StartVariant>,
) -> Result<Json<VariantNumber>, Refusal> {
    app.check_host(&keys, "start a game")?;
    let terms = variant(asked.terms.spec())?;
    let seats = new_seats(&app, &keys, terms, &asked.seats)?;
    let players: Vec<Address> = seats.iter().map(|seat| seat.account).collect();
    let signer = seats.iter().find_map(|seat| seat.signer).ok_or_else(|| {
        Refusal::key("this browser has no key to play with one of these accounts")
    })?;
    let at = app.connected()?;
    let starting = async {
        let variants = app.variants_or_deploy(&at, signer).await?;
        let Some(limit) = asked.terms.limit else {
            let started = variants.start_game(signer, &players, terms.into());
            return Ok::<_, Refusal>(started.await?.value);
        };
        // Who plays against time has to agree: each player joins the table.
        let opened = variants.open_table(signer, &players, terms.into(), Some(limit));
        let number = opened.await?.value;
        for joining in seats.iter().filter_map(|seat| seat.signer) {
            if joining.address() != signer.address() {
                let join = variants.perform(joining, number, VariantAction::Join);
                join.await?;
            }
        }
        Ok(number)
    };
    let number = app.while_there(starting).await?;
    for (began, seat) in Colour::ALL.into_iter().zip(&seats) {
        let place = place(number, began);
        match (seat.level, seat.signer) {
            (Some(level), Some(signer)) => app.seat_computer(place, level, signer)?,
            // A chain that was begun anew may have had a game of this number before.
            _ => app.computers.leave(place),
        }
    }
    Ok(numbered(number))
}

/// The seats of a new game.
fn new_seats<'a>(
    app: &'a App,
    keys: &Presented,
    terms: Variant,
    asked: &[wire::NewSeat],
) -> Result<Vec<NewSeat<'a>>, Refusal> {
    // Before the names are read: there may be any number of them.
    if asked.len() != usize::from(terms.players()) {
        return Err(Refusal::refused(Error::WrongPlayers));
    }
    let seat = |(colour, seat): (Colour, &wire::NewSeat)| {
        let account = named(&seat.account)?;
        let signer = app.signer_for(keys, account, colour.name());
        // A computer plays with an account of the server.
        let signer = match seat.level {
            Some(_) => Some(signer?),
            None => signer.ok(),
        };
        Ok(NewSeat {
            account,
            signer,
            level: seat.level.map(|level| level.0),
        })
    };
    terms.colours().zip(asked).map(seat).collect()
}

/// Opens a table, and deploys the contract before if it is not there.
pub async fn open_table(
    State(app): State<Arc<App>>,
    Asked { keys, asked }: Asked<OpenTable>,
) -> Result<Json<VariantNumber>, Refusal> {
    app.check_host(&keys, "open a table")?;
    let terms = variant(asked.terms.spec())?;
    if asked.players.len() > usize::from(Variant::MAX_PLAYERS) {
        return Err(Refusal::refused(Error::WrongPlayers));
    }
    let players = asked.players.iter().map(|player| named(player));
    let players = players.collect::<Result<Vec<_>, _>>()?;
    let signer = app.signer_for(&keys, named(&asked.account)?, "the account that opens it")?;
    let at = app.connected()?;
    let opening = async {
        let variants = app.variants_or_deploy(&at, signer).await?;
        let limit = asked.terms.limit;
        let opened = variants.open_table(signer, &players, terms.into(), limit);
        Ok::<_, Refusal>(opened.await?.value)
    };
    let number = app.while_there(opening).await?;
    for began in Colour::ALL {
        app.computers.leave(place(number, began));
    }
    Ok(numbered(number))
}

/// Makes a move of the player to move.
pub async fn make_move(
    State(app): State<Arc<App>>,
    Path(number): Path<String>,
    Asked { keys, asked }: Asked<MakeMove>,
) -> Result<Json<Transacted>, Refusal> {
    let number = variant_number(&number)?;
    let (variants, game) = app.variant(number).await?;
    if !game.has_started() {
        return Err(Refusal::refused(Error::NotStarted));
    }
    let seen = wire::VariantPosition::new(game.position(), game.is_swapped());
    if asked.turns.is_some_and(|turns| turns != seen.turns)
        || asked.board.is_some_and(|board| board != seen.board)
    {
        return Err(Refusal::refused(
            "the board is not the one you saw: look at it, then move again",
        ));
    }
    let to_move = game
        .to_move()
        .ok_or_else(|| Refusal::refused(Error::GameOver))?;
    let signer = app.signer_for(&keys, game.account_of(to_move), to_move.name())?;
    let action = Move::from(asked.r#move);
    // In the words of the rules: those of the contract say how it counts bins and rows, which the
    // page counts from 1.
    game.position().check(action).map_err(Refusal::refused)?;
    let variants = variants.answering(number, game);
    let receipt = act(&app, &variants, signer, number, VariantAction::Move(action)).await?;
    app.computers.wake(GameId::Variant(number)).await;
    Ok(transacted(&receipt))
}

/// Has an account join or leave, remove a player who is late, or free the storage of a game.
pub async fn perform(
    State(app): State<Arc<App>>,
    Path(number): Path<String>,
    Asked { keys, asked }: Asked<VariantAct>,
) -> Result<Json<Transacted>, Refusal> {
    let number = variant_number(&number)?;
    let (variants, before) = app.variant(number).await?;
    let account = named(&asked.account)?;
    let signer = app.signer_for(&keys, account, "the account that does this")?;
    let action = asked.act.0;
    let answering = variants.clone().answering(number, before);
    let receipt = act(&app, &answering, signer, number, action).await?;
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

/// Has a computer play a seat, or a person again.
pub async fn computer(
    State(app): State<Arc<App>>,
    Path(number): Path<String>,
    Asked { keys, asked }: Asked<SeatVariantComputer>,
) -> Result<Json<Done>, Refusal> {
    let number = variant_number(&number)?;
    let (_, game) = app.variant(number).await?;
    let colour = Colour::from(asked.seat);
    let place = Colour::ALL
        .into_iter()
        .nth(game.seat_at(colour))
        .map(|began| place(number, began))
        .filter(|_| colour.index() < usize::from(game.variant().players()))
        .ok_or_else(|| Refusal::input(format!("nobody plays {colour} in this game")))?;
    let signer = app.signer_for(&keys, game.account_of(colour), colour.name())?;
    match asked.level {
        Some(level) => {
            if game.is_over() {
                return Err(Refusal::refused(Error::GameOver));
            }
            app.seat_computer(place, level.0, signer)?;
        }
        None => app.computers.leave(place),
    }
    Ok(Json(Done {}))
}

async fn act(
    app: &App,
    variants: &Variants,
    signer: &Signer,
    number: u32,
    action: VariantAction,
) -> Result<Receipt<()>, Refusal> {
    let receipt = app
        .while_there(variants.perform(signer, number, action))
        .await?;
    Ok(receipt.bare())
}

const fn place(number: u32, began: Colour) -> Place {
    Place {
        game: GameId::Variant(number),
        began,
    }
}

/// The place of an account; none if it does not play.
fn place_of(number: u32, game: &Game, account: Address) -> Option<Place> {
    let colour = game.colour_of(account)?;
    let began = Colour::ALL.into_iter().nth(game.seat_at(colour))?;
    Some(place(number, began))
}

fn numbered(number: u32) -> Json<VariantNumber> {
    Json(VariantNumber {
        game: VariantId::new(number),
    })
}

fn transacted<T>(receipt: &Receipt<T>) -> Json<Transacted> {
    Json(Transacted {
        transaction: Some(receipt.into()),
    })
}
