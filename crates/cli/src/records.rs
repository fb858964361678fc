//! Signed games that have ended, before they are recorded on the chain.

use std::collections::{HashMap, HashSet};

use connect4_client::{Contracts, Error};
use connect4_index::{MOST_AHEAD, MOST_BEHIND};
use connect4_protocol::Address;
use connect4_protocol::signed::{
    Chain, Digest, Domain, Finished, GameNumber, Native, RecordedEnd, Refused,
};
use connect4_rules::{ByPlayer, Player};

/// Games in one call, at most: an index reads them in one block, whose time they share.
pub const MOST_IN_CALL: usize = 30;

/// For how long a game that others pay for has to count, in seconds: its transaction can be in a block for seven minutes,
/// and the clocks of machines differ.
const LASTING: u64 = 60 * 60;

/// Blocks that are looked through for records, at most: five hours of a chain with a block every 6 s.
const MOST_BLOCKS: u32 = 3000;

/// What the games of one call have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Call {
    /// None of games without one.
    pub witness: Option<Address>,
    /// The tournament; none of games that belong to none.
    pub event: Option<Digest>,
}

/// A game that the contract would take.
#[derive(Clone, Copy, Debug)]
pub struct Checked {
    pub number: GameNumber,
    /// The winner; none of a draw.
    pub winner: Option<Player>,
    /// The game, with all that shows how it ended.
    pub finished: Finished,
}

impl Checked {
    /// Checks a game as the contract does.
    ///
    /// # Errors
    ///
    /// [`Refused`] in words, and if no record has room for the time of the terms.
    pub fn ended(finished: Finished, chain: Chain) -> Result<Self, String> {
        let outcome = finished.judge(chain, &Native);
        let outcome = outcome.map_err(|refused| refused.to_string())?;
        if RecordedEnd::of(&finished, false).is_none() {
            return Err("no record has room for the time of its terms".into());
        }
        Ok(Self {
            number: outcome.number,
            winner: outcome.winner,
            finished,
        })
    }

    /// Checks a game that its witness has ended as the contract does; none if it does not [count](Self::counts), or has no
    /// clock, so that it is nobody's win.
    ///
    /// # Errors
    ///
    /// As [`Self::ended`], and if it has no witness.
    pub fn witnessed(finished: Finished, chain: Chain, now: u64) -> Result<Option<Self>, String> {
        let checked = Self::ended(finished, chain)?;
        match finished.terms.witness {
            Some(_) if finished.terms.clock.is_none() => Ok(None),
            Some(_) => Ok(Some(checked).filter(|checked| checked.counts(now))),
            None => Err(Refused::NoWitness.to_string()),
        }
    }

    /// Whether the end of the game counts for an index if it is recorded [soon](LASTING): its witness has ended it, not far
    /// from this time.
    pub fn counts(&self, now: u64) -> bool {
        self.finished.witnessed.is_some_and(|witnessed| {
            let at = witnessed.at / 1000;
            at <= now.saturating_add(MOST_AHEAD)
                && at.saturating_add(MOST_BEHIND) >= now.saturating_add(LASTING)
        })
    }

    /// In which calls it can be.
    pub const fn call(&self) -> Call {
        Call {
            witness: self.finished.terms.witness,
            event: self.finished.terms.event,
        }
    }

    /// Accounts of the players.
    pub fn players(&self) -> ByPlayer<Address> {
        self.finished.terms.players.map(|party| party.account())
    }

    /// When the terms were made, in seconds since 1970.
    pub const fn time(&self) -> u64 {
        self.finished.terms.time
    }

    /// Whether each player gains by the record: it has not lost.
    pub fn gains(&self) -> ByPlayer<bool> {
        ByPlayer::from_fn(|player| self.winner.is_none_or(|winner| winner == player))
    }

    /// Whether a record of it says more than the one on the chain, which has so many moves: of several ends of a game that
    /// has no witness the one with the most moves is shown.
    pub const fn is_news_to(&self, turns: u8) -> bool {
        self.finished.terms.witness.is_none() && self.finished.moves.turns() > turns
    }
}

/// The number of a game on this chain.
pub fn number_of(finished: &Finished, chain: Chain) -> GameNumber {
    finished
        .terms
        .number(&Domain::without_stake(chain), &Native)
}

/// What was recorded of these games in the last blocks since a time, in seconds since 1970: the number of moves of the
/// longest record. And whether all blocks since then were looked at.
///
/// # Errors
///
/// If the chain cannot be reached.
pub async fn recorded(
    contract: &Contracts,
    numbers: &HashSet<GameNumber>,
    since: u64,
) -> Result<(HashMap<GameNumber, u8>, bool), Error> {
    let client = contract.client();
    let best = client.height().await?;
    let earliest = best.saturating_sub(MOST_BLOCKS);
    let is_before = async |number: u32| -> Result<bool, Error> {
        let Some(block) = client.block_at(number).await? else {
            return Ok(false);
        };
        let time = client.block_seconds(block).await;
        Ok(time.is_none_or(|time| time < since))
    };
    // The first block that is not before.
    let (mut low, mut high) = (earliest, best.saturating_add(1));
    while low < high {
        let middle = low + (high - low) / 2;
        match is_before(middle).await? {
            true => low = middle.saturating_add(1),
            false => high = middle,
        }
    }
    let mut found = HashMap::<_, u8>::new();
    for event in contract.recorded_ends(low..=best).await? {
        if numbers.contains(&event.game) {
            let turns = found.entry(event.game).or_default();
            *turns = event.moves.turns().max(*turns);
        }
    }
    Ok((found, low > earliest || earliest == 0))
}
