//! Whether there is to be a rematch of a fast game.

use connect4_client::fast::{FastPlayer, agree_to_rematch};

use super::table::Table;
use crate::attend::attend;
use crate::failure::Failure;
use crate::play::hearing::Hearing;
use crate::play::screen::Screen;

/// Asks the player, and returns the table of the rematch if both players want it.
pub async fn rematch(
    table: &Table,
    screen: &mut dyn Screen,
    hearing: &mut Hearing,
) -> Result<Option<Table>, Failure> {
    let (contract, number) = (&table.contract, table.player.number());
    let Ok(of_match) = attend(screen, contract.match_of(number)).await? else {
        // Its storage was freed, so there is nothing to come back to.
        return Ok(None);
    };
    let next = match of_match.next {
        Some(next) => Some(next),
        None => {
            screen.ask_for_rematch(&of_match)?;
            let line = hearing.lines.next().await;
            let line =
                line.map_err(|error| Failure::Other(format!("cannot read the input: {error}")))?;
            let answer = line.unwrap_or_default();
            screen.answered_rematch(&answer)?;
            match answer.trim().to_ascii_lowercase().as_str() {
                "y" | "yes" => agree(table, screen).await?,
                _ => None,
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
    let player = attend(screen, sat).await??;
    let table = Table::new(contract.clone(), player, table.at.clone());
    Ok(Some(table))
}

/// Offers a rematch, or accepts the opponent's, with a new session key; returns the number of its game
/// once both want it.
async fn agree(table: &Table, screen: &mut dyn Screen) -> Result<Option<u32>, Failure> {
    let (contract, number, signer) = (&table.contract, table.player.number(), table.signer());
    let keyring = &table.at.keyring;
    let agreed = agree_to_rematch(contract, number, signer.address(), keyring);
    let key = keyring.create(attend(screen, agreed).await??);
    let key = key.map_err(|error| Failure::Other(error.to_string()))?;
    let offered = contract.offer_fast_rematch(signer, number, key.address());
    let receipt = attend(screen, offered).await??;
    screen.wants_rematch(signer, (&receipt).into())?;
    if let Some(next) = receipt.value.rematch() {
        return Ok(Some(next));
    }
    let mut heads = attend(screen, contract.client().heads()).await??;
    loop {
        screen
            .progress()
            .say("waiting for the opponent; Ctrl-C leaves");
        let of_match = attend(screen, contract.match_of(number)).await??;
        if of_match.next.is_some() || of_match.rematch.is_none() {
            screen.progress().clear();
            if of_match.next.is_none() {
                screen.rematch_declined()?;
            }
            return Ok(of_match.next);
        }
        attend(screen, heads.next()).await??;
    }
}
