//! Words for variants. Bins and rows count from 1, as in the notation of their moves.

use connect4_client::Address;
use connect4_protocol::variants::Game;
use connect4_rules::Cell;
use connect4_rules::variant::{Colour, Move, Position, Powers, Variant, VariantSpec};

use super::{coloured, dim, name};

/// The board, coloured if the output is a terminal, with the numbers of its bins and rows from 1.
pub fn board(position: &Position) -> String {
    let shape = position.shape();
    let winning = position.winning_cells();
    let rule = format!("   +{}\n", "---+".repeat(shape.bins().into()));
    let mut text = String::new();
    for row in (0..shape.capacity()).rev() {
        text.push_str(&rule);
        text.push_str(&dim(format!("{:>2}", row + 1)));
        text.push_str(" |");
        for bin in shape.iter_bins() {
            let cell = Cell { bin, row };
            let won = winning.contains(shape, cell);
            let disc = match position.disc(cell) {
                None => " ".into(),
                Some(colour) if won => coloured(colour, colour.winning_disc(), true),
                Some(colour) => coloured(colour, colour.disc(), false),
            };
            text.push_str(&format!(" {disc} |"));
        }
        text.push('\n');
    }
    text.push_str(&rule);
    let bins = shape.iter_bins().map(|bin| bin.index() + 1);
    let numbers: String = bins.map(|bin| format!("{bin:>4}")).collect();
    text + &dim(format!("  {numbers}"))
}

/// A colour with its disc: `▲ green`.
pub fn badge(colour: Colour) -> String {
    coloured(colour, format!("{} {colour}", colour.disc()), false)
}

/// What stands before a player, whose turn it may be.
pub const fn mark(is_turn: bool) -> char {
    match is_turn {
        true => '▸',
        false => ' ',
    }
}

/// The players of a game, a line each: whose turn it is, who plays, and the powers that are left.
pub fn roster(game: &Game) -> Vec<String> {
    let position = game.position();
    let variant = game.variant();
    let accounts: Vec<String> = variant
        .colours()
        .map(|colour| name(game.account_of(colour)))
        .collect();
    let width = accounts.iter().map(String::len).max().unwrap_or(0);
    let line = |(colour, account): (Colour, &String)| {
        let mark = mark(game.to_move() == Some(colour));
        let badge = coloured(colour, format!("{} {colour:<6}", colour.disc()), false);
        let has = if position.has_left(colour) {
            "has left".into()
        } else {
            left(position.powers(colour), variant)
        };
        format!("{mark} {badge}  {account:<width$}  {has}")
            .trim_end()
            .to_owned()
    };
    variant.colours().zip(&accounts).map(line).collect()
}

/// Whether the players of a variant have anything to be told between moves: powers, or others who
/// leave.
pub fn has_roster(variant: Variant) -> bool {
    variant.players() > 2 || variant.powers() != Powers::NONE
}

/// The powers that a player has left; empty in variants without powers.
fn left(powers: Powers, variant: Variant) -> String {
    match powers {
        _ if variant.powers() == Powers::NONE => String::new(),
        Powers::NONE => "no powers left".into(),
        powers => powers.to_string(),
    }
}

/// What a move does, in a few words; more of them if the position before it is known.
pub fn done(mover: &str, action: Move, before: Option<&Position>) -> String {
    let from_1 = |index: u8| u16::from(index) + 1;
    let place = |cell: Cell| {
        let bin = from_1(cell.bin.index());
        format!("bin {bin}, row {}", from_1(cell.row))
    };
    match action {
        Move::Drop(bin) => match before {
            Some(before) => {
                let row = before.height(bin);
                format!("{mover} drops into {}", place(Cell { bin, row }))
            }
            None => format!("{mover} drops into bin {}", from_1(bin.index())),
        },
        Move::Pop(bin) => format!("{mover} pops bin {}", from_1(bin.index())),
        Move::Take(cell) => {
            let whose = match before.and_then(|before| before.disc(cell)) {
                Some(colour) => format!("{}'s disc", coloured(colour, colour, false)),
                None => "the disc".into(),
            };
            format!("{mover} takes {whose} out of {}", place(cell))
        }
        Move::Clear(row) => format!("{mover} clears row {}", from_1(row)),
        Move::Float(cell) => format!("{mover} floats a disc in {}", place(cell)),
        Move::Swap => format!("{mover} swaps the colours"),
    }
}

/// The moves that a variant has, as `help` tells them.
pub fn moves(variant: Variant) -> String {
    let mut lines = vec!["4 drops into bin 4".to_owned()];
    if variant.pop_out() {
        lines.push("p4 pops your own disc out of the bottom of bin 4".into());
    }
    let powers = variant.powers();
    if powers.take > 0 {
        lines.push("t4.2 takes an opponent's disc out of bin 4, row 2".into());
    }
    if powers.clear > 0 {
        lines.push("r2 clears row 2".into());
    }
    if powers.float > 0 {
        lines.push("f4.5 floats a disc in bin 4, row 5, above the top of the bin".into());
    }
    if variant.pie_rule() {
        lines.push("s swaps the colours, as the second player's first move".into());
    }
    lines.join("; ")
}

/// Examples of the moves that a player may have, for the question.
pub fn examples(position: &Position, colour: Colour) -> String {
    let powers = position.powers(colour);
    let variant = position.variant();
    let kinds = [
        (true, "4"),
        (variant.pop_out(), "p4"),
        (powers.take > 0, "t4.2"),
        (powers.clear > 0, "r2"),
        (powers.float > 0, "f4.5"),
        (variant.pie_rule() && position.turns() == 1, "s"),
    ];
    let kinds = kinds.iter().filter(|(may, _)| *may).map(|(_, text)| *text);
    kinds.chain(["help"]).collect::<Vec<_>>().join(", ")
}

/// The accounts at a table or in a game by colour, in turn order, and whether they have joined.
pub fn seats(game: &Game) -> Vec<(Option<Address>, bool)> {
    let mut seats: Vec<_> = game.seats().collect();
    if game.is_swapped() {
        seats.swap(0, 1);
    }
    seats
}

/// The accounts at a table or in a game, in a line: `alice - bob - free`.
pub fn accounts(game: &Game) -> String {
    let seat = |(account, joined): (Option<Address>, bool)| match account {
        Some(account) if joined => name(account),
        Some(account) => format!("({})", name(account)),
        None => "free".into(),
    };
    let seats = seats(game).into_iter().map(seat);
    seats.collect::<Vec<_>>().join(" - ")
}

/// Terms with the time for a move.
pub fn terms(spec: VariantSpec, limit_of_a_move: Option<u32>) -> String {
    format!("{spec}{}", limit(limit_of_a_move))
}

/// Time for a move as part of the terms; empty without a limit.
pub fn limit(limit: Option<u32>) -> String {
    match limit {
        Some(limit) => format!("; {} for each move", super::time(limit.into())),
        None => String::new(),
    }
}

/// The time that the player to move has left at `now`, in seconds since 1970; none without a limit.
pub fn time_left(game: &Game, now: u64) -> Option<String> {
    let (deadline, colour) = (game.deadline()?, game.to_move()?);
    Some(match deadline.checked_sub(now) {
        Some(left) => format!("time left: {colour} {}", super::time(left)),
        None => format!("time left: {colour} no time"),
    })
}
