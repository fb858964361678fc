//! `withdraw`: what an account is owed.

use connect4_client::{Contract, Owing, Signer};

use crate::accounts;
use crate::args::{Global, Withdraw};
use crate::failure::Failure;
use crate::report::{Paid, Report};
use crate::session::Session;

/// How many of the newest games are looked at for stakes to settle; `--game` names an older one.
const LOOKED_AT: u32 = 200;

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
    // The first pays the credit as well, even if no game is to be settled.
    let (first, later) = games.split_at(games.len().min(Contract::MOST_SETTLED));
    pay_out(&contract, &signer, first, report).await?;
    for games in later.chunks(Contract::MOST_SETTLED) {
        pay_out(&contract, &signer, games, report).await?;
    }
    Ok(())
}

/// The newest games of an account that wait to be settled, and that it is owed something by.
async fn unsettled(contract: &Contract, signer: &Signer) -> Result<Vec<u32>, Failure> {
    let count = contract.game_count().await?;
    let mut owing = Owing::new(contract, [signer.address()]);
    for number in (count.saturating_sub(LOOKED_AT)..count).rev() {
        if let Some(game) = contract.game(number).await? {
            owing.count(number, &game).await?;
        }
    }
    Ok(owing
        .read()
        .await?
        .pop()
        .map_or_else(Vec::new, |owed| owed.games()))
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
