//! `rematch`: an offer of a rematch, or the answer to one.

use connect4_client::Action;
use connect4_client::fast::agree_to_rematch;

use super::seated::seat;
use super::{fast, withdraw};
use crate::args::{Answer, Answering, Global};
use crate::failure::Failure;
use crate::game::GameAt;
use crate::lookup;
use crate::output::Output;
use crate::said::{Done, Said};

/// Offers a rematch, or answers an offer. A player who withdraws an offer is paid its stake.
pub async fn rematch(global: &Global, args: &Answering, out: &mut Output) -> Result<(), Failure> {
    let game = lookup::classic(args.of.game, "it has no rematches")?;
    let id = args.of.game;
    let (session, contract, signer) = seat(global, &args.of, game, out).await?;
    let action = match args.answer() {
        None => Action::OfferRematch,
        Some(Answer::Accept) => Action::AcceptRematch,
        Some(Answer::Decline) => Action::DeclineRematch,
    };
    let before = contract.match_of(game).await?;
    let receipt = match (id.is_fast(), action) {
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
        return out.say(Said::Rematch {
            previous: id,
            at: GameAt::classic(&contract, next, &started),
            sent: (&receipt).into(),
        });
    }
    if action != Action::DeclineRematch {
        return out.say(Said::Done(Done::RematchOffered(id), (&receipt).into()));
    }
    out.say(Said::Done(Done::RematchDeclined(id), (&receipt).into()))?;
    if before.stake > 0 {
        let ended = lookup::game(&contract, game).await?;
        if before.rematch == ended.player_of(&signer.address()) {
            match id.is_fast() {
                true => withdraw::pay_out_fast(&contract, &signer, out).await?,
                false => withdraw::pay_out(&contract, &signer, &[], out).await?,
            }
        }
    }
    Ok(())
}
