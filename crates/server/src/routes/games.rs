//! Games: their start, their moves, what else players do in them, and the next one of a series.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use connect4_client::{Action, Address, Contract, GameId, Signer};
use connect4_protocol::{Error, Game, Match};
use connect4_rules::{Bin, Player};
use connect4_wire as wire;
use connect4_wire::{
    Amount, GameNumber, MaybeGame, OfferNext, Perform, Receipt, StartGame, TakeTurn, TakenTurn,
    Transacted,
};

use super::fast::{drop_fast, perform_fast, rematch_key, wish};
use crate::app::App;
use crate::extract::{Asked, OfClassic, named, shape};
use crate::keys::Presented;
use crate::refusal::Refusal;
use crate::seats::Place;

/// Starts a game, and deploys the contract before if it is not there.
pub async fn start(
    State(app): State<Arc<App>>,
    Asked { keys, asked }: Asked<StartGame>,
) -> Result<Json<GameNumber>, Refusal> {
    app.check_host(&keys, "start a game")?;
    let (red, blue) = (named(&asked.red)?, named(&asked.blue)?);
    let shape = shape(asked.shape)?;
    let signer = signer_of_either(&app, &keys, red, blue)?;
    let computer = match asked.computer {
        Some(computer) => {
            let player = Player::from(computer.seat);
            let account = match player {
                Player::One => red,
                Player::Two => blue,
            };
            let signer = app.signer_for(&keys, account, player.colour())?;
            Some((player, computer.level.0, signer))
        }
        None => None,
    };
    let at = app.connected()?;
    let started = app
        .while_there(async {
            let contract = app.contract_or_deploy(&at, signer).await?;
            let started = contract.start_game(signer, red, blue, shape.into()).await?;
            Ok::<_, Refusal>(started.value)
        })
        .await?;
    for player in Player::ALL {
        match computer {
            Some((at, level, signer)) if at == player => {
                app.seat_computer(place(started, player), level, signer)?;
            }
            // A chain that was begun anew may have had a game of this number before.
            _ => app.computers.leave(place(started, player)),
        }
    }
    Ok(Json(GameNumber {
        game: started.into(),
    }))
}

/// The place of a player at a game.
pub fn place(number: u32, player: Player) -> Place {
    Place {
        game: GameId::of_two(number),
        began: player.into(),
    }
}

fn signer_of_either<'a>(
    app: &'a App,
    keys: &Presented,
    red: Address,
    blue: Address,
) -> Result<&'a Signer, Refusal> {
    app.signer_for(keys, red, Player::One.colour())
        .or_else(|_| app.signer_for(keys, blue, Player::Two.colour()))
}

/// Drops a disc of the player to move.
pub async fn take_turn(
    State(app): State<Arc<App>>,
    OfClassic(number): OfClassic,
    Asked { keys, asked }: Asked<TakeTurn>,
) -> Result<Json<TakenTurn>, Refusal> {
    let bin = Bin::new(asked.bin);
    if GameId::of_two(number).is_fast() {
        let (contract, game) = app.latest(number).await?;
        let (player, _) = mover(&app, &keys, &game, &asked)?;
        return drop_fast(&app, &contract, number, player, &game, bin).await;
    }
    let (contract, game) = app.game(number).await?;
    let (_, signer) = mover(&app, &keys, &game, &asked)?;
    let dropping = async {
        let at_stake = contract.match_of(number).await?.stake > 0;
        let contract = contract.answering(number, &game, at_stake);
        contract.drop_disc(signer, number, bin).await
    };
    let receipt = app.while_there(dropping).await?;
    app.computers.wake(GameId::of_two(number)).await;
    Ok(Json(TakenTurn {
        row: receipt.value.dropped.row,
        transaction: Some(Receipt::from(&receipt)),
    }))
}

/// The player to move, if these keys open its account and this is the board that was seen.
fn mover<'a>(
    app: &'a App,
    keys: &Presented,
    game: &Game,
    asked: &TakeTurn,
) -> Result<(Player, &'a Signer), Refusal> {
    let is_seen = |board: &_| *board == wire::Position::of_game(game).board;
    if !asked.board.as_ref().is_none_or(is_seen) {
        return Err(Refusal::refused(
            "the board is not the one you saw: look at it, then drop again",
        ));
    }
    let player = game
        .to_move()
        .ok_or_else(|| Refusal::refused(Error::GameOver))?;
    Ok((player, app.signer_at(keys, game, player)?))
}

