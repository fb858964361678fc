//! A seat in a game by signed terms that no chain knows.

use connect4_protocol::Error;
use connect4_protocol::fast::lobby::FRESH;
use connect4_protocol::fast::wire::{Offer, ToRelay};
use connect4_protocol::fast::{
    Ending, Evidence, Native, PlayedGame, Rematch, SessionKey, SignedTerms, Signing,
};
use connect4_rules::{Bin, ByPlayer};

use crate::acts::{Moved, Received};
use crate::journal::Journal;
use crate::keep::{Keep, SeatError};
use crate::latest;
use crate::seat::Seat;
use crate::subject::Subject;

/// What has changed by something that came from the room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermsNews {
    /// The game.
    Changed,
    Offered,
    /// A rematch is proposed, or both have signed it.
    Rematch,
}

/// What has come of something from the room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermsHeard {
    /// Whether it was known.
    pub received: Received,
    /// What has changed; none if nothing.
    pub news: Option<TermsNews>,
    pub send: Option<ToRelay>,
}

impl TermsHeard {
    const fn known() -> Self {
        Self {
            received: Received::Known,
            news: None,
            send: None,
        }
    }

    const fn news(news: TermsNews) -> Self {
        Self {
            received: Received::News,
            news: Some(news),
            send: None,
        }
    }
}

/// A player's place in a game by signed terms, of which no chain knows: a [`Seat`] whose chain stays at the start
/// of the game, and the rematch that follows.
///
/// Duties on the chain are not done here. All that counts is what both have signed, and nothing but moves, and what
/// the player wants, is signed: the agreement to a line that the opponent has signed is the only exception, as in
/// all fast games.
#[derive(Debug)]
pub struct TermsSeat<K, S = SessionKey> {
    terms: SignedTerms,
    seat: Seat<K, S>,
    rematch: Option<Rematch>,
    /// The terms of the rematch that both have signed.
    next: Option<SignedTerms>,
}

impl<K: Keep, S: Signing> TermsSeat<K, S> {
    /// The seat of the player with this key in the game that [begins](Subject::by_terms) by these terms, with what
    /// was kept in its journal, which is judged again; `now` is the machine's time in seconds since 1970.
    ///
    /// # Errors
    ///
    /// As [`Seat::new`].
    pub fn new(
        terms: SignedTerms,
        subject: Subject,
        key: S,
        journal: Journal,
        keep: K,
        now: u64,
    ) -> Result<Self, Error> {
        // The time of no block is known, but no chain takes the terms before their own.
        let since = terms.terms.time;
        let seat = Seat::new(subject, key, journal, keep, *subject.start(), since)?;
        Ok(Self::of(terms, seat, now))
    }

    /// As [`Self::new`], with a journal that another seat of this program has judged: for programs that make the
    /// seat anew for each step.
    ///
    /// # Errors
    ///
    /// As [`Seat::resume`].
    pub fn resume(
        terms: SignedTerms,
        subject: Subject,
        key: S,
        journal: Journal,
        keep: K,
        now: u64,
    ) -> Result<Self, Error> {
        let since = terms.terms.time;
        let seat = Seat::resume(subject, key, journal, keep, *subject.start(), since)?;
        Ok(Self::of(terms, seat, now))
    }

    fn of(terms: SignedTerms, mut seat: Seat<K, S>, now: u64) -> Self {
        seat.pass_time(now);
        Self {
            terms,
            seat,
            rematch: None,
            next: None,
        }
    }

    /// The same seat with the opponent's offer of a draw and a rematch that another one has heard, which checked
    /// them.
    #[must_use]
    pub fn with_heard(
        mut self,
        offer: Option<Offer>,
        declined: bool,
        rematch: Option<Rematch>,
    ) -> Self {
        self.seat = self.seat.with_offer(offer).with_declined(declined);
        self.next = rematch.and_then(|rematch| rematch.signed(&self.terms));
        self.rematch = rematch;
        self
    }

    #[must_use]
    pub const fn terms(&self) -> &SignedTerms {
        &self.terms
    }

    #[must_use]
    pub const fn seat(&self) -> &Seat<K, S> {
        &self.seat
    }

    /// The seat, for a dispute in which it is told of the chain.
    pub const fn seat_mut(&mut self) -> &mut Seat<K, S> {
        &mut self.seat
    }

