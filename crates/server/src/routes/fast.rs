//! What players do in fast games: most of it is signed and sent to the opponent.

use axum::Json;
use connect4_client::fast::{Agreement, Keyring, PlayError, SeatError, agree_to_rematch};
use connect4_client::{Action, Address, Contracts, GameId, Performed};
use connect4_protocol::Error;
use connect4_rules::Player;
use connect4_wire::{Receipt, Transacted};

use crate::app::App;
use crate::fast::Act;
use crate::refusal::Refusal;

/// Where the session keys of fast games are kept.
pub fn keyring(app: &App) -> Result<&Keyring, Refusal> {
    app.fast.keyring().ok_or_else(|| {
        Refusal::refused(
            "fast games are not played here, as this program keeps nothing: start it without --tmp",
        )
    })
}

/// The address of a new session key for a player who agrees to a fast game.
pub fn new_key(app: &App, agreement: Agreement) -> Result<Address, Refusal> {
    let key = keyring(app)?.create(agreement);
    key.map(|key| key.address()).map_err(Refusal::input)
}

/// The address of a new session key for an account that wants a rematch of a fast game.
pub async fn rematch_key(
    app: &App,
    contract: &Contracts,
    id: GameId,
    account: Address,
) -> Result<Address, Refusal> {
    let keyring = keyring(app)?;
    let agreement = agree_to_rematch(contract, id, account, keyring).await;
    new_key(app, agreement.map_err(refusal)?)
}

fn refusal(error: PlayError) -> Refusal {
    match error {
        PlayError::Chain(error) => error.into(),
        PlayError::Seat(SeatError::Refused(error)) => Refusal::refused(error),
        error => Refusal::refused(error),
    }
}

async fn act(
    app: &App,
    contract: &Contracts,
    id: GameId,
    player: Player,
    act: Act,
) -> Result<Option<connect4_client::Receipt<Performed>>, Refusal> {
    let acting = async {
        let elsewhere = || {
            let otherwise = app.fast.shown_otherwise(id, player);
            Refusal::refused(otherwise.unwrap_or_else(|| {
                "this seat is played elsewhere: its session key is with the program that made or \
                 accepted the challenge, or another program plays it now"
                    .into()
            }))
        };
        let seat = match app.fast.open_seat(id, player) {
            Some(seat) => seat,
            None => {
                let Some(game) = contract.game(id).await? else {
                    return Err(Refusal::refused(Error::NoSuchGame));
                };
                let mut seats = app.fast.seats(contract, id, &game).await;
                seats[player].take().ok_or_else(elsewhere)?
            }
        };
        let acted = seat.act(act).await.ok_or_else(elsewhere)?;
        acted.map_err(refusal)
    };
    app.while_there(acting).await
}

/// What an action of a player is for the seat: it is signed, or the seat has to know more than the chain.
/// None if it is one on the chain as in any game.
pub const fn request(action: Action) -> Option<Act> {
    match action {
        Action::Resign => Some(Act::Resign),
        Action::OfferDraw => Some(Act::OfferDraw),
        Action::AcceptDraw => Some(Act::AcceptDraw),
        Action::DeclineDraw => Some(Act::DeclineDraw),
        Action::Press => Some(Act::Press),
        _ => None,
    }
}

pub async fn perform(
    app: &App,
    contract: &Contracts,
    id: GameId,
    player: Player,
    request: Act,
) -> Result<Json<Transacted>, Refusal> {
    let receipt = act(app, contract, id, player, request).await?;
    Ok(Json(Transacted {
        transaction: receipt.as_ref().map(Receipt::from),
    }))
}
