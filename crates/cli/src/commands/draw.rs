//! `draw`: an offer of a draw, or the answer to one.

use connect4_client::Action;

use super::end;
use super::seated::seat;
use crate::args::{Answer, Answering, Global};
use crate::failure::Failure;
use crate::lookup;
use crate::output::Output;
use crate::said::{Done, Said};

pub async fn draw(global: &Global, args: &Answering, out: &mut Output) -> Result<(), Failure> {
    let game = lookup::classic(args.of.game, "it has no draws by agreement")?;
    let (_session, contract, signer) = seat(global, &args.of, out).await?;
    let action = match args.answer() {
        None => Action::OfferDraw,
        Some(Answer::Accept) => Action::AcceptDraw,
        Some(Answer::Decline) => Action::DeclineDraw,
    };
    let receipt = contract.perform(&signer, game, action).await?;
    // An acceptance ends the game. So does an offer that meets the opponent's offer.
    if receipt.value.ended().is_some() {
        return end::ended(&contract, game, (&receipt).into(), out).await;
    }
    let done = match action {
        Action::DeclineDraw => Done::DrawDeclined(game),
        _ => Done::DrawOffered(game),
    };
    out.say(Said::Done(done, (&receipt).into()))
}
