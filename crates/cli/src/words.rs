//! Text of the terminal. Each thing is described here, so that every command uses the same words.

pub mod variant;

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use connect4_client::{Address, Reading, Token, Transaction, development_name};
use connect4_protocol::signed::lobby::Counts;
use connect4_protocol::signed::{PoolName, Terms};
use connect4_protocol::{AnyGame, Clock, ClockSpec};
use connect4_rules::variant::Colour;
use connect4_rules::{Player, Position, ShapeSpec};

use crate::live;

/// A word of a command that is shown, as a shell reads it.
pub fn quoted(word: &str) -> String {
    let is_plain = |one: char| one.is_ascii_alphanumeric() || "-._~:/=@%+,".contains(one);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// Prints a line on standard error, if anybody reads it.
pub fn remark(text: impl Display) {
    let mut stderr = io::stderr();
    if stderr.is_terminal() && matches!(live::above(&text.to_string()), Ok(true)) {
        return;
    }
    let _ = writeln!(stderr, "{text}");
}

/// That a node is away, and waited for.
pub fn away(url: &str) -> String {
    format!("the node at {url} does not respond; waiting for it")
}

/// How many events of the contracts were left out.
pub fn skipped(events: u64) -> String {
    let (events, are) = match events {
        1 => ("1 event".to_owned(), "is"),
        many => (format!("{many} events"), "are"),
    };
    format!("{events} of the contracts {are} unknown to this version of the program, and left out")
}

/// That the block of an event was replaced; the event is given in words.
pub fn event_undone(event: &str, block: u32) -> String {
    let place = format!(" (block {block})");
    let event = event.strip_suffix(&place).unwrap_or(event);
    format!("Block {block} was replaced, and with it: {event}")
}

pub fn standing(game: &AnyGame) -> String {
    match game {
        AnyGame::Two(game) => connect4_wire::words::standing(game),
        AnyGame::Variant(game) => connect4_wire::words::variant_standing(game),
    }
}

/// What a variant is before and after its start.
pub fn game_or_table(game: &AnyGame) -> &'static str {
    match game.has_started() {
        true => "game",
        false => "table",
    }
}

/// The board and what is played on it, with the time for a move.
pub fn terms_of(game: &AnyGame) -> String {
    match game {
        AnyGame::Two(game) => game.shape().to_string(),
        AnyGame::Variant(game) => format!("{}{}", game.variant(), variant::limit(game.limit())),
    }
}

/// The time that the players have left at `now`, in seconds since 1970; none without a limit, and without a clock that
/// runs on the chain.
pub fn time_left(game: &AnyGame, clock: Option<Clock>, now: u64) -> Option<String> {
    match game {
        AnyGame::Two(game) => Some(times(clock?, game.colour_of(game.to_move()?), now)),
        AnyGame::Variant(game) => variant::time_left(game, now),
    }
}

/// The question after a classic game.
pub const ANOTHER_GAME: &str = "rematch, in which the loser begins? [y/N] ";

/// The board, coloured if the output is a terminal. Without colours, the shapes of the discs tell
/// the players apart.
pub fn board(position: &Position) -> String {
    let mut text = String::new();
    for character in position.to_string().chars() {
        let player = Player::ALL
            .into_iter()
            .find(|player| [player.disc(), player.winning_disc()].contains(&character));
        match player {
            Some(player) => {
                let won = character == player.winning_disc();
                text.push_str(&coloured(player, character, won));
            }
            None => text.push(character),
        }
    }
    text
}

/// The same, with bins that are counted from 1.
pub fn board_from_one(position: &Position) -> String {
    let text = board(position);
    let rows = text.rsplit_once('\n').map_or("", |(rows, _)| rows);
    let numbers: String = (1..=position.shape().bins())
        .map(|bin| format!("  {bin:<2}"))
        .collect();
    format!("{rows}\n{}", numbers.trim_end())
}

