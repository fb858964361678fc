//! A fast game, turn by turn.

use std::time::Duration;

use connect4_client::GameId;
use connect4_client::fast::{ClocksDiffer, Duty, Happening, RelayState};
use connect4_protocol::End;
use connect4_rules::Bin;

use super::act;
use super::table::Table;
use super::wish::{self, HELP};
use crate::attend::attend;
use crate::failure::Failure;
use crate::play::hearing::Hearing;
use crate::play::screen::Screen;
use crate::play::view::{lost_discs, new_disc};
use crate::report::{FastState, Moved};
use crate::words::{self, coloured, minutes};

const QUESTION: &str = "Enter a bin index (starting from 0): ";
/// How long an opponent may be silent before the player is told what can be done.
const SILENCE: Duration = Duration::from_secs(20);

/// What was waited for.
enum Heard {
    /// A line of input; none if the input has ended.
    Line(Option<String>),
    Happening(Box<Happening>),
}

/// Plays until the game has ended.
pub async fn run(
    table: &mut Table,
    screen: &mut dyn Screen,
    hearing: &mut Hearing,
) -> Result<(), Failure> {
    loop {
        show_changes(table, screen)?;
        screen.fast_state(&FastState::of(&table.player))?;
        let game = table.player.latest();
        screen.draw(&table.view(&game))?;
        if game.is_over() {
            return Ok(());
        }
        take_turn(table, screen, hearing).await?;
    }
}

/// Returns once something has changed that is to be shown.
async fn take_turn(
    table: &mut Table,
    screen: &mut dyn Screen,
    hearing: &mut Hearing,
) -> Result<(), Failure> {
    let game = table.shown;
    let Some(player) = game.to_move() else {
        return Ok(());
    };
    let is_ours = table.is_ours();
    if is_ours {
        if screen.is_terminal() {
            hearing.lines.forget();
        }
        screen.ask(u16::from(game.turns()) + 1, player)?;
        screen.question(QUESTION)?;
    } else {
        screen.waiting(player.into(), "press, draw, resign or help")?;
        screen.progress().say("waiting");
    }
    loop {
        let ahead = match is_ours {
            true => table.ahead.pop_front(),
            false => None,
        };
        let heard = match ahead {
            Some(line) => Heard::Line(Some(line)),
            None => listen(table, screen, hearing, is_ours).await?,
        };
        match heard {
            Heard::Line(None) if is_ours => {
                screen.interrupted()?;
                return Err(Failure::unfinished());
            }
            Heard::Line(None) => hearing.has_ended = true,
            Heard::Line(Some(line)) if is_ours => {
                screen.answered(QUESTION, &line)?;
                match wish::answer(&line, &game.position()) {
                    Ok(wish) => return act::act(table, screen, wish).await,
                    Err(reason) => {
                        screen.invalid(player, &reason)?;
                        screen.question(QUESTION)?;
                    }
                }
            }
            Heard::Line(Some(line)) => {
                let wish = wish::word(&line);
                if wish.is_none() && !screen.is_terminal() {
                    // It is piped in: an answer to a later question.
                    table.ahead.push_back(line);
                    continue;
                }
                screen.typed_ahead(&line, wish.is_some(), HELP)?;
                if let Some(wish) = wish {
                    return act::act(table, screen, wish).await;
                }
            }
            Heard::Happening(happening) => {
                if tell(table, screen, *happening)? {
                    if is_ours {
                        screen.interrupted()?;
                    }
                    return Ok(());
                }
            }
        }
    }
}

async fn listen(
    table: &mut Table,
    screen: &mut dyn Screen,
    hearing: &mut Hearing,
    is_ours: bool,
) -> Result<Heard, Failure> {
    let hears = is_ours || !hearing.has_ended;
    let typed = async {
        match hears {
            true => hearing.lines.next().await,
            false => std::future::pending().await,
        }
    };
    let first = async {
        tokio::select! {
            biased;
            line = typed => line
                .map(Heard::Line)
                .map_err(|error| Failure::Other(format!("cannot read the input: {error}"))),
            happening = table.player.next() => Ok(Heard::Happening(Box::new(happening))),
        }
    };
    attend(screen, first).await?
}

