//! Games that have ended, and which of them are rated.

use std::collections::BTreeMap;

use subxt::utils::H256;

use super::finished::Finished;
use super::rating::Standing;
use super::ratings::{MOST_OF_A_PAIR, Ratings, Reason};
use crate::seen::BlockRef;

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

    /// Counts a game that is not rated.
    const fn count(&mut self, reason: Reason) {
        let counted = match reason {
            Reason::OtherBoard => &mut self.other_board,
            Reason::Frequent => &mut self.frequent,
            Reason::Short => &mut self.short,
        };
        *counted = counted.saturating_add(1);
    }
}

/// A game that has ended with a result, and the block in which it ended; none if that is not known.
struct Ended {
    game: Finished,
    block: Option<BlockRef>,
}

/// The games that have ended, in their order.
#[derive(Default)]
pub(super) struct Results {
    ended: Vec<Ended>,
    aborted: u32,
}

impl Results {
    /// Adds a game that ended in a block, which may not be known. None: it ended without a result.
    pub(super) fn end(&mut self, game: Option<Finished>, block: Option<BlockRef>) {
        match game {
            Some(game) => self.ended.push(Ended { game, block }),
            None => self.aborted = self.aborted.saturating_add(1),
        }
    }

    /// The blocks whose times decide which games are rated: those in which accounts that have played
    /// each other often have ended a game.
    pub(super) fn blocks(&self) -> BTreeMap<u32, H256> {
        let on_standard = || self.ended.iter().filter(|ended| ended.game.is_standard);
        let mut played: BTreeMap<_, usize> = BTreeMap::new();
        for pair in on_standard().flat_map(|ended| ended.game.pairs()) {
            *played.entry(pair).or_default() += 1;
        }
        on_standard()
            .filter(|ended| {
                let mut pairs = ended.game.pairs();
                pairs.any(|pair| played[&pair] > MOST_OF_A_PAIR)
            })
            .filter_map(|ended| ended.block)
            .map(|block| (block.number, block.hash))
            .collect()
    }

    /// The standings, by the times of these blocks in seconds since 1970.
    pub(super) fn standings(&self, times: &BTreeMap<u32, u64>) -> Standings {
        let mut ratings = Ratings::default();
        let mut unrated = Unrated {
            aborted: self.aborted,
            ..Unrated::default()
        };
        for Ended { game, block } in &self.ended {
            let time = block.and_then(|block| times.get(&block.number).copied());
            if let Some(reason) = ratings.count(game, time) {
                unrated.count(reason);
            }
        }
        Standings {
            rows: ratings.sorted(),
            unrated,
        }
    }
}
