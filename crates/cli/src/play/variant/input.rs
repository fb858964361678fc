//! What players of a variant type.

use connect4_rules::Bin;
use connect4_rules::variant::{Move, MoveError, Position};

use crate::words::variant;

/// What a player can want.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// To move.
    Move(Move),
    /// To leave the game.
    Leave,
    /// To remove the player who is late.
    Claim,
    /// To know what can be typed.
    Help,
}

/// The words, and what they mean.
const WORDS: [(&str, Input); 5] = [
    ("leave", Input::Leave),
    ("resign", Input::Leave),
    ("claim", Input::Claim),
    ("help", Input::Help),
    ("?", Input::Help),
];

/// The meaning of a word, in any case; none if the answer is no known word.
pub fn word(answer: &str) -> Option<Input> {
    let answer = answer.trim();
    WORDS
        .into_iter()
        .find(|(word, _)| word.eq_ignore_ascii_case(answer))
        .map(|(_, input)| input)
}

/// The meaning of a word or a move, or why the answer is refused.
pub fn answer(answer: &str, position: &Position) -> Result<Input, String> {
    if let Some(input) = word(answer) {
        return Ok(input);
    }
    let answer = answer.trim();
    if answer.is_empty() {
        return Err("empty answer, a move is needed".into());
    }
    let action = read(answer).ok_or_else(|| {
        // The answer may hold control characters, which would change the terminal.
        let answer = answer.escape_debug();
        let moves = variant::moves(position.variant());
        format!("`{answer}` is not a move: {moves}")
    })?;
    let shape = position.shape();
    match position.check(action) {
        Ok(()) => Ok(Input::Move(action)),
        Err(MoveError::NoSuchBin) => Err(format!(
            "there is no such bin: they are 1 to {}",
            shape.bins()
        )),
        Err(MoveError::NoSuchRow) => Err(format!(
            "there is no such row: they are 1 to {}",
            shape.capacity()
        )),
        Err(error) => Err(error.to_string()),
    }
}

/// A move in the notation. A bin above 9 may be typed without its parentheses.
fn read(answer: &str) -> Option<Move> {
    if answer.len() > 1 && answer.bytes().all(|byte| byte.is_ascii_digit()) {
        let from_1: u8 = answer.parse().unwrap_or(u8::MAX);
        return Some(Move::Drop(Bin::new(from_1.checked_sub(1)?)));
    }
    answer.parse().ok()
}

/// What `help` says.
pub fn help(position: &Position) -> String {
    format!(
        "{}; leave gives the game up, claim removes a player whose time has run out; Ctrl-C leaves \
         the program",
        variant::moves(position.variant())
    )
}

#[cfg(test)]
mod tests {
    use connect4_rules::Shape;
    use connect4_rules::variant::{Powers, Variant, VariantSpec};

    use super::*;

    fn position(moves: &str) -> Position {
        let terms = VariantSpec {
            players: 3,
            pop_out: true,
            powers: Powers {
                take: 1,
                clear: 0,
                float: 1,
            },
            ..VariantSpec::classic(Shape::CLASSROOM)
        };
        Position::from_moves(Variant::try_from(terms).unwrap(), moves).unwrap()
    }

    #[test]
    fn moves_are_read_in_the_notation() {
        let position = position("123");
        for (text, written) in [
            ("4", "4"),
            (" P1 ", "p1"),
            ("t2.1", "t2.1"),
            ("f4.3", "f4.3"),
        ] {
            let read = answer(text, &position);
            assert_eq!(read, Ok(Input::Move(written.parse().unwrap())), "{text}");
        }
        for text in ["leave", "RESIGN"] {
            assert_eq!(answer(text, &position), Ok(Input::Leave));
        }
        assert_eq!(answer(" ? ", &position), Ok(Input::Help));
    }

    #[test]
    fn every_bad_answer_is_named() {
        let position = position("111");
        for (text, why) in [
            ("", "empty answer, a move is needed"),
            ("0", "`0` is not a move: 4 drops into bin 4; p4 pops"),
            ("x", "`x` is not a move"),
            ("7", "there is no such bin: they are 1 to 6"),
            ("12", "there is no such bin: they are 1 to 6"),
            ("999", "there is no such bin"),
            ("f1.9", "there is no such row: they are 1 to 4"),
            ("r1", "this game is played without such moves"),
            ("t1.1", "the disc is the mover's own"),
            ("t2.1", "the cell has no disc"),
            (
                "p2",
                "the disc at the bottom of the bin is not the mover's own",
            ),
            ("f1.4", "a disc floats only above the top of its bin"),
            ("\u{1b}[2J", "is not a move"),
        ] {
            let refused = answer(text, &position).unwrap_err();
            assert!(refused.contains(why), "{text}: {refused}");
            assert!(!refused.contains('\u{1b}'));
        }
    }
}
