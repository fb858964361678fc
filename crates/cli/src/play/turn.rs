//! One game, turn by turn.

use connect4_client::Action;
use connect4_protocol::{Game, Match};
use connect4_rules::Player;
use connect4_server::words::now;

use super::act;
use super::listen::{Heard, Listening};
use super::screen::Screen;
use super::table::Table;
use super::view::HELP;
use crate::failure::Failure;
use crate::input::{self, Input, Lines};

/// The question for a move.
const QUESTION: &str = "Enter a bin index (starting from 0): ";

/// What a turn came to.
enum Step {
    /// A player at this terminal wants this.
    Wanted(Input),
    /// The game or its match has changed.
    Changed(Game, Match),
    /// The deadline of the player to move is over.
    TimeIsUp,
    /// The input has ended.
    End,
}

/// The input of the players at this terminal.
pub struct Hearing {
    pub lines: Lines,
    /// Whether the input has ended.
    pub has_ended: bool,
}

/// Plays until the game has ended, and returns it. Failures say how to resume.
pub async fn run(
    table: &mut Table,
    screen: &mut dyn Screen,
    hearing: &mut Hearing,
    mut game: Game,
    resume: &str,
) -> Result<Game, Failure> {
    loop {
        screen.draw(&table.view(&game))?;
        let Some(player) = game.to_move() else {
            return Ok(game);
        };
        let next = take_turn(table, screen, hearing, &game, player).await;
        game = match next {
            Ok(Some(next)) => next,
            Ok(None) => {
                return Err(Failure::unfinished().and(resume));
            }
            Err(failure) => return Err(failure.and(resume)),
        };
    }
}

/// Returns the game after something has happened in it; none if the input has ended.
async fn take_turn(
    table: &mut Table,
    screen: &mut dyn Screen,
    hearing: &mut Hearing,
    game: &Game,
    player: Player,
) -> Result<Option<Game>, Failure> {
    let is_ours = table.signer(player).is_some();
    let step = if let Some(computer) = table.computer_of(game, player) {
        let progress = screen.progress();
        progress.say("thinking");
        let bin = computer.choose(game.position()).await?;
        Step::Wanted(Input::Act(Action::Drop(bin)))
    } else if is_ours {
        ask(table, screen, &mut hearing.lines, game, player).await?
    } else {
        wait(table, screen, hearing, game, player).await?
    };
    let after = match step {
        Step::Wanted(wanted) => act::act(table, screen, game, wanted).await?,
        Step::Changed(after, of_match) => {
            table.of_match = of_match;
            act::report_change(table, screen, game, &after)?;
            after
        }
        Step::TimeIsUp => act::time_is_up(table, screen, game).await?,
        Step::End => return Ok(None),
    };
    Ok(Some(after))
}

/// Asks a player at this terminal until there is an answer that can be tried, or until something
/// happens elsewhere.
async fn ask(
    table: &Table,
    screen: &mut dyn Screen,
    lines: &mut Lines,
    game: &Game,
    player: Player,
) -> Result<Step, Failure> {
    let position = game.position();
    if screen.is_terminal() {
        lines.forget();
    }
    screen.ask(u16::from(game.turns()) + 1, player)?;
    let is_late = game.deadline().is_some_and(|deadline| deadline < now());
    loop {
        screen.question(QUESTION)?;
        let listening = Listening {
            lines: Some(lines),
            deadline: game.deadline().filter(|_| !is_late),
        };
        let change = table.has_others().then(|| table.change(game));
        let step = match listening.first(change).await? {
            Heard::Line(Some(answer)) => {
                screen.answered(QUESTION, &answer)?;
                match input::answer(&answer, &position) {
                    Ok(wanted) => return Ok(Step::Wanted(wanted)),
                    Err(reason) => screen.invalid(player, &reason)?,
                }
                continue;
            }
            Heard::Line(None) => Step::End,
            Heard::Changed((game, of_match)) => Step::Changed(game, of_match),
            Heard::TimeIsUp => Step::TimeIsUp,
        };
        screen.interrupted()?;
        return Ok(step);
    }
}

/// Waits for a player who sits elsewhere. On a terminal, words are heard meanwhile.
async fn wait(
    table: &Table,
    screen: &mut dyn Screen,
    hearing: &mut Hearing,
    game: &Game,
    player: Player,
) -> Result<Step, Failure> {
    screen.waiting(player.into(), "draw, resign or help")?;
    let progress = screen.progress();
    progress.say("waiting");
    loop {
        // Lines that are piped in are answers to later questions.
        let hears = screen.is_terminal() && !hearing.has_ended;
        let listening = Listening {
            lines: hears.then_some(&mut hearing.lines),
            deadline: game.deadline(),
        };
        match listening.first(Some(table.change(game))).await? {
            Heard::Changed((game, of_match)) => return Ok(Step::Changed(game, of_match)),
            Heard::TimeIsUp => return Ok(Step::TimeIsUp),
            Heard::Line(None) => hearing.has_ended = true,
            Heard::Line(Some(line)) => {
                let wanted = input::word(&line);
                screen.typed_ahead(&line, wanted.is_some(), HELP)?;
                if let Some(wanted) = wanted {
                    return Ok(Step::Wanted(wanted));
                }
            }
        }
    }
}
