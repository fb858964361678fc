//! A game at a terminal.
//!
//! [`play`] plays game after game, `turn` one game turn by turn: it reads what players type, shows the
//! board and says whose turn it is. A [`Backend`] is the way on which moves go: [`chain`] for classic
//! games and variants, whose moves are transactions; [`table`] for signed games in the room of a witness or
//! for a stake, which [`seeking`] and [`funding`] begin. `grammar` reads what is typed, `undone` remembers
//! moves whose blocks were replaced, [`relay`] finds the relay that is used.

pub mod chain;
mod changes;
mod computer;
pub mod funding;
pub mod grammar;
pub mod offered;
pub mod relay;
pub mod seeking;
pub mod table;
pub mod turn;
mod undone;

use connect4_client::{Error, GameId};
use connect4_protocol::Error as Refusal;

use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::output::Output;
use crate::place::Place;
use crate::said::{Greeting, Said};
use crate::session::Session;

pub use computer::Computer;
use turn::{Backend, Typed};

/// A game that can be opened, ended and followed by another one.
pub trait Playable: Backend + Sized {
    /// Makes the game ready to be played: a table waits until it is full.
    async fn open(&mut self, out: &mut Output) -> Result<(), Failure>;

    fn greeting(&self, session: &Session) -> Greeting;

    /// How to resume the game, in words; none if it is over.
    fn how_to_resume(&self, session: &Session) -> Option<String>;

    /// Says how the game has ended.
    fn end(&self, out: &mut Output) -> Result<(), Failure>;

    /// Whether players are asked for a rematch once the game is over.
    fn has_rematches(&self) -> bool;

    /// Asks whether there is to be a rematch, and starts it; none if there is to be none.
    async fn rematch(self, out: &mut Output, typed: &mut Typed) -> Result<Option<Self>, Failure>;
}

/// Plays a game to its end, and its rematches as long as the players want them. They are asked if they
/// sit at a terminal, or if this is a `series`.
pub async fn play<G: Playable>(
    session: &Session,
    mut game: G,
    series: bool,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let mut typed = Typed::begin(out);
    session.endure(out);
    loop {
        let resume = remember(&game, session, farewell);
        let opened = game.open(out).await;
        opened.map_err(|failure| with(failure, &resume))?;
        out.say(Said::Greeting(&game.greeting(session)))?;
        let played = turn::run(&mut game, out, &mut typed).await;
        played.map_err(|failure| with(failure, &resume))?;
        farewell.clear();
        game.end(out)?;
        let asks = (series || out.is_terminal()) && !typed.has_ended;
        if !asks || !game.has_rematches() {
            return Ok(());
        }
        game = match game.rematch(out, &mut typed).await? {
            Some(next) => next,
            None => return Ok(()),
        };
    }
}

/// How to resume the game, which an interrupted program says last.
fn remember<G: Playable>(game: &G, session: &Session, farewell: &Farewell) -> Option<String> {
    let resume = game.how_to_resume(session);
    match &resume {
        Some(text) => farewell.set(text.clone()),
        None => farewell.clear(),
    }
    resume
}

/// The failure of a game, and how to resume it.
fn with(failure: Failure, resume: &Option<String>) -> Failure {
    match resume {
        Some(text) => failure.and(text),
        None => failure,
    }
}

/// Whether a transaction that failed like this may have failed because the game had changed.
const fn may_have_changed(error: &Error) -> bool {
    matches!(
        error.refusal(),
        Some(
            Refusal::NotYourTurn
                | Refusal::GameOver
                | Refusal::NoSuchGame
                | Refusal::BinFull
                | Refusal::OutOfTime
                | Refusal::HasLeft
        )
    ) || matches!(
        error,
        Error::Gone { .. } | Error::Timeout { .. } | Error::Replaced { .. }
    )
}

/// How to resume a game on the chain with these options, in words.
fn command_to_resume(session: &Session, game: GameId, options: &str) -> String {
    if let Place::Memory = session.place {
        return format!(
            "game {game} was on a chain in memory, which is gone now; without --tmp it could be \
             resumed"
        );
    }
    format!(
        "game {game} is not over and stays on the chain; resume it by\n  connect4 play --game \
         {game}{options}"
    )
}

pub fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}
