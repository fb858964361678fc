//! Games by signed terms and signed games, before they are recorded on the chain.

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

use codec::{Decode, Encode};
use connect4_client::{Contracts, Error, Event};
use connect4_index::{MOST_AHEAD, MOST_BEHIND};
use connect4_protocol::fast::{Domain, GameNumber, Native, Piece, RecordedGame, Results};
use connect4_protocol::signed::{Chain, Digest, Finished, RecordedEnd, Refused};
use connect4_protocol::{Address, Error as Refusal};
use connect4_rules::{ByPlayer, Player};

/// Games in one call, at most. A hundred games of two wallets take half of what a block may have of a chain's
/// proof, and the share of a game in what a call costs by itself is a hundredth then.
pub const MOST_IN_CALL: usize = 100;

/// For how long a game that others pay for has to stay valid, in seconds: its transaction can be in a block for seven
/// minutes, and the clocks of machines differ.
const LASTING: u64 = 60 * 60;

/// Blocks that are looked through for records, at most: five hours of a chain with a block every 6 s.
const MOST_BLOCKS: u32 = 3000;

/// Signed games in one call, at most: an index reads them in one block, whose time they share.
pub const MOST_SIGNED_IN_CALL: usize = 30;

/// For what the games of a chain are signed.
#[derive(Clone, Copy, Debug)]
pub struct Signing {
    /// Contract and chain of games by signed terms.
    pub domain: Domain,
    /// Chain of signed games without a stake.
    pub chain: Chain,
}

/// What is sent for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[expect(
    clippy::large_enum_variant,
    reason = "both are some hundred bytes, and few are held at a time"
)]
pub enum Game {
    /// A game by signed terms for a contract of fast games.
    ByTerms(RecordedGame),
    /// A signed game without a stake, which its witness has ended.
    Signed(Finished),
}

/// What the games of one call have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Call {
    ByTerms,
    Signed {
        /// None of games without one.
        witness: Option<Address>,
        /// The tournament; none of games that belong to none.
        event: Option<Digest>,
    },
}

impl Call {
    /// Games in it, at most.
    pub const fn most(self) -> usize {
        match self {
            Self::ByTerms => MOST_IN_CALL,
            Self::Signed { .. } => MOST_SIGNED_IN_CALL,
        }
    }
}

/// A game that the contract would take.
#[derive(Clone, Copy, Debug)]
pub struct Checked {
    pub number: GameNumber,
    pub players: ByPlayer<Address>,
    /// When the terms were made, in seconds since 1970.
    pub time: u64,
    /// What it says about the result.
    pub piece: Piece,
    /// What is sent.
    pub game: Game,
}

impl Checked {
    /// Checks a game as the contract does.
    ///
    /// # Errors
    ///
    /// Those of [`RecordedGame::check`].
    pub fn of(game: RecordedGame, domain: &Domain, now: u64) -> Result<Self, Refusal> {
        let (terms, number, made) = game.check(domain, &Native, now)?;
        let time = terms.terms().map_or(0, |terms| terms.time);
        Ok(Self {
            number,
            players: ByPlayer {
                one: made.player_one(),
                two: made.player_two(),
            },
            time,
            piece: Piece::of(&game.evidence, &made),
            game: Game::ByTerms(game),
        })
    }

