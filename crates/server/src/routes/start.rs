//! How games begin: started at once, or at a table.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use connect4_client::{Action, Address, GameId, Signer};
use connect4_opponent::Level;
use connect4_protocol::Error;
use connect4_protocol::variants::message::{self, StartVariant};
use connect4_rules::variant::{Colour, Variant};
use connect4_wire::{self as wire, GameNumber, OpenTable, StartGame, StartKind};

use crate::app::App;
use crate::extract::{Asked, named, variant};
use crate::keys::Presented;
use crate::refusal::Refusal;
use crate::seats::Place;

struct NewSeat<'a> {
    account: Address,
    /// Who signs for the account, if the keys of the request open it.
    signer: Option<&'a Signer>,
    /// The computer that plays here.
    level: Option<Level>,
}

/// Starts a game, or opens a table for the players of a variant with a limit. Deploys the contract before
/// if it is not there.
pub async fn start(
    State(app): State<Arc<App>>,
    Asked { keys, asked }: Asked<StartGame>,
) -> Result<Json<GameNumber>, Refusal> {
    app.check_host(&keys, "start a game")?;
    let terms = variant(asked.terms.spec)?;
    let seats = new_seats(&app, &keys, terms, &asked.seats)?;
    let signer = seats.iter().find_map(|seat| seat.signer).ok_or_else(|| {
        Refusal::key("this browser has no key to play with one of these accounts")
    })?;
    let id = match (asked.kind, asked.terms.limit) {
        (StartKind::Classic, None) if terms.is_classic() => {
            start_classic(&app, signer, terms, &seats).await?
        }
        (StartKind::Classic, _) => {
            return Err(Refusal::input(
                "a classic game has two players, drops alone, and no limit: start a variant",
            ));
        }
        (StartKind::Variant, limit) => start_variant(&app, signer, terms, limit, &seats).await?,
    };
    for (began, seat) in Colour::ALL.into_iter().zip(&seats) {
        let place = Place { game: id, began };
        match (seat.level, seat.signer) {
            (Some(level), Some(signer)) => app.seat_computer(place, level, signer)?,
            // A chain that was begun anew may have had a game of this number before.
            _ => app.computers.leave(place),
        }
    }
    Ok(Json(GameNumber { game: id }))
}

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

async fn start_classic(
    app: &App,
    signer: &Signer,
    terms: Variant,
    seats: &[NewSeat<'_>],
) -> Result<GameId, Refusal> {
    let [red, blue] = seats else {
        return Err(Refusal::refused(Error::WrongPlayers));
    };
    let at = app.connected()?;
    let starting = async {
        let contract = app.contract_or_deploy(&at, signer).await?;
        let shape = terms.shape().into();
        let started = contract.start_game(signer, red.account, blue.account, shape);
        Ok::<_, Refusal>(started.await?.value)
    };
    app.while_there(starting).await
}

async fn start_variant(
    app: &App,
    signer: &Signer,
    terms: Variant,
    limit: Option<u32>,
    seats: &[NewSeat<'_>],
) -> Result<GameId, Refusal> {
    let players: Vec<Address> = seats.iter().map(|seat| seat.account).collect();
    let at = app.connected()?;
    let starting = async {
        let variants = app.variants_or_deploy(&at, signer).await?;
        let variant = terms.into();
        if limit.is_none() {
            let start = StartVariant { players, variant };
            return Ok::<_, Refusal>(variants.send(signer, start).await?.value);
        }
        // Players who play against time have to agree: each of them joins the table.
        let open = message::OpenTable {
            players,
            variant,
            limit,
        };
        let id = variants.send(signer, open).await?.value;
        for joining in seats.iter().filter_map(|seat| seat.signer) {
            if joining.address() != signer.address() {
                let join = variants.perform(joining, id, Action::Join);
                join.await?;
            }
        }
        Ok(id)
    };
    app.while_there(starting).await
}

/// Opens a table, and deploys the contract before if it is not there.
pub async fn open_table(
    State(app): State<Arc<App>>,
    Asked { keys, asked }: Asked<OpenTable>,
) -> Result<Json<GameNumber>, Refusal> {
    app.check_host(&keys, "open a table")?;
    let terms = variant(asked.terms.spec)?;
    if asked.players.len() > usize::from(Variant::MAX_PLAYERS) {
        return Err(Refusal::refused(Error::WrongPlayers));
    }
    let players = asked.players.iter().map(|player| named(player));
    let players = players.collect::<Result<Vec<_>, _>>()?;
    let signer = app.signer_for(&keys, named(&asked.account)?, "the account that opens it")?;
    let at = app.connected()?;
    let opening = async {
        let variants = app.variants_or_deploy(&at, signer).await?;
        let open = message::OpenTable {
            players,
            variant: terms.into(),
            limit: asked.terms.limit,
        };
        Ok::<_, Refusal>(variants.send(signer, open).await?.value)
    };
    let game = app.while_there(opening).await?;
    for began in Colour::ALL {
        app.computers.leave(Place { game, began });
    }
    Ok(Json(GameNumber { game }))
}
