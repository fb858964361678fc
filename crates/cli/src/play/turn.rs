//! A game, turn by turn: the same for games on the chain and signed ones, for all terms.

use std::collections::VecDeque;
use std::future::pending;
use std::time::Duration;

use connect4_protocol::{AnyGame, GameName};
use connect4_rules::variant::{Colour, Move};
use connect4_wire::words::now;

use super::grammar::{Grammar, Input};
use crate::failure::Failure;
use crate::game::Position;
use crate::input::Lines;
use crate::live::{Bins, Keys};
use crate::output::Output;
use crate::people::View;
use crate::said::Said;

/// A game at this terminal, by the way on which its moves go.
pub trait Backend {
    /// Something that has happened elsewhere.
    type Change;
    /// Whether lines are read while an opponent is to move, though nobody sits at a terminal.
    const READS_AHEAD: bool;

    /// The game as people name it.
    fn id(&self) -> GameName;

    /// The game as it is shown.
    fn game(&self) -> AnyGame;

    fn grammar(&self) -> Grammar;

    /// Says what has changed since the last board.
    fn tell_news(&mut self, out: &mut Output) -> Result<(), Failure>;

    /// The game as it is drawn.
    fn view(&self) -> View;

    fn is_here(&self, colour: Colour) -> bool;

    /// The move of this turn whose block was replaced; none if there was none.
    fn undone(&self, _colour: Colour) -> Option<Move> {
        None
    }

    /// Whether a computer plays a colour here.
    fn has_computer(&self, _colour: Colour) -> bool {
        false
    }

    /// The move of the computer that plays a colour.
    async fn choose(&mut self, colour: Colour) -> Result<Move, Failure> {
        Err(Failure::Other(format!("no computer plays {colour}")))
    }

    /// The last second of the player to move, since 1970, after which [`Self::time_is_up`]; none if it
    /// does not matter.
    fn deadline(&self, colour: Colour) -> Option<u64>;

    /// Waits until something has happened elsewhere. Nothing is lost if it is dropped.
    async fn next(&mut self) -> Result<Self::Change, Failure>;

    /// Takes over what has happened elsewhere, and says so. Returns whether the board is to be drawn
    /// again.
    async fn take_over(&mut self, change: Self::Change, out: &mut Output) -> Result<bool, Failure>;

    /// Does what a player here wants. What is refused is said, and the game continues.
    async fn act(&mut self, input: Input, out: &mut Output) -> Result<(), Failure>;

    /// The deadline of the player to move is over.
    async fn time_is_up(&mut self, colour: Colour, out: &mut Output) -> Result<(), Failure>;
}

/// The input of the players at this terminal.
pub struct Typed {
    lines: Lines,
    /// At a terminal, whose keys are heard as long as this lives.
    keys: Option<Keys>,
    pub has_ended: bool,
    /// Answers for later questions, where input is not a terminal.
    ahead: VecDeque<String>,
}

impl Typed {
    /// The input of this terminal, from now on.
    pub fn begin(out: &Output) -> Self {
        let (keys, lines) = match out.is_terminal().then(Keys::hear).flatten() {
            Some((keys, lines)) => (Some(keys), Lines::typed(lines)),
            None => (None, Lines::read()),
        };
        Self {
            lines,
            keys,
            has_ended: false,
            ahead: VecDeque::new(),
        }
    }

    /// Keeps a line that was read too early, as an answer to a later question.
    pub fn keep(&mut self, line: String) {
        self.ahead.push_back(line);
    }

    /// Drops what was typed before now at a terminal: it answers no question that was not seen. What is piped in stays.
    pub fn forget(&mut self) {
        if self.keys.is_some() {
            self.lines.forget();
        }
    }

    /// The next line; none if the input has ended.
    pub async fn next(&mut self) -> Result<Option<String>, Failure> {
        read(&mut self.lines).await
    }
}

async fn read(lines: &mut Lines) -> Result<Option<String>, Failure> {
    let line = lines.next().await;
    line.map_err(|error| Failure::Other(format!("cannot read the input: {error}")))
}

/// What comes first in a turn.
enum First<C> {
    /// A line of input; none if the input has ended.
    Line(Option<String>),
    /// Something has happened elsewhere.
    Change(C),
    /// The deadline of the player to move is over.
    TimeIsUp,
    /// A second has passed.
    Tick,
}

