//! What a player wants, signed or done on the chain.

use connect4_client::Action;
use connect4_client::fast::{Made, PlayError, RelayState, SeatError};
use connect4_protocol::Error as Refusal;
use connect4_rules::variant::Move;

use super::table::Table;
use crate::failure::Failure;
use crate::output::Output;
use crate::play::grammar::{Grammar, Input, NO_SWAP};
use crate::play::may_have_changed;
use crate::play::turn::Backend as _;
use crate::said::{Note, Said};
use crate::words;

/// Does what the player wants. What is refused, can't be paid or can't be kept is said, and the game
/// continues.
pub async fn act(table: &mut Table, out: &mut Output, input: Input) -> Result<(), Failure> {
    let done = perform(table, out, input).await?;
    table.heard_of_opponent();
    out.progress().clear();
    match done {
        Ok(()) => Ok(()),
        Err(PlayError::Seat(SeatError::Refused(error))) => {
            refuse(table, out, &words_of(input, error))
        }
        Err(PlayError::Seat(error @ (SeatError::Bound(_) | SeatError::ClocksDiffer(_)))) => {
            refuse(table, out, &error.to_string())
        }
        Err(PlayError::Chain(error)) if may_have_changed(&error) || error.refusal().is_some() => {
            out.say(Said::Overtaken(&Failure::from(error).to_string()))
        }
        Err(error) => {
            let text = format!("not done: {}", Failure::from(error));
            out.say(Said::Note(Note::Text(&text)))
        }
    }
}

fn refuse(table: &Table, out: &mut Output, reason: &str) -> Result<(), Failure> {
    out.say(Said::Refused {
        game: table.id(),
        colour: table.colour_of(table.player.player()),
        reason,
    })
}

/// Why something is not possible, where the words of the contract say less.
pub fn words_of(input: Input, error: Refusal) -> String {
    match (input, error) {
        (Input::Draw, Refusal::YourTurn) => "offer a draw after your move".into(),
        (Input::Draw, Refusal::NoOffer) => {
            "the game continues on the chain, where no draw can be offered".into()
        }
        (_, Refusal::NoOffer) => "there is no open offer of a draw".into(),
        (_, Refusal::YourTurn) => "it is your turn".into(),
        (Input::Swap, Refusal::NoSuchBin) => NO_SWAP.into(),
        (_, error) => error.to_string(),
    }
}

async fn perform(
    table: &mut Table,
    out: &mut Output,
    input: Input,
) -> Result<Result<(), PlayError>, Failure> {
    let progress = out.progress();
    let player = table.shown.colour_of(table.player.player());
    Ok(match input {
        // Not typed in such a game.
        Input::OnChain(_) => Ok(()),
        Input::Help => {
            let position = table.player.latest().position().into();
            out.say(Said::Note(Note::Text(&Grammar::Fast.help(&position))))?;
            Ok(())
        }
        Input::Move(Move::Drop(_) | Move::Swap) | Input::Swap => {
            progress.say("making the move");
            let action = match input {
                Input::Move(action) => action,
                _ => Move::Swap,
            };
            let made = match action {
                Move::Drop(bin) => out.wait_for(table.player.drop(bin)).await?,
                _ => out.wait_for(table.player.swap()).await?,
            };
            progress.clear();
            match made {
                Ok(Made::Signed) => bring_without_relay(table, out).await?,
                Ok(Made::OnChain(receipt)) => out.say(Said::Note(Note::Performed {
                    player: Some(player),
                    signer: table.signer(),
                    action: Action::Move(action),
                    has_ended: receipt.value.ended().is_some(),
                    sent: (&*receipt).into(),
                }))?,
                Err(error) => return Ok(Err(error)),
            }
            Ok(())
        }
        Input::Press => {
            progress.say("waiting for the block");
            let pressed = out.wait_for(table.player.press()).await?;
            progress.clear();
            match pressed {
                Ok(receipt) => {
                    let theirs = table.name_of_opponent();
                    let text = format!("started {theirs}'s clock on the chain");
                    out.say(Said::Note(Note::Sent(&text, (&receipt).into())))?;
                    Ok(())
                }
                Err(error) => Err(error),
            }
        }
        // Not typed in a fast game.
        Input::Move(_) | Input::Claim => Ok(()),
        Input::Resign => table.player.resign(),
        Input::Draw => table.player.offer_draw(),
        Input::Accept => table.player.accept_draw(),
        Input::Decline => match table.player.decline_draw() {
            true => Ok(()),
            false => Err(SeatError::Refused(Refusal::NoOffer).into()),
        },
        Input::Settle => {
            let settled = out.wait_for(table.player.settle()).await?;
            match settled {
                Ok(Some(receipt)) => {
                    let text = "submitted the end of the game to the chain";
                    out.say(Said::Note(Note::Sent(text, (&receipt).into())))?;
                    Ok(())
                }
                Ok(None) => {
                    let text = "the game is not over, or its end is on the chain already";
                    out.say(Said::Note(Note::Text(text)))?;
                    Ok(())
                }
                Err(error) => Err(error),
            }
        }
    })
}

/// Without a relay a move that was signed goes to the chain, from where the opponent has it.
async fn bring_without_relay(table: &mut Table, out: &mut Output) -> Result<(), Failure> {
    let is_over = table.player.latest().is_over();
    if *table.player.relay() != RelayState::None || is_over {
        return Ok(());
    }
    let progress = out.progress();
    progress.say("waiting for the block");
    let brought = out.wait_for(table.player.bring()).await?;
    progress.clear();
    let text = match brought {
        Ok(receipt) => {
            let cost = words::cost(&receipt.transaction, receipt.deposit, out.token());
            format!("made the move on the chain: {}", words::dim(cost))
        }
        Err(error) => {
            let why = Failure::from(error);
            format!("the move is signed, but not on the chain; `press` tries again: {why}")
        }
    };
    // A note would give way to that of the move.
    out.say(Said::Notice(&text))
}
