//! A player in a game by signed terms, without a chain: its seat, with a relay around it.

use std::time::Duration;

use connect4_protocol::fast::lobby::FRESH;
use connect4_protocol::fast::wire::Offer;
use connect4_protocol::fast::{
    Evidence, FastGame, GameNumber, Moves, Native, PlayedGame, Rematch, SessionKey, SignedTerms,
};
use connect4_protocol::{Address, Error as Refusal, Game, GameId};
use connect4_rules::{Bin, ByPlayer, Player};
use connect4_seat::{Keep as _, Moved, Received, Seat, SeatError, Subject};
use tokio::time::{Interval, interval};

use super::clocks::machine;
use super::dispute::{Dispute, DisputeNews, Happened};
use super::games_by_terms::OpenGame;
use super::keyring::LockedKey;
use super::keyring_error::KeyringError;
use super::player_event::RelayState;
use super::relay::{FromRoom, RelayLink};
use crate::accounts::account::Signer;
use crate::contracts::deployed::Contracts;
use crate::error::Error as ChainError;

/// How often the time is looked at.
const TICK: Duration = Duration::from_secs(1);
/// After how many of them the relay is told the latest position again.
const TELL_AGAIN: u32 = 10;

/// For how long a press can be brought to the chain, in seconds.
const PRESS_STANDS: u64 = 600;

/// What has happened.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "one lives at a time")]
pub enum TermsEvent {
    /// The game has changed.
    Changed,
    /// The opponent offers a draw.
    Offered,
    /// The relay was connected or lost, or the opponent came or went.
    Relay,
    /// A rematch is proposed, or both have signed it.
    Rematch,
    /// Something can't be kept: it was not taken.
    NotTaken(SeatError<KeyringError>),
    /// Something has happened in the dispute of the game on the chain.
    Chain(DisputeNews),
    /// A second has passed.
    Tick,
}

/// A player in a game by signed terms. It keeps what it signs, and talks with the relay.
///
/// There is no chain that could say what has become of the game: all that counts is what both have signed, and
/// nothing but moves, and what the player wants, is signed here: the agreement to a line that the opponent has
/// signed is the only exception, as in all fast games. Anyone who holds what was signed can put it on a chain.
#[derive(Debug)]
pub struct TermsPlayer {
    terms: SignedTerms,
    seat: Seat<LockedKey>,
    link: RelayLink,
    relay: RelayState,
    rematch: Option<Rematch>,
    /// The terms of the rematch that both have signed.
    next: Option<SignedTerms>,
    /// What the room has shown last.
    shown: Option<Evidence>,
    /// The dispute of the game on the chain.
    dispute: Option<Dispute>,
    tick: Interval,
    ticks: u32,
}

impl TermsPlayer {
    /// Begins a game, whose terms this player has just signed, with this key at a relay with this URL.
    ///
    /// # Errors
    ///
    /// As [`SignedTerms::start`], [`Refusal::BadKey`] if it is not the key of a player,
    /// [`Refusal::TermsUsed`] if this device has begun it before: an opponent could bring the terms of a game
    /// that was played; [`SeatError::Keep`].
    pub fn begin(game: &OpenGame, key: LockedKey) -> Result<Self, SeatError<KeyringError>> {
        let mut begun = Self::sit(game, key)?;
        if begun.seat.keeper().has_journal() {
            return Err(Refusal::TermsUsed.into());
        }
        let journal = begun.seat.journal().clone();
        let kept = begun.seat.keeper().keep(&journal);
        kept.map_err(SeatError::Keep)?;
        Ok(begun)
    }

    /// Resumes a game that this device has begun.
    ///
    /// # Errors
    ///
    /// As [`Self::begin`], and [`SeatError::OnChainAlone`] if the key has no journal of the game: another device
    /// with the same key may have signed in it.
    pub fn resume(game: &OpenGame, key: LockedKey) -> Result<Self, SeatError<KeyringError>> {
        let mut resumed = Self::sit(game, key)?;
        match resumed.seat.keeper().has_journal() {
            true => Ok(resumed),
            false => Err(SeatError::OnChainAlone),
        }
    }

