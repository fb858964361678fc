//! Results and ratings of accounts, from events.
//!
//! The results count every game that has ended. The ratings follow from the games that are rated, see
//! [`Unrated`] for those that are not. No rule of this kind stops one person with many accounts: an
//! account costs little, and who has a hundred can have each of them lose a whole game.

#[cfg(test)]
mod attacks;
mod classic;
mod finished;
mod rating;
mod ratings;
mod results;
#[cfg(test)]
mod testing;
mod variants;

use connect4_protocol::{Game, variants as of_variants};

use crate::contract::Contract;
use crate::error::Error;
use crate::past::Past;
use crate::records::Records;
use crate::variants::Variants;

pub use finished::Finished;
pub use rating::{GameResult, Standing};
pub use ratings::{MOST_OF_A_PAIR, Ratings, Reason};
pub use results::{Standings, Unrated};
pub use variants::VariantStandings;

impl Contract {
    /// The results and ratings of all accounts that have finished a classic game, from the events of
    /// the past, with the records of the games whose starts are missing there.
    ///
    /// Ratings are Elo's (A. Elo, The Rating of Chessplayers, 1978, chapter 1): a player's expected
    /// score is 1 / (1 + 10<sup>(opponent's rating - own rating) / 400</sup>), and a game changes the
    /// rating by 32 times the difference between the score and the expected one. Which games change
    /// none, [`Unrated`] says.
    ///
    /// A game that ended by resignation, on time or by agreement before anybody could have had a line
    /// (`2 * line - 1` discs) counts as a loss for its loser, and not at all for the other player. So
    /// nobody escapes a loss by resigning quickly, and losing on purpose takes as many moves as the
    /// shortest game that is lost on the board. An aborted game does not count.
    ///
    /// Records tell who won, so wins, draws and losses are exact for games that they stand for. They
    /// do not tell when a game ended, on which ratings depend: games whose ends are missing, too, are
    /// taken to have ended before all others, in the order of their numbers, on one day.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached: it is asked for the times of blocks in which two accounts that
    /// play each other often have ended a game.
    pub async fn standings(
        &self,
        past: &Past,
        records: &Records<Game>,
    ) -> Result<Standings, Error> {
        let results = classic::results(&past.events, &records.games);
        let times = self.client().times(results.blocks()).await?;
        Ok(results.standings(&times))
    }
}

impl Variants {
    /// The results and ratings of all accounts that have finished a game of a variant, as those of
    /// [`Contract::standings`].
    ///
    /// A game of three or four counts as a duel of each two of its players, and the mean of a player's
    /// duels changes the rating: the winner has beaten all others, whose duels among themselves do not
    /// count. In a draw those who have not left it drew with each other and beat those who have.
    ///
    /// An abandoned game does not count. A game that ended as the last player left, before anybody
    /// could have had a line, counts as a loss for who left and not at all for the one who stayed.
    ///
    /// # Errors
    ///
    /// Those of [`Contract::standings`].
    pub async fn standings(
        &self,
        past: &Past,
        records: &Records<of_variants::Game>,
    ) -> Result<VariantStandings, Error> {
        let results = variants::results(&past.events, &records.games);
        let mut blocks = results.two.blocks();
        blocks.extend(results.more.blocks());
        let times = self.client().times(blocks).await?;
        Ok(VariantStandings {
            two: results.two.standings(&times),
            more: results.more.standings(&times),
        })
    }
}
