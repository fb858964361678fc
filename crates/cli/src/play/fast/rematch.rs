//! Whether there is to be a rematch of a fast game.

use connect4_client::GameId;
use connect4_client::fast::{FastPlayer, agree_to_rematch};
use connect4_protocol::message::OfferFastRematch;

use super::table::Table;
use crate::failure::Failure;
use crate::output::Output;
use crate::play::turn::Typed;
use crate::play::{ask_for_rematch, is_yes};
use crate::said::Said;

/// Asks the player, and returns the table of the rematch if both players want it.
pub async fn rematch(
    table: &Table,
    out: &mut Output,
    typed: &mut Typed,
) -> Result<Option<Table>, Failure> {
    let (contract, id) = (&table.contract, table.player.id());
    let Ok(of_match) = out.wait_for(contract.match_of(id)).await? else {
        // Its storage was freed, so there is nothing to come back to.
        return Ok(None);
    };
    let next = match of_match.next {
        Some(next) => Some(GameId::of_two(next)),
        None => {
            ask_for_rematch(&of_match, out)?;
            let answer = typed.next().await?.unwrap_or_default();
            out.answered(&answer)?;
            match is_yes(&answer) {
                true => agree(table, out).await?,
                false => None,
            }
        }
    };
    let Some(next) = next else {
        return Ok(None);
    };
    let sat = FastPlayer::sit(
        contract,
        next,
        table.signer().clone(),
        &table.at.keyring,
        table.at.relay.as_deref(),
    );
    let player = out.wait_for(sat).await??;
    let table = Table::new(contract.clone(), player, table.at.clone());
    Ok(Some(table))
}

/// Offers a rematch, or accepts the opponent's, with a new session key; returns its game once both want
/// it.
async fn agree(table: &Table, out: &mut Output) -> Result<Option<GameId>, Failure> {
    let (contract, id, signer) = (&table.contract, table.player.id(), table.signer());
    let keyring = &table.at.keyring;
    let agreed = agree_to_rematch(contract, id, signer.address(), keyring);
    let key = keyring.create(out.wait_for(agreed).await??);
    let key = key.map_err(|error| Failure::Other(error.to_string()))?;
    let offer = OfferFastRematch {
        game: id.number(),
        key: key.address(),
    };
    let receipt = out.wait_for(contract.send(signer, offer)).await??;
    out.say(Said::WantsRematch(signer, (&receipt).into()))?;
    if let Some(next) = receipt.value.rematch() {
        return Ok(Some(next));
    }
    let mut heads = out.wait_for(contract.client().heads()).await??;
    loop {
        out.progress()
            .say("waiting for the opponent; Ctrl-C leaves");
        let of_match = out.wait_for(contract.match_of(id)).await??;
        if of_match.next.is_some() || of_match.rematch.is_none() {
            out.progress().clear();
            if of_match.next.is_none() {
                out.say(Said::RematchDeclined)?;
            }
            return Ok(of_match.next.map(GameId::of_two));
        }
        out.wait_for(heads.next()).await??;
    }
}
