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
use crate::words::{coloured, minutes};

/// How long the program of a player who has lost waits for the other one to tell the chain.
const GRACE: Duration = Duration::from_secs(30);

/// Waits until the chain knows how the game has ended, in a final block, and has it told. Then the player is
/// paid. The program of a player who has lost leaves that to the other one after a while; any other one stays,
/// as long as an older position could still be brought to the chain in place of the end. Returns whether the
/// game is over: an end that the chain does not know can lapse, or be overtaken by a move there.
pub async fn settle(
    table: &mut Table,
    screen: &mut dyn Screen,
    hearing: &mut Hearing,
) -> Result<bool, Failure> {
    let since = Instant::now();
    let mut said = false;
    // It was said with the last board.
    screen.clear_note();
    while !is_done(table) || table.player.is_telling() {
        if !table.player.latest().is_over() {
            screen.progress().clear();
            screen.notice("the game continues: the chain has not accepted that end")?;
            return Ok(false);
        }
        if !table.player.is_over_on_chain() && table.player.is_lost() {
            // Somebody who is asked by a script does not wait for ever.
            if since.elapsed() > GRACE && table.player.has_lost() {
                not_settled(table, screen)?;
                return Ok(true);
            }
            if !std::mem::replace(&mut said, true) {
                screen.notice(&how_it_ends(table))?;
            }
        }
        let waiting = match table.player.is_over_on_chain() {
            true => "waiting until the block with the end is final",
            false => "waiting until the end is on the chain",
        };
        screen.progress().say(waiting);
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
                happening = table.player.next() => Ok(Ok(happening)),
            }
        };
        match attend(screen, first).await?? {
            Err(None) => {
                hearing.has_ended = true;
                if let Some(risk) = table.risk(&screen.token()) {
                    screen.notice(&format!("{waiting}: {risk}"))?;
                }
            }
            Err(Some(line)) => {
                if wish::word(&line) == Some(Wish::Settle) {
                    act::act(table, screen, Wish::Settle).await?;
                    screen.tell_note()?;
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
    collect(table, screen).await?;
    Ok(true)
}

/// Whether the end of the game is final, or it has ended on the chain as lost by the player's own word.
fn is_done(table: &Table) -> bool {
    let player = &table.player;
    player.is_settled() || (player.is_over_on_chain() && player.has_lost())
}

/// What becomes of a game that this player has lost, and what the player can do.
fn how_it_ends(table: &Table) -> String {
    let player = &table.player;
    let theirs = player.player().opponent();
    let name = coloured(theirs, theirs, false);
    match player.deadline().filter(|_| player.may_agree()) {
        Some(last) => {
            let left = minutes(last.saturating_sub(player.now()));
            format!(
                "{name}'s line is on the chain, and final in {left}; `settle` agrees to it now and \
                 loses the game for good, Ctrl-C leaves"
            )
        }
        None => {
            format!("{name} submits the end to the chain; `settle` does it now, Ctrl-C leaves")
        }
    }
}

fn not_settled(table: &Table, screen: &mut dyn Screen) -> Result<(), Failure> {
    screen.progress().clear();
    let game = table.player.latest();
    screen.ended(&table.at(&game), None)?;
    let text = "the end is not on the chain yet; you have lost, and the winner submits it";
    Ok(screen.notice(text)?)
}

/// Pays the player what fast games owe it.
async fn collect(table: &Table, screen: &mut dyn Screen) -> Result<(), Failure> {
    let contract = &table.contract;
    let signer = table.signer();
    let paid = async {
        match contract.fast_credit_of(signer.address()).await? {
            0 => Ok(None),
            _ => contract.withdraw_fast(signer).await.map(Some),
        }
    };
    let receipt = match attend(screen, paid).await? {
        Ok(Some(receipt)) => receipt,
        Ok(None) => return Ok(()),
        Err(error) => {
            let why = Failure::from(error);
            let text = format!(
                "your credit of this game was not paid; `connect4 withdraw` pays it: {why}"
            );
            return Ok(screen.notice(&text)?);
        }
    };
    Ok(screen.paid(&Paid {
        signer,
        player: Some(table.player.player()),
        amount: receipt.value,
        sent: (&receipt).into(),
    })?)
}