/// Plays until the game has ended.
pub async fn run<B: Backend>(
    game: &mut B,
    out: &mut Output,
    typed: &mut Typed,
) -> Result<(), Failure> {
    loop {
        game.tell_news(out)?;
        out.draw(&game.view())?;
        let Some(colour) = game.game().to_move() else {
            return Ok(());
        };
        if game.has_computer(colour) {
            let progress = out.progress();
            progress.say(&format!("{colour} is thinking"));
            let chosen = game.choose(colour).await?;
            progress.clear();
            game.act(Input::Move(chosen), out).await?;
        } else {
            turn(game, out, typed, colour).await?;
        }
    }
}

/// Asks a player here until there is an answer that can be tried, or waits for one elsewhere; at a
/// terminal words are read meanwhile. Returns once the board is to be drawn again.
async fn turn<B: Backend>(
    game: &mut B,
    out: &mut Output,
    typed: &mut Typed,
    colour: Colour,
) -> Result<(), Failure> {
    let (id, grammar, now) = (game.id(), game.grammar(), game.game());
    let position = Position::from(&now);
    let is_ours = game.is_here(colour);
    let question = grammar.question(&position, colour, game.undone(colour));
    let bins = Bins {
        count: position.bins(),
        first: grammar.first_bin(),
    };
    let progress = out.progress();
    if is_ours {
        typed.forget();
        out.ask(id, u16::from(now.turns()) + 1, colour)?;
        out.ask_bin(&question, bins)?;
    } else {
        let words = out.is_terminal().then_some(grammar.while_waiting());
        out.say(Said::Waiting { colour, words })?;
        progress.say("waiting");
    }
    let deadline = game.deadline(colour);
    loop {
        let ahead = match is_ours {
            true => typed.ahead.pop_front(),
            false => None,
        };
        let first = match ahead {
            Some(line) => First::Line(Some(line)),
            None => {
                let reads = out.is_terminal() || B::READS_AHEAD;
                let reads = is_ours || (reads && !typed.has_ended);
                let lines = reads.then_some(&mut typed.lines);
                let ticks = out.is_terminal();
                out.wait_for(first(game, lines, deadline, ticks)).await??
            }
        };
        match first {
            First::Line(None) if is_ours => {
                out.interrupted()?;
                return Err(Failure::unfinished());
            }
            First::Line(None) => typed.has_ended = true,
            First::Line(Some(line)) if is_ours => {
                out.answered(&line)?;
                match grammar.answer(&line, &position) {
                    Ok(input) => return game.act(input, out).await,
                    Err(reason) => {
                        out.say(Said::Invalid {
                            game: id,
                            colour,
                            reason: &reason,
                        })?;
                        out.ask_bin(&question, bins)?;
                    }
                }
            }
            First::Line(Some(line)) => {
                let input = grammar.word(&line);
                if input.is_none() && !out.is_terminal() {
                    // It is piped in: an answer to a later question.
                    typed.ahead.push_back(line);
                    continue;
                }
                out.typed_ahead(&line, input.is_some(), &grammar.help(&position))?;
                if let Some(input) = input {
                    progress.clear();
                    return game.act(input, out).await;
                }
            }
            First::Change(change) => {
                progress.clear();
                if game.take_over(change, out).await? {
                    if is_ours {
                        out.interrupted()?;
                    }
                    return Ok(());
                }
                if !is_ours {
                    progress.say("waiting");
                }
            }
            First::TimeIsUp => {
                progress.clear();
                if is_ours {
                    out.interrupted()?;
                }
                return game.time_is_up(colour, out).await;
            }
            First::Tick => out.refresh(&game.view())?,
        }
    }
}

/// Waits for what comes first; a line before anything else.
async fn first<B: Backend>(
    game: &mut B,
    lines: Option<&mut Lines>,
    deadline: Option<u64>,
    ticks: bool,
) -> Result<First<B::Change>, Failure> {
    let typed = async {
        match lines {
            Some(lines) => read(lines).await,
            None => pending().await,
        }
    };
    let time_is_up = async {
        match deadline {
            Some(deadline) => {
                let left = deadline.saturating_add(1).saturating_sub(now());
                tokio::time::sleep(Duration::from_secs(left)).await;
            }
            None => pending().await,
        }
    };
    tokio::select! {
        biased;
        line = typed => line.map(First::Line),
        change = game.next() => change.map(First::Change),
        () = time_is_up => Ok(First::TimeIsUp),
        () = tokio::time::sleep(Duration::from_secs(1)), if ticks => Ok(First::Tick),
    }
}