    /// Where the journal is kept.
    pub const fn keeper(&mut self) -> &mut K {
        self.seat.keeper()
    }

    /// Where the journal is kept, for another seat of the same key.
    #[must_use]
    pub fn into_keeper(self) -> K {
        self.seat.into_keeper()
    }

    /// The machine's clock shows this time, in seconds since 1970.
    pub fn pass_time(&mut self, now: u64) {
        self.seat.pass_time(now);
    }

    /// The proposal of a rematch that was made or heard last.
    #[must_use]
    pub const fn rematch(&self) -> Option<&Rematch> {
        self.rematch.as_ref()
    }

    /// Whether this player has signed the proposal of a rematch.
    #[must_use]
    pub fn wants_rematch(&self) -> bool {
        let ours = self.seat.player();
        self.rematch
            .is_some_and(|rematch| rematch.signatures.get(ours).is_some())
    }

    /// Whether the opponent proposes a rematch that this player has not signed.
    #[must_use]
    pub fn is_rematch_proposed(&self) -> bool {
        self.rematch.is_some() && !self.wants_rematch()
    }

    /// The terms of the rematch, once both have signed them and the room shows that, so that the opponent has
    /// them, too, or can have them.
    #[must_use]
    pub const fn next_terms(&self) -> Option<&SignedTerms> {
        self.next.as_ref()
    }

    /// Whether the end of the game is signed by the player who has lost, so that nothing can take its place. A draw
    /// is, if it is for good and neither player has signed a move after it.
    #[must_use]
    pub fn is_agreed(&self) -> bool {
        let seat = &self.seat;
        latest::is_agreed(&seat.latest(), seat.evidence(), seat.journal())
    }

    /// What anybody can put on the chain.
    #[must_use]
    pub fn played(&self) -> PlayedGame {
        PlayedGame {
            terms: self.terms.terms,
            sessions: self.terms.sessions,
            evidence: *self.seat.evidence(),
        }
    }

    /// The latest position or end, for the room.
    #[must_use]
    pub fn told(&self) -> ToRelay {
        ToRelay::Position(*self.seat.evidence())
    }

    /// Drops a disc of the player. What is returned is to be sent.
    ///
    /// # Errors
    ///
    /// As [`Seat::drop`].
    pub fn drop(&mut self, bin: Bin) -> Result<ToRelay, SeatError<K::Error>> {
        match self.seat.drop(bin)? {
            Moved::Signed(_) => Ok(self.told()),
            // It is brought to the chain.
            Moved::ForChain(_) => Ok(self.told()),
            // Its moves are signed.
            Moved::OnChain(_) => Err(SeatError::OnChainAlone),
        }
    }

    /// Gives the game up. What is returned is to be sent.
    ///
    /// # Errors
    ///
    /// As [`Seat::resign`].
    pub fn resign(&mut self) -> Result<ToRelay, SeatError<K::Error>> {
        self.seat.resign()?;
        Ok(self.told())
    }

    /// Offers a draw, which the opponent may accept for a minute. What is returned is to be sent.
    ///
    /// # Errors
    ///
    /// As [`Seat::offer_draw_now`].
    pub fn offer_draw(&mut self) -> Result<ToRelay, SeatError<K::Error>> {
        self.seat.offer_draw_now(0).map(ToRelay::Offer)
    }

    /// Accepts the opponent's offer of a draw. It is one once the opponent's program has signed it after that.
    /// What is returned is to be sent.
    ///
    /// # Errors
    ///
    /// As [`Seat::accept_draw_for_good`].
    pub fn accept_draw(&mut self) -> Result<ToRelay, SeatError<K::Error>> {
        self.seat.accept_draw_for_good().map(ToRelay::Offer)
    }

    /// Declines the opponent's offer of a draw. Returns whether there was one.
    pub fn decline_draw(&mut self) -> bool {
        self.seat.decline_draw()
    }

    /// Proposes a rematch with this random nonce, or agrees to the opponent's. What is returned is to be sent.
    ///
    /// # Errors
    ///
    /// [`Error::GameNotOver`] if the game goes on.
    pub fn propose_rematch(&mut self, now: u64, nonce: u32) -> Result<ToRelay, Error> {
        if !self.seat.latest().is_over() {
            return Err(Error::GameNotOver);
        }
        let held = self.rematch.filter(|held| is_fresh(held, now));
        let rematch = held.unwrap_or(Rematch {
            time: now.max(self.terms.terms.time.saturating_add(1)),
            nonce,
            signatures: ByPlayer::default(),
        });
        Ok(ToRelay::Rematch(self.sign_rematch(rematch)))
    }

