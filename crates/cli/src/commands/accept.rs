//! `accept`: a challenge.

use connect4_client::Token;
use connect4_client::fast::Agreement;
use connect4_protocol::Game;
use connect4_wire::warnings::warnings;

use super::{fast, signed};
use crate::accounts;
use crate::args::{Accept, Global};
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::game::GameAt;
use crate::input::Lines;
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
    let number = match (args.challenge, &args.signed) {
        (Some(number), _) => number,
        (None, Some(text)) => return signed::accept(global, args, text, out, farewell).await,
        (None, None) => return Err(Failure::Usage("which challenge? Give --challenge".into())),
    };
    let signer = accounts::signer(&args.signing)?;
    let session = Session::open(global, false, out).await?;
    let contract = session.contract(global, signer.as_ref()).await?;
    let challenge = lookup::challenge(&contract, number).await?;
    let signer = accounts::signer_or(&args.signing, challenge.opponent)?;
    let warnings = warnings(&challenge.terms, session.client.block_time().await);
    out.say(Said::Terms {
        number: Some(number),
        challenge: &challenge,
        by: signer.address(),
        warnings: &warnings,
    })?;
    if !agrees(args, challenge.terms.stake, contract.client().token(), out).await? {
        return out.say(Said::NotAccepted);
    }
    let key = match challenge.key {
        // On disk before it is on the chain.
        Some(_) => {
            let (domain, account) = (contract.domain()?, signer.address());
            let agreement = Agreement::of_acceptor(domain, account, &challenge);
            let keyring = fast::keyring(&session.place, global)?;
            Some(fast::new_key(&keyring, agreement)?)
        }
        None => None,
    };
    let progress = out.progress();
    progress.say("accepting the challenge");
    let based_on = contract.based_on_challenge(number, &challenge);
    let receipt = based_on.accept(&signer, number, key).await?;
    progress.clear();
    let (challenge, id) = (number, receipt.value);
    let game = lookup::game::<Game>(&contract, id).await?;
    let at = GameAt::of(&contract, id, game.value);
    out.say(Said::Accepted {
        challenge: Some(challenge),
        at,
        sent: (&receipt).into(),
    })?;
    if at.id.is_fast() {
        return signed::go_on(&session, global, args, contract, id, signer, out, farewell).await;
    }
    if !args.play {
        return out.say(Said::HowToPlay {
            game: at.id,
            reach: &lookup::reach(&session, &contract),
        });
    }
    let table = Table::for_account(contract, id, signer).await?;
    play::play(&session, table, args.series, out, farewell).await
}

/// Whether the player agrees to a stake: by the command line, else by an answer at a terminal.
async fn agrees(
    args: &Accept,
    stake: u128,
    token: &Token,
    out: &mut Output,
) -> Result<bool, Failure> {
    let in_words = token.contract_amount(stake);
    if let Some(most) = &args.max_stake {
        let most = token.parse(most);
        let most = most.map_err(|error| Failure::Usage(error.to_string()))?;
        if token.in_smallest_unit(stake) > most {
            return Err(Failure::Refused(format!(
                "the stake is {in_words}, more than the {} of --max-stake",
                token.amount(most)
            )));
        }
        return Ok(true);
    }
    if stake == 0 || args.yes {
        return Ok(true);
    }
    if !out.is_terminal() {
        return Err(Failure::Usage(format!(
            "the stake is {in_words}, and without a terminal the program cannot ask: agree to it \
             by --max-stake, or to all terms by --yes"
        )));
    }
    let question = format!("accept, and pay {in_words}? [y/N] ");
    out.question(&question)?;
    let answer = Lines::one().await?;
    out.answered(&question, &answer)?;
    Ok(matches!(
        answer.trim().to_ascii_lowercase().as_str(),
        "y" | "yes"
    ))
}
