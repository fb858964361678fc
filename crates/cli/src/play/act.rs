//! What players want, done on the chain.

use std::time::Duration;

use connect4_client::{Action, Error, Played, Receipt, Seen, Signer};
use connect4_protocol::{Error as Refusal, Game};
use connect4_rules::{Bin, Player};

use super::screen::Screen;
use super::table::Table;
use super::taken_back;
use super::view::{Note, lost_discs, new_disc};
use crate::attend::attend;
use crate::failure::Failure;
use crate::input::Input;
use crate::report::{Moved, TakenBack};
use crate::words::coloured;

/// How long to wait before a timeout is claimed again that the chain did not see yet: its clock is
/// behind this machine's.
pub(super) const CLOCKS_DIFFER: Duration = Duration::from_secs(2);

/// Does what a player at this terminal wants, and returns the game after it.
pub async fn act(
    table: &mut Table,
    screen: &mut dyn Screen,
    game: &Seen<Game>,
    wanted: Input,
) -> Result<Seen<Game>, Failure> {
    match wanted {
        Input::Help => {
            screen.note(&Note::Help)?;
            Ok(*game)
        }
        Input::Act(Action::Drop(bin)) => drop(table, screen, game, bin).await,
        Input::Act(action) => perform(table, screen, game, action).await,
    }
}

/// Drops a disc of the player to move, who sits here.
async fn drop(
    table: &mut Table,
    screen: &mut dyn Screen,
    game: &Seen<Game>,
    bin: Bin,
) -> Result<Seen<Game>, Failure> {
    let Some((player, signer)) = game
        .to_move()
        .and_then(|player| Some((player, table.signer(player)?.clone())))
    else {
        return Ok(*game);
    };
    let progress = screen.progress();
    progress.say("waiting for the block");
    let contract = table.answering(game);
    let dropping = contract.drop_disc(&signer, table.number, bin);
    let dropped = attend(screen, dropping).await?;
    let after = match &dropped {
        Ok(receipt) => receipt.value.game_after(game).map(|value| Seen {
            value,
            block: receipt.transaction.block_ref(),
        }),
        Err(_) => None,
    };
    let after = match after {
        Some(after) => Ok(after),
        None => attend(screen, table.game()).await?,
    };
    progress.clear();
    match dropped {
        Ok(receipt) => {
            let after = after?;
            let block = receipt.transaction.block;
            table.moves.made(game.turns(), (player, bin), block);
            moved(table, screen, player, &receipt, &after)?;
            if table.of_match.draw.is_some() {
                // The opponent's offer lapses with the move.
                attend(screen, table.read_match()).await??;
            }
            Ok(after)
        }
        // The game changed first, or the answer was lost: the chain knows how the game stands.
        Err(error) => {
            let late = error.refusal() == Some(Refusal::OutOfTime);
            match after {
                Ok(after) if may_have_changed(&error) && (after.value != game.value || late) => {
                    if !tell_taken_back(table, screen, game, &after)? {
                        screen.overtaken(&overtaken(error));
                    }
                    Ok(after)
                }
                _ => Err(error.into()),
            }
        }
    }
}

/// Whether a move that failed like this may have failed because the game had changed.
pub(super) const fn may_have_changed(error: &Error) -> bool {
    matches!(
        error.refusal(),
        Some(
            Refusal::NotYourTurn
                | Refusal::GameOver
                | Refusal::NoSuchGame
                | Refusal::BinFull
                | Refusal::OutOfTime
                | Refusal::HasLeft
        )
    ) || matches!(
        error,
        Error::Gone { .. } | Error::Timeout { .. } | Error::TakenBack { .. }
    )
}

/// Why a move was not made, as the game had changed.
fn overtaken(error: Error) -> String {
    match error.refusal() {
        Some(Refusal::NoSuchGame) => "the game has ended, and its storage was freed".into(),
        _ => Failure::from(error).to_string(),
    }
}

fn moved(
    table: &Table,
    screen: &mut dyn Screen,
    player: Player,
    receipt: &Receipt<Played>,
    after: &Game,
) -> Result<(), Failure> {
    let dropped = &receipt.value.dropped;
    Ok(screen.moved(&Moved {
        player,
        bin: Bin::new(dropped.bin),
        row: dropped.row,
        after: table.at(after),
        sent: Some(receipt.into()),
    })?)
}

