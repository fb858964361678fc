//! One game of a variant, turn by turn.

use connect4_protocol::variants::Game;
use connect4_rules::variant::Colour;
use connect4_server::words::{now, variant_standing};

use super::act;
use super::input::{self, Input};
use super::table::Table;
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::input::Lines;
use crate::play::Screen;
use crate::play::listen::{Heard, Listening};
use crate::play::turn::Hearing;
use crate::session::Session;
use crate::words::variant;

/// What a turn came to.
enum Step {
    /// A player at this terminal, or a computer, wants this.
    Wanted(Input),
    /// The game has changed.
    Changed(Box<Game>),
    /// The deadline of the player to move is over.
    TimeIsUp,
    /// The input has ended.
    End,
}

/// Plays a game to its end. At a table it waits first until all players have come.
pub async fn play(
    session: &Session,
    mut table: Table,
    screen: &mut dyn Screen,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let mut hearing = Hearing {
        lines: Lines::read(),
        has_ended: false,
    };
    let mut game = table.first;
    let resume = table.how_to_resume(session, &game);
    if !game.is_over() {
        farewell.set(resume.clone());
    }
    if !game.has_started() {
        game = fill(&table, screen, game)
            .await
            .map_err(|failure| failure.and(&resume))?;
    }
    screen.greet_variant(&table.greeting(session, &game))?;
    let ended = run(&mut table, screen, &mut hearing, game, &resume).await?;
    farewell.clear();
    Ok(screen.variant_ended(&table.at(&ended), None)?)
}

/// Waits until the last player has joined a table, and returns the game.
async fn fill(table: &Table, screen: &mut dyn Screen, mut game: Game) -> Result<Game, Failure> {
    while !game.has_started() {
        screen.waiting_for_players(&variant_standing(&game))?;
        let progress = screen.progress();
        progress.say("waiting for players");
        let after = table.change(&game).await?;
        progress.clear();
        let had = |game: &Game, account| {
            let mut seats = game.seats();
            seats.any(|(other, joined)| joined && other == account)
        };
        for (account, _) in after.seats().filter(|(_, joined)| *joined) {
            if let Some(newcomer) = account
                && !had(&game, account)
            {
                screen.joined(newcomer, &table.at(&after), None)?;
            }
        }
        game = after;
    }
    Ok(game)
}

/// Plays until the game has ended, and returns it. Failures say how to resume.
async fn run(
    table: &mut Table,
    screen: &mut dyn Screen,
    hearing: &mut Hearing,
    mut game: Game,
    resume: &str,
) -> Result<Game, Failure> {
    loop {
        screen.draw_variant(&table.view(&game))?;
        let Some(colour) = game.to_move() else {
            return Ok(game);
        };
        let next = take_turn(table, screen, hearing, &game, colour).await;
        game = match next {
            Ok(Some(next)) => next,
            Ok(None) => return Err(Failure::unfinished().and(resume)),
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
    colour: Colour,
) -> Result<Option<Game>, Failure> {
    let is_ours = table.signer(game, colour).is_some();
    let step = if let Some(computer) = table.computer(game, colour) {
        let progress = screen.progress();
        progress.say(&format!("{colour} is thinking"));
        Step::Wanted(Input::Move(computer.choose(*game.position()).await?))
    } else if is_ours {
        ask(table, screen, &mut hearing.lines, game, colour).await?
    } else {
        wait(table, screen, hearing, game, colour).await?
    };
    let after = match step {
        Step::Wanted(wanted) => act::act(table, screen, game, colour, wanted).await?,
        Step::Changed(after) => {
            act::report_change(table, screen, game, &after)?;
            *after
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
    colour: Colour,
) -> Result<Step, Failure> {
    let position = game.position();
    if screen.is_terminal() {
        lines.forget();
    }
    screen.ask_variant(u16::from(position.turns()) + 1, colour)?;
    let is_late = game.deadline().is_some_and(|deadline| deadline < now());
    let examples = variant::examples(position, colour);
    let question = format!("Enter a move, bins and rows from 1 ({examples}): ");
    loop {
        screen.question(&question)?;
        let listening = Listening {
            lines: Some(lines),
            deadline: game.deadline().filter(|_| !is_late),
        };
        let change = table.has_others(game).then(|| table.change(game));
        let step = match listening.first(change).await? {
            Heard::Line(Some(answer)) => {
                screen.answered(&question, &answer)?;
                match input::answer(&answer, position) {
                    Ok(wanted) => return Ok(Step::Wanted(wanted)),
                    Err(reason) => screen.move_refused(colour, &reason)?,
                }
                continue;
            }
            Heard::Line(None) => Step::End,
            Heard::Changed(game) => Step::Changed(game.into()),
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
    colour: Colour,
) -> Result<Step, Failure> {
    screen.waiting(colour, "leave or help")?;
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
            Heard::Changed(game) => return Ok(Step::Changed(game.into())),
            Heard::TimeIsUp => return Ok(Step::TimeIsUp),
            Heard::Line(None) => hearing.has_ended = true,
            Heard::Line(Some(line)) => {
                let wanted = input::word(&line);
                let help = input::help(game.position());
                screen.typed_ahead(&line, wanted.is_some(), &help)?;
                if let Some(wanted) = wanted {
                    return Ok(Step::Wanted(wanted));
                }
            }
        }
    }
}
