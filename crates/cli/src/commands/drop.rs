//! `drop`: a disc.

use connect4_client::GameId;
use connect4_protocol::Error as Refusal;
use connect4_rules::Bin;

use crate::accounts;
use crate::args::{Drop, Global, Signing};
use crate::failure::Failure;
use crate::input;
use crate::lookup;
use crate::report::{Dropped, GameAt, Report};
use crate::session::Session;

/// Drops a disc.
pub async fn drop(global: &Global, args: &Drop, report: &mut dyn Report) -> Result<(), Failure> {
    let game = lookup::classic(args.game, "its moves are made by `connect4 move`")?;
    drop_into(global, game, args.bin, &args.signing, report).await
}

/// Drops a disc into a bin, from 0 at the left.
pub async fn drop_into(
    global: &Global,
    game: u32,
    bin: i64,
    signing: &Signing,
    report: &mut dyn Report,
) -> Result<(), Failure> {
    let signer = accounts::signer(signing)?;
    let session = Session::open(global, false, report).await?;
    let contract = session.contract(global, signer.as_ref()).await?;
    let before = lookup::game(&contract, game).await?;
    let id = GameId::of_two(game);
    // The secrets of development accounts are known, so the player to move can sign unasked.
    let signer = match signer {
        Some(signer) => signer,
        None => {
            let mover = before.to_move().map(|player| before.account_of(player));
            accounts::known(mover).ok_or_else(|| {
                if before.is_over() {
                    return Failure::Refused(format!("game {id}: {}", Refusal::GameOver));
                }
                accounts::unnamed()
            })?
        }
    };
    let bin = u8::try_from(bin)
        .map(Bin::new)
        .map_err(|_| Failure::Refused(input::invalid(before.shape().bins())))?;
    let progress = report.progress();
    progress.say("dropping the disc");
    let at_stake = contract.match_of(game).await?.stake > 0;
    let contract = contract.answering(game, &before, at_stake);
    let receipt = contract.drop_disc(&signer, game, bin).await?;
    let after = match receipt.value.game_after(&before) {
        Some(after) => after,
        None => lookup::game(&contract, game).await?.value,
    };
    progress.clear();
    Ok(report.dropped(&Dropped {
        bin,
        row: receipt.value.dropped.row,
        after: GameAt::of(&contract, game, &after),
        sent: (&receipt).into(),
    })?)
}
