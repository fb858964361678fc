//! What a player of a fast game types.

use connect4_rules::{Bin, Position};

use crate::input;

/// What a player wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// To drop a disc.
    Drop(Bin),
    /// To give the game up.
    Resign,
    /// To offer a draw.
    Draw,
    /// To accept the opponent's offer of a draw.
    Accept,
    /// To decline it.
    Decline,
    /// To start the opponent's clock on the chain.
    Press,
    /// To have the chain told how the game has ended, though the opponent is to.
    Settle,
    /// To know what can be typed.
    Help,
}

/// What `help` says.
pub const HELP: &str = "a number drops a disc into that bin; press starts the clock of a silent \
                        opponent on the chain; draw, after your move, offers a draw for a minute, \
                        accept and decline answer such an offer, resign gives the game up; settle \
                        submits the end to the chain if the winner does not; Ctrl-C leaves";

const WORDS: [(&str, Wish); 8] = [
    ("resign", Wish::Resign),
    ("draw", Wish::Draw),
    ("accept", Wish::Accept),
    ("decline", Wish::Decline),
    ("press", Wish::Press),
    ("settle", Wish::Settle),
    ("help", Wish::Help),
    ("?", Wish::Help),
];

/// The meaning of a word, in any case; none if the answer is no known word.
pub fn word(answer: &str) -> Option<Wish> {
    let answer = answer.trim();
    WORDS
        .into_iter()
        .find(|(word, _)| word.eq_ignore_ascii_case(answer))
        .map(|(_, wish)| wish)
}

/// The meaning of a word or a bin, or why the answer is refused.
pub fn answer(answer: &str, position: &Position) -> Result<Wish, String> {
    match word(answer) {
        Some(wish) => Ok(wish),
        None => input::bin(answer, position).map(Wish::Drop),
    }
}

#[cfg(test)]
mod tests {
    use connect4_rules::Shape;

    use super::*;

    #[test]
    fn words_and_bins_are_wishes() {
        let position = Position::new(Shape::CLASSROOM);
        for (typed, wish) in [
            ("press", Wish::Press),
            (" Draw ", Wish::Draw),
            ("SETTLE", Wish::Settle),
            ("5", Wish::Drop(Bin::new(5))),
        ] {
            assert_eq!(answer(typed, &position), Ok(wish));
        }
        assert!(answer("6", &position).is_err());
        assert!(
            answer("claim", &position).is_err(),
            "it is claimed by itself"
        );
    }
}
