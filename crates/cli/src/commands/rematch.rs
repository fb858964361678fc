//! `rematch`: an offer of a rematch, or the answer to one.

use connect4_client::Action;
use connect4_protocol::Game;

use super::seated::seat;
use super::withdraw;
use crate::args::{Answer, Answering, Global};
use crate::failure::Failure;
use crate::game::GameAt;
use crate::lookup;
use crate::output::Output;
use crate::said::{Done, Said};

/// Offers a rematch, or answers an offer. A player who withdraws an offer is paid its stake.
pub async fn rematch(global: &Global, args: &Answering, out: &mut Output) -> Result<(), Failure> {
    let id = lookup::classic(args.of.game, "it has no rematches")?;
    let (_session, contract, signer) = seat(global, &args.of, out).await?;
    let action = match args.answer() {
        None => Action::OfferRematch,
        Some(Answer::Accept) => Action::AcceptRematch,
        Some(Answer::Decline) => Action::DeclineRematch,
    };
    let before = contract.match_of(id).await?;
    let receipt = contract.perform(&signer, id, action).await?;
    if let Some(next) = receipt.value.rematch() {
        let started = lookup::game::<Game>(&contract, next).await?;
        return out.say(Said::Rematch {
            previous: id,
            at: GameAt::of(&contract, next, started.value),
            sent: (&receipt).into(),
        });
    }
    if action != Action::DeclineRematch {
        return out.say(Said::Done(Done::RematchOffered(id), (&receipt).into()));
    }
    out.say(Said::Done(Done::RematchDeclined(id), (&receipt).into()))?;
    if before.stake > 0 {
        let ended = lookup::game::<Game>(&contract, id).await?;
        if before.rematch == ended.player_of(&signer.address()) {
            withdraw::pay_out(&contract, &signer, &[], out).await?;
        }
    }
    Ok(())
}
