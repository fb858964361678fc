//! The end of a fast game: it is submitted to the chain, and the player is paid.

use std::time::{Duration, Instant};

use connect4_protocol::message::WithdrawFast;

use super::table::Table;
use super::{act, news};
use crate::failure::Failure;
use crate::output::Output;
use crate::play::grammar::{Grammar, Input};
use crate::play::turn::Typed;
use crate::said::Said;
use crate::words::minutes;

/// How long the program of a player who has lost waits for the winner to submit the end.
const GRACE: Duration = Duration::from_secs(30);

/// Waits until the end of the game is in a final block, and submits it if that is the player's part. Then
/// the player is paid. The program of a player who has lost leaves the end to the winner after a while; any
/// other one stays, as long as an older position could still be submitted in place of the end. Returns
/// whether the game is over: an end that is not on the chain can lapse, or be overtaken by a move there.
pub async fn settle(
    table: &mut Table,
    out: &mut Output,
    typed: &mut Typed,
) -> Result<bool, Failure> {
    let since = Instant::now();
    let mut said = false;
    // It was said with the last board.
    out.clear_note();
    while !is_done(table) || table.player.is_telling() {
        if !table.player.latest().is_over() {
            out.progress().clear();
            out.say(Said::Notice(
                "the game continues: the chain has not accepted that end",
            ))?;
            return Ok(false);
        }
        if !table.player.is_over_on_chain() && table.player.is_lost() {
            // Somebody who is asked by a script does not wait for ever.
            if since.elapsed() > GRACE && table.player.has_lost() {
                not_settled(table, out)?;
                return Ok(true);
            }
            if !std::mem::replace(&mut said, true) {
                out.say(Said::Notice(&how_it_ends(table)))?;
            }
        }
        let waiting = match table.player.is_over_on_chain() {
            true => "waiting until the block with the end is final",
            false => "waiting until the end is on the chain",
        };
        out.progress().say(waiting);
        let line = async {
            match typed.has_ended {
                true => std::future::pending().await,
                false => typed.next().await,
            }
        };
        let first = async {
            tokio::select! {
                biased;
                line = line => Err(line.ok().flatten()),
                event = table.player.next() => Ok(event),
            }
        };
        match out.wait_for(first).await? {
            Err(None) => {
                typed.has_ended = true;
                if let Some(risk) = table.risk(out.token()) {
                    out.say(Said::Notice(&format!("{waiting}: {risk}")))?;
                }
            }
            Err(Some(line)) => {
                if Grammar::Fast.word(&line) == Some(Input::Settle) {
                    act::act(table, out, Input::Settle).await?;
                    out.tell_note()?;
                }
            }
            Ok(event) => {
                if news::tell(table, out, event)? {
                    out.tell_note()?;
                }
            }
        }
    }
    out.progress().clear();
    out.say(Said::FastState(table.state()))?;
    let game = table.player.latest();
    out.say(Said::Ended {
        at: table.at(&game),
        sent: None,
    })?;
    collect(table, out).await?;
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
    let name = table.name_of_opponent();
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

fn not_settled(table: &Table, out: &mut Output) -> Result<(), Failure> {
    out.progress().clear();
    let game = table.player.latest();
    out.say(Said::Ended {
        at: table.at(&game),
        sent: None,
    })?;
    let text = "the end is not on the chain yet; you have lost, and the winner submits it";
    out.say(Said::Notice(text))
}

/// Pays the player what fast games owe it.
async fn collect(table: &Table, out: &mut Output) -> Result<(), Failure> {
    let contract = &table.contract;
    let signer = table.signer();
    let paid = async {
        match contract.fast_credit_of(signer.address()).await? {
            0 => Ok(None),
            _ => contract.send(signer, WithdrawFast {}).await.map(Some),
        }
    };
    let receipt = match out.wait_for(paid).await? {
        Ok(Some(receipt)) => receipt,
        Ok(None) => return Ok(()),
        Err(error) => {
            let why = Failure::from(error);
            let text = format!(
                "your credit of this game was not paid; `connect4 withdraw` pays it: {why}"
            );
            return out.say(Said::Notice(&text));
        }
    };
    out.say(Said::Paid {
        signer,
        player: Some(table.shown.colour_of(table.player.player())),
        amount: receipt.value,
        sent: (&receipt).into(),
    })
}
