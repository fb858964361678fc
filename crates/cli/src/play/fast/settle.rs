//! The end of a fast game: the chain is told, and the player is paid.

use std::time::{Duration, Instant};

use super::table::Table;
use super::wish::{self, Wish};
use super::{act, turn};
use crate::attend::attend;
use crate::failure::Failure;
use crate::play::hearing::Hearing;
use crate::play::screen::Screen;
use crate::report::{FastState, Paid};
use crate::words::coloured;

/// How long a program waits for the other one to tell the chain.
const GRACE: Duration = Duration::from_secs(30);

/// Waits until the chain knows how the game has ended, and has it told if that is up to this player:
/// the winner tells it, so that not both pay. Then the player is paid.
pub async fn settle(
    table: &mut Table,
    screen: &mut dyn Screen,
    hearing: &mut Hearing,
) -> Result<(), Failure> {
    let since = Instant::now();
    let mut said = false;
    // It was said with the last board.
    screen.clear_note();
    while !table.player.is_settled() || table.player.is_telling() {
        if table.player.is_done() {
            // Somebody who is asked by a script does not wait for ever.
            if since.elapsed() > GRACE {
                return not_settled(table, screen);
            }
            // Who has won waits a moment for the loser to agree, and then tells it itself.
            let ours = table.player.player();
            let won = table.player.latest().winner() == Some(ours);
            if !won && !std::mem::replace(&mut said, true) {
                let theirs = ours.opponent();
                let name = coloured(theirs, theirs, false);
                screen.notice(&format!(
                    "{name} tells the chain; `settle` does it in its place, Ctrl-C leaves"
                ))?;
            }
        }
        screen
            .progress()
            .say("waiting until the chain knows the end");
        let typed = async {
            match hearing.has_ended {
                true => std::future::pending().await,
                false => hearing.lines.next().await,
            }
        };
        let first = async {
            tokio::select! {
                biased;
                line = typed => Ok::<_, Failure>(Err(line.ok().flatten())),
                happening = table.player.next() => Ok(Ok(happening?)),
            }
        };
        match attend(screen, first).await?? {
            Err(None) => hearing.has_ended = true,
            Err(Some(line)) => {
                if wish::word(&line) == Some(Wish::Settle) {
                    act::act(table, screen, Wish::Settle).await?;
                }
            }
            Ok(happening) => {
                if turn::tell(table, screen, happening)? {
                    screen.tell_note()?;
                }
            }
        }
    }
    screen.progress().clear();
    screen.fast_state(&FastState::of(&table.player))?;
    let game = table.player.latest();
    screen.ended(&table.at(&game), None)?;
    collect(table, screen).await
}

fn not_settled(table: &Table, screen: &mut dyn Screen) -> Result<(), Failure> {
    screen.progress().clear();
    let game = table.player.latest();
    screen.ended(&table.at(&game), None)?;
    let text = "the chain was not told yet; both have signed the end, and either may tell it";
    Ok(screen.notice(text)?)
}

/// Pays the player what fast games owe it.
async fn collect(table: &Table, screen: &mut dyn Screen) -> Result<(), Failure> {
    let contract = &table.contract;
    let signer = table.signer();
    let owed = attend(screen, contract.fast_credit_of(signer.address())).await??;
    if owed == 0 {
        return Ok(());
    }
    let receipt = attend(screen, contract.withdraw_fast(signer)).await??;
    Ok(screen.paid(&Paid {
        signer,
        player: Some(table.player.player()),
        amount: receipt.value,
        sent: (&receipt).into(),
    })?)
}
