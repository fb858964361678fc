//! Words that people read at a terminal and on the page.

use connect4_protocol::{End, Game, variants};
use connect4_rules::Outcome;

pub use crate::play::wording::{evaluation, mark, position_standing, worth};

/// How a game stands, in a few words.
#[must_use]
pub fn standing(game: &Game) -> String {
    // By the colours on the board: after a swap player two is red.
    let outcome = game.outcome().map(|outcome| match outcome {
        Outcome::Won(winner) => Outcome::Won(game.colour_of(winner)),
        Outcome::Draw => Outcome::Draw,
    });
    let to_move = game.to_move().map(|player| game.colour_of(player));
    match (game.end(), outcome, to_move) {
        (Some(End::Line | End::FullBoard), Some(outcome), _) => outcome.to_string(),
        (Some(end), Some(outcome), _) => format!("{outcome} {end}"),
        (Some(_), None, _) => "aborted: time ran out before both had moved".into(),
        (None, _, Some(player)) => format!("{player} to move"),
        (None, _, None) => "over".into(),
    }
}

/// How a game of a variant stands, or the table at which it is to be played, in a few words.
#[must_use]
pub fn variant_standing(game: &variants::Game) -> String {
    if !game.has_started() {
        let joined = game.seats().filter(|(_, joined)| *joined).count();
        let players = game.variant().players();
        return format!("waits for players, {joined} of {players} are there");
    }
    match game.end() {
        Some(end @ End::Abandoned) => end.to_string(),
        _ => position_standing(game.position()),
    }
}

/// Seconds since 1970, by this machine's clock.
#[must_use]
pub fn now() -> u64 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}