pub fn coloured(player: impl Into<Colour>, text: impl Display, bold: bool) -> String {
    let styled = console::style(text.to_string());
    let styled = match player.into() {
        Colour::Red => styled.red(),
        Colour::Blue => styled.blue(),
        Colour::Green => styled.green(),
        Colour::Yellow => styled.yellow(),
    }
    .bright();
    if bold { styled.bold() } else { styled }.to_string()
}

/// Text that is less important.
pub fn dim(text: impl Display) -> String {
    console::style(text.to_string()).dim().to_string()
}

/// The name and the address of a development account; the address of any other.
pub fn who(address: Address) -> String {
    match development_name(address) {
        Some(name) => format!("{name} ({address})"),
        None => address.to_string(),
    }
}

/// The name of a development account; the address of any other.
pub fn name(address: Address) -> String {
    match development_name(address) {
        Some(name) => name.to_owned(),
        None => address.to_string(),
    }
}

/// Where a transaction is, its fee and its deposit for storage, which is negative if it came back.
pub fn cost(sent: &Transaction, deposit: i128, token: &Token) -> String {
    join(transaction(sent, token), token.deposit(deposit))
}

/// A text, with another behind a comma if there is one.
pub fn join(text: String, more: Option<String>) -> String {
    match more {
        Some(more) => format!("{text}, {more}"),
        None => text,
    }
}

/// Where a transaction is and its fee. On a terminal its hash is shortened, so that one line holds
/// the text: the block and both ends of the hash are enough to find it.
pub fn transaction(transaction: &Transaction, token: &Token) -> String {
    let mut hash = format!("{:?}", transaction.hash);
    if io::stdout().is_terminal() {
        hash.replace_range(10..hash.len() - 8, "…");
    }
    format!(
        "block {}, transaction {hash}, fee {}",
        transaction.block,
        token.amount(transaction.fee)
    )
}

pub fn games(count: u32) -> String {
    match count {
        1 => "1 game".into(),
        count => format!("{count} games"),
    }
}

/// How far the reading of past blocks is after some time.
pub fn reading(reading: Reading, after: Duration) -> String {
    let Reading {
        block,
        last,
        read,
        of,
    } = reading;
    let mut text = format!("reading the contracts' events: block {block} of {last}");
    // The time of the first blocks tells little about that of the others.
    if after >= Duration::from_secs(1) && read > 0 {
        let a_second = f64::from(read) / after.as_secs_f64();
        let left = f64::from(of.saturating_sub(read)) / a_second;
        let left = Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX);
        text.push_str(&format!(", {a_second:.0} a second"));
        if left >= Duration::from_secs(1) {
            text.push_str(&format!(", {} left", time(left.as_secs())));
        }
    }
    text
}

/// A shape that may be out of bounds.
pub fn shape(shape: ShapeSpec) -> String {
    format!("{}x{}, line {}", shape.bins, shape.capacity, shape.line)
}

/// What a game without a clock can come to.
pub const NO_CLOCK: &str =
    "no clock: if a player stops for ever, the game keeps its deposit until either resigns";

/// What a game at a relay without a clock can come to.
pub const UNRATED: &str = "no clock: nobody can be made to move, and the game is unrated";

pub fn clock(clock: ClockSpec) -> String {
    let bank = time(clock.bank.into());
    match clock.increment {
        0 => format!("{bank} for all moves"),
        increment => {
            let increment = time(increment.into());
            format!("{bank} for all moves and {increment} more with each")
        }
    }
}

/// A clock as players write it: the minutes of each player and the seconds of each move, such as `3+2`, with a unit if
/// the bank is not of minutes or is of hours or days.
pub fn clock_text(ClockSpec { bank, increment }: ClockSpec) -> String {
    let units = [(86_400, "d"), (3600, "h"), (60, "")];
    let whole = units
        .into_iter()
        .find(|(seconds, _)| bank.is_multiple_of(*seconds) && bank > 0);
    let (seconds, unit) = whole.unwrap_or((1, "s"));
    format!("{}{unit}+{increment}", bank / seconds)
}

