//! `resign`, `leave` and `claim`: the end of a game before the board has decided it, or a player who
//! leaves one.

use connect4_client::{Action, Event};
use connect4_protocol::{Game, variants};

use crate::accounts;
use crate::args::{Global, OneGame};
use crate::failure::Failure;
use crate::game::GameAt;
use crate::lookup;
use crate::output::Output;
use crate::said::{Done, Left, Said};
use crate::session::Session;

pub async fn resign(global: &Global, args: &OneGame, out: &mut Output) -> Result<(), Failure> {
    if args.game.is_variant() {
        return leave(global, args, out).await;
    }
    let id = args.game;
    let signer = accounts::signer_or(&args.signing, None)?;
    let session = Session::open(global, false, out).await?;
    let contract = session.contract(global, Some(&signer)).await?;
    let game = lookup::game::<Game>(&contract, id).await?;
    let contract = contract.based_on(id, &game);
    let receipt = contract.perform(&signer, id, Action::Resign).await?;
    let game = lookup::game::<Game>(&contract, id).await?;
    out.say(Said::Ended {
        at: GameAt::of(&contract, id, game.value),
        sent: Some((&receipt).into()),
    })
}

/// Leaves a table or a variant.
pub async fn leave(global: &Global, args: &OneGame, out: &mut Output) -> Result<(), Failure> {
    let id = args.game;
    if !id.is_variant() {
        return Err(Failure::Usage(format!(
            "game {id} is a classic game: resign it with `connect4 resign`"
        )));
    }
    take_out(global, args, Action::Leave, out).await
}

/// Removes the player to move from a variant, whose time has run out. Any account may.
pub async fn claim(global: &Global, args: &OneGame, out: &mut Output) -> Result<(), Failure> {
    let id = args.game;
    if !id.is_variant() {
        return Err(Failure::Usage(format!(
            "game {id} is a classic game, which has no clock"
        )));
    }
    take_out(global, args, Action::RemoveLate, out).await
}

/// Performs an action by which a player leaves a variant or its table, and says so.
async fn take_out(
    global: &Global,
    args: &OneGame,
    action: Action,
    out: &mut Output,
) -> Result<(), Failure> {
    let id = args.game;
    let signer = match action {
        Action::RemoveLate => accounts::signer_or_alice(&args.signing)?,
        _ => accounts::signer_or(&args.signing, None)?,
    };
    let session = Session::open(global, false, out).await?;
    let variants = session.variants(global, Some(&signer)).await?;
    let before = lookup::game::<variants::Game>(&variants, id).await?;
    let based_on = variants.based_on(id, &before);
    let receipt = based_on
        .perform(&signer, id, action)
        .await?
        .map(|done| done.events);
    let left = receipt.value.iter().find_map(|event| match event {
        Event::PlayerLeft(left) => Some(left),
        _ => None,
    });
    let Some(left) = left else {
        return out.say(Said::Done(Done::TableClosed(args.game), (&receipt).into()));
    };
    let after = lookup::game::<variants::Game>(&variants, id).await?;
    let at = GameAt::of(&variants, id, after.value);
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
