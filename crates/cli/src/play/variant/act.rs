//! What players of a variant want, done on the chain.

use connect4_client::{Address, Error, Event, Seen, Signer, VariantAction};
use connect4_protocol::Error as Refusal;
use connect4_protocol::variants::Game;
use connect4_protocol::variants::event::PlayerLeft;
use connect4_rules::variant::{Colour, Move, Position};

use super::input::{self, Input};
use super::table::Table;
use crate::attend::attend;
use crate::failure::Failure;
use crate::play::Screen;
use crate::play::act::{CLOCKS_DIFFER, may_have_changed};
use crate::play::taken_back;
use crate::report::{Sent, TakenBack, VariantLeft, VariantMoved};
use crate::words::{coloured, variant};

/// Does what a player at this terminal wants, and returns the game after it.
pub async fn act(
    table: &mut Table,
    screen: &mut dyn Screen,
    game: &Seen<Game>,
    colour: Colour,
    wanted: Input,
) -> Result<Seen<Game>, Failure> {
    match wanted {
        Input::Help => {
            screen.say(input::help(game.position()))?;
            Ok(*game)
        }
        Input::Move(action) => make_move(table, screen, game, colour, action).await,
        Input::Leave => perform(table, screen, game, VariantAction::Leave).await,
        Input::Claim => perform(table, screen, game, VariantAction::RemoveLate).await,
    }
}

/// Makes a move of the player to move, who sits here.
async fn make_move(
    table: &mut Table,
    screen: &mut dyn Screen,
    game: &Seen<Game>,
    colour: Colour,
    action: Move,
) -> Result<Seen<Game>, Failure> {
    let Some(signer) = table.signer(game, colour) else {
        return Ok(*game);
    };
    let progress = screen.progress();
    progress.say("waiting for the block");
    let wanted = VariantAction::Move(action);
    let contract = table.contract.clone().answering(table.number, *game);
    let making = contract.perform(signer, table.number, wanted);
    let made = attend(screen, making).await?;
    let after = attend(screen, table.read()).await?;
    progress.clear();
    match made {
        Ok(receipt) => {
            let after = after?;
            let (turn, block) = (game.position().turns(), receipt.transaction.block);
            table.moves.made(turn, (colour, action), block);
            screen.variant_played(&VariantMoved {
                colour,
                action,
                before: game.position(),
                after: table.at(&after),
                sent: Some((&receipt).into()),
            })?;
            Ok(after)
        }
        // The game changed first, or the answer was lost: the chain knows how the game stands.
        Err(error) => {
            let late = error.refusal() == Some(Refusal::OutOfTime);
            match after {
                Ok(after) if may_have_changed(&error) && (after.value != game.value || late) => {
                    if !tell_taken_back(table, screen, game, &after)? {
                        screen.overtaken(&Failure::from(error).to_string());
                    }
                    Ok(after)
                }
                _ => Err(error.into()),
            }
        }
    }
}

/// Performs an action other than a move.
async fn perform(
    table: &mut Table,
    screen: &mut dyn Screen,
    game: &Seen<Game>,
    action: VariantAction,
) -> Result<Seen<Game>, Failure> {
    let Some(signer) = table.actor(game) else {
        return Ok(*game);
    };
    let progress = screen.progress();
    progress.say("waiting for the block");
    let performed = take_out(table, screen, game, &signer, action).await;
    progress.clear();
    match performed? {
        Ok(()) => {}
        // Nothing has changed: the player is told, and asked again.
        Err(Error::Refused { error, .. }) => {
            let colour = game.to_move().unwrap_or(Colour::Red);
            screen.action_refused(colour, &error.to_string())?;
        }
        // What it answered to was taken back: the player sees how the game is now.
        Err(error @ Error::TakenBack { .. }) => {
            let after = attend(screen, table.read()).await??;
            if !tell_taken_back(table, screen, game, &after)? {
                screen.overtaken(&Failure::from(error).to_string());
            }
            return Ok(after);
        }
        Err(error) => return Err(error.into()),
    }
    attend(screen, table.read()).await?
}

/// Performs an action by which a player leaves, and reports it.
async fn take_out(
    table: &mut Table,
    screen: &mut dyn Screen,
    before: &Seen<Game>,
    signer: &Signer,
    action: VariantAction,
) -> Result<Result<(), Error>, Failure> {
    let contract = table.contract.clone().answering(table.number, *before);
    let performing = contract.perform(signer, table.number, action);
    let receipt = match attend(screen, performing).await? {
        Ok(receipt) => receipt,
        Err(error) => return Ok(Err(error)),
    };
    let left = receipt.value.iter().find_map(|event| match event {
        Event::PlayerLeft(PlayerLeft { player, late, .. }) => Some((*player, *late)),
        _ => None,
    });
    let after = attend(screen, table.contract.game(table.number)).await??;
    if let (Some((account, late)), Some(after)) = (left, after) {
        let sent = Some((&receipt).into());
        // Who no longer reads the output is told by the next board.
        let _ = report_left(table, screen, before, &after, account, late, sent);
    }
    Ok(Ok(()))
}

