//! `rematch`: an offer of a rematch, or the answer to one.

use connect4_client::fast::agree_to_rematch;
use connect4_client::{Action, GameId};

use super::seated::seat;
use super::{fast, withdraw};
use crate::args::{Answer, Answering, Global};
use crate::failure::Failure;
use crate::lookup;
use crate::report::{Deed, GameAt, Report};

/// Offers a rematch, or answers an offer. Who takes an offer back is paid its stake.
pub async fn rematch(
    global: &Global,
    args: &Answering,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let game = lookup::classic(args.of.game, "it has no rematches")?;
    let (session, contract, signer) = seat(global, &args.of, game, report).await?;
    let action = match args.answer() {
        None => Action::OfferRematch,
        Some(Answer::Accept) => Action::AcceptRematch,
        Some(Answer::Decline) => Action::DeclineRematch,
    };
    let before = contract.match_of(game).await?;
    let receipt = match (GameId::of_two(game).is_fast(), action) {
        (false, _) | (true, Action::DeclineRematch) => {
            contract.perform(&signer, game, action).await?
        }
        (true, _) => {
            let keyring = fast::keyring(&session.place, global)?;
            let account = signer.address();
            let agreement = agree_to_rematch(&contract, game, account, &keyring).await?;
            let key = fast::new_key(&keyring, agreement)?;
            match action {
                Action::AcceptRematch => contract.accept_fast_rematch(&signer, game, key).await?,
                _ => contract.offer_fast_rematch(&signer, game, key).await?,
            }
        }
    };
    if let Some(next) = receipt.value.rematch() {
        let started = lookup::game(&contract, next).await?;
        let at = GameAt::of(&contract, next, &started);
        return Ok(report.rematch(game, &at, (&receipt).into())?);
    }
    if action != Action::DeclineRematch {
        return Ok(report.done(Deed::RematchOffered(game), (&receipt).into())?);
    }
    report.done(Deed::RematchDeclined(game), (&receipt).into())?;
    if before.stake > 0 {
        let ended = lookup::game(&contract, game).await?;
        if before.rematch == ended.player_of(&signer.address()) {
            match GameId::of_two(game).is_fast() {
                true => withdraw::pay_out_fast(&contract, &signer, report).await?,
                false => withdraw::pay_out(&contract, &signer, &[], report).await?,
            }
        }
    }
    Ok(())
}
