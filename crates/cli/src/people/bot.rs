//! What has happened to a bot, in words: a line each.

use connect4_rules::Player;
use connect4_wire::words::standing;

use crate::said::{BotGame, BotNews, BotReady};
use crate::words::who;

pub fn news(news: &BotNews) -> String {
    match news {
        BotNews::Ready(ready) => self::ready(ready),
        BotNews::Began(game) => format!("{} began, {}", named(game), seat(game)),
        BotNews::Resumed(game) => format!(
            "{} resumed after {}, {}",
            named(game),
            moves(game),
            seat(game)
        ),
        BotNews::Waits(game) => format!(
            "{} waits after {}: the opponent is silent, and another game can begin",
            named(game),
            moves(game)
        ),
        BotNews::Left(game) => format!(
            "{} left after {}: too many opponents are silent",
            named(game),
            moves(game)
        ),
        BotNews::Ended(game) => {
            let result = match game.has_won() {
                Some(true) => "won",
                Some(false) => "lost",
                None => "drawn",
            };
            let how = standing(&game.game);
            format!("{} {result} after {}: {how}", named(game), moves(game))
        }
        BotNews::Unfinished(game) => format!(
            "{} is not over after {}; the bot resumes it when it is started again",
            named(game),
            moves(game)
        ),
        BotNews::Trouble(text) => text.clone(),
    }
}

fn ready(ready: &BotReady) -> String {
    let BotReady {
        account,
        name,
        level,
        relay,
        wish,
    } = ready;
    let mut terms = wish.shape.to_string();
    if wish.pie_rule {
        terms.push_str(", pie rule");
    }
    if let Some(clock) = wish.clock {
        terms.push_str(&format!(", clock {clock}"));
    }
    format!(
        "bot {name}, a program of level {level}: {}\nseeks games at {relay}: {terms}, pool {}",
        who(*account),
        wish.pool
    )
}

/// The game and its opponent.
fn named(game: &BotGame) -> String {
    let program = if game.is_program { ", a program," } else { "" };
    let opponent = who(game.opponent);
    format!("game {} against {opponent}{program}", game.number)
}

fn seat(game: &BotGame) -> &'static str {
    match game.seat {
        Player::One => "the bot moves first",
        Player::Two => "the bot moves second",
    }
}

fn moves(game: &BotGame) -> String {
    match game.game.moves() {
        1 => "1 move".into(),
        count => format!("{count} moves"),
    }
}
