//! How an offer becomes a game: both have paid for it, or both have signed its terms. Or a refund.

use connect4_protocol::signed::{AccountCrypto, Domain, Signing, StakedGame, Terms};

use super::{Call, Known, Message, Output, Player, PlayerError, Sight};
use crate::game_offer::{GameOffer, Taker};
use crate::journal::Journal;
use crate::record::{Record, Refund, Room, Shelf};
use crate::subject::Subject;

/// How long after the end of the offer the opponent's payment is waited for, in seconds: it may have been sent in time.
pub(super) const LATE: u64 = 10 * 60;

impl<K: Shelf, S: Signing + AccountCrypto + Clone> Player<K, S> {
    /// Offers a game. The offer is kept, and is to be put where others find it.
    ///
    /// # Errors
    ///
    /// [`PlayerError::OtherPlace`], [`PlayerError::NoWitness`], [`PlayerError::OfferOver`], [`PlayerError::NoKey`],
    /// [`PlayerError::Keep`].
    pub fn offer(
        domain: Domain,
        key: S,
        shelf: K,
        offer: GameOffer,
        machine: u64,
    ) -> Result<Self, PlayerError<K::Error>> {
        let own = offer.party().key() == key.address();
        let mut player = Self::new(domain, key, shelf, offer, machine)?;
        if !own {
            return Err(PlayerError::NoKey);
        }
        player.keep(player.known.record.clone())?;
        Ok(player)
    }

    /// Takes an offer: completes it to terms, which are kept. What is returned is to be told to the player who offers. A
    /// stake is paid when a block has been seen.
    ///
    /// # Errors
    ///
    /// Those of [`Self::offer`]; [`PlayerError::Stakes`] or [`PlayerError::Refused`] if no game can be played by the terms;
    /// [`PlayerError::OtherTerms`] if the taker's time is later than the offer's end; [`PlayerError::OtherRecord`].
    pub fn take(
        domain: Domain,
        key: S,
        shelf: K,
        (offer, taker): (GameOffer, &Taker),
        machine: u64,
    ) -> Result<(Self, Output), PlayerError<K::Error>> {
        let mut player = Self::new(domain, key, shelf, offer, machine)?;
        let offer = &player.known.record.offer;
        let terms = offer.complete(taker);
        if taker.party.key() != player.key.address() {
            return Err(PlayerError::NoKey);
        }
        if offer.taker_in(&terms).is_none() {
            return Err(PlayerError::OtherTerms);
        }
        if terms.stake > 0 {
            player.pay_for(&terms)?;
            return Ok((player, Output::Send(Message::Taken(terms))));
        }
        let told = player.sign_terms(&terms, taker)?;
        Ok((player, Output::Send(told)))
    }

    fn new(
        domain: Domain,
        key: S,
        shelf: K,
        offer: GameOffer,
        machine: u64,
    ) -> Result<Self, PlayerError<K::Error>> {
        if offer.domain != domain || domain.stakes.is_some() != (offer.terms.stake > 0) {
            return Err(PlayerError::OtherPlace);
        }
        if offer.terms.stake == 0 && offer.terms.witness.is_none() {
            return Err(PlayerError::NoWitness);
        }
        if offer.coin.is_some() && (offer.terms.stake > 0 || offer.player.is_some()) {
            return Err(PlayerError::OtherTerms);
        }
        if machine > offer.until {
            return Err(PlayerError::OfferOver);
        }
        let record = Record {
            offer,
            terms: None,
            refund: Refund::None,
            journal: Journal::default(),
            tossed: None,
            room: None,
        };
        let mut known = Known::new(record);
        known.machine = machine;
        let player = Self::with_known(domain, key, shelf, known);
        match player.shelf.has_key(player.key.address()) {
            true => Ok(player),
            false => Err(PlayerError::NoKey),
        }
    }

    /// Keeps terms that are paid for from now on, unless something else on this disk knows their game.
    fn pay_for(&mut self, terms: &Terms) -> Result<(), PlayerError<K::Error>> {
        Subject::staked(terms, self.domain, &self.key)?;
        self.keep_terms(terms, None)
    }

    /// Keeps terms, unless something else on this disk knows their game.
    pub(super) fn keep_terms(
        &mut self,
        terms: &Terms,
        room: Option<Room>,
    ) -> Result<(), PlayerError<K::Error>> {
        if !self.shelf.has_key(self.key.address()) {
            return Err(PlayerError::NoKey);
        }
        let number = terms.number(&self.domain, &self.key);
        if self.shelf.has_other(number) {
            return Err(PlayerError::OtherRecord);
        }
        self.keep(Record {
            terms: Some(*terms),
            room,
            ..self.known.record.clone()
        })
    }

