//! `free`: the storage of a game.

use connect4_client::{Action, GameId, VariantAction};

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
    let done = Done::Freed(args.game);
    match args.game {
        GameId::Classic(_) | GameId::Fast(_) => {
            let number = args.game.number();
            let contract = session.contract(global, signer.as_ref()).await?;
            let game = lookup::game(&contract, number).await?;
            let signer = accounts::signer_or(&args.signing, Some(game.payer()))?;
            let contract = contract.answering(number, &game, false);
            let receipt = contract.perform(&signer, number, Action::Free).await?;
            out.say(Said::Done(done, (&receipt).into()))
        }
        GameId::Variant(number) => {
            let variants = session.variants(global, signer.as_ref()).await?;
            let game = lookup::variant(&variants, number).await?;
            let signer = accounts::signer_or(&args.signing, Some(game.payer()))?;
            let receipt = variants
                .answering(number, game)
                .perform(&signer, number, VariantAction::Free)
                .await?;
            out.say(Said::Done(done, (&receipt).into()))
        }
    }
}
