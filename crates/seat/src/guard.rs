//! What a bystander does for the players of a game with a stake.

use connect4_protocol::signed::{ChainGame, Evidence, Native};
use connect4_protocol::{Error, Game};

use crate::acts::Received;
use crate::journal::Journal;
use crate::latest;
use crate::plan::{self, Duty, Times};
use crate::subject::Subject;

/// Keeps the evidence of a game with a stake, and says when the chain has to be told of it. Anyone may do so for
/// any game: the contract asks for signatures of the players only.
#[derive(Clone, Debug)]
pub struct Guard {
    subject: Subject,
    journal: Journal,
    chain: ChainGame,
    times: Times,
}

impl Guard {
    /// A guard of a game that the chain knows like this at the time `now` of its newest block.
    #[must_use]
    pub fn new(subject: Subject, chain: ChainGame, now: u64) -> Self {
        Self {
            subject,
            journal: Journal::default(),
            chain,
            times: Times {
                chain: now,
                guess: now,
            },
        }
    }

    /// The same guard with what another one of this game has kept in its journal.
    #[must_use]
    pub fn with_journal(mut self, journal: Journal) -> Self {
        self.journal = journal;
        self
    }

    /// What it has received.
    #[must_use]
    pub const fn journal(&self) -> &Journal {
        &self.journal
    }

    /// The game as it stands, on the chain or off it.
    #[must_use]
    pub fn latest(&self) -> Game {
        let Self {
            subject,
            journal,
            chain,
            times,
        } = self;
        latest::latest(subject, journal, chain, *times, None)
    }

    #[must_use]
    pub const fn subject(&self) -> &Subject {
        &self.subject
    }

    /// The game as the chain knows it.
    #[must_use]
    pub const fn chain(&self) -> &ChainGame {
        &self.chain
    }

    /// What others are told: the end that both players have signed, or the longest position.
    #[must_use]
    pub fn evidence(&self) -> &Evidence {
        latest::told(&self.journal, None, &self.chain, self.times)
    }

    /// The game as the chain knows it has changed, or time has gone on there: `now` is that of its newest
    /// block.
    pub const fn see(&mut self, chain: ChainGame, now: u64) {
        self.chain = chain;
        self.times.chain = now;
        if now > self.times.guess {
            self.times.guess = now;
        }
    }

    /// The machine's clock shows this time, in seconds since 1970. It keeps no evidence back.
    pub fn pass_time(&mut self, machine: u64) {
        self.times.guess = machine.max(self.times.chain);
    }

    /// Takes what somebody sent as signed by both players.
    ///
    /// # Errors
    ///
    /// As [`Subject::judge`].
    pub fn receive(&mut self, evidence: &Evidence) -> Result<Received, Error> {
        let received = self.journal.receive(&self.subject, evidence, &Native)?;
        Ok(match received {
            Some(journal) => {
                self.journal = journal;
                Received::News
            }
            None if self.evidence().replaces(evidence) => Received::Behind,
            None => Received::Known,
        })
    }

    /// Takes all that a player's journal holds. Returns whether something in it was new.
    pub fn read(&mut self, journal: &Journal) -> bool {
        let received = journal.pieces().map(|piece| self.receive(piece));
        received.fold(false, |is_new, received| {
            is_new | (received == Ok(Received::News))
        })
    }

    /// What has to be done on the chain now, if anything: a position that the players have left must
    /// not run against one of them, and an end that both have signed is brought.
    #[must_use]
    pub fn duty(&self) -> Option<Duty> {
        plan::of_guard(&self.journal, &self.chain, self.times)
    }
}