    /// Somebody is said to have taken the offer. It is looked for on the chain, and another one may be said later, as
    /// long as none is paid for.
    pub(super) fn consider(&mut self, terms: Terms) -> Result<(), PlayerError<K::Error>> {
        if !self.has_stake() {
            return Err(PlayerError::OtherTerms);
        }
        let known = &mut self.known;
        if known.record.terms.is_some() {
            return Ok(());
        }
        if known.record.offer.taker_in(&terms).is_none() {
            return Err(PlayerError::OtherTerms);
        }
        Subject::staked(&terms, self.domain, &self.key)?;
        if known.candidate != Some(terms) {
            known.candidate = Some(terms);
            (known.newest, known.last_final) = (None, None);
        }
        Ok(())
    }

    /// Takes the first taker who has paid in a final block, while the offer stands.
    pub(super) fn fund_second(&mut self) -> Result<(), PlayerError<K::Error>> {
        let Known {
            record,
            candidate,
            newest,
            last_final,
            ..
        } = &self.known;
        let (None, Some(terms)) = (&record.terms, *candidate) else {
            return Ok(());
        };
        let taker = record.offer.taker_in(&terms);
        let payer = |sight: &Option<Sight>| sight.as_ref()?.game?.paid_by;
        // In the newest block, too: the taker may have the stake back by now.
        let has_paid = [last_final, newest].map(payer) == [taker; 2] && taker.is_some();
        if !has_paid || self.now() > record.offer.until {
            return Ok(());
        }
        self.pay_for(&terms)
    }

    /// Asks for the stake back. From then on the terms are not paid for any more, and if a block shows that the
    /// payment is gone, no move is signed in this game.
    pub(super) fn ask_refund(&mut self) -> Result<(), PlayerError<K::Error>> {
        if self.has_begun() {
            return Err(connect4_protocol::signed::StakesError::Begun.into());
        }
        if self.known.record.terms.is_none() || self.known.record.refund != Refund::None {
            return Ok(());
        }
        self.keep(Record {
            refund: Refund::Asked,
            ..self.known.record.clone()
        })
    }

    /// Asks for the stake back by itself when the opponent's payment is not waited for any more.
    pub(super) fn give_up_waiting(&mut self) -> Result<(), PlayerError<K::Error>> {
        let is_late = self.now() > self.known.record.offer.until.saturating_add(LATE);
        match is_late && self.has_paid() && !self.has_begun() {
            true => self.ask_refund(),
            false => Ok(()),
        }
    }

    /// A block shows that the payment is gone that was asked back.
    pub(super) fn note_refund(&mut self) -> Result<(), PlayerError<K::Error>> {
        if self.known.record.refund != Refund::Asked || self.has_paid() {
            return Ok(());
        }
        let (Some(terms), Some(_)) = (&self.known.record.terms, &self.known.newest) else {
            return Ok(());
        };
        let subject = Subject::staked(terms, self.domain, &self.key)?;
        let mut record = self.known.record.clone();
        record.refund = Refund::Seen;
        record.journal.forget(subject.shape());
        self.keep(record)
    }

    pub(super) fn has_begun(&self) -> bool {
        self.newest_game()
            .is_some_and(|game| game.paid_by.is_none())
    }

    /// Whether the newest block has this player's payment.
    pub(super) fn has_paid(&self) -> bool {
        self.newest_game().is_some_and(|game| match game.paid_by {
            None => true,
            by => by == self.side(),
        })
    }

    /// Whether this player has taken the offer, and not made it.
    pub(super) fn is_taker(&self, terms: &Terms) -> bool {
        self.known.record.offer.taker_in(terms) == self.side()
    }

    /// The payment that has to be sent now, or asked back.
    pub(super) fn payment_due(&self) -> Option<Call> {
        let Known { record, newest, .. } = &self.known;
        let (terms, newest) = (record.terms?, newest.as_ref()?);
        let is_open = self.now() <= record.offer.until;
        let is_taker = self.is_taker(&terms);
        let paid_by = newest.game.map(|StakedGame { paid_by, .. }| paid_by);
        match (paid_by, record.refund) {
            (Some(None), _) => None,
            (Some(by), refund) if by == self.side() => {
                (refund != Refund::None).then_some(Call::Refund)
            }
            // The player who offers pays second.
            (None, Refund::None) if is_open && is_taker => Some(fund(terms, newest.owed)),
            (Some(Some(_)), Refund::None) if is_open && !is_taker => Some(fund(terms, newest.owed)),
            _ => None,
        }
    }
}

/// The payment of a stake, of which as much as can be comes from what the account is owed.
fn fund(terms: Terms, owed: u128) -> Call {
    Call::Fund {
        terms,
        payment: terms.stake.saturating_sub(owed),
    }
}
