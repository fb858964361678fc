//! What a player wants, signed or done on the chain.

use connect4_client::Action;
use connect4_client::fast::{Made, PlayError, RelayState, SeatError};
use connect4_protocol::Error as Refusal;

use super::table::Table;
use super::wish::{HELP, Wish};
use crate::attend::attend;
use crate::failure::Failure;
use crate::play::act::may_have_changed;
use crate::play::screen::Screen;
use crate::play::view::Note;
use crate::words::{self, dim};

/// Does what the player wants. What is refused, can't be paid or can't be kept is said, and the game goes on.
pub async fn act(table: &mut Table, screen: &mut dyn Screen, wish: Wish) -> Result<(), Failure> {
    let done = perform(table, screen, wish).await?;
    table.heard_of_opponent();
    screen.progress().clear();
    match done {
        Ok(()) => Ok(()),
        Err(PlayError::Seat(SeatError::Refused(error))) => {
            refuse(table, screen, &words_of(wish, error))
        }
        Err(PlayError::Seat(error @ (SeatError::Bound(_) | SeatError::ClocksDiffer(_)))) => {
            refuse(table, screen, &error.to_string())
        }
        Err(PlayError::Chain(error)) if may_have_changed(&error) || error.refusal().is_some() => {
            screen.overtaken(&Failure::from(error).to_string());
            Ok(())
        }
        Err(error) => Ok(screen.say(format!("not done: {}", Failure::from(error)))?),
    }
}

fn refuse(table: &Table, screen: &mut dyn Screen, reason: &str) -> Result<(), Failure> {
    Ok(screen.refused(table.player.player(), reason)?)
}

/// Why something is not possible, where the words of the contract say less.
fn words_of(wish: Wish, error: Refusal) -> String {
    match (wish, error) {
        (Wish::Draw, Refusal::YourTurn) => "offer a draw after your move".into(),
        (Wish::Draw, Refusal::NoOffer) => {
            "the game continues on the chain, where no draw can be offered".into()
        }
        (_, Refusal::NoOffer) => "there is no open offer of a draw".into(),
        (_, Refusal::YourTurn) => "it is your turn".into(),
        (_, error) => error.to_string(),
    }
}

async fn perform(
    table: &mut Table,
    screen: &mut dyn Screen,
    wish: Wish,
) -> Result<Result<(), PlayError>, Failure> {
    let progress = screen.progress();
    let player = table.player.player();
    Ok(match wish {
        Wish::Help => {
            screen.say(HELP.into())?;
            Ok(())
        }
        Wish::Drop(bin) => {
            progress.say("making the move");
            let made = attend(screen, table.player.drop(bin)).await?;
            progress.clear();
            match made {
                Ok(Made::Signed) => bring_without_relay(table, screen).await?,
                Ok(Made::OnChain(receipt)) => screen.note(&Note::Performed {
                    player: Some(player),
                    signer: table.signer().to_string(),
                    action: Action::Drop(bin),
                    has_ended: receipt.value.ended().is_some(),
                    sent: (&*receipt).into(),
                })?,
                Err(error) => return Ok(Err(error)),
            }
            Ok(())
        }
        Wish::Press => {
            progress.say("waiting for the block");
            let pressed = attend(screen, table.player.press()).await?;
            progress.clear();
            match pressed {
                Ok(receipt) => {
                    let cost = words::cost(&receipt.transaction, receipt.deposit, &screen.token());
                    let theirs = words::coloured(player.opponent(), player.opponent(), false);
                    let cost = dim(cost);
                    screen.say(format!("started {theirs}'s clock on the chain: {cost}"))?;
                    Ok(())
                }
                Err(error) => Err(error),
            }
        }
        Wish::Resign => table.player.resign(),
        Wish::Draw => table.player.offer_draw(),
        Wish::Accept => table.player.accept_draw(),
        Wish::Decline => match table.player.decline_draw() {
            true => Ok(()),
            false => Err(SeatError::Refused(Refusal::NoOffer).into()),
        },
        Wish::Settle => {
            let settled = attend(screen, table.player.settle()).await?;
            match settled {
                Ok(Some(receipt)) => {
                    let cost = words::cost(&receipt.transaction, receipt.deposit, &screen.token());
                    screen.say(format!(
                        "submitted the end of the game to the chain: {}",
                        dim(cost)
                    ))?;
                    Ok(())
                }
                Ok(None) => {
                    let text = "the game is not over, or its end is on the chain already";
                    screen.say(text.into())?;
                    Ok(())
                }
                Err(error) => Err(error),
            }
        }
    })
}

/// Without a relay a move that was signed goes to the chain, from where the opponent has it.
async fn bring_without_relay(table: &mut Table, screen: &mut dyn Screen) -> Result<(), Failure> {
    let is_over = table.player.latest().is_over();
    if *table.player.relay() != RelayState::None || is_over {
        return Ok(());
    }
    let progress = screen.progress();
    progress.say("waiting for the block");
    let brought = attend(screen, table.player.bring()).await?;
    progress.clear();
    let text = match brought {
        Ok(receipt) => {
            let cost = words::cost(&receipt.transaction, receipt.deposit, &screen.token());
            format!("made the move on the chain: {}", dim(cost))
        }
        Err(error) => {
            let why = Failure::from(error);
            format!("the move is signed, but not on the chain; `press` tries again: {why}")
        }
    };
    // A note would give way to that of the move.
    Ok(screen.notice(&text)?)
}
