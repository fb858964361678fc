//! What players type, by the kind of game.

use connect4_rules::Bin;
use connect4_rules::variant::{Colour, Move, MoveError, ParseMoveError};

use crate::game::Position;
use crate::input;
use crate::words::variant;

/// What a player at a terminal can want.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    Move(Move),
    /// To take the first disc over, by the pie rule.
    Swap,
    /// To give the game up, or to leave a variant.
    Resign,
    Draw,
    /// To accept the opponent's offer of a draw.
    Accept,
    /// To decline it.
    Decline,
    /// To remove the player to move from a variant, who is late.
    Claim,
    /// To start the opponent's clock on the chain.
    Press,
    /// To make a move by a transaction, as the opponent is not to be reached or moves there.
    OnChain(Bin),
    /// To submit the end of a signed game with a stake to the chain, though the opponent is to.
    Settle,
    /// To know what can be typed.
    Help,
}

/// What can be typed in a kind of game. A move is typed as the board is numbered: in classic games a
/// bin from 0, in signed games from 1, in variants the notation, which counts from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grammar {
    /// A classic game on the chain.
    Classic,
    /// A signed game by one player, in which bins count from 1.
    Table,
    /// The same with a stake: what matters can be brought to the chain.
    Staked,
    Variant,
}

impl Grammar {
    /// The words, and what they mean.
    const fn words(self) -> &'static [(&'static str, Input)] {
        match self {
            Self::Classic => &[
                ("resign", Input::Resign),
                ("help", Input::Help),
                ("?", Input::Help),
            ],
            Self::Staked => &[
                ("swap", Input::Swap),
                ("resign", Input::Resign),
                ("draw", Input::Draw),
                ("accept", Input::Accept),
                ("decline", Input::Decline),
                ("press", Input::Press),
                ("settle", Input::Settle),
                ("help", Input::Help),
                ("?", Input::Help),
            ],
            Self::Table => &[
                ("swap", Input::Swap),
                ("resign", Input::Resign),
                ("draw", Input::Draw),
                ("accept", Input::Accept),
                ("decline", Input::Decline),
                ("help", Input::Help),
                ("?", Input::Help),
            ],
            Self::Variant => &[
                ("leave", Input::Resign),
                ("resign", Input::Resign),
                ("claim", Input::Claim),
                ("help", Input::Help),
                ("?", Input::Help),
            ],
        }
    }

    /// The meaning of a word, in any case; none if the answer is no known word.
    pub fn word(self, answer: &str) -> Option<Input> {
        let answer = answer.trim();
        let mut words = self.words().iter();
        let found = words.find(|(word, _)| word.eq_ignore_ascii_case(answer));
        found.map(|(_, input)| *input)
    }

    /// The meaning of a word or a move, or why the answer is refused.
    pub fn answer(self, answer: &str, position: &Position) -> Result<Input, String> {
        if let Some(input) = self.word(answer) {
            return Ok(input);
        }
        match position {
            Position::Classic(position)
                if self == Self::Staked && answer.trim().starts_with(ON_CHAIN) =>
            {
                let bin = answer.trim().trim_start_matches(ON_CHAIN);
                input::bin_from_one(bin, position).map(Input::OnChain)
            }
            Position::Classic(position) if self.counts_from_one() => {
                input::bin_from_one(answer, position).map(|bin| Input::Move(Move::Drop(bin)))
            }
            Position::Classic(position) => {
                input::bin(answer, position).map(|bin| Input::Move(Move::Drop(bin)))
            }
            Position::Variant(position) => notation(answer, position).map(Input::Move),
        }
    }

    /// Whether the bins of a game of two count from 1.
    const fn counts_from_one(self) -> bool {
        matches!(self, Self::Table | Self::Staked)
    }

    /// The number of the first bin.
    pub const fn first_bin(self) -> u8 {
        match self.counts_from_one() || matches!(self, Self::Variant) {
            true => 1,
            false => 0,
        }
    }

    /// The words that are worth typing while an opponent is to move.
    pub const fn while_waiting(self) -> &'static str {
        match self {
            Self::Classic => "resign or help",
            Self::Table => "draw, resign or help",
            Self::Staked => "press, draw, resign or help",
            Self::Variant => "leave or help",
        }
    }

    /// The question for a move. `undone` is the move of this turn whose block was replaced.
    pub fn question(self, position: &Position, colour: Colour, undone: Option<Move>) -> String {
        match position {
            Position::Classic(_) if self.counts_from_one() => {
                "Enter a bin, from 1 at the left: ".into()
            }
            Position::Classic(_) => match undone {
                Some(Move::Drop(bin)) => {
                    format!("Enter a bin index (starting from 0; you had chosen {bin}): ")
                }
                _ => "Enter a bin index (starting from 0): ".into(),
            },
            Position::Variant(position) => {
                let examples = variant::examples(position, colour);
                let chosen = match undone {
                    Some(action) => format!("; you had chosen {action}"),
                    None => String::new(),
                };
                format!("Enter a move, bins and rows from 1 ({examples}{chosen}): ")
            }
        }
    }

    /// What `help` says.
    pub fn help(self, position: &Position) -> String {
        match (self, position) {
            (_, Position::Variant(position)) => format!(
                "{}; leave gives the game up, claim removes a player whose time has run out; Ctrl-C \
                 leaves the program",
                variant::moves(position.variant())
            ),
            (Self::Table, _) => format!(
                "{BIN}; {SWAP}; draw offers a draw until the next move, accept and decline answer such an offer, \
                 resign gives the game up; Ctrl-C leaves"
            ),
            (Self::Staked, _) => format!(
                "{BIN}; {SWAP}; draw, after your move, offers a draw for a minute, accept and decline answer such an \
                 offer, resign gives the game up; press starts the clock of a silent opponent on the chain, chain 4 \
                 makes the move into bin 4 there, settle brings the end there if the winner does not; Ctrl-C leaves"
            ),
            _ => format!("{BIN}; resign gives the game up; Ctrl-C leaves"),
        }
    }
}

