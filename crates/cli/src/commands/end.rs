//! `resign`, `leave` and `claim`: the end of a game before the board has decided it, or a player who
//! leaves one.

use connect4_client::{Action, Contract, Event, GameId, VariantAction};

use super::seated::seat;
use crate::accounts;
use crate::args::{Global, OneGame};
use crate::failure::Failure;
use crate::game::GameAt;
use crate::lookup;
use crate::output::Output;
use crate::said::{Done, Left, Said, Sent};
use crate::session::Session;

/// Gives a game up.
pub async fn resign(global: &Global, args: &OneGame, out: &mut Output) -> Result<(), Failure> {
    let number = match args.game {
        GameId::Variant(_) => return leave(global, args, out).await,
        id => id.number(),
    };
    let (_session, contract, signer) = seat(global, args, number, out).await?;
    let receipt = contract.perform(&signer, number, Action::Resign).await?;
    ended(&contract, number, (&receipt).into(), out).await
}

/// Leaves a table or a variant.
pub async fn leave(global: &Global, args: &OneGame, out: &mut Output) -> Result<(), Failure> {
    let number = match args.game {
        GameId::Variant(number) => number,
        id => {
            return Err(Failure::Usage(format!(
                "game {id} is a classic game: resign it with `connect4 resign`"
            )));
        }
    };
    take_out(global, args, number, VariantAction::Leave, out).await
}

/// Claims that the time of the player to move has run out, which ends a classic game and removes the
/// player from a variant. Any account may.
pub async fn claim(global: &Global, args: &OneGame, out: &mut Output) -> Result<(), Failure> {
    let number = match args.game {
        GameId::Variant(number) => {
            return take_out(global, args, number, VariantAction::RemoveLate, out).await;
        }
        id => id.number(),
    };
    let signer = accounts::signer_or_alice(&args.signing)?;
    let session = Session::open(global, false, out).await?;
    let contract = session.contract(global, Some(&signer)).await?;
    let game = lookup::game(&contract, number).await?;
    let contract = contract.answering(number, &game, false);
    let receipt = contract
        .perform(&signer, number, Action::ClaimTimeout)
        .await?;
    ended(&contract, number, (&receipt).into(), out).await
}

/// Says how a classic game has ended.
pub async fn ended(
    contract: &Contract,
    number: u32,
    sent: Sent<'_>,
    out: &mut Output,
) -> Result<(), Failure> {
    let game = lookup::game(contract, number).await?;
    out.say(Said::Ended {
        at: GameAt::classic(contract, number, &game),
        sent: Some(sent),
    })
}

/// Performs an action by which a player leaves a variant or its table, and says so.
async fn take_out(
    global: &Global,
    args: &OneGame,
    number: u32,
    action: VariantAction,
    out: &mut Output,
) -> Result<(), Failure> {
    let signer = match action {
        VariantAction::RemoveLate => accounts::signer_or_alice(&args.signing)?,
        _ => accounts::signer_or(&args.signing, None)?,
    };
    let session = Session::open(global, false, out).await?;
    let variants = session.variants(global, Some(&signer)).await?;
    let before = lookup::variant(&variants, number).await?;
    let answering = variants.clone().answering(number, before);
    let receipt = answering.perform(&signer, number, action).await?;
    let left = receipt.value.iter().find_map(|event| match event {
        Event::PlayerLeft(left) => Some(left),
        _ => None,
    });
    let Some(left) = left else {
        return out.say(Said::Done(Done::TableClosed(args.game), (&receipt).into()));
    };
    let after = lookup::variant(&variants, number).await?;
    let at = GameAt::variant(&variants, number, &after);
    let colour = before.colour_of(left.player);
    out.say(Said::Left(Left {
        account: left.player,
        colour: colour.filter(|_| before.has_started()),
        late: left.late,
        after: at,
        sent: Some((&receipt).into()),
    }))?;
    match after.is_over() {
        true => out.say(Said::Ended { at, sent: None }),
        false => Ok(()),
    }
}
