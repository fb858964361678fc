//! `challenge`: a player, or anyone, to a match.

use connect4_client::{Event, GameId, Named, Offer, Watch};
use connect4_protocol::ClockSpec;
use connect4_wire::warnings::warnings_of;

use crate::accounts;
use crate::args::{Challenge, First, Global};
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::lookup;
use crate::output::Output;
use crate::play;
use crate::play::chain::Table;
use crate::said::Said;
use crate::session::Session;

/// Makes a challenge; with `--play`, plays the match once it is accepted.
pub async fn challenge(
    global: &Global,
    args: &Challenge,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let shape = args.board.shape()?;
    let signer = accounts::signer_or_alice(&args.signing)?;
    let clock = args.bank.map(|bank| ClockSpec {
        bank,
        increment: args.increment,
    });
    let session = Session::open(global, false, out).await?;
    let stake = session
        .client
        .token()
        .parse(&args.stake)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let offer = Offer {
        opponent: args.opponent.as_ref().map(Named::address),
        challenger_first: match args.first {
            First::Me => true,
            First::Them => false,
            First::Random => rand::random(),
        },
        shape,
        clock,
        stake,
        expires_in: args.expires.0,
    };
    let progress = out.progress();
    let (contract, deployment) = session
        .contract_or_deploy(global, &signer, &progress)
        .await?;
    // Watching begins before the challenge is made, so that no answer is missed.
    let watch = match args.play {
        true => Some(contract.watch().await?),
        false => None,
    };
    progress.say("making the challenge");
    let receipt = contract.challenge(&signer, offer).await?;
    progress.clear();
    let number = receipt.value;
    let made = contract.open_challenge(number).await?;
    let reach = lookup::reach(&session, &contract);
    let warnings = match &made {
        Some(made) => warnings_of(made, session.client.block_time().await),
        None => Vec::new(),
    };
    out.say(Said::ChallengeMade {
        contract: contract.address(),
        number,
        challenge: made.as_ref(),
        warnings: &warnings,
        deployment: deployment.as_ref(),
        sent: (&receipt).into(),
        reach: &reach,
    })?;
    let Some(watch) = watch else {
        return Ok(());
    };
    farewell.set(format!(
        "challenge {number} stays open; cancel it by\n  connect4 cancel --challenge {number}{}",
        lookup::reach(&session, &contract)
    ));
    session.endure(out);
    progress.say("waiting until somebody accepts; Ctrl-C leaves");
    let game = out.wait_for(accepted(watch, number)).await?;
    progress.clear();
    let id = game?;
    let table = Table::for_account(contract, id, signer).await?;
    play::play(&session, table, args.series, out, farewell).await
}

/// Waits until the challenge is accepted, and returns its game.
async fn accepted(mut watch: Watch, number: u32) -> Result<GameId, Failure> {
    loop {
        match watch.next().await?.event {
            Event::MatchStarted(started) if started.challenge == Some(number) => {
                return Ok(GameId::Classic(started.game));
            }
            Event::ChallengeWithdrawn(withdrawn) if withdrawn.challenge == number => {
                return Err(Failure::Other(format!(
                    "challenge {number} was declined or cancelled; `connect4 withdraw` returns the \
                     stake"
                )));
            }
            _ => {}
        }
    }
}
