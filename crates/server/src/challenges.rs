//! Challenges: matches between people who find each other here.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use connect4_client::{Contract, Error, Offer};
use connect4_protocol::{Challenge, ClockSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::json as spell;

use crate::App;
use crate::api::{Answer, Asked, AskedShape, Refusal, named};
use crate::room::amount;

/// How many open challenges are listed.
const LISTED: usize = 20;

/// The newest open challenges, for the page.
pub async fn open(contract: &Contract) -> Result<Vec<Value>, Error> {
    if !contract.has_matches() {
        return Ok(Vec::new());
    }
    let open = contract.open_challenges(LISTED).await?;
    Ok(open
        .iter()
        .map(|(number, challenge)| view(contract, *number, challenge))
        .collect())
}

fn view(contract: &Contract, number: u32, challenge: &Challenge) -> Value {
    let who = |account| spell::json_who(account);
    json!({
        "challenge": number,
        "challenger": who(challenge.challenger),
        "opponent": challenge.opponent.map(who),
        "challenger_first": challenge.challenger_first,
        "shape": spell::json_shape(challenge.terms.shape),
        "clock": spell::json_clock_spec(challenge.terms.clock),
        "stake": amount(contract, challenge.terms.stake),
    })
}

#[derive(Deserialize)]
pub struct NewChallenge {
    /// Who challenges.
    account: String,
    /// Whom; none: anyone.
    opponent: Option<String>,
    first: First,
    shape: AskedShape,
    clock: Option<AskedClock>,
    /// In tokens; none: nothing.
    stake: Option<String>,
}

/// Who moves first.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum First {
    Me,
    Them,
    Random,
}

#[derive(Deserialize)]
struct AskedClock {
    bank: u32,
    increment: u32,
}

/// Makes a challenge.
pub async fn make(
    State(app): State<Arc<App>>,
    Asked { keys, asked }: Asked<NewChallenge>,
) -> Answer {
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
        shape: asked.shape.spec()?,
        clock: asked.clock.map(|clock| ClockSpec {
            bank: clock.bank,
            increment: clock.increment,
        }),
        stake,
    };
    let made = app
        .while_there(async {
            let contract = app.contract_or_deploy(&at, signer).await?;
            Ok::<_, Refusal>(contract.challenge(signer, offer).await?.value)
        })
        .await?;
    Ok(Json(json!({ "challenge": made })))
}

#[derive(Deserialize)]
pub struct Answering {
    act: Deed,
    account: String,
    /// What who accepts agrees to pay in.
    stake: Option<String>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Deed {
    Accept,
    Decline,
    Cancel,
}

/// Accepts, declines or cancels a challenge.
pub async fn answer(
    State(app): State<Arc<App>>,
    Path(number): Path<u32>,
    Asked { keys, asked }: Asked<Answering>,
) -> Answer {
    app.check_host(&keys, "answer a challenge")?;
    let signer = app.signer_for(&keys, named(&asked.account)?, "who answers")?;
    let contract = app
        .connected()?
        .contract()
        .ok_or_else(|| Refusal::refused(connect4_protocol::Error::NoSuchChallenge))?;
    let answering = async {
        match asked.act {
            Deed::Accept => {
                let open = contract.open_challenge(number).await?;
                // Whatever is accepted is what was seen.
                let stake = open.and_then(|challenge| amount(&contract, challenge.terms.stake));
                if stake != asked.stake {
                    return Err(Refusal::input(format!(
                        "its stake is {}: agree to that first",
                        stake.as_deref().unwrap_or("nothing")
                    )));
                }
                Ok(Some(contract.accept(signer, number).await?.value))
            }
            Deed::Decline => {
                contract.decline(signer, number).await?;
                Ok(None)
            }
            Deed::Cancel => {
                contract.cancel(signer, number).await?;
                Ok(None)
            }
        }
    };
    let started = app.while_there(answering).await?;
    Ok(Json(json!({ "game": started })))
}
