//! `withdraw`: what an account is owed.

use connect4_client::{Contracts, Error, GameId, Owed, Owing, Receipt, Signer, Stakes};
use connect4_protocol::message::{self, ContractKind};

use crate::accounts;
use crate::args::{Global, Withdraw};
use crate::failure::Failure;
use crate::lookup;
use crate::output::Output;
use crate::said::Said;
use crate::session::{Session, stakes_of};

/// How many of the newest games are looked at for stakes to settle; `--game` names an older one.
const LOOKED_AT: u32 = 200;

/// Has games settled, and the signer paid what it is owed.
pub async fn withdraw(global: &Global, args: &Withdraw, out: &mut Output) -> Result<(), Failure> {
    let signer = accounts::signer_or(&args.signing, None)?;
    let session = Session::open(global, false, out).await?;
    let contract = session.contract(global, Some(&signer)).await?;
    let by_stakes = match args.game {
        None => stakes_owing(&contract, &signer).await?,
        Some(_) => None,
    };
    let games = match args.game {
        Some(game) => Some(vec![lookup::classic(game, "it has no stakes")?.number()]),
        None => {
            let progress = out.progress();
            progress.say("looking for games to settle");
            let owed = owed(&contract, &signer).await?;
            let games = owed.map(|owed| owed.games());
            // Without anything the contract says so, unless another one pays.
            games.or(by_stakes.is_none().then(Vec::new))
        }
    };
    if let Some(stakes) = by_stakes {
        let paying = stakes.withdraw(&signer);
        pay("withdrawing what signed games owe", &signer, paying, out).await?;
    }
    let Some(games) = games else {
        return Ok(());
    };
    // The first pays the credit as well, even if no game is to be settled.
    let (first, later) = games.split_at(games.len().min(Contracts::MOST_SETTLED));
    pay_out(&contract, &signer, first, out).await?;
    for games in later.chunks(Contracts::MOST_SETTLED) {
        pay_out(&contract, &signer, games, out).await?;
    }
    Ok(())
}

/// The contract of the stakes of signed games, if it owes the signer something.
async fn stakes_owing(contract: &Contracts, signer: &Signer) -> Result<Option<Stakes>, Failure> {
    let Some(stakes) = stakes_of(contract).await? else {
        return Ok(None);
    };
    let owed = stakes.owed(signer.address()).await?;
    Ok((owed > 0).then_some(stakes))
}

/// What an account is owed, counting its newest games that wait to be settled; none if that is nothing.
async fn owed(contract: &Contracts, signer: &Signer) -> Result<Option<Owed>, Failure> {
    let count = contract.game_count(ContractKind::Games).await?;
    let mut owing = Owing::new(contract, [signer.address()]);
    let newest = (count.saturating_sub(LOOKED_AT)..count).rev();
    for id in newest.map(GameId::Classic) {
        if let Some(game) = contract.game(id).await? {
            owing.count(id, &game).await?;
        }
    }
    Ok(owing.read().await?.pop())
}

/// Has these games settled, and the signer paid what it is owed.
pub async fn pay_out(
    contract: &Contracts,
    signer: &Signer,
    games: &[u32],
    out: &mut Output,
) -> Result<(), Failure> {
    let games = games.to_vec();
    let message = message::Withdraw { games };
    let paying = contract.send(signer, message);
    pay("withdrawing", signer, paying, out).await
}

/// Waits for a payment, and tells of it.
async fn pay(
    what: &str,
    signer: &Signer,
    paying: impl Future<Output = Result<Receipt<u128>, Error>>,
    out: &mut Output,
) -> Result<(), Failure> {
    let progress = out.progress();
    progress.say(what);
    let receipt = paying.await?;
    progress.clear();
    out.say(Said::Paid {
        signer,
        player: None,
        amount: receipt.value,
        sent: (&receipt).into(),
    })
}
