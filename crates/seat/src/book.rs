//! What a player holds and is bound to in one fast game.

use codec::{Decode, Encode};
use connect4_protocol::fast::{Ending, Evidence, FastGame};
use connect4_protocol::{Error, Game};
use connect4_rules::{Board, Player};

use crate::subject::Subject;

/// All that has to outlive the program of a player in a fast game, or of a guard.
///
/// The player's own signatures are in here too: who signs a move holds the position after it.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Book {
    /// The latest position that both players have signed, or the resignation at one.
    pub held: Evidence,
    /// A draw on which both have agreed. It counts only if the chain takes it in time.
    pub draw: Option<Evidence>,
    /// The player's last move that was sent to the chain without a signature.
    pub dropped: Option<Dropped>,
}

/// Move that a player sends to the chain, and is bound to from then on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Dropped {
    /// The board before it.
    pub before: Board,
    /// How many moves were made before it.
    pub turns: u8,
    /// Bin, from 0 at the left.
    pub bin: u8,
}

impl Default for Book {
    fn default() -> Self {
        Self {
            held: Evidence::start(),
            draw: None,
            dropped: None,
        }
    }
}

impl Book {
    /// The book after evidence has come from anywhere; none if that says nothing new. `chain` is the
    /// game as the chain knows it at the time `now` of its newest block.
    ///
    /// # Errors
    ///
    /// As [`Subject::check`].
    pub fn hear(
        &self,
        subject: &Subject,
        chain: &FastGame,
        now: u64,
        evidence: &Evidence,
    ) -> Result<Option<Self>, Error> {
        let is_news = match evidence.ending {
            None => {
                self.held.ending.is_none()
                    && evidence.is_news_after(self.held.moves.turns())
                    // Where the chain knows more moves, nothing can be made of it.
                    && evidence.moves.turns() >= chain.game.turns()
            }
            Some(Ending::Resignation(by)) => match self.held.ending {
                // Both have resigned: the same of the two counts for both.
                Some(Ending::Resignation(held)) => held != by && by == Player::One,
                _ => true,
            },
            Some(Ending::Draw { until }) => {
                now <= until
                    && evidence.is_news_after(chain.game.turns())
                    && self.held.ending.is_none()
                    && self.draw_in_time(chain, now).is_none()
            }
        };
        if !is_news {
            return Ok(None);
        }
        let game = subject.check(evidence)?;
        if evidence.ending.is_none() && self.has_moved_on(&game) {
            return Ok(None);
        }
        let mut book = self.clone();
        match evidence.ending {
            // The moves of a draw are of no use if it lapses: nobody has signed them alone.
            Some(Ending::Draw { .. }) => book.draw = Some(*evidence),
            _ => book.held = *evidence,
        }
        Ok(Some(book))
    }

    /// Whether the player has made its move on the chain from another position than this one, so that
    /// it can't sign the same turn again.
    fn has_moved_on(&self, from: &Game) -> bool {
        self.dropped.is_some_and(|dropped| {
            dropped.turns > from.turns()
                || (dropped.turns == from.turns() && dropped.before != *from.board())
        })
    }

    /// The draw on which both have agreed, if the chain still takes it.
    #[must_use]
    pub fn draw_in_time(&self, chain: &FastGame, now: u64) -> Option<&Evidence> {
        self.draw.as_ref().filter(|draw| {
            let in_time = matches!(draw.ending, Some(Ending::Draw { until }) if now <= until);
            in_time && draw.is_news_after(chain.game.turns())
        })
    }

    /// What the chain is to be told: the draw, if there is one in time, else the latest position.
    #[must_use]
    pub fn evidence(&self, chain: &FastGame, now: u64) -> &Evidence {
        self.draw_in_time(chain, now).unwrap_or(&self.held)
    }

    /// The game as it stands: as both players have signed, or as the chain knows it if it knows more.
    ///
    /// # Errors
    ///
    /// As [`Subject::replay`], for a book that is of another game.
    pub fn latest(&self, subject: &Subject, chain: &FastGame, now: u64) -> Result<Game, Error> {
        let evidence = self.evidence(chain, now);
        if chain.is_final()
            || !(evidence.moves.turns() >= chain.game.turns() || evidence.ending.is_some())
        {
            return Ok(chain.game);
        }
        let mut game = subject.game_of(evidence)?;
        if !game.is_over() && game.position() == chain.game.position() {
            // With its clock.
            return Ok(chain.game);
        }
        if chain.game.turns() > game.turns() && chain.game.is_over() {
            return Ok(chain.game);
        }
        if chain.game.turns() > game.turns()
            && let Some(end) = game.end()
        {
            // An end that both have signed, of the board that the chain knows.
            let winner = game.winner();
            game = chain.game;
            game.finish(end, winner)?;
        }
        Ok(game)
    }
}