    fn sit(game: &OpenGame, key: LockedKey) -> Result<Self, SeatError<KeyringError>> {
        let OpenGame {
            terms,
            domain,
            relay: url,
        } = game;
        let game: FastGame = terms.start(Address::ZERO, domain, &Native)?;
        let subject = Subject::new(0, *domain, game).with_clock(terms.terms.clock);
        let locked = key.of_game(&subject);
        let (session, journal): (SessionKey, _) = (locked.key().clone(), locked.journal());
        // The time of no block is known.
        let mut seat = Seat::new(subject, session.clone(), journal, locked, game, 0)?;
        seat.pass_time(machine());
        let player = Some((seat.player(), session));
        let link = RelayLink::open_by_terms(url, &subject, player, terms);
        link.tell(seat.evidence());
        Ok(Self {
            terms: *terms,
            seat,
            link,
            relay: RelayState::Connecting,
            rematch: None,
            next: None,
            shown: None,
            dispute: None,
            tick: interval(TICK),
            ticks: 0,
        })
    }

    /// The terms.
    #[must_use]
    pub const fn terms(&self) -> &SignedTerms {
        &self.terms
    }

    /// Number of the game.
    #[must_use]
    pub const fn number(&self) -> GameNumber {
        self.seat.subject().number()
    }

    /// The player who sits here.
    #[must_use]
    pub const fn player(&self) -> Player {
        self.seat.player()
    }

    /// The game as it stands.
    #[must_use]
    pub fn latest(&self) -> Game {
        self.seat.latest()
    }

    /// What the opponent and watchers are told.
    #[must_use]
    pub fn evidence(&self) -> &Evidence {
        self.seat.evidence()
    }

    /// Whether the relay is there.
    #[must_use]
    pub const fn relay(&self) -> &RelayState {
        &self.relay
    }

    /// Whether the end of the game is signed by the player who has lost, so that nothing can take its place.
    #[must_use]
    pub fn is_agreed(&self) -> bool {
        let ending = self.seat.evidence().ending;
        self.seat.latest().is_over() && (ending.is_some() || self.seat.latest().winner().is_none())
    }

