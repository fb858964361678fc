//! `move`, `leave`, `claim` and `free` in a variant.

use connect4_client::{Event, GameId, Seen, Signer, VariantAction, Variants};
use connect4_protocol::Error as Refusal;
use connect4_protocol::variants::Game;

use crate::accounts;
use crate::args::{Global, Move, OneGame};
use crate::failure::Failure;
use crate::lookup;
use crate::report::{Report, VariantAt, VariantLeft, VariantMoved};
use crate::session::Session;

/// Makes a move.
pub async fn make_move(
    global: &Global,
    args: &Move,
    number: u32,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let signer = accounts::signer(&args.signing)?;
    let session = Session::open(global, false, report).await?;
    let variants = session.variants(global, signer.as_ref()).await?;
    let before = lookup::variant(&variants, number).await?;
    // The secrets of development accounts are known, so the player to move can sign unasked.
    let signer = match signer {
        Some(signer) => signer,
        None => {
            let mover = before.to_move().map(|colour| before.account_of(colour));
            accounts::known(mover).ok_or_else(|| {
                let refused = match before.has_started() {
                    true if before.is_over() => Refusal::GameOver,
                    false => Refusal::NotStarted,
                    true => return accounts::unnamed(),
                };
                Failure::Refused(format!("game {}: {refused}", args.game))
            })?
        }
    };
    let progress = report.progress();
    progress.say("making the move");
    let action = VariantAction::Move(args.action);
    let answering = variants.clone().answering(number, before);
    let receipt = answering.perform(&signer, number, action).await?;
    let after = lookup::variant(&variants, number).await?;
    progress.clear();
    let Some(colour) = before.colour_of(signer.address()) else {
        return Ok(());
    };
    Ok(report.variant_moved(&VariantMoved {
        colour,
        action: args.action,
        before: before.position(),
        after: VariantAt::of(&variants, number, &after),
        sent: Some((&receipt).into()),
    })?)
}

/// Leaves a table or a game, which has to be a variant.
pub async fn leave_command(
    global: &Global,
    args: &OneGame,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    match args.game {
        GameId::Variant(number) => leave(global, args, number, report).await,
        id @ (GameId::Classic(_) | GameId::Fast(_)) => Err(Failure::Usage(format!(
            "game {id} is a classic game: resign it with `connect4 resign`"
        ))),
    }
}

/// Leaves a table or a game.
pub async fn leave(
    global: &Global,
    args: &OneGame,
    number: u32,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let signer = accounts::signer_or(&args.signing, None)?;
    let session = Session::open(global, false, report).await?;
    let variants = session.variants(global, Some(&signer)).await?;
    let before = lookup::variant(&variants, number).await?;
    take_out(
        &variants,
        &signer,
        number,
        &before,
        VariantAction::Leave,
        report,
    )
    .await
}

/// Removes the player to move, who is late. Any account may.
pub async fn claim(
    global: &Global,
    args: &OneGame,
    number: u32,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let signer = accounts::signer_or_alice(&args.signing)?;
    let session = Session::open(global, false, report).await?;
    let variants = session.variants(global, Some(&signer)).await?;
    let before = lookup::variant(&variants, number).await?;
    let action = VariantAction::RemoveLate;
    take_out(&variants, &signer, number, &before, action, report).await
}

/// Performs an action by which a player leaves, and reports it.
async fn take_out(
    variants: &Variants,
    signer: &Signer,
    number: u32,
    before: &Seen<Game>,
    action: VariantAction,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let answering = variants.clone().answering(number, *before);
    let receipt = answering.perform(signer, number, action).await?;
    let left = receipt.value.iter().find_map(|event| match event {
        Event::PlayerLeft(left) => Some(left),
        _ => None,
    });
    let Some(left) = left else {
        return Ok(report.table_closed(number, (&receipt).into())?);
    };
    let after = lookup::variant(variants, number).await?;
    let after = VariantAt::of(variants, number, &after);
    report.left(&VariantLeft {
        account: left.player,
        colour: before
            .colour_of(left.player)
            .filter(|_| before.has_started()),
        late: left.late,
        after,
        sent: Some((&receipt).into()),
    })?;
    if after.game.is_over() {
        report.variant_ended(&after, None)?;
    }
    Ok(())
}

/// Frees the storage of a game that has ended or was abandoned.
pub async fn free(
    global: &Global,
    args: &OneGame,
    number: u32,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let session = Session::open(global, false, report).await?;
    let signer = accounts::signer(&args.signing)?;
    let variants = session.variants(global, signer.as_ref()).await?;
    let game = lookup::variant(&variants, number).await?;
    let signer = accounts::signer_or(&args.signing, Some(game.payer()))?;
    let receipt = variants
        .answering(number, game)
        .perform(&signer, number, VariantAction::Free)
        .await?;
    Ok(report.variant_freed(number, (&receipt).into())?)
}
