//! What has happened to a bot, in words: a line each.

use connect4_rules::Player;

use crate::said::{BotGame, BotNews, BotReady};
use crate::words::{sought_in_words, who};

pub fn news(news: &BotNews) -> String {
    match news {
        BotNews::Ready(ready) => self::ready(ready),
        BotNews::Began(game) => format!("{} began: {}", named(game), seat(game)),
        BotNews::Resumed(game) => {
            format!(
                "{} resumed after {}: {}",
                named(game),
                moves(game),
                seat(game)
            )
        }
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
        BotNews::NotBegun(game) => {
            format!("{} has not begun: the opponent has not come", named(game))
        }
        BotNews::Ended(game) => {
            let result = match game.has_won() {
                Some(true) => "won",
                Some(false) => "lost",
                None => "drawn",
            };
            let end = game.game.end().map(|end| format!(" {end}"));
            let end = end.unwrap_or_default();
            let against = opponent(game);
            format!(
                "{} {result}{end} after {}, {against}",
                named(game),
                moves(game)
            )
        }
        BotNews::Unfinished(game) => format!(
            "{} is not over after {}, {}; it is resumed when the bot is started again",
            named(game),
            moves(game),
            opponent(game)
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
        sought,
    } = ready;
    format!(
        "bot {name}, a program of level {level}: {}\nseeks games at {relay}: {}",
        who(*account),
        sought_in_words(sought)
    )
}

/// The game by the first digits of its number.
fn named(game: &BotGame) -> String {
    let number = game.number.to_string();
    format!("game {}…", number.get(..10).unwrap_or(&number))
}

fn opponent(game: &BotGame) -> String {
    let program = if game.is_program { " (a program)" } else { "" };
    format!("against {}{program}", who(game.opponent))
}

fn seat(game: &BotGame) -> String {
    let turn = match game.seat {
        Player::One => "first",
        Player::Two => "second",
    };
    format!("the bot moves {turn}, {}", opponent(game))
}

fn moves(game: &BotGame) -> String {
    match game.game.moves() {
        1 => "1 move".into(),
        count => format!("{count} moves"),
    }
}