/// The time that both players have left at `now`, in seconds since 1970, while one is to move.
fn times(clock: Clock, to_move: Player, now: u64) -> String {
    let left = match clock.deadline().checked_sub(now) {
        Some(left) => time(left),
        None => "no time".into(),
    };
    let waiting = time(clock.waiting().into());
    match to_move {
        Player::One => format!("time left: red {left} (running), blue {waiting}"),
        Player::Two => format!("time left: red {waiting}, blue {left} (running)"),
    }
}

/// A time given in seconds, of a clock that stands.
pub fn minutes(seconds: u64) -> String {
    time(seconds)
}

/// A time given in seconds: `45 s`, `4:05 min`, `2:30 h` or `3 d 12 h`.
fn time(seconds: u64) -> String {
    const HOUR: u64 = 60 * 60;
    const DAY: u64 = 24 * HOUR;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..HOUR => format!("{}:{:02} min", seconds / 60, seconds % 60),
        HOUR..DAY => format!("{}:{:02} h", seconds / HOUR, seconds % HOUR / 60),
        _ => format!("{} d {} h", seconds / DAY, seconds % DAY / HOUR),
    }
}

/// What a game with the pie rule has besides.
pub const PIE_RULE: &str = "pie rule: the second move may be a swap";

/// A swap in a game of two, with the name of the colour that its player had.
pub fn took_over(name: &str) -> String {
    format!("{name} has taken the first disc over: the players' colours are exchanged")
}

/// How many wait and play at a relay, which nobody can check.
pub fn how_many(Counts { waiting, playing }: Counts) -> String {
    let waits = if waiting == 1 { "waits" } else { "wait" };
    let plays = if playing == 1 { "plays" } else { "play" };
    format!("{waiting} {waits} and {playing} {plays} here, as the relay says")
}

/// The game that is sought, in words.
pub fn sought_in_words(terms: &Terms) -> String {
    let pool = match terms.pool {
        0 => String::new(),
        pool => format!(", pool {}", PoolName(pool)),
    };
    let counting = match terms.clock {
        Some(clock) => format!(", clock {}{pool}", clock_text(clock)),
        None => format!(", {UNRATED}"),
    };
    format!("{}{counting}", terms.rules())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_people_read_them() {
        assert_eq!(time(0), "0 s");
        assert_eq!(time(59), "59 s");
        assert_eq!(time(60), "1:00 min");
        assert_eq!(time(3599), "59:59 min");
        assert_eq!(time(3600), "1:00 h");
        assert_eq!(time(86_399), "23:59 h");
        assert_eq!(time(90_000), "1 d 1 h");
    }

    #[test]
    fn the_clock_of_the_player_to_move_runs() {
        let clock = Clock::resume(300, 300, 5, 1000);
        assert_eq!(
            times(clock, Player::One, 1010),
            "time left: red 4:50 min (running), blue 5:00 min"
        );
        assert_eq!(
            times(clock, Player::Two, 1301),
            "time left: red 5:00 min, blue no time (running)"
        );
    }

    #[test]
    fn a_reading_says_how_far_it_is_and_how_long_it_takes() {
        let at = |read, seconds| {
            let reading = Reading {
                block: 99 + read,
                last: 1_000_099,
                read,
                of: 1_000_000,
            };
            super::reading(reading, Duration::from_secs(seconds))
        };
        let begin = "reading the contracts' events: block";
        assert_eq!(at(0, 0), format!("{begin} 99 of 1000099"));
        assert_eq!(
            at(20_000, 10),
            format!("{begin} 20099 of 1000099, 2000 a second, 8:10 min left")
        );
        assert_eq!(
            at(1_000_000, 500),
            format!("{begin} 1000099 of 1000099, 2000 a second")
        );
    }
}
