//! Games that have ended, and which of them are rated.

use std::collections::BTreeMap;

use connect4_rules::{Shape, ShapeSpec};
use subxt::utils::H256;

use super::rating::{GameResult, Standing, Table};
use crate::Address;
use crate::seen::BlockRef;

/// Number of games of the same two accounts that are rated within 24 hours: a series of best of five.
/// A friend who loses all day moves a rating by less than a hundred points so.
pub const MOST_OF_A_PAIR: usize = 5;
/// Seconds in which the games of a pair are counted.
const DAY: u64 = 24 * 60 * 60;

/// Results and ratings of accounts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standings {
    /// A row for each account, the highest rating first.
    pub rows: Vec<Standing>,
    /// The games that changed no rating, or only their loser's.
    pub unrated: Unrated,
}

/// Numbers of games that have ended and are not rated, by the reason. A game for which there are two
/// reasons is counted for the first of them, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unrated {
    /// Games that were aborted or abandoned; they are no results either.
    pub aborted: u32,
    /// Games on other boards than the standard one, 7 bins of 6 with a line of 4: on some of those
    /// who begins wins in a few moves.
    pub other_board: u32,
    /// Games beyond [`MOST_OF_A_PAIR`] that ended within 24 hours and that the same two accounts
    /// have played, by the times of the blocks in which they ended. Games whose times are not known
    /// count as games of one day.
    pub frequent: u32,
    /// Games that were given up, lost on time or agreed to be drawn before a line was possible. They
    /// lower the rating of their loser.
    pub short: u32,
}

impl Unrated {
    /// The number of these games.
    #[must_use]
    pub const fn sum(&self) -> u32 {
        let Self {
            aborted,
            other_board,
            frequent,
            short,
        } = *self;
        aborted
            .saturating_add(other_board)
            .saturating_add(frequent)
            .saturating_add(short)
    }
}

/// A game that has ended with a result.
struct Ended {
    players: Vec<(Address, GameResult)>,
    is_standard: bool,
    /// Whether it ended before a line was possible.
    is_short: bool,
    /// The block in which it ended; none if that is not known.
    block: Option<BlockRef>,
}

impl Ended {
    /// Each two of the players.
    fn pairs(&self) -> impl Iterator<Item = (Address, Address)> {
        let players = || self.players.iter().map(|(account, _)| *account);
        players().flat_map(move |one| {
            let others = players().filter(move |other| one < *other);
            others.map(move |other| (one, other))
        })
    }
}

/// The games that have ended, in their order.
#[derive(Default)]
pub(super) struct Results {
    ended: Vec<Ended>,
    aborted: u32,
}

impl Results {
    /// Adds a game that ended without a result.
    pub(super) fn abort(&mut self) {
        self.aborted = self.aborted.saturating_add(1);
    }

    /// Adds a game that ended with these results of its players.
    pub(super) fn end(
        &mut self,
        players: Vec<(Address, GameResult)>,
        shape: ShapeSpec,
        is_short: bool,
        block: Option<BlockRef>,
    ) {
        self.ended.push(Ended {
            players,
            is_standard: shape == Shape::STANDARD.into(),
            is_short,
            block,
        });
    }

    /// The blocks whose times decide which games are rated: those in which accounts that have played
    /// each other often have ended a game.
    pub(super) fn blocks(&self) -> BTreeMap<u32, H256> {
        let on_standard = || self.ended.iter().filter(|game| game.is_standard);
        let mut played: BTreeMap<_, usize> = BTreeMap::new();
        for pair in on_standard().flat_map(Ended::pairs) {
            *played.entry(pair).or_default() += 1;
        }
        on_standard()
            .filter(|game| game.pairs().any(|pair| played[&pair] > MOST_OF_A_PAIR))
            .filter_map(|game| game.block)
            .map(|block| (block.number, block.hash))
            .collect()
    }

    /// The standings, by the times of these blocks in seconds since 1970.
    pub(super) fn standings(&self, times: &BTreeMap<u32, u64>) -> Standings {
        let mut table = Table::default();
        let mut unrated = Unrated {
            aborted: self.aborted,
            ..Unrated::default()
        };
        // The times at which the games of a pair ended that are rated.
        let mut rated: BTreeMap<(Address, Address), Vec<Option<u64>>> = BTreeMap::new();
        for game in &self.ended {
            let time = game
                .block
                .and_then(|block| times.get(&block.number).copied());
            let is_near = |earlier: &Option<u64>| match (*earlier, time) {
                (Some(earlier), Some(time)) => time.saturating_sub(earlier) < DAY,
                (None, None) => true,
                (Some(_), None) | (None, Some(_)) => false,
            };
            let is_frequent = game.pairs().any(|pair| {
                // Games end in the order of their times.
                let times = rated.get(&pair).into_iter().flatten().rev();
                let last = times.take(MOST_OF_A_PAIR);
                last.filter(|time| is_near(time)).count() == MOST_OF_A_PAIR
            });
            let is_rated = game.is_standard && !is_frequent;
            if is_rated {
                for pair in game.pairs() {
                    rated.entry(pair).or_default().push(time);
                }
            }
            if !game.is_standard {
                unrated.other_board += 1;
            } else if is_frequent {
                unrated.frequent += 1;
            } else if game.is_short {
                unrated.short += 1;
            }
            table.count(&game.players, !game.is_short, is_rated);
        }
        Standings {
            rows: table.sorted(),
            unrated,
        }
    }
}