    /// Whether the room shows what is held here, so that the opponent has it or can have it.
    #[must_use]
    pub fn is_told(&self) -> bool {
        self.shown.as_ref() == Some(self.seat.evidence())
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

    /// The key, for another game.
    #[must_use]
    pub fn into_key(self) -> LockedKey {
        let Self { seat, .. } = self;
        seat.into_keeper()
    }

    /// Drops a disc of the player.
    ///
    /// # Errors
    ///
    /// As [`Seat::drop`].
    pub fn drop(&mut self, bin: Bin) -> Result<(), SeatError<KeyringError>> {
        match self.seat.drop(bin)? {
            Moved::Signed(_) => {
                self.tell();
                Ok(())
            }
            // It is brought to the chain.
            Moved::ForChain(_) => Ok(()),
            // Its moves are signed.
            Moved::OnChain(_) => Err(SeatError::OnChainAlone),
        }
    }

    /// Takes player one's disc over in place of a move, by the pie rule.
    ///
    /// # Errors
    ///
    /// As [`Seat::swap`].
    pub fn swap(&mut self) -> Result<(), SeatError<KeyringError>> {
        self.drop(Bin::new(Moves::SWAP))
    }

    /// Gives the game up.
    ///
    /// # Errors
    ///
    /// As [`Seat::resign`].
    pub fn resign(&mut self) -> Result<(), SeatError<KeyringError>> {
        self.seat.resign()?;
        self.tell();
        Ok(())
    }

    /// Offers a draw, which the opponent may accept for a minute.
    ///
    /// # Errors
    ///
    /// As [`Seat::offer_draw_now`].
    pub fn offer_draw(&mut self) -> Result<(), SeatError<KeyringError>> {
        let offer = self.seat.offer_draw_now(0)?;
        self.link.offer(&offer);
        Ok(())
    }

    /// Accepts the opponent's offer of a draw. It is one once the opponent's program has signed it after that.
    ///
    /// # Errors
    ///
    /// As [`Seat::accept_draw_for_good`].
    pub fn accept_draw(&mut self) -> Result<(), SeatError<KeyringError>> {
        let accepted = self.seat.accept_draw_for_good()?;
        self.link.offer(&accepted);
        Ok(())
    }

    /// Declines the opponent's offer of a draw. Returns whether there was one.
    pub fn decline_draw(&mut self) -> bool {
        self.seat.decline_draw()
    }

    /// The opponent's offer of a draw, if it can be accepted.
    #[must_use]
    pub fn offer(&self) -> Option<&Offer> {
        self.seat.offer()
    }

    /// This player's offer of a draw, as long as it stands.
    #[must_use]
    pub fn offered(&self) -> Option<&Offer> {
        self.seat.offered()
    }

    /// Has the game on the chain, for a dispute: an opponent who is silent, or does not agree to have lost. From
    /// then on the player's program does there what has to be done, and this signer pays for it. The game is
    /// started there by its terms, if nobody has done that. Returns what it is called on the chain.
    ///
    /// # Errors
    ///
    /// As [`Contracts::send`] of a [`StartSigned`](connect4_protocol::message::StartSigned).
    pub async fn dispute(
        &mut self,
        contracts: &Contracts,
        payer: Signer,
    ) -> Result<GameId, ChainError> {
        let dispute = Dispute::open(contracts, payer, &self.terms).await?;
        let id = dispute.id();
        self.dispute = Some(dispute);
        Ok(id)
    }

    /// Starts the opponent's clock on the chain, in a dispute; with the latest position if that is not known there.
    /// It is sent by [`next`](Self::next).
    ///
    /// # Errors
    ///
    /// As [`Seat::sign_press`]; [`Refusal::NoSuchGame`] if there is no dispute.
    pub fn press(&mut self) -> Result<(), Refusal> {
        let until = self.seat.now().saturating_add(PRESS_STANDS);
        let pressed = self.seat.sign_press(until)?;
        let dispute = self.dispute.as_mut().ok_or(Refusal::NoSuchGame)?;
        dispute.bring(pressed);
        Ok(())
    }

    /// Proposes a rematch, or agrees to the opponent's.
    ///
    /// # Errors
    ///
    /// [`Refusal::GameNotOver`] if the game goes on.
    pub fn propose_rematch(&mut self) -> Result<(), Refusal> {
        if !self.latest().is_over() {
            return Err(Refusal::GameNotOver);
        }
        let ours = self.player();
        let mut rematch = self.rematch.unwrap_or(Rematch {
            time: machine().max(self.terms.terms.time.saturating_add(1)),
            nonce: rand::random(),
            signatures: ByPlayer::default(),
        });
        let domain = self.seat.subject().domain();
        let terms = rematch.terms(&self.terms.terms);
        let digest = terms.digest(&domain, &Native);
        rematch.signatures[ours] = Some(self.seat.key().sign(&digest));
        self.rematch = Some(rematch);
        self.link.rematch(&rematch);
        Ok(())
    }

    /// Whether the opponent proposes a rematch that this player has not signed.
    #[must_use]
    pub fn is_rematch_proposed(&self) -> bool {
        self.rematch
            .is_some_and(|rematch| rematch.signatures.get(self.player()).is_none())
    }

    /// The terms of the rematch, once both have signed them and the room shows that, so that the opponent has
    /// them, too, or can have them.
    #[must_use]
    pub const fn next_terms(&self) -> Option<&SignedTerms> {
        self.next.as_ref()
    }

    /// Waits for what happens next. If the wait is given up, nothing is lost.
    pub async fn next(&mut self) -> TermsEvent {
        loop {
            if let Some(dispute) = &mut self.dispute {
                dispute.begin(&self.seat);
            }
            // The relay comes last: whatever it sends, time goes on.
            let event = tokio::select! {
                biased;
                _ = self.tick.tick() => {
                    self.seat.pass_time(machine());
                    self.ticks = self.ticks.wrapping_add(1);
                    if self.ticks.is_multiple_of(TELL_AGAIN) {
                        self.tell();
                    }
                    Some(TermsEvent::Tick)
                }
                happened = from(&mut self.dispute) => self.take(happened),
                heard = self.link.next() => self.hear(heard),
            };
            if let Some(event) = event {
                return event;
            }
        }
    }

    /// Takes what has happened on the chain, and agrees to a line of the opponent there.
    fn take(&mut self, happened: Happened) -> Option<TermsEvent> {
        let dispute = self.dispute.as_mut()?;
        let news = dispute.take(happened, &mut self.seat);
        match self.seat.concede() {
            Ok(true) => self.tell(),
            Ok(false) => {}
            // It is tried again: what has happened is told first.
            Err(error) if news.is_none() => return Some(TermsEvent::NotTaken(error)),
            Err(_) => {}
        }
        news.map(TermsEvent::Chain)
    }

    fn hear(&mut self, heard: FromRoom) -> Option<TermsEvent> {
        match heard {
            FromRoom::Connected => self.relay_is(RelayState::Connected { opponent: false }),
            FromRoom::Lost(why) => self.relay_is(RelayState::Lost(why)),
            FromRoom::Present(present) => {
                let opponent = *present.players.get(self.player().opponent());
                self.relay_is(RelayState::Connected { opponent })
            }
            FromRoom::Position(evidence) => match self.receive(&evidence) {
                Ok(Received::News) => {
                    if *self.seat.evidence() != *evidence {
                        // The seat has agreed to its loss.
                        self.tell();
                    }
                    Some(TermsEvent::Changed)
                }
                Ok(Received::Behind) => {
                    self.tell();
                    None
                }
                // A relay may say anything. Nobody has to be told.
                Ok(Received::Known) | Err(SeatError::Refused(_)) => None,
                Err(error) => Some(TermsEvent::NotTaken(error)),
            },
            FromRoom::Rematch(rematch) => self.hear_rematch(&rematch),
            FromRoom::Offer(offer) => self.hear_offer(&offer),
        }
    }

    /// Takes an offer of a draw, or that the opponent accepts this player's.
    fn hear_offer(&mut self, offer: &Offer) -> Option<TermsEvent> {
        match self.seat.complete_draw(offer) {
            Ok(true) => {
                self.tell();
                return Some(TermsEvent::Changed);
            }
            Ok(false) | Err(SeatError::Refused(_)) => {}
            Err(error) => return Some(TermsEvent::NotTaken(error)),
        }
        let received = self.seat.receive_offer(offer);
        matches!(received, Ok(Received::News)).then_some(TermsEvent::Offered)
    }

    fn receive(&mut self, evidence: &Evidence) -> Result<Received, SeatError<KeyringError>> {
        self.shown = Some(*evidence);
        self.seat.receive(evidence)
    }

    /// Takes a proposal of the opponent's, or its agreement. Of two that both have proposed at once the one
    /// that the relay holds counts, which this player has to sign as well: it wants one.
    fn hear_rematch(&mut self, rematch: &Rematch) -> Option<TermsEvent> {
        let domain = self.seat.subject().domain();
        let ours = self.player();
        // Terms of another time would be of use to the opponent when this player is gone.
        let is_fresh = rematch.time.abs_diff(machine()) <= FRESH;
        if self.next.is_some() || !is_fresh || rematch.check(&self.terms, &domain, &Native).is_err()
        {
            return None;
        }
        self.next = rematch.signed(&self.terms);
        if self.next.is_some() {
            return Some(TermsEvent::Rematch);
        }
        if self.rematch.as_ref() == Some(rematch) {
            return None;
        }
        let wants = self
            .rematch
            .is_some_and(|own| own.signatures.get(ours).is_some());
        self.rematch = Some(*rematch);
        if wants && rematch.signatures.get(ours).is_none() {
            // It can only be refused while the game goes on.
            let _ = self.propose_rematch();
        }
        Some(TermsEvent::Rematch)
    }

    fn relay_is(&mut self, state: RelayState) -> Option<TermsEvent> {
        if self.relay == state {
            return None;
        }
        self.relay = state;
        Some(TermsEvent::Relay)
    }

    /// Has the opponent told of the latest position.
    fn tell(&self) {
        self.link.tell(self.seat.evidence());
    }
}

async fn from(dispute: &mut Option<Dispute>) -> Happened {
    match dispute {
        Some(dispute) => dispute.next().await,
        None => std::future::pending().await,
    }
}
