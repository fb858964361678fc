//! `free`: the storage of a game.

use connect4_client::Action;
use connect4_protocol::AnyGame;

use crate::accounts;
use crate::args::{Global, OneGame};
use crate::failure::Failure;
use crate::lookup;
use crate::output::Output;
use crate::said::{Done, Said};
use crate::session::Session;

/// Frees the storage of a game that has ended, or of a variant that was abandoned.
pub async fn free(global: &Global, args: &OneGame, out: &mut Output) -> Result<(), Failure> {
    let session = Session::open(global, false, out).await?;
    let signer = accounts::signer(&args.signing)?;
    let id = args.game;
    let contract = session.contract_of(global, id, signer.as_ref()).await?;
    let game = lookup::game::<AnyGame>(&contract, id).await?;
    let payer = match &game.value {
        AnyGame::Two(game) => game.payer(),
        AnyGame::Variant(game) => game.payer(),
    };
    let signer = accounts::signer_or(&args.signing, Some(payer))?;
    let contract = contract.based_on(id, &game);
    let receipt = contract.perform(&signer, id, Action::Free).await?;
    out.say(Said::Done(Done::Freed(id), (&receipt).into()))
}
