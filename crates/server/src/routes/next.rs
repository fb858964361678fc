//! The next game of a series.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use connect4_client::{Action, Contracts, GameId, Signer};
use connect4_protocol::{Error, Game, Match};
use connect4_rules::Player;
use connect4_rules::variant::Colour;
use connect4_wire::{Amount, MaybeGame, OfferNext};

use super::games::place;
use crate::app::App;
use crate::extract::{Asked, OfGame};
use crate::refusal::Refusal;

/// Offers the next game of the series for these seats and those of computers; it starts once both
/// players want it. The loser begins.
pub async fn offer_next(
    State(app): State<Arc<App>>,
    OfGame(id): OfGame,
    Asked { keys, asked }: Asked<OfferNext>,
) -> Result<Json<MaybeGame>, Refusal> {
    if id.is_variant() {
        return Err(Refusal::input(
            "a variant has no series: start another game",
        ));
    }
    let (contract, game) = app.game::<Game>(id).await?;
    app.computers.wake(id).await;
    let mut signers = Vec::new();
    for player in Player::ALL {
        let wanted = asked.seats.contains(&player.into());
        let computer = app.computers.level(place(id, player)).is_some();
        if wanted || computer {
            let signer = match app.signers.of(game.account_of(player)) {
                // The player who seated the computer agreed to the next games as well.
                Some(signer) if computer => signer,
                _ => app.signer_at(&keys, &game, player)?,
            };
            signers.push((player, signer));
        }
    }
    let plays = |seat: &Colour| {
        let player = seat.player();
        player.is_some_and(|player| app.signer_at(&keys, &game, player).is_ok())
    };
    if !asked.seats.iter().any(plays) {
        return Err(Refusal::key("this browser plays no seat of this game"));
    }
    let agreed = asked.stake.unwrap_or(Amount(0));
    if agreed.0 > 0 {
        app.check_host(&keys, "pay a stake")?;
    }
    let started = app
        .while_there(another(&contract, id, &game, agreed, &signers))
        .await?;
    let Some(started) = started else {
        return Ok(Json(MaybeGame { game: None }));
    };
    // The computers play on, with the accounts that they have.
    if let Ok(Some(next)) = contract.game::<Game>(started).await {
        for (player, signer) in signers {
            if let Some(level) = app.computers.level(place(id, player))
                && let Some(seat) = next.player_of(&game.account_of(player))
            {
                app.seat_computer(place(started, seat), level, signer)?;
            }
        }
    }
    Ok(Json(MaybeGame {
        game: Some(started),
    }))
}

/// The next game; none if the opponent has not agreed yet.
async fn another(
    contract: &Contracts,
    id: GameId,
    game: &Game,
    agreed: Amount,
    signers: &[(Player, &Signer)],
) -> Result<Option<GameId>, Refusal> {
    if !game.is_over() {
        return Err(Refusal::refused(Error::GameNotOver));
    }
    if !contract.has_matches() {
        // A contract without matches has no series: the next game stands on its own.
        let (_, signer) = signers[0];
        let (_, players) = Match::default().rematch_of(game, id.number());
        let started = contract
            .start_game(signer, players.one, players.two, game.shape().into())
            .await?;
        return Ok(Some(started.value));
    }
    let state = contract.match_of(id).await?;
    if state.next.is_some() {
        return Ok(state.next.map(GameId::Classic));
    }
    if state.stake > 0 && agreed.0 != contract.client().token().in_smallest_unit(state.stake) {
        return Err(Refusal::input(format!(
            "each pays {} for the next game: agree to that first",
            contract.client().token().contract_amount(state.stake)
        )));
    }
    for (player, signer) in signers {
        if state.rematch == Some(*player) {
            continue;
        }
        let offered = contract.perform(signer, id, Action::OfferRematch).await?;
        if let Some(started) = offered.value.rematch() {
            return Ok(Some(started));
        }
    }
    Ok(None)
}
