//! One game, turn by turn.

use connect4_client::{Action, Seen};
use connect4_protocol::{Game, Match};
use connect4_rules::Player;

use super::act;
use super::hearing::{self, Hearing};
use super::screen::Screen;
use super::table::Table;
use super::view::HELP;
use crate::failure::Failure;
use crate::input::{self, Input, Lines};

/// The question for a move.
const QUESTION: &str = "Enter a bin index (starting from 0): ";

/// What a turn came to.
type Step = hearing::Step<Input, (Seen<Game>, Match)>;

/// Plays until the game has ended, and returns it. Failures say how to resume.
pub async fn run(
    table: &mut Table,
    screen: &mut dyn Screen,
    hearing: &mut Hearing,
    mut game: Seen<Game>,
    resume: &str,
) -> Result<Seen<Game>, Failure> {
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
    game: &Seen<Game>,
    player: Player,
) -> Result<Option<Seen<Game>>, Failure> {
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
        Step::Changed((after, of_match)) => {
            table.of_match = of_match;
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
    player: Player,
) -> Result<Step, Failure> {
    let position = game.position();
    if screen.is_terminal() {
        lines.forget();
    }
    screen.ask(u16::from(game.turns()) + 1, player)?;
    let question = match table.moves.offered(game.turns()) {
        Some((_, bin)) => format!("Enter a bin index (starting from 0; you had chosen {bin}): "),
        None => QUESTION.into(),
    };
    hearing::ask(
        screen,
        lines,
        &question,
        game.deadline(),
        || table.has_others().then(|| table.change(game)),
        |answer| input::answer(answer, &position),
        |screen, reason| screen.invalid(player, reason),
    )
    .await
}

async fn wait(
    table: &Table,
    screen: &mut dyn Screen,
    hearing: &mut Hearing,
    game: &Game,
    player: Player,
) -> Result<Step, Failure> {
    screen.waiting(player.into(), "draw, resign or help")?;
    let change = || table.change(game);
    let deadline = table.of_match.claim_deadline(game);
    hearing::wait(screen, hearing, deadline, change, input::word, HELP).await
}
