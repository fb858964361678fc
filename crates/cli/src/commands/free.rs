//! `free`: the storage of a game.

use connect4_client::{Action, GameId};

use super::variants;
use crate::accounts;
use crate::args::{Global, OneGame};
use crate::failure::Failure;
use crate::lookup;
use crate::report::{Deed, Report};
use crate::session::Session;

/// Frees the storage of a game that has ended.
pub async fn free(global: &Global, args: &OneGame, report: &mut dyn Report) -> Result<(), Failure> {
    let number = match args.game {
        id @ (GameId::Classic(_) | GameId::Fast(_)) => id.number(),
        GameId::Variant(number) => return variants::free(global, args, number, report).await,
    };
    let session = Session::open(global, false, report).await?;
    let signer = accounts::signer(&args.signing)?;
    let contract = session.contract(global, signer.as_ref()).await?;
    let game = lookup::game(&contract, number).await?;
    let signer = accounts::signer_or(&args.signing, Some(game.payer()))?;
    let contract = contract.answering(number, &game, false);
    let receipt = contract.perform(&signer, number, Action::Free).await?;
    Ok(report.done(Deed::Freed(number), (&receipt).into())?)
}