/// Performs an action other than a drop.
async fn perform(
    table: &mut Table,
    screen: &mut dyn Screen,
    game: &Seen<Game>,
    action: Action,
) -> Result<Seen<Game>, Failure> {
    let Some(signer) = table.actor(game) else {
        return Ok(*game);
    };
    let progress = screen.progress();
    progress.say("waiting for the block");
    let contract = table.answering(game);
    let performing = contract.perform(&signer, table.number, action);
    let performed = attend(screen, performing).await?;
    progress.clear();
    match performed {
        Ok(receipt) => screen.note(&Note::Performed {
            player: game.player_of(&signer.address()),
            signer: signer.to_string(),
            action,
            has_ended: receipt.value.ended().is_some(),
            sent: (&receipt).into(),
        })?,
        // Nothing has changed: the player is told, and asked again.
        Err(Error::Refused { error, .. }) => {
            let player = game.to_move().unwrap_or(Player::One);
            screen.refused(player, &error.to_string())?;
        }
        Err(error @ Error::Lacks { .. }) => {
            let failure = Failure::from(error);
            screen.note(&Note::Impossible(failure.to_string()))?;
        }
        // What it answered to was taken back: the player sees how the game is now.
        Err(error @ Error::TakenBack { .. }) => {
            let after = attend(screen, table.read()).await??;
            if !tell_taken_back(table, screen, game, &after)? {
                screen.overtaken(&overtaken(error));
            }
            return Ok(after);
        }
        Err(error) => return Err(error.into()),
    }
    attend(screen, table.read()).await?
}

/// Reports the move that somebody elsewhere has made, or that the chain took moves back, if that is
/// what has changed.
pub fn report_change(
    table: &mut Table,
    screen: &mut dyn Screen,
    before: &Game,
    after: &Seen<Game>,
) -> Result<(), Failure> {
    let Some(player) = before.to_move() else {
        return Ok(());
    };
    if tell_taken_back(table, screen, before, after)? {
        return Ok(());
    }
    match new_disc(before, after) {
        Some((bin, row)) => {
            table
                .moves
                .made(before.turns(), (player, bin), after.block.number);
            screen.moved(&Moved {
                player,
                bin,
                row,
                after: table.at(after),
                sent: None,
            })?;
        }
        None => screen.clear_note(),
    }
    Ok(())
}

/// Reports the discs that a game had before and has not after, and returns whether there are any.
pub fn tell_taken_back(
    table: &mut Table,
    screen: &mut dyn Screen,
    before: &Game,
    after: &Game,
) -> Result<bool, Failure> {
    let count = lost_discs(before, after);
    if count == 0 {
        return Ok(false);
    }
    let first = u16::from(before.turns()).saturating_sub(count);
    let known = table.moves.take_back(first);
    let known: Vec<_> = known
        .iter()
        .map(|made| {
            let (player, bin) = made.what;
            let player = coloured(player, player, false);
            (format!("bin {bin} of {player}"), made.block)
        })
        .collect();
    screen.taken_back(&TakenBack {
        text: taken_back::text("disc", count, &known),
        count,
        after: table.at(after),
    })?;
    Ok(true)
}

/// The deadline of the player to move is over. If the player sits elsewhere, the timeout is claimed:
/// the opponent's program may not be running.
pub async fn time_is_up(
    table: &mut Table,
    screen: &mut dyn Screen,
    game: &Seen<Game>,
) -> Result<Seen<Game>, Failure> {
    let is_ours = game
        .to_move()
        .is_some_and(|player| table.signer(player).is_some());
    if is_ours {
        // The opponent may claim the timeout. A move is still tried, and refused, if it is made. The
        // node may be away, and the player is told all the same.
        screen.note(&Note::OutOfTime)?;
        return Ok(*game);
    } else if let Some(signer) = table.actor(game) {
        claim(table, screen, &signer).await?;
    }
    attend(screen, table.read()).await?
}

async fn claim(table: &Table, screen: &mut dyn Screen, signer: &Signer) -> Result<(), Failure> {
    let claimed = table
        .contract
        .perform(signer, table.number, Action::ClaimTimeout);
    match attend(screen, claimed).await? {
        Ok(receipt) => screen.note(&Note::TimedOut((&receipt).into()))?,
        Err(error) => match error.refusal() {
            Some(Refusal::TimeLeft) => tokio::time::sleep(CLOCKS_DIFFER).await,
            Some(Refusal::GameOver | Refusal::NoSuchGame) => {}
            _ => return Err(error.into()),
        },
    }
    Ok(())
}
