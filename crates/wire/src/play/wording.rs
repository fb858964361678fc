//! Words for positions and for what they are worth.

use alloc::format;
use alloc::string::{String, ToString as _};

use connect4_opponent::{Fault, Worth};
use connect4_protocol::End;
use connect4_rules::Player;
use connect4_rules::variant::{Outcome, Position};

/// How a position of a variant stands, in a few words.
#[must_use]
pub fn position_standing(position: &Position) -> String {
    match (position.outcome(), position.to_move()) {
        (Some(outcome @ Outcome::Line(_)), _) => outcome.to_string(),
        (Some(outcome), _) => format!("{outcome} {}", End::from(outcome)),
        (None, Some(colour)) => format!("{colour} to move"),
        (None, None) => "over".into(),
    }
}

/// What a position is worth to the player who has just moved, in a few words.
#[must_use]
pub fn worth(worth: Worth) -> String {
    match worth {
        Worth::WinsIn(0 | 1) => "wins".into(),
        Worth::WinsIn(discs) => format!("wins in {discs}"),
        Worth::Draw => "a draw".into(),
        Worth::LosesIn(discs) => format!("loses in {discs}"),
        // A search is as sure as that only of what it has proven.
        Worth::About(chance) if chance >= 1.0 => "wins".into(),
        Worth::About(chance) if chance <= 0.0 => "loses".into(),
        Worth::About(chance) => format!("a chance of {:.0} %", chance * 100.0),
    }
}

/// Who is better and by how much, where a position is worth this to the player to move.
#[must_use]
pub fn evaluation(mover: Player, value: Worth) -> String {
    let other = mover.opponent();
    match value {
        Worth::WinsIn(_) => format!("{mover} {}", worth(value)),
        Worth::LosesIn(discs) => format!("{other} {}", worth(Worth::WinsIn(discs))),
        Worth::Draw => worth(value),
        Worth::About(chance) => {
            let (ahead, chance) = match chance < 0.5 {
                true => (other, 1.0 - chance),
                false => (mover, chance),
            };
            match chance * 100.0 {
                percent if percent >= 100.0 => format!("{ahead} wins"),
                percent if percent < 50.5 => "even".into(),
                percent => format!("{ahead}: {percent:.0} %"),
            }
        }
    }
}

/// The sign that marks a fault, as in chess; empty for none.
#[must_use]
pub const fn mark(fault: Fault) -> &'static str {
    match fault {
        Fault::None => "",
        Fault::Inaccuracy => "?",
        Fault::Blunder => "??",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evaluation_names_who_is_ahead() {
        for (mover, value, words) in [
            (Player::One, Worth::WinsIn(21), "red wins in 21"),
            (Player::One, Worth::WinsIn(1), "red wins"),
            (Player::One, Worth::LosesIn(7), "blue wins in 7"),
            (Player::Two, Worth::LosesIn(21), "red wins in 21"),
            (Player::Two, Worth::Draw, "a draw"),
            (Player::Two, Worth::About(0.625), "blue: 62 %"),
            (Player::Two, Worth::About(0.25), "red: 75 %"),
            (Player::One, Worth::About(0.503), "even"),
            (Player::One, Worth::About(1.0), "red wins"),
            (Player::One, Worth::About(0.0), "blue wins"),
        ] {
            assert_eq!(evaluation(mover, value), words);
        }
    }

    #[test]
    fn what_a_search_has_proven_is_no_chance() {
        for (chance, words) in [(1.0, "wins"), (0.0, "loses"), (0.25, "a chance of 25 %")] {
            assert_eq!(worth(Worth::About(chance)), words);
        }
    }
}
