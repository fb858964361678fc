//! `accept`: a challenge.

use connect4_protocol::Game;
use connect4_wire::warnings::warnings_of;

use super::consent::Consent;
use crate::accounts;
use crate::args::{Accept, Global};
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::game::GameAt;
use crate::lookup;
use crate::output::Output;
use crate::play;
use crate::play::chain::Table;
use crate::said::Said;
use crate::session::Session;

/// Accepts a challenge; with `--play`, plays the match.
pub async fn accept(
    global: &Global,
    args: &Accept,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let number = args.challenge;
    let signer = accounts::signer(&args.signing)?;
    let session = Session::open(global, false, out).await?;
    let contract = session.contract(global, signer.as_ref()).await?;
    let challenge = lookup::challenge(&contract, number).await?;
    let signer = accounts::signer_or(&args.signing, challenge.opponent)?;
    let block_time = session.client.block_time().await;
    let warnings = warnings_of(&challenge, block_time);
    out.say(Said::Terms {
        number,
        challenge: &challenge,
        by: signer.address(),
        warnings: &warnings,
    })?;
    let token = contract.client().token();
    let stake = challenge.terms.stake;
    let consent = Consent {
        what: "the stake",
        in_words: token.contract_amount(stake),
        amount: token.in_smallest_unit(stake),
        token,
        question: format!("accept, and pay {}?", token.contract_amount(stake)),
        most: args.max_stake.as_deref(),
        most_option: "--max-stake",
        all: "all terms",
        yes: args.yes,
    };
    if !consent.given(out).await? {
        return out.say(Said::NotAccepted);
    }
    let progress = out.progress();
    progress.say("accepting the challenge");
    let based_on = contract.based_on_challenge(number, &challenge);
    let receipt = based_on.accept(&signer, number).await?;
    progress.clear();
    let (challenge, id) = (number, receipt.value);
    let game = lookup::game::<Game>(&contract, id).await?;
    let at = GameAt::of(&contract, id, game.value);
    out.say(Said::Accepted {
        challenge,
        at,
        sent: (&receipt).into(),
    })?;
    if !args.play {
        return out.say(Said::HowToPlay {
            game: id,
            reach: &lookup::reach(&session, &contract),
        });
    }
    let table = Table::for_account(contract, id, signer).await?;
    play::play(&session, table, args.series, out, farewell).await
}