/// What a player is told who may swap.
pub fn may_swap(opponent: &str) -> String {
    format!("you may drop a disc, or type swap to take {opponent}'s disc over")
}

/// Why a swap is refused.
pub const NO_SWAP: &str = "a swap is the second move of a game with the pie rule";

const SWAP: &str = "swap, as the second move by the pie rule, takes the first disc over";
/// What stands before a bin whose move is made by a transaction.
pub const ON_CHAIN: &str = "chain ";
const BIN: &str = "a number drops a disc into that bin, as they are numbered below the board";

/// A move in the notation, or why the answer is refused.
fn notation(answer: &str, position: &connect4_rules::variant::Position) -> Result<Move, String> {
    let answer = answer.trim();
    if answer.is_empty() {
        return Err("empty answer, a move is needed".into());
    }
    let action = read(answer).map_err(|_| {
        // The answer may hold control characters, which would change the terminal.
        let answer = answer.escape_debug();
        let moves = variant::moves(position.variant());
        format!("`{answer}` is not a move: {moves}")
    })?;
    check(action, position).map(|()| action)
}

/// Why a move of a variant is refused.
pub fn check(action: Move, position: &connect4_rules::variant::Position) -> Result<(), String> {
    let shape = position.shape();
    match position.check(action) {
        Ok(()) => Ok(()),
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

/// A move in the notation. A bin above 9 may be typed without its parentheses, and a swap as in signed games.
pub fn read(answer: &str) -> Result<Move, ParseMoveError> {
    if answer.eq_ignore_ascii_case("swap") {
        return Ok(Move::Swap);
    }
    if answer.len() > 1 && answer.bytes().all(|byte| byte.is_ascii_digit()) {
        let from_1: u8 = answer.parse().unwrap_or(u8::MAX);
        if let Some(bin) = from_1.checked_sub(1) {
            return Ok(Move::Drop(Bin::new(bin)));
        }
    }
    answer.parse()
}

#[cfg(test)]
mod tests {
    use connect4_rules::Shape;
    use connect4_rules::variant::{Powers, Variant, VariantSpec};

    use super::*;

    fn drop(bin: u8) -> Input {
        Input::Move(Move::Drop(Bin::new(bin)))
    }

    #[test]
    fn words_and_bins_are_read_in_games_of_two() {
        let position = connect4_rules::Position::new(Shape::CLASSROOM).into();
        let classic = |text| Grammar::Classic.answer(text, &position);
        for (text, input) in [
            (" Resign ", Input::Resign),
            ("HELP", Input::Help),
            ("?", Input::Help),
            ("3", drop(3)),
        ] {
            assert_eq!(classic(text), Ok(input), "{text}");
        }
        for text in ["resign!", "draw", "claim", "press"] {
            assert!(classic(text).is_err(), "{text}");
        }
        let staked = |text| Grammar::Staked.answer(text, &position);
        for (text, input) in [
            ("press", Input::Press),
            (" Draw ", Input::Draw),
            ("SETTLE", Input::Settle),
            ("6", drop(5)),
            ("chain 2", Input::OnChain(Bin::new(1))),
        ] {
            assert_eq!(staked(text), Ok(input), "{text}");
        }
        assert!(staked("7").is_err());
        assert!(staked("claim").is_err(), "it is claimed by itself");
    }

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
        let variant = Variant::try_from(terms).unwrap();
        connect4_rules::variant::Position::from_moves(variant, moves)
            .unwrap()
            .into()
    }

    #[test]
    fn moves_of_variants_are_read_in_the_notation() {
        let position = position("123");
        for (text, written) in [
            ("4", "4"),
            (" P1 ", "p1"),
            ("t2.1", "t2.1"),
            ("f4.3", "f4.3"),
        ] {
            let read = Grammar::Variant.answer(text, &position);
            assert_eq!(read, Ok(Input::Move(written.parse().unwrap())), "{text}");
        }
        for text in ["leave", "RESIGN"] {
            let read = Grammar::Variant.answer(text, &position);
            assert_eq!(read, Ok(Input::Resign));
        }
        let read = Grammar::Variant.answer(" ? ", &position);
        assert_eq!(read, Ok(Input::Help));
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
            let refused = Grammar::Variant.answer(text, &position).unwrap_err();
            assert!(refused.contains(why), "{text}: {refused}");
            assert!(!refused.contains('\u{1b}'));
        }
    }
}
