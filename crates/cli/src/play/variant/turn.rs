//! One game of a variant, turn by turn.

use connect4_client::Seen;
use connect4_protocol::variants::Game;
use connect4_rules::variant::Colour;
use connect4_wire::words::variant_standing;

use super::act;
use super::input::{self, Input};
use super::table::Table;
use crate::attend::attend;
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::input::Lines;
use crate::play::Screen;
use crate::play::hearing::{self, Hearing};
use crate::session::Session;
use crate::words::variant;

/// What a turn came to.
type Step = hearing::Step<Input, Seen<Game>>;

/// Plays a game to its end. At a table it waits first until all players have come.
pub async fn play(
    session: &Session,
    mut table: Table,
    screen: &mut dyn Screen,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let mut hearing = Hearing::begin();
    session.endure(screen);
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
async fn fill(
    table: &Table,
    screen: &mut dyn Screen,
    mut game: Seen<Game>,
) -> Result<Seen<Game>, Failure> {
    while !game.has_started() {
        screen.waiting_for_players(&variant_standing(&game))?;
        let progress = screen.progress();
        progress.say("waiting for players");
        let after = attend(screen, table.change(&game)).await??;
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
    mut game: Seen<Game>,
    resume: &str,
) -> Result<Seen<Game>, Failure> {
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
    game: &Seen<Game>,
    colour: Colour,
) -> Result<Option<Seen<Game>>, Failure> {
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
            after
        }
        Step::TimeIsUp => act::time_is_up(table, screen, game).await?,
        Step::End => return Ok(None),
    };
    Ok(Some(after))
}

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
    let examples = variant::examples(position, colour);
    let chosen = match table.moves.offered(position.turns()) {
        Some((mover, action)) if mover == colour => format!("; you had chosen {action}"),
        _ => String::new(),
    };
    hearing::ask(
        screen,
        lines,
        &format!("Enter a move, bins and rows from 1 ({examples}{chosen}): "),
        game.deadline(),
        || table.has_others(game).then(|| table.change(game)),
        |answer| input::answer(answer, position),
        |screen, reason| screen.move_refused(colour, reason),
    )
    .await
}

async fn wait(
    table: &Table,
    screen: &mut dyn Screen,
    hearing: &mut Hearing,
    game: &Game,
    colour: Colour,
) -> Result<Step, Failure> {
    screen.waiting(colour, "leave or help")?;
    let change = || table.change(game);
    let help = input::help(game.position());
    hearing::wait(screen, hearing, game.deadline(), change, input::word, &help).await
}
