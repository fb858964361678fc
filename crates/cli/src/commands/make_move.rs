//! `move`: a disc, or another move.

use connect4_client::{Action, Address, Contracts, GameId, Seen, Signer, Stored};
use connect4_protocol::{self as protocol, AnyGame, Error as Refusal, variants};
use connect4_rules::Bin;
use connect4_rules::variant::Move;

use crate::accounts;
use crate::args::{self, Global, Signing};
use crate::failure::Failure;
use crate::game::{GameAt, Numbering};
use crate::lookup;
use crate::output::Output;
use crate::play::grammar::check;
use crate::said::{Made, Said, Step};
use crate::session::Session;
use crate::words::variant;

/// Makes a move in the notation, which counts from 1. In a classic game it is a drop.
pub async fn make_move(
    global: &Global,
    args: &args::Move,
    out: &mut Output,
) -> Result<(), Failure> {
    match (args.game, args.action) {
        (id @ GameId::Variant(_), action) => {
            move_in_variant(global, id, action, &args.signing, out).await
        }
        (id, Move::Drop(bin)) => drop_into(global, id, bin, &args.signing, out).await,
        (_, action) => Err(Failure::Usage(format!(
            "game {} is a classic game, whose only moves are drops: {action} is a move of variants",
            args.game
        ))),
    }
}

/// Drops a disc into a bin.
async fn drop_into(
    global: &Global,
    id: GameId,
    bin: Bin,
    signing: &Signing,
    out: &mut Output,
) -> Result<(), Failure> {
    let (_session, contract, signer, before) =
        opened::<protocol::Game>(global, id, signing, out).await?;
    let signer = mover(signer, id, &before.value.into())?;
    out.say(Said::Sending(&format!(
        "dropping a disc into the {} bin from the left",
        ordinal(u16::from(bin.index()) + 1)
    )))?;
    let progress = out.progress();
    progress.say("dropping the disc");
    let contract = contract.based_on(id, &before);
    let receipt = contract.drop_disc(&signer, id, bin).await?;
    let after = match receipt.value.game_after(&before) {
        Some(after) => after,
        None => lookup::game(&contract, id).await?.value,
    };
    progress.clear();
    let colour = before.player_of(&signer.address()).or(before.to_move());
    let Some(colour) = colour else {
        return Ok(());
    };
    out.say(Said::Made(Made {
        colour: colour.into(),
        step: Step::Drop {
            bin,
            row: receipt.value.dropped.row,
            numbering: Numbering::One,
        },
        after: GameAt::of(&contract, id, after),
        sent: Some((&receipt).into()),
    }))
}

async fn move_in_variant(
    global: &Global,
    id: GameId,
    action: Move,
    signing: &Signing,
    out: &mut Output,
) -> Result<(), Failure> {
    let (_session, variants, signer, before) =
        opened::<variants::Game>(global, id, signing, out).await?;
    // What else the contract refuses has words of its own there.
    if action == Move::Swap
        && let Err(why) = check(action, before.position())
    {
        return Err(Failure::Refused(format!("game {id}: {why}")));
    }
    let signer = mover(signer, id, &before.value.into())?;
    let colour = before.colour_of(signer.address());
    if let Some(colour) = colour {
        let done = variant::done(colour.name(), action, Some(before.position()));
        out.say(Said::Sending(&format!("sending: {done}")))?;
    }
    let progress = out.progress();
    progress.say("making the move");
    let based_on = variants.based_on(id, &before);
    let receipt = based_on.perform(&signer, id, Action::Move(action)).await?;
    let after = lookup::game::<variants::Game>(&variants, id).await?;
    progress.clear();
    let Some(colour) = colour else {
        return Ok(());
    };
    out.say(Said::Made(Made {
        colour,
        step: Step::Move {
            action,
            before: before.position(),
        },
        after: GameAt::of(&variants, id, after.value),
        sent: Some((&receipt).into()),
    }))
}

/// The contract of a game and the game as it is, before a move of the signer that is named, if one is. The session lasts
/// until the move is made.
async fn opened<G: Stored>(
    global: &Global,
    id: GameId,
    signing: &Signing,
    out: &mut Output,
) -> Result<(Session, Contracts, Option<Signer>, Seen<G>), Failure> {
    let signer = accounts::signer(signing)?;
    let session = Session::open(global, false, out).await?;
    let contract = match id {
        GameId::Variant(_) => session.variants(global, signer.as_ref()).await?,
        GameId::Classic(_) => session.contract(global, signer.as_ref()).await?,
    };
    let before = lookup::game(&contract, id).await?;
    Ok((session, contract, signer, before))
}

/// The signer of a move. The secrets of development accounts are known, so the player to move can sign
/// unasked.
fn mover(signer: Option<Signer>, id: GameId, before: &AnyGame) -> Result<Signer, Failure> {
    if let Some(signer) = signer {
        return Ok(signer);
    }
    let mover: Option<Address> = before.to_move().map(|colour| before.account_of(colour));
    accounts::known(mover).ok_or_else(|| {
        let refused = match before.has_started() {
            true if before.is_over() => Refusal::GameOver,
            false => Refusal::NotStarted,
            true => return accounts::unnamed(),
        };
        Failure::Refused(format!("game {id}: {refused}"))
    })
}

/// A place in a row, from 1: `1st`, `2nd`, `3rd`, `4th`.
fn ordinal(place: u16) -> String {
    let ending = match (place % 10, place % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{place}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_named_as_people_count_them() {
        let named = [1, 2, 3, 4, 11, 12, 13, 21, 102, 112].map(ordinal);
        let expected = [
            "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "112th",
        ];
        assert_eq!(named, expected);
    }
}
