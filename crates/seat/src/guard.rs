//! What a bystander does for the players of a fast game.

use connect4_protocol::fast::{Evidence, FastGame};
use connect4_protocol::{Error, Game};

use crate::book::Book;
use crate::duty::{self, Duty};
use crate::seat::Heard;
use crate::subject::Subject;

/// Keeps the latest evidence of a fast game, and says when the chain has to be told of it. Anyone may
/// do so for any game: the contract asks for signatures of the players only.
#[derive(Clone, Debug)]
pub struct Guard {
    subject: Subject,
    book: Book,
    chain: FastGame,
    now: u64,
}

impl Guard {
    /// A guard of a game that the chain knows like this at the time `now` of its newest block.
    #[must_use]
    pub fn new(subject: Subject, chain: FastGame, now: u64) -> Self {
        Self {
            subject,
            book: Book::default(),
            chain,
            now,
        }
    }

    /// The same guard with what another one of this game has kept in its book.
    #[must_use]
    pub fn with_book(mut self, book: Book) -> Self {
        self.book = book;
        self
    }

    /// What it has heard.
    #[must_use]
    pub const fn book(&self) -> &Book {
        &self.book
    }

    /// The game as it stands, on the chain or off it.
    #[must_use]
    pub fn latest(&self) -> Game {
        // What is in the book was checked when it came.
        let latest = self.book.latest(&self.subject, &self.chain, self.now);
        latest.unwrap_or(self.chain.game)
    }

    /// The game.
    #[must_use]
    pub const fn subject(&self) -> &Subject {
        &self.subject
    }

    /// The game as the chain knows it.
    #[must_use]
    pub const fn chain(&self) -> &FastGame {
        &self.chain
    }

    /// The latest position, or the end, that both players have signed.
    #[must_use]
    pub fn evidence(&self) -> &Evidence {
        self.book.evidence(&self.chain, self.now)
    }

    /// The game as the chain knows it has changed, or time has gone on there.
    pub const fn see(&mut self, chain: FastGame, now: u64) {
        self.chain = chain;
        self.now = now;
    }

    /// Takes what somebody sent as signed by both players.
    ///
    /// # Errors
    ///
    /// As [`Subject::check`].
    pub fn hear(&mut self, evidence: &Evidence) -> Result<Heard, Error> {
        let heard = self
            .book
            .hear(&self.subject, &self.chain, self.now, evidence)?;
        Ok(match heard {
            Some(book) => {
                self.book = book;
                Heard::News
            }
            None if self.evidence().replaces(evidence) => Heard::Behind,
            None => Heard::Known,
        })
    }

    /// What has to be done on the chain now, if anything: a position that the players have left must
    /// not run against one of them, and an end that both have signed is brought.
    #[must_use]
    pub fn duty(&self) -> Option<Duty> {
        if self.chain.is_final() {
            return None;
        }
        let duty = duty::answer(&self.book, &self.chain, self.now);
        let duty = duty.or_else(|| duty::finish(&self.chain, self.now));
        duty.or_else(|| {
            let evidence = self.evidence();
            let ends = self
                .subject
                .game_of(evidence)
                .is_ok_and(|game| game.is_over());
            (ends && evidence.is_news_after(self.chain.game.turns()))
                .then_some(Duty::Advance(*evidence))
        })
    }
}