/// Says what has happened. Returns whether the board is to be drawn again.
pub fn tell(
    table: &mut Table,
    screen: &mut dyn Screen,
    happening: Happening,
) -> Result<bool, Failure> {
    match happening {
        Happening::Changed | Happening::Offered => {
            table.trouble = None;
            table.heard_of_opponent();
            tell_clock(table, screen)?;
            Ok(true)
        }
        Happening::Relay => {
            if let RelayState::Connected { opponent: true } = table.player.relay() {
                table.heard_of_opponent();
            }
            screen.fast_state(&FastState::of(&table.player))?;
            Ok(screen.is_terminal())
        }
        Happening::Done(duty, receipt) => {
            let cost = words::cost(&receipt.transaction, receipt.deposit, &screen.token());
            let text = match duty {
                Duty::Advance(evidence) if table.player.latest().is_over() => {
                    let moves = evidence.moves.turns();
                    format!("submitted the end of the game after {moves} moves to the chain")
                }
                Duty::Advance(evidence) => format!(
                    "submitted the {} moves that both players have signed, as a clock ran on the \
                     chain",
                    evidence.moves.turns()
                ),
                Duty::Claim if table.player.latest().end() == Some(End::Line) => {
                    "nobody has contested the line in time; the end was submitted to the chain"
                        .into()
                }
                Duty::Claim => "time has run out; the end was submitted to the chain".into(),
            };
            screen.say(format!("{text}: {}", words::dim(cost)))?;
            Ok(true)
        }
        Happening::NotDone(_, error) => {
            let why = Failure::from(error);
            let text = format!("cannot send to the chain, retrying: {why}");
            trouble(table, screen, text)
        }
        Happening::NotSeen(error) => {
            let text = format!("cannot read the chain, retrying: {error}");
            trouble(table, screen, text)
        }
        Happening::NotTaken(error) => trouble(table, screen, error.to_string()),
        Happening::ClocksDiffer(differ) => {
            let (by, how) = match differ {
                ClocksDiffer::Ahead(by) => (by, "ahead of"),
                ClocksDiffer::Behind(by) => (by, "behind"),
            };
            let by = minutes(by);
            screen.say(format!(
                "the clock of this machine is {by} {how} the chain's: the chain's time counts, and \
                 the times shown here are wrong by as much"
            ))?;
            Ok(true)
        }
        Happening::Tick => silence(table, screen),
    }
}

/// Says what does not work, once until the game has changed: it is tried again and again.
fn trouble(table: &mut Table, screen: &mut dyn Screen, text: String) -> Result<bool, Failure> {
    if table.trouble.as_ref() == Some(&text) {
        return Ok(false);
    }
    screen.say(text.clone())?;
    table.trouble = Some(text);
    Ok(true)
}

/// Says that the player's clock was started on the chain, in the position in which it is to move.
fn tell_clock(table: &mut Table, screen: &mut dyn Screen) -> Result<(), Failure> {
    let latest = table.player.latest();
    let ours = table.player.player();
    let runs = latest.deadline().is_some() && latest.to_move() == Some(ours);
    let started = runs && !std::mem::replace(&mut table.runs, runs);
    table.runs = runs;
    if started && latest == table.player.chain().game && latest.position() == table.shown.position()
    {
        let name = coloured(ours.opponent(), ours.opponent(), false);
        screen.say(format!("{name} has started your clock on the chain"))?;
    }
    Ok(())
}

/// Says once that the opponent is silent, and what can be done.
fn silence(table: &mut Table, screen: &mut dyn Screen) -> Result<bool, Failure> {
    let waits = table.shown.to_move().is_some() && !table.is_ours();
    if !waits || table.said_silent || table.silent_since.elapsed() < SILENCE {
        return Ok(false);
    }
    table.said_silent = true;
    let theirs = table.player.player().opponent();
    let name = coloured(theirs, theirs, false);
    let Ok(()) = table.player.can_press() else {
        return Ok(false);
    };
    screen.say(format!(
        "{name} is silent: `press` starts {name}'s clock on the chain, and the game continues when \
         {name} answers, there or here"
    ))?;
    Ok(true)
}

/// Reports the moves that were made since the game was shown last, on the chain or off it.
fn show_changes(table: &mut Table, screen: &mut dyn Screen) -> Result<(), Failure> {
    let (before, after) = (table.shown, table.player.latest());
    table.shown = after;
    if before == after {
        return Ok(());
    }
    if lost_discs(&before, &after) > 0 {
        let id = GameId::of_two(table.player.number());
        let text = format!("game {id} continues from another position, which is on the chain");
        return Ok(screen.say(text)?);
    }
    let moved = new_disc(&before, &after).filter(|_| after.turns() == before.turns() + 1);
    if let (Some((bin, row)), Some(player)) = (moved, before.to_move()) {
        screen.moved(&Moved {
            player,
            bin: Bin::new(bin.index()),
            row,
            after: table.at(&after),
            sent: None,
        })?;
    }
    Ok(())
}

impl Table {
    /// The opponent has moved, or is there.
    pub fn heard_of_opponent(&mut self) {
        self.silent_since = std::time::Instant::now();
        self.said_silent = false;
    }
}
