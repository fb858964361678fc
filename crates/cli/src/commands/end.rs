//! `resign` and `claim`: the end of a game before the board has decided it.

use connect4_client::{Action, Contract, GameId, Signer};

use super::seated::seat;
use super::variants;
use crate::accounts;
use crate::args::{Global, OneGame};
use crate::failure::Failure;
use crate::lookup;
use crate::report::{GameAt, Report, Sent};
use crate::session::Session;

/// Gives a game up.
pub async fn resign(
    global: &Global,
    args: &OneGame,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let number = match args.game {
        id @ (GameId::Classic(_) | GameId::Fast(_)) => id.number(),
        GameId::Variant(number) => return variants::leave(global, args, number, report).await,
    };
    let (_session, contract, signer) = seat(global, args, number, report).await?;
    perform(&contract, &signer, number, Action::Resign, report).await
}

/// Claims that the time of the player to move has run out. Any account may.
pub async fn claim(
    global: &Global,
    args: &OneGame,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let number = match args.game {
        id @ (GameId::Classic(_) | GameId::Fast(_)) => id.number(),
        GameId::Variant(number) => return variants::claim(global, args, number, report).await,
    };
    let signer = accounts::signer_or_alice(&args.signing)?;
    let session = Session::open(global, false, report).await?;
    let contract = session.contract(global, Some(&signer)).await?;
    let game = lookup::game(&contract, number).await?;
    let contract = contract.answering(number, &game, false);
    perform(&contract, &signer, number, Action::ClaimTimeout, report).await
}

async fn perform(
    contract: &Contract,
    signer: &Signer,
    game: u32,
    action: Action,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let receipt = contract.perform(signer, game, action).await?;
    ended(contract, game, (&receipt).into(), report).await
}

/// Reports how a game has ended.
pub async fn ended(
    contract: &Contract,
    number: u32,
    sent: Sent<'_>,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let game = lookup::game(contract, number).await?;
    Ok(report.ended(&GameAt::of(contract, number, &game), Some(sent))?)
}
