//! What is known about the terms of a match that a player should know before a stake is paid.

use std::fmt;
use std::time::Duration;

use connect4_client::STAKED_CONFIRMATIONS;
use connect4_opponent::perfect_result;
use connect4_protocol::{Challenge, Terms};
use connect4_rules::{Outcome, Player, Shape};

/// Bank below which a clock is short on any chain, in seconds: a node that is started again, or a
/// transaction that has to be sent again, takes as long.
const LEAST_BANK: u64 = 60;

/// What a player should know before a stake is paid. As text it is a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warning {
    /// One of the players can force a win: [`Player::One`] if the one who begins can.
    Forced(Player),
    /// Of a board on which one of the players can force a win, with the pie rule.
    Choice,
    /// The bank of the clock is short.
    ShortClock {
        /// Seconds that the bank has.
        bank: u32,
        /// What moves cost on this chain; none if its blocks are not made at certain times.
        cost: Option<MoveCost>,
    },
    /// The opponent may be a program.
    Program,
}

/// What moves take of a player's bank, as a chain makes its blocks at certain times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveCost {
    /// Time between two blocks.
    pub block: Duration,
    /// Seconds that a move takes at least.
    pub one: u64,
    /// Seconds that all moves of a player take beyond the increments if the board is filled.
    pub all: u64,
}

impl MoveCost {
    fn of(terms: &Terms, block: Duration) -> Self {
        // The opponent's move is confirmed by blocks on top of it, then the reply is in another one.
        let blocks = u64::from(STAKED_CONFIRMATIONS).saturating_add(1);
        let millis = u64::try_from(block.as_millis()).unwrap_or(u64::MAX);
        let one = millis.saturating_mul(blocks).div_ceil(1000);
        let cells = u64::from(terms.shape.bins).saturating_mul(terms.shape.capacity.into());
        let increment = terms.clock.map_or(0, |clock| clock.increment.into());
        let all = one
            .saturating_sub(increment)
            .saturating_mul(cells.div_ceil(2));
        Self { block, one, all }
    }
}

/// The warnings about terms, with the pie rule or without it, on a chain with this time between blocks; none without a
/// stake.
#[must_use]
pub fn warnings(terms: &Terms, pie_rule: bool, block_time: Option<Duration>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if terms.stake == 0 {
        return warnings;
    }
    let known = Shape::try_from(terms.shape).ok().and_then(perfect_result);
    if let Some(Outcome::Won(player)) = known {
        warnings.push(match pie_rule {
            true => Warning::Choice,
            false => Warning::Forced(player),
        });
    }
    if let Some(clock) = terms.clock {
        let cost = block_time.map(|block| MoveCost::of(terms, block));
        let least = cost.map_or(0, |cost| cost.all).max(LEAST_BANK);
        if u64::from(clock.bank) < least {
            let bank = clock.bank;
            warnings.push(Warning::ShortClock { bank, cost });
        }
    }
    warnings.push(Warning::Program);
    warnings
}

/// The [`warnings`] about a challenge.
#[must_use]
pub fn warnings_of(challenge: &Challenge, block_time: Option<Duration>) -> Vec<Warning> {
    warnings(&challenge.terms, false, block_time)
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Forced(Player::One) => f.write_str(
                "the player who begins can force a win on this board, whatever the opponent \
                 plays",
            ),
            Self::Forced(Player::Two) => f.write_str(
                "the player who moves second can force a win on this board, whatever the opponent \
                 plays",
            ),
            Self::Choice => f.write_str(
                "with the pie rule nobody can force a win against the player who moves second, \
                 who chooses after the first disc",
            ),
            Self::ShortClock { bank, cost } => {
                write!(f, "the clock is short: each player has {bank} s, and ")?;
                match cost {
                    Some(MoveCost { block, one, all }) => write!(
                        f,
                        "with a block every {} s a move takes {one} s of it, all moves {all} s",
                        block.as_secs_f64()
                    ),
                    None => f.write_str("slow blocks or a node that restarts can take all of it"),
                }
            }
            Self::Program => {
                f.write_str("the opponent may be a program that plays better than any person")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use connect4_protocol::ClockSpec;

    use super::*;

    fn terms(shape: Shape, bank: u32, increment: u32) -> Terms {
        Terms {
            shape: shape.into(),
            clock: Some(ClockSpec { bank, increment }),
            stake: 1,
        }
    }

    #[test]
    fn nobody_is_warned_of_a_game_for_nothing() {
        let terms = Terms {
            stake: 0,
            ..terms(Shape::STANDARD, 1, 0)
        };
        assert_eq!(warnings(&terms, false, None), []);
    }

    #[test]
    fn a_forced_win_is_told_with_who_can_force_it() {
        let of = |shape| warnings(&terms(shape, 600, 5), false, None);
        let first = Warning::Forced(Player::One);
        assert_eq!(of(Shape::STANDARD), [first, Warning::Program]);
        let second = Warning::Forced(Player::Two);
        assert_eq!(of(Shape::CLASSROOM), [second, Warning::Program]);
        let drawn = Shape::new(7, 7, 4).unwrap();
        assert_eq!(of(drawn), [Warning::Program]);
        assert!(
            first
                .to_string()
                .starts_with("the player who begins can force a win")
        );
    }

    #[test]
    fn a_bank_has_to_last_for_all_moves_on_a_chain_with_slow_blocks() {
        let drawn = Shape::new(7, 7, 4).unwrap();
        let of = |bank, increment, block| {
            let mut found = warnings(&terms(drawn, bank, increment), false, block);
            assert_eq!(found.pop(), Some(Warning::Program));
            found.pop()
        };
        let six = Some(Duration::from_secs(6));
        // 25 moves of two blocks each.
        let cost = MoveCost {
            block: Duration::from_secs(6),
            one: 12,
            all: 300,
        };
        let cost = Some(cost);
        let short = Warning::ShortClock { bank: 299, cost };
        assert_eq!(of(299, 0, six), Some(short));
        assert!(
            short
                .to_string()
                .ends_with("a block every 6 s a move takes 12 s of it, all moves 300 s")
        );
        assert_eq!(of(300, 0, six), None);
        assert_eq!(of(100, 12, six), None, "the increment pays for the blocks");
        let short = Warning::ShortClock {
            bank: 59,
            cost: None,
        };
        assert_eq!(of(59, 12, None), Some(short));
        assert_eq!(of(60, 0, None), None);
    }
}
