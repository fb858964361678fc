//! The room of a game by signed terms: how it begins, its rematch, and what followers of the relay are told.

use connect4_protocol::fast::wire::{FromRelay, Refusal};
use connect4_protocol::fast::{
    Domain, GameNumber, GameTerms, Native, PlayedGame, RecordedGame, Rematch, SignedTerms,
};
use connect4_protocol::{Address, Error};
use connect4_rules::ByPlayer;

use super::{Began, Held, REMATCH, Room, Shown, TERMS};
use crate::source::Found;
use crate::visitor::Visitor;

impl Room {
    /// A room that holds the start of the game with this number, which begins by these terms for that contract. A
    /// visitor opens it at this time, in seconds since 1970.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Refusal::NoSuchGame`] if the terms have another number,
    /// 2. [`Refusal::Invalid`] if it is too late to record the game, or as [`SignedTerms::start`].
    pub fn by_terms(
        number: GameNumber,
        terms: &SignedTerms,
        domain: Domain,
        by: Visitor,
        now: u64,
    ) -> Result<Self, Refusal> {
        // The cheapest comes first.
        if terms.terms.number(&domain, &Native) != number {
            return Err(Refusal::NoSuchGame);
        }
        // Later no chain takes the game.
        let is_in_time = terms.terms.check_time(GameTerms::RECORDED, now);
        is_in_time.map_err(Refusal::Invalid)?;
        let start = terms.start(Address::ZERO, &domain, &Native);
        let found = Found {
            game: start.map_err(Refusal::Invalid)?,
            domain,
        };
        let mut room = Self::showing(Shown::start(), 0, &found, Native);
        room.began = Some(Began { terms: *terms, by });
        room.hall.change(|state| {
            state.tell(TERMS, &FromRelay::Terms(*terms));
            true
        });
        Ok(room)
    }

    /// Takes a proposal of a rematch, or the agreement to one. Returns whether it is another one than is held.
    /// `now` is in seconds since 1970.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Refusal::BadMessage`] if the game did not begin by signed terms,
    /// 2. [`Refusal::OtherPosition`] if the game goes on,
    /// 3. [`Refusal::Invalid`] if it is not of this time, or as [`Rematch::check`].
    pub fn rematch(&self, rematch: &Rematch, now: u64) -> Result<bool, Refusal> {
        let terms = self.terms().ok_or(Refusal::BadMessage)?;
        if !self.has_ended(now) {
            return Err(Refusal::OtherPosition);
        }
        if rematch.time.abs_diff(now) > Rematch::FRESH {
            return Err(Refusal::Invalid(Error::TermsExpired));
        }
        let is_new = |held: &Held| match &held.rematch {
            Some(held) => rematch.replaces(held),
            None => true,
        };
        if !self.hall.read(is_new) {
            return Ok(false);
        }
        rematch
            .check(terms, &self.start.domain, &self.crypto)
            .map_err(Refusal::Invalid)?;
        Ok(self.hall.change(|state| {
            let is_new = is_new(&state.held);
            if is_new {
                state.held.rematch = Some(*rematch);
                state.tell(REMATCH, &FromRelay::Rematch(*rematch));
            }
            is_new
        }))
    }

    #[must_use]
    pub fn opened_from(&self) -> Visitor {
        let began = self.began.as_ref();
        began.map_or(Visitor::Uncounted, |began| began.by)
    }

    /// From where each player has joined last; none of one who has not.
    #[must_use]
    pub fn players_from(&self) -> ByPlayer<Option<Visitor>> {
        self.hall.players_from()
    }

    /// The game, if it is one by signed terms whose end can be recorded.
    #[must_use]
    pub fn ended(&self) -> Option<RecordedGame> {
        let SignedTerms {
            terms, sessions, ..
        } = *self.terms()?;
        let evidence = self.shown().position;
        if !RecordedGame::takes(&evidence, self.number) {
            return None;
        }
        let game = self.start.game.made_by(&evidence).ok()?;
        let played = PlayedGame {
            terms,
            sessions,
            evidence,
        };
        RecordedGame::of(&played).filter(|_| game.is_over())
    }
}
