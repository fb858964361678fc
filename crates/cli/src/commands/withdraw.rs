//! `withdraw`: what an account is owed.

use connect4_client::{Contract, Signer};

use crate::accounts;
use crate::args::{Global, Withdraw};
use crate::failure::Failure;
use crate::report::{Paid, Report};
use crate::session::Session;

/// How many of the newest games are looked at for stakes to settle; `--game` names an older one.
const LOOKED_AT: u32 = 200;
/// How many games are settled in one transaction.
const MAX_SETTLED: usize = 20;

/// Has games settled, and the signer paid what it is owed.
pub async fn withdraw(
    global: &Global,
    args: &Withdraw,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let signer = accounts::signer_or(&args.signing, None)?;
    let session = Session::open(global, false, report).await?;
    let contract = session.contract(global, Some(&signer)).await?;
    let games = match args.game {
        Some(game) => vec![game],
        None => {
            let progress = report.progress();
            progress.say("looking for games to settle");
            unsettled(&contract, &signer).await?
        }
    };
    pay_out(&contract, &signer, &games, report).await
}

/// The newest games of an account that wait to be settled.
async fn unsettled(contract: &Contract, signer: &Signer) -> Result<Vec<u32>, Failure> {
    let count = contract.game_count().await?;
    let mut found = Vec::new();
    for number in (count.saturating_sub(LOOKED_AT)..count).rev() {
        let Some(game) = contract.game(number).await? else {
            continue;
        };
        if game.player_of(&signer.address()).is_some()
            && contract.is_unsettled(number, &game).await?
        {
            found.push(number);
        }
        if found.len() == MAX_SETTLED {
            break;
        }
    }
    Ok(found)
}

/// Has these games settled, and the signer paid what it is owed.
pub async fn pay_out(
    contract: &Contract,
    signer: &Signer,
    games: &[u32],
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let progress = report.progress();
    progress.say("withdrawing");
    let receipt = contract.withdraw(signer, games).await?;
    progress.clear();
    Ok(report.paid(&Paid {
        signer,
        player: None,
        amount: receipt.value,
        sent: (&receipt).into(),
    })?)
}
