//! The room of a game by signed terms: how it begins, its rematch, and what followers of the relay are told.

use connect4_protocol::fast::feed::LiveGame;
use connect4_protocol::fast::wire::{FromRelay, Refusal};
use connect4_protocol::fast::{
    Domain, GameNumber, GameTerms, Moves, Native, PlayedGame, RecordedGame, Rematch, SignedTerms,
};
use connect4_protocol::{Address, Error, Game};
use connect4_rules::ByPlayer;

use super::{Began, Held, REMATCH, Room, Shown, TERMS, as_it_stands};
use crate::source::Found;
use crate::visitor::Visitor;

/// A game by signed terms, as its room shows it.
#[derive(Clone, Debug)]
pub struct ShownGame {
    pub terms: GameTerms,
    /// The moves that are signed.
    pub moves: Moves,
    /// The game after them, without a clock.
    pub game: Game,
}

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
        since: u64,
    ) -> Result<Self, Refusal> {
        // The cheapest comes first.
        if terms.terms.number(&domain, &Native) != number {
            return Err(Refusal::NoSuchGame);
        }
        // Later no chain takes the game.
        let is_in_time = terms.terms.check_time(GameTerms::RECORDED, since);
        is_in_time.map_err(Refusal::Invalid)?;
        let start = terms.start(Address::ZERO, &domain, &Native);
        let found = Found {
            game: start.map_err(Refusal::Invalid)?,
            domain,
        };
        let mut room = Self::showing(Shown::start(), 0, &found, Native);
        room.began = Some(Began {
            terms: *terms,
            since,
            by,
        });
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

    /// The game, if it is one by signed terms. `now` is in seconds since 1970.
    #[must_use]
    pub fn shown_game(&self, now: u64) -> Option<ShownGame> {
        let terms = self.terms()?.terms;
        let position = as_it_stands(&self.shown().position, now);
        let game = self.start.game.made_by(&position).ok()?;
        Some(ShownGame {
            terms,
            moves: position.moves,
            game,
        })
    }

    /// The game, if it is one by signed terms that goes on, and both players are there. `now` is in seconds
    /// since 1970.
    #[must_use]
    pub fn live(&self, now: u64) -> Option<LiveGame> {
        let present = self.hall.present();
        let are_there = present.one && present.two;
        are_there.then(|| self.going_on(now)).flatten()
    }

    /// The game, if it is one by signed terms that goes on, also while no player is there. `now` is in seconds since 1970.
    #[must_use]
    pub fn going_on(&self, now: u64) -> Option<LiveGame> {
        let Began { terms, since, .. } = self.began.as_ref()?;
        if self.has_ended(now) {
            return None;
        }
        let moves = self.shown().position.moves.turns();
        let GameTerms {
            players,
            programs,
            shape,
            pie_rule,
            pool,
            clock,
            ..
        } = terms.terms;
        Some(LiveGame {
            number: self.number,
            players: players.map(|party| party.account()),
            programs,
            shape,
            pie_rule,
            pool,
            clock,
            moves,
            since: *since,
        })
    }
}
