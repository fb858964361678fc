//! What has happened in a fast game, in words.

use std::time::Duration;

use connect4_client::fast::{ClocksDiffer, Duty, PlayerEvent, RelayState};
use connect4_protocol::{AnyGame, End, Game};
use connect4_rules::variant::{Colour, Move};

use super::table::Table;
use crate::failure::Failure;
use crate::game::{GameAt, Numbering};
use crate::output::Output;
use crate::play::changes::{lost_moves, one_move};
use crate::play::turn::Backend as _;
use crate::said::{Made, Note, Said, Step};
use crate::words::{minutes, took_over};

/// How long an opponent may be silent before the player is told what can be done.
const SILENCE: Duration = Duration::from_secs(20);

/// Says what has happened. Returns whether the board is to be drawn again.
pub fn tell(table: &mut Table, out: &mut Output, event: PlayerEvent) -> Result<bool, Failure> {
    match event {
        PlayerEvent::Changed | PlayerEvent::Offered => {
            table.trouble = None;
            table.heard_of_opponent();
            tell_clock(table, out)?;
            Ok(true)
        }
        PlayerEvent::Relay => {
            if let RelayState::Connected { opponent: true } = table.player.relay() {
                table.heard_of_opponent();
            }
            out.say(Said::FastState(table.state()))?;
            Ok(out.is_terminal())
        }
        PlayerEvent::Done(duty, receipt) => {
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
                Duty::Claim if table.player.latest().end() == Some(End::Agreement) => {
                    "nobody has contested the draw in time; the end was submitted to the chain"
                        .into()
                }
                Duty::Claim => "time has run out; the end was submitted to the chain".into(),
            };
            out.say(Said::Note(Note::Sent(&text, (&*receipt).into())))?;
            Ok(true)
        }
        PlayerEvent::NotDone(_, error) => {
            let why = Failure::from(error);
            let text = format!("cannot send to the chain, retrying: {why}");
            trouble(table, out, text)
        }
        PlayerEvent::NotSeen(error) => {
            let text = format!("cannot read the chain, retrying: {error}");
            trouble(table, out, text)
        }
        PlayerEvent::NotTaken(error) => trouble(table, out, error.to_string()),
        PlayerEvent::ClocksDiffer(differ) => {
            let (by, how) = match differ {
                ClocksDiffer::Ahead(by) => (by, "ahead of"),
                ClocksDiffer::Behind(by) => (by, "behind"),
            };
            let by = minutes(by);
            out.say(Said::Note(Note::Text(&format!(
                "the clock of this machine is {by} {how} the chain's: the chain's time counts, and \
                 the times shown here are wrong by as much"
            ))))?;
            Ok(true)
        }
        PlayerEvent::Tick => silence(table, out),
    }
}

/// Says what does not work, once until the game has changed: it is tried again and again.
fn trouble(table: &mut Table, out: &mut Output, text: String) -> Result<bool, Failure> {
    if table.trouble.as_ref() == Some(&text) {
        return Ok(false);
    }
    out.say(Said::Note(Note::Text(&text)))?;
    table.trouble = Some(text);
    Ok(true)
}

/// Says that the player's clock was started on the chain, in the position in which it is to move.
fn tell_clock(table: &mut Table, out: &mut Output) -> Result<(), Failure> {
    let latest = table.player.latest();
    let ours = table.player.player();
    let runs = latest.deadline().is_some() && latest.to_move() == Some(ours);
    let started = runs && !std::mem::replace(&mut table.runs, runs);
    table.runs = runs;
    let is_shown =
        (latest.moves(), latest.position()) == (table.shown.moves(), table.shown.position());
    if started && latest == table.player.chain().game && is_shown {
        let name = table.name_of_opponent();
        let text = format!("{name} has started your clock on the chain");
        out.say(Said::Note(Note::Text(&text)))?;
    }
    Ok(())
}

/// Says once that the opponent is silent, and what can be done.
fn silence(table: &mut Table, out: &mut Output) -> Result<bool, Failure> {
    let waits = table.shown.to_move().is_some() && !table.is_ours();
    if !waits || table.said_silent || table.silent_since.elapsed() < SILENCE {
        return Ok(false);
    }
    table.said_silent = true;
    let name = table.name_of_opponent();
    let Ok(()) = table.player.can_press() else {
        return Ok(false);
    };
    out.say(Said::Note(Note::Text(&format!(
        "{name} is silent: `press` starts {name}'s clock on the chain, and the game continues when \
         {name} answers, there or here"
    ))))?;
    Ok(true)
}

/// Says which moves were made since the game was shown last, on the chain or off it.
pub fn tell_moves(table: &mut Table, out: &mut Output) -> Result<(), Failure> {
    let (before, after) = (table.shown, table.player.latest());
    table.shown = after;
    if lost_moves(&before.into(), &after.into()) > 0 {
        let id = table.id();
        let text = format!("game {id} continues from another position, which is on the chain");
        return out.say(Said::Note(Note::Text(&text)));
    }
    let at = table.at(&after);
    tell_move(&before, &after, at, out)
}

/// Says which move was made between two states of a game, if it was one.
pub fn tell_move(before: &Game, after: &Game, at: GameAt, out: &mut Output) -> Result<(), Failure> {
    tell_move_by(Numbering::Zero, before, after, at, out)
}

/// The same, with bins and rows that are counted in this way.
pub fn tell_move_by(
    numbering: Numbering,
    before: &Game,
    after: &Game,
    at: GameAt,
    out: &mut Output,
) -> Result<(), Failure> {
    if after.is_swapped() && !before.is_swapped() {
        let text = took_over(Colour::Blue.name());
        return out.say(Said::Note(Note::Text(&text)));
    }
    let moved = one_move(&(*before).into(), &(*after).into());
    let moved = moved.filter(|_| after.turns() == before.turns() + 1);
    if let (Some((Move::Drop(bin), row)), Some(colour)) = (moved, AnyGame::from(*before).to_move())
    {
        out.say(Said::Moved(Made {
            colour,
            step: Step::Drop {
                bin,
                row,
                numbering,
            },
            after: at,
            sent: None,
        }))?;
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
