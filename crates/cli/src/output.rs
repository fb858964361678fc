//! What is shown, for people and for machines.

use connect4_protocol::event::{
    ChallengeMade, ChallengeWithdrawn, DiscDropped, DrawDeclined, DrawOffered, GameEnded,
    GameFreed, GameStarted, MatchStarted, RematchDeclined, RematchOffered, Settled, Withdrawn,
};
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::Duration;

use connect4_client::{Address, Event, Occurrence, Receipt, Token, Transaction, development_name};
use connect4_opponent::Worth;
use connect4_protocol::{Clock, ClockSpec, Game};
use connect4_rules::{Player, Position};
pub use connect4_server::json::{
    board_of_bins, json_cells, json_clock_spec, json_end, json_score, json_shape,
};
pub use connect4_server::words::{mark, now, standing, worth};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

/// What takes a while is said on standard error, if that is a terminal.
pub struct Progress {
    hidden: bool,
    bar: Mutex<Option<ProgressBar>>,
}

impl Progress {
    pub const fn new(hidden: bool) -> Self {
        Self {
            hidden,
            bar: Mutex::new(None),
        }
    }

    /// What is being done now.
    pub fn say(&self, what: &str) {
        if self.hidden {
            return;
        }
        let Ok(mut bar) = self.bar.lock() else {
            return;
        };
        // Hidden by itself if standard error is no terminal.
        let bar = bar.get_or_insert_with(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
                bar.set_style(style);
            }
            bar
        });
        bar.set_message(what.to_owned());
        bar.enable_steady_tick(Duration::from_millis(120));
    }

    /// Nothing is being done now.
    pub fn clear(&self) {
        if let Ok(Some(bar)) = self.bar.lock().map(|mut bar| bar.take()) {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Prints a line on standard output.
pub fn line(text: impl std::fmt::Display) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// Prints a line on standard error, if anybody reads it.
pub fn remark(text: impl std::fmt::Display) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// The board, coloured if the output is a terminal. The shapes tell the colours apart without them.
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

/// A text in a player's colour.
pub fn coloured(player: Player, text: impl std::fmt::Display, bold: bool) -> String {
    let styled = console::style(text.to_string());
    let styled = match player {
        Player::One => styled.red().bright(),
        Player::Two => styled.blue().bright(),
    };
    if bold { styled.bold() } else { styled }.to_string()
}

/// A text that is less important.
pub fn dim(text: impl std::fmt::Display) -> String {
    console::style(text.to_string()).dim().to_string()
}

/// The account's name, if it is a development account, and its address.
pub fn who(address: Address) -> String {
    match development_name(address) {
        Some(name) => format!("{name} ({address})"),
        None => address.to_string(),
    }
}

/// Where a transaction is and what it cost.
pub fn cost<T>(receipt: &Receipt<T>, token: &Token) -> String {
    let deposit = match receipt.deposit {
        0 => String::new(),
        held if held > 0 => format!(", deposit {}", token.amount(held.unsigned_abs())),
        back => format!(", deposit back {}", token.amount(back.unsigned_abs())),
    };
    format!("{}{deposit}", transaction(&receipt.transaction, token))
}

/// Where a transaction is and what its fee was. On a terminal its hash is shortened: block and hash's
/// ends are enough to find it, and a line holds it.
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

/// How many lines of a terminal this wide a text takes.
pub fn height(text: &str, width: u16) -> usize {
    let width = usize::from(width).max(1);
    text.lines()
        .map(|line| console::measure_text_width(line).div_ceil(width).max(1))
        .sum()
}

/// A clock that was agreed on, in a few words.
pub fn clock(clock: ClockSpec) -> String {
    match clock.increment {
        0 => format!("{} for all moves", time(clock.bank.into())),
        increment => format!(
            "{} for all moves and {} more with each",
            time(clock.bank.into()),
            time(increment.into())
        ),
    }
}

/// What is left of both players' time while this one is to move.
pub fn times(clock: Clock, to_move: Player) -> String {
    let left = match clock.deadline().checked_sub(now()) {
        Some(left) => time(left),
        None => "no time".into(),
    };
    let waiting = time(clock.waiting().into());
    match to_move {
        Player::One => format!("time left: red {left} (running), blue {waiting}"),
        Player::Two => format!("time left: red {waiting}, blue {left} (running)"),
    }
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

/// What a position is worth, for machines.
pub fn json_worth(worth: Worth) -> Value {
    match worth {
        Worth::WinsIn(discs) => json!({ "wins_in": discs }),
        Worth::Draw => json!("draw"),
        Worth::LosesIn(discs) => json!({ "loses_in": discs }),
        Worth::About(chance) => json!({ "chance": chance }),
    }
}

/// A game for machines.
pub fn json_game(number: u32, contract: Address, game: &Game) -> Value {
    let shape = game.shape();
    let board = board_of_bins(game.board());
    json!({
        "game": number,
        "contract": contract.to_string(),
        "shape": json_shape(shape.into()),
        "red": game.player_one().to_string(),
        "blue": game.player_two().to_string(),
        "turns": game.turns(),
        "to_move": game.to_move().map(Player::colour),
        "over": game.is_over(),
        "end": json_end(game.end()),
        "winner": game.winner().map(Player::colour),
        "winning_cells": json_cells(game.winning_cells(), shape),
        "board": board,
        "payer": game.payer().to_string(),
        "clock": game.clock().map(|clock| json!({
            "deadline": clock.deadline(),
            "waiting": clock.waiting(),
            "increment": clock.increment(),
        })),
    })
}

/// A transaction for machines.
pub fn json_transaction<T>(receipt: &Receipt<T>) -> Value {
    let mut value = json_bare_transaction(&receipt.transaction);
    value["deposit"] = receipt.deposit.to_string().into();
    value
}

/// A transaction whose deposit is not known, for machines.
pub fn json_bare_transaction(transaction: &Transaction) -> Value {
    json!({
        "block": transaction.block,
        "block_hash": format!("{:?}", transaction.block_hash),
        "hash": format!("{:?}", transaction.hash),
        "index": transaction.index,
        "fee": transaction.fee.to_string(),
    })
}

/// An event for machines; of a game with this shape and these players, as far as they are known.
/// `ratio`: how many of the units of amounts in events make one of the token's smallest.
pub fn json_event(at: &Occurrence, game: Option<&Game>, ratio: u128) -> Value {
    let colour = |address: Address| {
        game.and_then(|game| game.player_of(&address))
            .map(Player::colour)
    };
    let mut value = match &at.event {
        Event::GameStarted(GameStarted {
            player_one,
            player_two,
            shape,
            ..
        }) => json!({
            "event": "started",
            "red": player_one.to_string(),
            "blue": player_two.to_string(),
            "shape": json_shape(*shape),
        }),
        Event::DiscDropped(DiscDropped {
            player,
            bin,
            row,
            turn,
            deadline,
            ..
        }) => json!({
            "event": "dropped",
            "player": colour(*player),
            "bin": bin,
            "row": row,
            "turn": turn,
            "deadline": deadline,
        }),
        Event::GameEnded(GameEnded {
            winner,
            end,
            winning_cells: cells,
            ..
        }) => json!({
            "event": "ended",
            "winner": winner.and_then(colour),
            "end": json_end(Some(*end)),
            "winning_cells": game.map(|game| json_cells(*cells, game.shape())),
        }),
        Event::ChallengeMade(ChallengeMade {
            challenge,
            challenger,
            opponent,
            challenger_first,
            terms,
        }) => json!({
            "event": "challenge",
            "challenge": challenge,
            "challenger": challenger.to_string(),
            "opponent": opponent.map(|opponent| opponent.to_string()),
            "challenger_first": challenger_first,
            "shape": json_shape(terms.shape),
            "clock": json_clock_spec(terms.clock),
            "stake": (terms.stake / ratio).to_string(),
        }),
        Event::ChallengeWithdrawn(ChallengeWithdrawn { challenge, by }) => json!({
            "event": "challenge_withdrawn",
            "challenge": challenge,
            "by": by.to_string(),
        }),
        Event::MatchStarted(MatchStarted {
            challenge,
            previous,
            clock,
            stake,
            ..
        }) => json!({
            "event": "match",
            "challenge": challenge,
            "previous": previous,
            "clock": json_clock_spec(*clock),
            "stake": (stake / ratio).to_string(),
        }),
        Event::DrawOffered(DrawOffered { by, .. }) => {
            json!({ "event": "draw_offered", "by": colour(*by) })
        }
        Event::DrawDeclined(DrawDeclined { by, .. }) => {
            json!({ "event": "draw_declined", "by": colour(*by) })
        }
        Event::RematchOffered(RematchOffered { by, .. }) => {
            json!({ "event": "rematch_offered", "by": colour(*by) })
        }
        Event::RematchDeclined(RematchDeclined { by, .. }) => {
            json!({ "event": "rematch_declined", "by": colour(*by) })
        }
        Event::Settled(Settled { one, two, .. }) => json!({
            "event": "settled",
            "red": (one / ratio).to_string(),
            "blue": (two / ratio).to_string(),
        }),
        Event::Withdrawn(Withdrawn { account, amount }) => json!({
            "event": "withdrawn",
            "account": account.to_string(),
            "amount": (amount / ratio).to_string(),
        }),
        Event::GameFreed(GameFreed { payer, .. }) => {
            json!({ "event": "freed", "payer": payer.to_string() })
        }
    };
    if let Some(number) = at.event.game() {
        value["game"] = number.into();
    }
    value["block"] = at.block.into();
    value["block_hash"] = format!("{:?}", at.block_hash).into();
    value["index"] = at.index.into();
    value
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
    fn long_lines_take_several() {
        assert_eq!(height("", 10), 0);
        assert_eq!(height("\n", 10), 1);
        assert_eq!(height("0123456789", 10), 1);
        assert_eq!(height("01234567890\n\nx", 10), 4);
        assert_eq!(height("\u{1b}[1m0123456789\u{1b}[0m", 10), 1);
    }
}
