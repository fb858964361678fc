//! How an offer becomes a game: both have paid for it, or both have signed its terms. Or a refund.

use alloc::vec::Vec;

use connect4_protocol::Game;
use connect4_protocol::signed::{AccountCrypto, Domain, Signing, StakedGame, Terms};

use super::{Call, Known, Message, Output, Player, PlayerError, Sight};
use crate::game_offer::{GameOffer, Taker};
use crate::journal::Journal;
use crate::record::{Progress, Record, Refund, Room, Shelf};
use crate::subject::Subject;

/// How long after the end of the offer the opponent's payment is waited for, in seconds: it may have been sent in time.
pub(super) const LATE: u64 = 10 * 60;
/// How many takers wait to be looked for, at most.
const MOST_WAITING: usize = 16;

impl<K: Shelf, S: Signing + AccountCrypto + Clone> Player<K, S> {
    /// Offers a game. The offer is kept, and is to be put where others find it.
    ///
    /// # Errors
    ///
    /// [`PlayerError::OtherPlace`], [`PlayerError::NoWitness`], [`PlayerError::OfferOver`], [`PlayerError::NoKey`],
    /// [`PlayerError::OtherRecord`], [`PlayerError::Keep`].
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
    /// [`PlayerError::OtherTerms`] if the taker's time is later than the offer's end, or the offer is for somebody else.
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
            progress: Progress::None,
            journal: Journal::default(),
            dropped: Vec::new(),
            tossed: None,
            room: None,
        };
        let mut known = Known::new(record);
        known.machine = machine;
        let player = Self::with_known(domain, key, shelf, known);
        let key = player.key.address();
        if !player.shelf.has_key(key) {
            return Err(PlayerError::NoKey);
        }
        let has_taken = player.shelf.has_taken(&player.known.record.offer, key);
        match has_taken || !player.shelf.is_held() {
            true => Err(PlayerError::OtherRecord),
            false => Ok(player),
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

    /// Somebody has taken the offer: it is said, or was paid for. Of several of whom that is said the first is looked for on
    /// the chain, and the next one once a block has shown that it has not paid: anybody can say so, with many terms. One
    /// who has paid is looked for before those.
    pub(super) fn consider(
        &mut self,
        terms: Terms,
        is_paid: bool,
    ) -> Result<(), PlayerError<K::Error>> {
        if !self.has_stake() {
            return Err(PlayerError::OtherTerms);
        }
        let Record {
            terms: own, refund, ..
        } = &self.known.record;
        if *own == Some(terms) {
            return Ok(());
        }
        // Nothing would come of a payment.
        if own.is_some() || *refund != Refund::None {
            return Err(PlayerError::OfferOver);
        }
        if self.known.record.offer.taker_in(&terms).is_none() {
            return Err(PlayerError::OtherTerms);
        }
        // The second payment would come too late.
        if self.now().saturating_add(LATE) > last_payment(&terms) {
            return Err(PlayerError::OtherTerms);
        }
        Subject::staked(&terms, self.domain, &self.key)?;
        let known = &mut self.known;
        if is_paid {
            known.note_paid(terms);
        }
        let has_paid = known
            .newest
            .as_ref()
            .is_some_and(|newest| newest.game.is_some());
        match known.candidate {
            Some(candidate) if candidate == terms => {}
            Some(candidate) if is_paid && !has_paid => {
                known.waiting.retain(|waiting| *waiting != terms);
                known.wait(candidate);
                self.look_for(terms);
            }
            Some(_) => known.wait(terms),
            None => self.look_for(terms),
        }
        Ok(())
    }

    /// From now on blocks are looked at for this taker's game.
    fn look_for(&mut self, terms: Terms) {
        let known = &mut self.known;
        known.candidate = Some(terms);
        (known.newest, known.last_final) = (None, None);
    }

    /// If the newest block has no payment by the taker that is looked for, the next one is.
    pub(super) fn look_for_next(&mut self) {
        let known = &mut self.known;
        let (None, Some(terms), Some(newest)) =
            (&known.record.terms, known.candidate, &known.newest)
        else {
            return;
        };
        // Once in a block: each turn has the chain asked for another game.
        let is_new = newest.time > known.turned_at;
        if newest.game.is_some() || known.waiting.is_empty() || !is_new {
            return;
        }
        known.turned_at = newest.time;
        let next = known.waiting.remove(0);
        known.waiting.push(terms);
        self.look_for(next);
    }

    /// Last second at which these terms are paid for: the offer stands, and the contract takes a payment.
    pub(super) fn paid_until(&self, terms: &Terms) -> u64 {
        self.known.record.offer.until.min(last_payment(terms))
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
        let (None, Refund::None, Some(terms)) = (&record.terms, record.refund, *candidate) else {
            return Ok(());
        };
        let taker = record.offer.taker_in(&terms);
        let payer = |sight: &Option<Sight>| sight.as_ref()?.game?.paid_by;
        // In the newest block, too: the taker may have the stake back by now.
        let has_paid = [last_final, newest].map(payer) == [taker; 2] && taker.is_some();
        if !has_paid || self.now() > self.paid_until(&terms) {
            return Ok(());
        }
        self.pay_for(&terms)
    }

    /// Asks for the stake back, or calls the own offer off that nobody has taken. From then on nothing is paid any more,
    /// and if a block shows that the payment is gone, no move is signed in this game.
    pub(super) fn ask_refund(&mut self) -> Result<(), PlayerError<K::Error>> {
        if self.has_begun() {
            return Err(connect4_protocol::signed::StakesError::Begun.into());
        }
        if self.known.record.refund != Refund::None {
            return Ok(());
        }
        self.keep(Record {
            refund: Refund::Asked,
            ..self.known.record.clone()
        })
    }

    /// Asks for the stake back by itself when the opponent's payment is not waited for any more, by the time of the chain.
    pub(super) fn give_up_waiting(&mut self) -> Result<(), PlayerError<K::Error>> {
        let (Some(terms), Some(newest)) = (&self.known.record.terms, &self.known.newest) else {
            return Ok(());
        };
        let is_late = newest.time > self.paid_until(terms).saturating_add(LATE);
        match is_late && self.has_paid_alone() {
            true => self.ask_refund(),
            false => Ok(()),
        }
    }

    /// Keeps how far blocks have shown the game.
    pub(super) fn note_progress(&mut self) -> Result<(), PlayerError<K::Error>> {
        let record = &self.known.record;
        if record.terms.is_none() {
            return Ok(());
        }
        let last_final = self.known.last_final.as_ref();
        let progress = match last_final.and_then(Sight::begun) {
            Some(StakedGame { game, .. }) if game.is_final() => Progress::Ended(game.game),
            Some(_) => Progress::Begun,
            None if self.has_paid() => Progress::Paid,
            None => Progress::None,
        };
        match progress.rank() > record.progress.rank() {
            true => self.keep(Record {
                progress,
                ..self.known.record.clone()
            }),
            false => Ok(()),
        }
    }

    /// How the game has ended in a final block, whether or not the contract still has it.
    pub(super) const fn ended(&self) -> Option<Game> {
        match self.known.record.progress {
            Progress::Ended(game) => Some(game),
            Progress::None | Progress::Paid | Progress::Begun => None,
        }
    }

    /// Whether a final block does not have the game that has begun by these terms: it has ended, and was freed, maybe in the
    /// same block. Before that can be, a block without it is that of a node which lags behind.
    pub(super) fn is_forgotten(&self, terms: &Terms) -> bool {
        let last_final = self.known.last_final.as_ref();
        last_final.is_some_and(|sight| sight.game.is_none() && sight.time > last_payment(terms))
    }

    /// A block shows that the payment is gone that was asked back. It was there before: one that was not shown yet may
    /// be on its way.
    pub(super) fn note_refund(&mut self) -> Result<(), PlayerError<K::Error>> {
        let Record {
            refund, progress, ..
        } = &self.known.record;
        if *refund != Refund::Asked || *progress != Progress::Paid || self.has_paid() {
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
        let newest = self.known.newest.as_ref();
        newest.and_then(Sight::begun).is_some()
    }

    /// Whether the newest block has this player's payment.
    pub(super) fn has_paid(&self) -> bool {
        self.newest_game().is_some_and(|game| match game.paid_by {
            None => true,
            by => by == self.side(),
        })
    }

    /// Whether the newest block has this player's payment, and not the opponent's.
    pub(super) fn has_paid_alone(&self) -> bool {
        self.has_paid() && !self.has_begun()
    }

    /// Whether this player has taken the offer, and not made it.
    pub(super) fn is_taker(&self, terms: &Terms) -> bool {
        self.known.record.offer.taker_in(terms) == self.side()
    }

    /// The payment that has to be sent now, or asked back. A game that has begun is not paid for again, but a payment that
    /// the newest block has alone is asked back all the same: it may be the final block that was false.
    pub(super) fn payment_due(&self) -> Option<Call> {
        let Known { record, newest, .. } = &self.known;
        let (terms, newest) = (record.terms?, newest.as_ref()?);
        let has_begun = record.progress.rank() >= Progress::Begun.rank();
        let is_open = self.now() <= self.paid_until(&terms);
        let is_taker = self.is_taker(&terms);
        let paid_by = newest.game.map(|StakedGame { paid_by, .. }| paid_by);
        match (paid_by, record.refund) {
            (Some(None), _) => None,
            (Some(by), refund) if by == self.side() => {
                (refund != Refund::None).then_some(Call::Refund)
            }
            _ if has_begun => None,
            // The player who offers pays second.
            (None, Refund::None) if is_open && is_taker => Some(fund(terms, newest.owed)),
            (Some(Some(_)), Refund::None) if is_open && !is_taker => Some(fund(terms, newest.owed)),
            _ => None,
        }
    }
}

impl Known {
    /// Has these terms looked for later, in the place of the first of too many for which no payment was shown.
    fn wait(&mut self, terms: Terms) {
        if self.waiting.contains(&terms) {
            return;
        }
        if self.waiting.len() == MOST_WAITING {
            let has_paid = |waiting: &Terms| self.paid.contains(waiting);
            let first = self.waiting.iter().position(|waiting| !has_paid(waiting));
            match first {
                Some(first) => _ = self.waiting.remove(first),
                None if has_paid(&terms) => _ = self.waiting.remove(0),
                None => return,
            }
        }
        self.waiting.push(terms);
    }

    /// Remembers that a block has shown a payment for these terms.
    fn note_paid(&mut self, terms: Terms) {
        if self.paid.contains(&terms) {
            return;
        }
        if self.paid.len() == MOST_WAITING {
            self.paid.remove(0);
        }
        self.paid.push(terms);
    }
}

/// Last second at which the contract takes a payment for these terms.
fn last_payment(terms: &Terms) -> u64 {
    terms.time.saturating_add(StakedGame::FUNDED.into())
}

/// The payment of a stake, of which as much as can be comes from what the account is owed.
fn fund(terms: Terms, owed: u128) -> Call {
    Call::Fund {
        terms,
        payment: terms.stake.saturating_sub(owed),
    }
}