fn report_left(
    table: &Table,
    screen: &mut dyn Screen,
    before: &Game,
    after: &Game,
    account: Address,
    late: bool,
    sent: Option<Sent<'_>>,
) -> Result<(), Failure> {
    Ok(screen.player_left(&VariantLeft {
        account,
        colour: before.colour_of(account),
        late,
        after: table.at(after),
        sent,
    })?)
}

/// Reports what players elsewhere have done since the game was read last, or that the chain took
/// moves back.
pub fn report_change(
    table: &mut Table,
    screen: &mut dyn Screen,
    before: &Game,
    after: &Seen<Game>,
) -> Result<(), Failure> {
    if tell_taken_back(table, screen, before, after)? {
        return Ok(());
    }
    let action = one_move(before, after);
    if let (Some(action), Some(colour)) = (action, before.to_move()) {
        let (turn, block) = (before.position().turns(), after.block.number);
        table.moves.made(turn, (colour, action), block);
        return Ok(screen.variant_played(&VariantMoved {
            colour,
            action,
            before: before.position(),
            after: table.at(after),
            sent: None,
        })?);
    }
    let leaver = Colour::ALL
        .into_iter()
        .find(|&colour| after.position().has_left(colour) && !before.position().has_left(colour));
    match leaver {
        Some(colour) => {
            let account = after.account_of(colour);
            let was_late = before.deadline().is_some_and(|deadline| {
                before.to_move() == Some(colour) && deadline < after.since()
            });
            report_left(table, screen, before, after, account, was_late, None)
        }
        None => {
            screen.clear_note();
            Ok(())
        }
    }
}

/// Reports the moves that a game had before and has not after, and returns whether there are any.
fn tell_taken_back(
    table: &mut Table,
    screen: &mut dyn Screen,
    before: &Game,
    after: &Game,
) -> Result<bool, Failure> {
    let count = lost_moves(before, after);
    if count == 0 {
        return Ok(false);
    }
    let first = before.position().turns().saturating_sub(count);
    let known = table.moves.take_back(first);
    let known: Vec<_> = known
        .iter()
        .map(|made| {
            let (colour, action) = made.what;
            let mover = coloured(colour, colour, false);
            (variant::deed(&mover, action, None), made.block)
        })
        .collect();
    screen.variant_taken_back(&TakenBack {
        text: taken_back::text("move", count.into(), &known),
        count: count.into(),
        after: table.at(after),
    })?;
    Ok(true)
}

/// Number of moves that `before` has and `after` has not, as far as their positions tell: if the game
/// has gone on further on another branch, they do not.
fn lost_moves(before: &Game, after: &Game) -> u8 {
    let (was, is) = (before.position(), after.position());
    let left = |position: &Position| Colour::ALL.map(|colour| position.has_left(colour));
    let is_other = left(was) == left(is) && was != is;
    match was.turns().checked_sub(is.turns()) {
        None => 0,
        Some(0) => u8::from(is_other && was.turns() > 0),
        Some(lost) => lost,
    }
}

/// The only move that leads from one position to the other; none if there were more, or none.
fn one_move(before: &Game, after: &Game) -> Option<Move> {
    let mut moves = before.position().legal_moves();
    moves.find(|&action| {
        let mut position = *before.position();
        position.play(action).is_ok() && position == *after.position()
    })
}

/// The deadline of the player to move is over. If the player sits elsewhere, it is removed: the
/// others' programs may not be running.
pub async fn time_is_up(
    table: &mut Table,
    screen: &mut dyn Screen,
    game: &Seen<Game>,
) -> Result<Seen<Game>, Failure> {
    let is_ours = game
        .to_move()
        .is_some_and(|colour| table.signer(game, colour).is_some());
    if is_ours {
        // Others may remove the player. A move is still tried, and refused, if it is made. The node
        // may be away, and the player is told all the same.
        screen.say("your time has run out".into())?;
        return Ok(*game);
    } else if let Some(signer) = table.actor(game) {
        let removed = take_out(table, screen, game, &signer, VariantAction::RemoveLate).await;
        match removed? {
            Ok(()) => {}
            Err(error) => match error.refusal() {
                Some(Refusal::TimeLeft) => tokio::time::sleep(CLOCKS_DIFFER).await,
                Some(Refusal::GameOver) => {}
                _ => return Err(error.into()),
            },
        }
    }
    attend(screen, table.read()).await?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn moves_that_were_taken_back_are_counted() {
        let lost = |before, after| lost_moves(&samples::variant(before), &samples::variant(after));
        assert_eq!(lost("12", "12"), 0);
        assert_eq!(lost("12", "12t1.1"), 0);
        assert_eq!(lost("12t1.1", "12"), 1);
        assert_eq!(lost("123", ""), 3);
        assert_eq!(lost("12", "13"), 1, "another one is in its place");
    }
}