    fn sign_rematch(&mut self, mut rematch: Rematch) -> Rematch {
        let domain = self.seat.subject().domain();
        let digest = rematch.terms(&self.terms.terms).digest(&domain, &Native);
        rematch.signatures[self.seat.player()] = Some(self.seat.key().sign(&digest));
        self.rematch = Some(rematch);
        rematch
    }

    /// Takes a position or an end.
    ///
    /// # Errors
    ///
    /// [`SeatError::Refused`] with [`Error::NoOffer`] if it is a draw with a last second: it is no end, as the game
    /// goes on after that, and no program sends one. Then as [`Seat::receive`].
    pub fn hear_position(
        &mut self,
        evidence: &Evidence,
    ) -> Result<TermsHeard, SeatError<K::Error>> {
        match evidence.ending {
            Some(Ending::Draw { until }) if until != Ending::FOR_GOOD => {
                return Err(Error::NoOffer.into());
            }
            _ => {}
        }
        let received = self.seat.receive(evidence)?;
        let is_news = received == Received::News;
        // The seat has agreed to its loss, or the room has less.
        let says_more = is_news && self.seat.evidence() != evidence;
        let tells = says_more || received == Received::Behind;
        Ok(TermsHeard {
            received,
            news: is_news.then_some(TermsNews::Changed),
            send: tells.then(|| self.told()),
        })
    }

    /// Takes an offer of a draw, or that the opponent accepts this player's.
    ///
    /// # Errors
    ///
    /// As [`Seat::receive_offer`]; [`SeatError::Keep`].
    pub fn hear_offer(&mut self, offer: &Offer) -> Result<TermsHeard, SeatError<K::Error>> {
        match self.seat.complete_draw(offer) {
            Ok(true) => {
                return Ok(TermsHeard {
                    send: Some(self.told()),
                    ..TermsHeard::news(TermsNews::Changed)
                });
            }
            Ok(false) | Err(SeatError::Refused(_)) => {}
            Err(error) => return Err(error),
        }
        Ok(match self.seat.receive_offer(offer)? {
            Received::News => TermsHeard::news(TermsNews::Offered),
            _ => TermsHeard::known(),
        })
    }

    /// Takes a proposal of the opponent's, or its agreement. Of two that both have proposed at once the one
    /// that the relay holds counts, which this player signs as well: it wants one. It signs no third one without
    /// being asked again, as each would be a game. `now` is the machine's time.
    ///
    /// # Errors
    ///
    /// [`Error::TermsExpired`] if it is of another time, which would be of use to the opponent when this player is
    /// gone; then as [`Rematch::check`].
    pub fn hear_rematch(&mut self, rematch: &Rematch, now: u64) -> Result<TermsHeard, Error> {
        let domain = self.seat.subject().domain();
        if self.next.is_some() || !self.seat.latest().is_over() {
            return Ok(TermsHeard::known());
        }
        if !is_fresh(rematch, now) {
            return Err(Error::TermsExpired);
        }
        rematch.check(&self.terms, &domain, &Native)?;
        self.next = rematch.signed(&self.terms);
        if self.next.is_some() {
            self.rematch = Some(*rematch);
            return Ok(TermsHeard::news(TermsNews::Rematch));
        }
        if self.rematch.as_ref() == Some(rematch) {
            return Ok(TermsHeard::known());
        }
        let has_answered = self
            .rematch
            .filter(|held| held.signed(&self.terms).is_some());
        if has_answered.is_some_and(|held| is_fresh(&held, now)) {
            return Ok(TermsHeard::known());
        }
        let wants = self.wants_rematch() && has_answered.is_none();
        self.rematch = Some(*rematch);
        let heard = TermsHeard::news(TermsNews::Rematch);
        if !wants || self.wants_rematch() {
            return Ok(heard);
        }
        let signed = self.sign_rematch(*rematch);
        Ok(TermsHeard {
            send: Some(ToRelay::Rematch(signed)),
            ..heard
        })
    }
}

/// Whether a rematch was proposed about now.
const fn is_fresh(rematch: &Rematch, now: u64) -> bool {
    rematch.time.abs_diff(now) <= FRESH
}
