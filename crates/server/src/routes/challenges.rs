//! Challenges: matches between people who find each other in the lobby.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use connect4_client::Offer;
use connect4_protocol::message::{Cancel, Decline};
use connect4_protocol::{ClockSpec, Error, Terms};
use connect4_rules::ShapeSpec;
use connect4_wire::warnings::{Warning, warnings};
use connect4_wire::{
    Amount, Answer, AnswerChallenge, AskWarnings, ChallengeNumber, First, FromChallenge,
    MakeChallenge, MaybeGame, OpenChallenges, Warnings,
};

use crate::app::App;
use crate::extract::{Asked, Queried, named, shape};
use crate::lobby::older_challenges;
use crate::refusal::Refusal;

pub async fn make(
    State(app): State<Arc<App>>,
    Asked { keys, asked }: Asked<MakeChallenge>,
) -> Result<Json<ChallengeNumber>, Refusal> {
    app.check_host(&keys, "make a challenge")?;
    let signer = app.signer_for(&keys, named(&asked.account)?, "the challenger")?;
    let opponent = asked.opponent.as_deref().map(named).transpose()?;
    let at = app.connected()?;
    let stake = match &asked.stake {
        Some(stake) => at
            .connection
            .client
            .token()
            .parse(stake)
            .map_err(Refusal::input)?,
        None => 0,
    };
    let offer = Offer {
        opponent,
        challenger_first: match asked.first {
            First::Me => true,
            First::Them => false,
            First::Random => rand::random(),
        },
        shape: shape(asked.shape)?.into(),
        clock: asked.clock,
        stake,
        expires_in: asked.expires_in,
    };
    let challenge = app
        .while_there(async {
            let contract = app.contract_or_deploy(&at, signer).await?;
            Ok::<_, Refusal>(contract.challenge(signer, offer).await?.value)
        })
        .await?;
    Ok(Json(ChallengeNumber { challenge }))
}

/// Lists open challenges that are older than those of the lobby.
pub async fn older(
    State(app): State<Arc<App>>,
    Queried(asked): Queried<FromChallenge>,
) -> Result<Json<OpenChallenges>, Refusal> {
    let Some(contract) = app.connected()?.contract() else {
        return Ok(Json(OpenChallenges::default()));
    };
    if !contract.has_matches() {
        return Ok(Json(OpenChallenges::default()));
    }
    let reading = older_challenges(&contract, asked.from);
    Ok(Json(app.while_there(reading).await?))
}

/// Says what is known about terms for a stake.
pub async fn warnings_about(
    State(app): State<Arc<App>>,
    Queried(asked): Queried<AskWarnings>,
) -> Result<Json<Warnings>, Refusal> {
    let AskWarnings {
        bins,
        capacity,
        line,
        bank,
        increment,
        pie_rule,
    } = asked;
    let terms = Terms {
        shape: ShapeSpec {
            bins,
            capacity,
            line,
        },
        clock: Some(ClockSpec { bank, increment }),
        stake: 1,
    };
    let block_time = app.connected()?.connection.client.block_time().await;
    let warnings = warnings(&terms, pie_rule, block_time);
    Ok(Json(Warnings {
        warnings: warnings.iter().map(Warning::to_string).collect(),
    }))
}

pub async fn answer(
    State(app): State<Arc<App>>,
    Path(number): Path<u32>,
    Asked { keys, asked }: Asked<AnswerChallenge>,
) -> Result<Json<MaybeGame>, Refusal> {
    app.check_host(&keys, "answer a challenge")?;
    let signer = app.signer_for(&keys, named(&asked.account)?, "the account that answers")?;
    let contract = app
        .connected()?
        .contract()
        .ok_or_else(|| Refusal::refused(Error::NoSuchChallenge))?;
    let answering = async {
        match asked.act {
            Answer::Accept => {
                let open = contract
                    .see_challenge(number)
                    .await?
                    .ok_or_else(|| Refusal::refused(Error::NoSuchChallenge))?;
                let stake = open.terms.stake;
                // The player agrees to the stake that the page showed.
                if asked.stake.unwrap_or(Amount(0)).0
                    != contract.client().token().in_smallest_unit(stake)
                {
                    let stake = match stake {
                        0 => "nothing".to_owned(),
                        stake => contract.client().token().contract_amount(stake),
                    };
                    return Err(Refusal::input(format!(
                        "its stake is {stake}: agree to that first"
                    )));
                }
                let contract = contract.based_on_challenge(number, &open);
                Ok(Some(contract.accept(signer, number).await?.value))
            }
            Answer::Decline => {
                let challenge = number;
                contract.send(signer, Decline { challenge }).await?;
                Ok(None)
            }
            Answer::Cancel => {
                let challenge = number;
                contract.send(signer, Cancel { challenge }).await?;
                Ok(None)
            }
        }
    };
    let game = app.while_there(answering).await?;
    Ok(Json(MaybeGame { game }))
}
