//! Games by signed terms, before they are recorded on the chain.

use std::collections::{HashMap, HashSet};

use connect4_client::{Contracts, Error, Event};
use connect4_protocol::event::GameRecorded;
use connect4_protocol::fast::{Domain, GameNumber, Native, Piece, RecordedGame, Results};
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
    pub game: RecordedGame,
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
            game,
        })
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

/// What a record on the chain says about the result of a game.
pub fn recorded_piece(recorded: &GameRecorded) -> Piece {
    Piece {
        moves: recorded.moves,
        end: recorded.end,
        winner: recorded.winner.map(|winner| match winner {
            winner if winner == recorded.player_one => Player::One,
            _ => Player::Two,
        }),
    }
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
    for at in contract.events(low..=best).await? {
        if let Event::GameRecorded(recorded) = at.event
            && numbers.contains(&recorded.number)
        {
            let results = found.entry(recorded.number).or_default();
            results.add(&recorded_piece(&recorded));
        }
    }
    Ok((found, low > earliest || earliest == 0))
}
