//! What comes first in a turn: an answer of a player here, or something that happens elsewhere.

use connect4_wire::words::now;

use super::listen::{Heard, Listening};
use super::screen::Screen;
use crate::attend::attend;
use crate::failure::Failure;
use crate::input::Lines;
use crate::report::Printed;

/// The input of the players at this terminal.
pub struct Hearing {
    pub lines: Lines,
    /// Whether the input has ended.
    pub has_ended: bool,
}

impl Hearing {
    /// The input of this terminal, from now on.
    pub fn begin() -> Self {
        Self {
            lines: Lines::read(),
            has_ended: false,
        }
    }
}

/// What a turn came to. `W` is what players can want, `C` what changes on the chain.
pub enum Step<W, C> {
    /// A player at this terminal, or a computer, wants this.
    Wanted(W),
    /// The game has changed.
    Changed(C),
    /// The deadline of the player to move is over.
    TimeIsUp,
    /// The input has ended.
    End,
}

/// Asks a player at this terminal until there is an answer that can be tried, or until something
/// happens elsewhere. `read` makes of an answer what the player wants, or says why it is nothing,
/// which `refuse` tells; `change` waits for players elsewhere, if there are any.
pub async fn ask<W, C, F: Future<Output = Result<C, Failure>>>(
    screen: &mut dyn Screen,
    lines: &mut Lines,
    question: &str,
    deadline: Option<u64>,
    change: impl Fn() -> Option<F>,
    read: impl Fn(&str) -> Result<W, String>,
    refuse: impl Fn(&mut dyn Screen, &str) -> Printed,
) -> Result<Step<W, C>, Failure> {
    let is_late = deadline.is_some_and(|deadline| deadline < now());
    loop {
        screen.question(question)?;
        let listening = Listening {
            lines: Some(lines),
            deadline: deadline.filter(|_| !is_late),
        };
        let step = match attend(screen, listening.first(change())).await?? {
            Heard::Line(Some(answer)) => {
                screen.answered(question, &answer)?;
                match read(&answer) {
                    Ok(wanted) => return Ok(Step::Wanted(wanted)),
                    Err(reason) => refuse(screen, &reason)?,
                }
                continue;
            }
            Heard::Line(None) => Step::End,
            Heard::Changed(changed) => Step::Changed(changed),
            Heard::TimeIsUp => Step::TimeIsUp,
        };
        screen.interrupted()?;
        return Ok(step);
    }
}

/// Waits for a player who sits elsewhere. On a terminal, words are heard meanwhile: `word` makes of
/// one what the player wants, and `help` says which there are.
pub async fn wait<W, C, F: Future<Output = Result<C, Failure>>>(
    screen: &mut dyn Screen,
    hearing: &mut Hearing,
    deadline: Option<u64>,
    change: impl Fn() -> F,
    word: impl Fn(&str) -> Option<W>,
    help: &str,
) -> Result<Step<W, C>, Failure> {
    let progress = screen.progress();
    progress.say("waiting");
    loop {
        // Lines that are piped in are answers to later questions.
        let hears = screen.is_terminal() && !hearing.has_ended;
        let listening = Listening {
            lines: hears.then_some(&mut hearing.lines),
            deadline,
        };
        match attend(screen, listening.first(Some(change()))).await?? {
            Heard::Changed(changed) => return Ok(Step::Changed(changed)),
            Heard::TimeIsUp => return Ok(Step::TimeIsUp),
            Heard::Line(None) => hearing.has_ended = true,
            Heard::Line(Some(line)) => {
                let wanted = word(&line);
                screen.typed_ahead(&line, wanted.is_some(), help)?;
                if let Some(wanted) = wanted {
                    return Ok(Step::Wanted(wanted));
                }
            }
        }
    }
}