    /// Checks a signed game that has ended as the contract does.
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
            players: finished.terms.players.map(|party| party.account()),
            time: finished.terms.time,
            piece: Piece {
                moves: finished.moves,
                end: Some(outcome.end),
                winner: outcome.winner,
            },
            game: Game::Signed(finished),
        })
    }

    /// Checks a signed game that its witness has ended as the contract does; none if it does not [count](Self::counts).
    ///
    /// # Errors
    ///
    /// As [`Self::ended`], and if it has no witness.
    pub fn signed(finished: Finished, chain: Chain, now: u64) -> Result<Option<Self>, String> {
        let checked = Self::ended(finished, chain)?;
        match finished.terms.witness {
            Some(_) => Ok(Some(checked).filter(|checked| checked.counts(now))),
            None => Err(Refused::NoWitness.to_string()),
        }
    }

    /// Whether a signed game counts for an index if it is recorded [soon](LASTING): its witness has ended it, not far from
    /// this time. Of other games the contract judges that.
    pub fn counts(&self, now: u64) -> bool {
        let Game::Signed(finished) = &self.game else {
            return true;
        };
        finished.witnessed.is_some_and(|witnessed| {
            let at = witnessed.at / 1000;
            at <= now.saturating_add(MOST_AHEAD)
                && at.saturating_add(MOST_BEHIND) >= now.saturating_add(LASTING)
        })
    }

    /// Checks a game once more that is about to be sent; none if the contract would not take it in an hour, or it would
    /// not count.
    pub fn again(game: Game, signing: &Signing, now: u64) -> Option<Self> {
        match game {
            Game::ByTerms(game) => Self::lasting(game, &signing.domain, now).ok(),
            Game::Signed(finished) => Self::signed(finished, signing.chain, now).ok()?,
        }
    }

    /// In which calls it can be.
    pub fn call(&self) -> Call {
        match self.game {
            Game::ByTerms(_) => Call::ByTerms,
            Game::Signed(finished) => Call::Signed {
                witness: finished.terms.witness,
                event: finished.terms.event,
            },
        }
    }

    /// Whether each player gains by the record: it has not lost.
    pub fn gains(&self) -> ByPlayer<bool> {
        ByPlayer::from_fn(|player| self.piece.winner.is_none_or(|winner| winner == player))
    }

    /// Checks a game that the contract also has to take [later](LASTING), when its transaction is in a block: one bad
    /// game refuses the whole call.
    ///
    /// # Errors
    ///
    /// Those of [`RecordedGame::check`], now or later.
    pub fn lasting(game: RecordedGame, domain: &Domain, now: u64) -> Result<Self, Refusal> {
        game.check(domain, &Native, now.saturating_add(LASTING))?;
        Self::of(game, domain, now)
    }

    /// Whether it says something about the result that is not known.
    pub fn is_news_to(&self, known: &Results) -> bool {
        let mut with = *known;
        with.add(&self.piece);
        with.result() != known.result()
    }
}

/// What a record on the chain says about a game.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    pub number: GameNumber,
    /// When the terms were made, in seconds since 1970; 0 if it is not known.
    pub time: u64,
    pub piece: Piece,
}

/// What the contracts of the records have told of in these blocks, of games of both kinds.
///
/// # Errors
///
/// If the chain cannot be reached.
pub async fn told(contract: &Contracts, blocks: RangeInclusive<u32>) -> Result<Vec<Told>, Error> {
    let by = |winner: Option<Address>, one: Address| {
        winner.map(|winner| match winner == one {
            true => Player::One,
            false => Player::Two,
        })
    };
    let mut told = Vec::new();
    for at in contract.events(blocks.clone()).await? {
        if let Event::GameRecorded(event) = at.event {
            told.push(Told {
                number: event.number,
                time: event.terms.terms().map_or(0, |terms| terms.time),
                piece: Piece {
                    moves: event.moves,
                    end: event.end,
                    winner: by(event.winner, event.player_one),
                },
            });
        }
    }
    let ends = contract.recorded_ends(blocks).await?.into_iter();
    told.extend(ends.map(|event| Told {
        number: event.game,
        time: event.terms.time,
        piece: Piece {
            moves: event.moves,
            end: Some(event.end),
            winner: by(event.winner, event.player_one),
        },
    }));
    Ok(told)
}

/// What was recorded of these games in the last blocks since a time, in seconds since 1970; and whether all blocks
/// since then were looked at.
///
/// # Errors
///
/// If the chain cannot be reached.
pub async fn recorded(
    contract: &Contracts,
    numbers: &HashSet<GameNumber>,
    since: u64,
) -> Result<(HashMap<GameNumber, Results>, bool), Error> {
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
    let mut found = HashMap::<_, Results>::new();
    for told in told(contract, low..=best).await? {
        if numbers.contains(&told.number) {
            found.entry(told.number).or_default().add(&told.piece);
        }
    }
    Ok((found, low > earliest || earliest == 0))
}
