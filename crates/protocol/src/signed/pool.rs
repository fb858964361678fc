//! Pools: signed games that are rated together.

use core::fmt;
use core::str::FromStr;

use connect4_rules::variant::VariantSpec;
use connect4_rules::{ByPlayer, ShapeSpec};

use super::Terms;

/// A pool with a name, which says for which games it is. Any other number is a pool of those who agree on it, of
/// any games. Contracts give pools no meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u16)]
pub enum Pool {
    /// Any game.
    Open = 0,
    /// The standard board as it is, between people. It is solved: who begins can win.
    Standard = 1,
    /// The standard board with the pie rule, between people.
    Pie = 2,
    /// Larger boards with the pie rule, between people: 8x9 and 9x9, as Board Game Arena has them in ranked games,
    /// and 9x7, as CodinGame has it.
    Large = 3,
    /// The standard board with the pie rule, and at least one player is a program.
    Programs = 4,
}

const fn line_of_four(bins: u8, capacity: u8) -> ShapeSpec {
    ShapeSpec {
        bins,
        capacity,
        line: 4,
    }
}

const STANDARD: [ShapeSpec; 1] = [line_of_four(7, 6)];
const LARGE: [ShapeSpec; 3] = [line_of_four(9, 7), line_of_four(8, 9), line_of_four(9, 9)];

impl Pool {
    /// All pools with a name, in the order of their numbers.
    pub const ALL: [Self; 5] = [
        Self::Open,
        Self::Standard,
        Self::Pie,
        Self::Large,
        Self::Programs,
    ];

    /// The pool with this number; none if it has no name.
    #[must_use]
    pub fn of(number: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|pool| pool.number() == number)
    }

    /// The pool for a game between people on this board, with the pie rule or without: [`Self::Open`] where no
    /// other one takes it.
    #[must_use]
    pub fn of_people(rules: &VariantSpec) -> Self {
        let mut rated = [Self::Standard, Self::Pie, Self::Large].into_iter();
        let pool = rated.find(|pool| pool.takes_game(rules));
        pool.unwrap_or(Self::Open)
    }

    /// Its number in terms and seeks.
    #[must_use]
    pub const fn number(self) -> u16 {
        self as u16
    }

    /// Its name, as options and reports have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Standard => "standard",
            Self::Pie => "pie",
            Self::Large => "large",
            Self::Programs => "programs",
        }
    }

    /// Its boards, the usual one first; none if it takes any.
    #[must_use]
    pub const fn shapes(self) -> Option<&'static [ShapeSpec]> {
        match self {
            Self::Open => None,
            Self::Standard | Self::Pie | Self::Programs => Some(&STANDARD),
            Self::Large => Some(&LARGE),
        }
    }

    /// Whether its games have the pie rule; none if the players agree on it.
    #[must_use]
    pub const fn pie_rule(self) -> Option<bool> {
        match self {
            Self::Open => None,
            Self::Standard => Some(false),
            Self::Pie | Self::Large | Self::Programs => Some(true),
        }
    }

    /// Whether two players, of whom some say that they are programs, can play each other in it.
    #[must_use]
    pub const fn takes(self, programs: ByPlayer<bool>) -> bool {
        match self {
            Self::Open => true,
            Self::Standard | Self::Pie | Self::Large => !(programs.one || programs.two),
            Self::Programs => programs.one || programs.two,
        }
    }

    /// Whether it takes games by these rules.
    #[must_use]
    pub fn takes_game(self, rules: &VariantSpec) -> bool {
        let is_board = self
            .shapes()
            .is_none_or(|shapes| shapes.contains(&rules.shape));
        is_board && self.pie_rule().is_none_or(|rule| rule == rules.pie_rule)
    }

    /// Whether a game by these terms is one of it.
    #[must_use]
    pub fn takes_terms(self, terms: &Terms) -> bool {
        self.takes_game(&terms.rules()) && self.takes(terms.programs)
    }

    /// Number of the pool for whose ratings a game by these terms counts: the one that they name, but
    /// [`Self::Open`] where that has a name and is for other games. Players can sign any terms.
    #[must_use]
    pub fn counted(terms: &Terms) -> u16 {
        match Self::of(terms.pool) {
            Some(pool) if !pool.takes_terms(terms) => Self::Open.number(),
            _ => terms.pool,
        }
    }
}

/// What a pool is for, in words.
impl fmt::Display for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Open => "any board, with or without the pie rule",
            Self::Standard => "7x6 with a line of 4 without the pie rule, between people",
            Self::Pie => "7x6 with a line of 4 and the pie rule, between people",
            Self::Large => "9x7, 8x9 or 9x9 with a line of 4 and the pie rule, between people",
            Self::Programs => {
                "7x6 with a line of 4 and the pie rule, and one player or both are programs"
            }
        })
    }
}

/// Reads a [name](Self::name).
impl FromStr for Pool {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut all = Self::ALL.into_iter();
        all.find(|pool| pool.name() == text).ok_or(())
    }
}

/// The name of a pool, or its number if it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolName(pub u16);

impl fmt::Display for PoolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Pool::of(self.0) {
            Some(pool) => f.write_str(pool.name()),
            None => write!(f, "{}", self.0),
        }
    }
}

/// Reads a name, or a number.
impl FromStr for PoolName {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let named = text.parse().map(|pool: Pool| pool.number());
        let number = named.or_else(|()| text.parse().map_err(|_| ()));
        number.map(Self)
    }
}

#[cfg(test)]
mod tests {
    use connect4_rules::Shape;

    use super::*;
    use crate::Address;
    use crate::signed::Party;

    fn board(bins: u8, capacity: u8) -> ShapeSpec {
        line_of_four(bins, capacity)
    }

    /// Players can sign any terms: those that are for other games than their pool count for none that has a name.
    #[test]
    fn a_game_counts_for_the_pool_that_it_is_for() {
        let counted = |change: &dyn Fn(&mut Terms)| {
            let mut terms = Terms {
                players: ByPlayer {
                    one: Party::Guest(Address([1; 20])),
                    two: Party::Guest(Address([2; 20])),
                },
                pool: Pool::Standard.number(),
                ..Terms::on(Shape::STANDARD)
            };
            change(&mut terms);
            Pool::counted(&terms)
        };
        assert_eq!(counted(&|_| {}), Pool::Standard.number());
        assert_eq!(counted(&|terms| terms.shape = board(5, 4)), 0);
        assert_eq!(counted(&|terms| terms.shape.line = 3), 0);
        assert_eq!(counted(&|terms| terms.pie_rule = true), 0);
        assert_eq!(counted(&|terms| terms.programs.two = true), 0);
        assert_eq!(counted(&|terms| terms.pool = 7), 7, "it has no name");
        assert_eq!(counted(&|terms| terms.pool = Pool::Programs.number()), 0);
    }

    #[test]
    fn people_play_in_the_pool_of_their_board() {
        let of_people = |shape, pie_rule| Pool::of_people(&VariantSpec::of_two(shape, pie_rule));
        let standard = Shape::STANDARD.into();
        assert_eq!(of_people(standard, false), Pool::Standard);
        assert_eq!(of_people(standard, true), Pool::Pie);
        assert_eq!(of_people(board(9, 7), true), Pool::Large);
        assert_eq!(of_people(board(9, 7), false), Pool::Open);
        for pool in Pool::ALL {
            assert_eq!(pool.name().parse(), Ok(pool));
            assert_eq!(Pool::of(pool.number()), Some(pool));
        }
        assert_eq!(Pool::of(5), None);
    }
}