/// Performs an action of a player: one that costs its fee alone.
pub async fn perform(
    State(app): State<Arc<App>>,
    OfClassic(number): OfClassic,
    Asked { keys, asked }: Asked<Perform>,
) -> Result<Json<Transacted>, Refusal> {
    let action = asked.act.0;
    if GameId::of_two(number).is_fast()
        && let Some(wish) = wish(action)
    {
        return perform_fast(&app, &keys, number, asked.seat.into(), wish).await;
    }
    let (contract, game) = app.game(number).await?;
    let signer = app.signer_at(&keys, &game, asked.seat.into())?;
    if matches!(
        action,
        Action::OfferRematch | Action::AcceptRematch | Action::Free
    ) {
        return Err(Refusal::input(format!(
            "`{}` is not done by this address",
            action.name()
        )));
    }
    let receipt = app
        .while_there(
            contract
                .answering(number, &game, false)
                .perform(signer, number, action),
        )
        .await?;
    Ok(Json(Transacted {
        transaction: Some(Receipt::from(&receipt)),
    }))
}

/// Offers the next game of the series for these seats and those of computers; it starts once both
/// players want it. The loser begins.
pub async fn offer_next(
    State(app): State<Arc<App>>,
    OfClassic(number): OfClassic,
    Asked { keys, asked }: Asked<OfferNext>,
) -> Result<Json<MaybeGame>, Refusal> {
    let (contract, game) = app.game(number).await?;
    app.computers.wake(GameId::of_two(number)).await;
    let mut signers = Vec::new();
    for player in Player::ALL {
        let wanted = asked.seats.contains(&player.into());
        let computer = app.computers.level(place(number, player)).is_some();
        if wanted || computer {
            let signer = match app.signers.of(game.account_of(player)) {
                // The player who seated the computer agreed to the next games as well.
                Some(signer) if computer => signer,
                _ => app.signer_at(&keys, &game, player)?,
            };
            signers.push((player, signer));
        }
    }
    let plays = |seat: &_| app.signer_at(&keys, &game, Player::from(*seat)).is_ok();
    if !asked.seats.iter().any(plays) {
        return Err(Refusal::key("this browser plays no seat of this game"));
    }
    let agreed = asked.stake.unwrap_or(Amount(0));
    if agreed.0 > 0 {
        app.check_host(&keys, "pay a stake")?;
    }
    let started = app
        .while_there(another(&app, &contract, number, &game, agreed, &signers))
        .await?;
    let Some(started) = started else {
        return Ok(Json(MaybeGame { game: None }));
    };
    // The computers play on, with the accounts that they have.
    if let Ok(Some(next)) = contract.game(started).await {
        for (player, signer) in signers {
            if let Some(level) = app.computers.level(place(number, player))
                && let Some(seat) = next.player_of(&game.account_of(player))
            {
                app.seat_computer(place(started, seat), level, signer)?;
            }
        }
    }
    Ok(Json(MaybeGame {
        game: Some(started.into()),
    }))
}

/// The number of the next game; none if the opponent has not agreed yet.
async fn another(
    app: &App,
    contract: &Contract,
    number: u32,
    game: &Game,
    agreed: Amount,
    signers: &[(Player, &Signer)],
) -> Result<Option<u32>, Refusal> {
    if !game.is_over() {
        return Err(Refusal::refused(Error::GameNotOver));
    }
    if !contract.has_matches() {
        // A contract without matches has no series: the next game stands on its own.
        let (_, signer) = signers[0];
        let (_, players) = Match::default().rematch_of(game, number);
        let started = contract
            .start_game(signer, players.one, players.two, game.shape().into())
            .await?;
        return Ok(Some(started.value));
    }
    let state = contract.match_of(number).await?;
    if state.next.is_some() {
        return Ok(state.next);
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
        let offered = match GameId::of_two(number).is_fast() {
            true => {
                let account = signer.address();
                let key = rematch_key(app, contract, number, account).await?;
                contract.offer_fast_rematch(signer, number, key).await?
            }
            false => {
                let offered = contract.perform(signer, number, Action::OfferRematch);
                offered.await?
            }
        };
        if let Some(started) = offered.value.rematch() {
            return Ok(Some(started));
        }
    }
    Ok(None)
}
