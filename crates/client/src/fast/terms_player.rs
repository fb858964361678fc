//! A player in a game by signed terms: its seat, with a relay around it, and the chain in a dispute.

use std::time::Duration;

use connect4_protocol::fast::wire::{Offer, ToRelay};
use connect4_protocol::fast::{Evidence, GameNumber, Moves, PlayedGame, SessionKey, SignedTerms};
use connect4_protocol::{Error as Refusal, Game, GameId};
use connect4_rules::{Bin, ByPlayer, Player};
use connect4_seat::{Keep as _, SeatError, Subject, TermsHeard, TermsNews, TermsSeat};
use tokio::time::{Interval, interval};

use super::clocks::machine;
use super::dispute::{Dispute, DisputeNews, Happened};
use super::games_by_terms::{KeptGame, OpenGame};
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

/// A player in a game by signed terms: a [`TermsSeat`] that keeps what it signs, and talks with the relay.
///
/// Anyone who holds what was signed can put it on a chain.
#[derive(Debug)]
pub struct TermsPlayer {
    seat: TermsSeat<LockedKey>,
    /// The room; none of a game that has [ended](Self::ended).
    link: Option<RelayLink>,
    relay: RelayState,
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
        if begun.seat.keeper().has_begun() {
            return Err(Refusal::TermsUsed.into());
        }
        let journal = begun.seat.seat().journal().clone();
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

    /// A game that has ended here, for its [dispute](Self::dispute): no relay is asked for it any more.
    ///
    /// # Errors
    ///
    /// [`Refusal::BadSignature`] if what is signed makes no game, then as [`Self::begin`].
    pub fn ended(game: &KeptGame, key: LockedKey) -> Result<Self, SeatError<KeyringError>> {
        let played = game.played().ok_or(Refusal::BadSignature)?;
        let subject = Subject::by_checked_terms(&played.terms, game.domain)?;
        // The signatures of the terms are needed to start a game alone, and are not kept.
        let terms = SignedTerms {
            terms: played.terms,
            sessions: played.sessions,
            signatures: ByPlayer::default(),
        };
        let mut ended = Self::alone(terms, subject, key)?;
        // The journal may have given way to those of later games.
        ended.seat.seat_mut().receive(&played.evidence)?;
        Ok(ended)
    }

    fn sit(game: &OpenGame, key: LockedKey) -> Result<Self, SeatError<KeyringError>> {
        let OpenGame {
            terms,
            domain,
            relay: url,
        } = game;
        let subject = Subject::by_terms(terms, *domain)?;
        let mut sitting = Self::alone(*terms, subject, key)?;
        let seat = sitting.seat.seat();
        let player: (_, SessionKey) = (seat.player(), seat.key().clone());
        let link = RelayLink::open_by_terms(url, &subject, Some(player), terms);
        link.tell(seat.evidence());
        sitting.link = Some(link);
        sitting.relay = RelayState::Connecting;
        Ok(sitting)
    }

    /// The seat, without a relay.
    fn alone(
        terms: SignedTerms,
        subject: Subject,
        key: LockedKey,
    ) -> Result<Self, SeatError<KeyringError>> {
        let locked = key.of_game(&subject);
        let (session, journal) = (locked.key().clone(), locked.journal());
        let seat = TermsSeat::new(terms, subject, session, journal, locked, machine())?;
        Ok(Self {
            seat,
            link: None,
            relay: RelayState::None,
            shown: None,
            dispute: None,
            tick: interval(TICK),
            ticks: 0,
        })
    }

    /// The terms.
    #[must_use]
    pub const fn terms(&self) -> &SignedTerms {
        self.seat.terms()
    }

    /// Number of the game.
    #[must_use]
    pub const fn number(&self) -> GameNumber {
        self.seat.seat().subject().number()
    }

    /// The player who sits here.
    #[must_use]
    pub const fn player(&self) -> Player {
        self.seat.seat().player()
    }

    /// The game as it stands.
    #[must_use]
    pub fn latest(&self) -> Game {
        self.seat.seat().latest()
    }

    /// What the opponent and watchers are told.
    #[must_use]
    pub fn evidence(&self) -> &Evidence {
        self.seat.seat().evidence()
    }

    /// Whether the relay is there.
    #[must_use]
    pub const fn relay(&self) -> &RelayState {
        &self.relay
    }

    /// Whether the end of the game is signed by the player who has lost, so that nothing can take its place.
    #[must_use]
    pub fn is_agreed(&self) -> bool {
        self.seat.is_agreed()
    }

    /// Whether the room shows what is held here, so that the opponent has it or can have it.
    #[must_use]
    pub fn is_told(&self) -> bool {
        self.shown.as_ref() == Some(self.evidence())
    }

    /// What anybody can put on the chain.
    #[must_use]
    pub fn played(&self) -> PlayedGame {
        self.seat.played()
    }

    /// The key, for another game.
    #[must_use]
    pub fn into_key(self) -> LockedKey {
        self.seat.into_keeper()
    }

    /// Drops a disc of the player.
    ///
    /// # Errors
    ///
    /// As [`TermsSeat::drop`].
    pub fn drop(&mut self, bin: Bin) -> Result<(), SeatError<KeyringError>> {
        let told = self.seat.drop(bin)?;
        self.send(told);
        Ok(())
    }

    /// Takes player one's disc over in place of a move, by the pie rule.
    ///
    /// # Errors
    ///
    /// As [`Seat::swap`](connect4_seat::Seat::swap).
    pub fn swap(&mut self) -> Result<(), SeatError<KeyringError>> {
        self.drop(Bin::new(Moves::SWAP))
    }

    /// Whether this player may [swap](Self::swap) now.
    #[must_use]
    pub fn may_swap(&self) -> bool {
        self.seat.seat().may_swap()
    }

    /// Gives the game up.
    ///
    /// # Errors
    ///
    /// As [`TermsSeat::resign`].
    pub fn resign(&mut self) -> Result<(), SeatError<KeyringError>> {
        let told = self.seat.resign()?;
        self.send(told);
        Ok(())
    }

    /// Offers a draw, which the opponent may accept for a minute.
    ///
    /// # Errors
    ///
    /// As [`TermsSeat::offer_draw`].
    pub fn offer_draw(&mut self) -> Result<(), SeatError<KeyringError>> {
        let offer = self.seat.offer_draw()?;
        self.send(offer);
        Ok(())
    }

    /// Accepts the opponent's offer of a draw. It is one once the opponent's program has signed it after that.
    ///
    /// # Errors
    ///
    /// As [`TermsSeat::accept_draw`].
    pub fn accept_draw(&mut self) -> Result<(), SeatError<KeyringError>> {
        let accepted = self.seat.accept_draw()?;
        self.send(accepted);
        Ok(())
    }

    /// Declines the opponent's offer of a draw. Returns whether there was one.
    pub fn decline_draw(&mut self) -> bool {
        self.seat.decline_draw()
    }

    /// The opponent's offer of a draw, if it can be accepted.
    #[must_use]
    pub fn offer(&self) -> Option<&Offer> {
        self.seat.seat().offer()
    }

    /// This player's offer of a draw, as long as it stands.
    #[must_use]
    pub fn offered(&self) -> Option<&Offer> {
        self.seat.seat().offered()
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
        let dispute = Dispute::open(contracts, payer, self.seat.terms()).await?;
        let id = dispute.id();
        self.dispute = Some(dispute);
        Ok(id)
    }

    /// What the game is called on the chain, in a dispute.
    #[must_use]
    pub fn disputed(&self) -> Option<GameId> {
        self.dispute.as_ref().map(Dispute::id)
    }

    /// Whether the game is over on the chain, for good, in a final block.
    #[must_use]
    pub const fn is_over_on_chain(&self) -> bool {
        self.seat.seat().chain().is_final()
    }

    /// Whether it has ended on the chain as both have signed, so that there is nothing to record.
    #[must_use]
    pub fn has_ended_as_signed(&self) -> bool {
        let seat = self.seat.seat();
        let end = |game: &Game| (game.end(), game.winner());
        let signed = seat.subject().game_of(self.evidence());
        self.is_over_on_chain()
            && signed.is_ok_and(|signed| end(&signed) == end(&seat.chain().game))
    }

    /// The last second of the chain's time at which its end there can be contested; none if it can't be.
    #[must_use]
    pub const fn contestable_until(&self) -> Option<u64> {
        self.seat.seat().chain().contest
    }

    /// Starts the opponent's clock on the chain, in a dispute; with the latest position if that is not known there.
    /// It is sent by [`next`](Self::next).
    ///
    /// # Errors
    ///
    /// As [`Seat::sign_press`](connect4_seat::Seat::sign_press); [`Refusal::NoSuchGame`] if there is no dispute.
    pub fn press(&mut self) -> Result<(), Refusal> {
        let seat = self.seat.seat();
        let until = seat.now().saturating_add(PRESS_STANDS);
        let pressed = seat.sign_press(until)?;
        let dispute = self.dispute.as_mut().ok_or(Refusal::NoSuchGame)?;
        dispute.bring(pressed);
        Ok(())
    }

    /// Time in seconds since 1970 by which deadlines are told: that of the newest block, or of this
    /// machine if that is later.
    #[must_use]
    pub const fn now(&self) -> u64 {
        self.seat.seat().now()
    }

    /// Proposes a rematch, or agrees to the opponent's.
    ///
    /// # Errors
    ///
    /// [`Refusal::GameNotOver`] if the game goes on.
    pub fn propose_rematch(&mut self) -> Result<(), Refusal> {
        let proposal = self.seat.propose_rematch(machine(), rand::random())?;
        self.send(proposal);
        Ok(())
    }

    /// Whether the opponent proposes a rematch that this player has not signed.
    #[must_use]
    pub fn is_rematch_proposed(&self) -> bool {
        self.seat.is_rematch_proposed()
    }

    /// The terms of the rematch, once both have signed them and the room shows that, so that the opponent has
    /// them, too, or can have them.
    #[must_use]
    pub const fn next_terms(&self) -> Option<&SignedTerms> {
        self.seat.next_terms()
    }

    /// Waits for what happens next. If the wait is given up, nothing is lost.
    pub async fn next(&mut self) -> TermsEvent {
        loop {
            if let Some(dispute) = &mut self.dispute {
                dispute.begin(self.seat.seat());
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
                heard = heard_from(&mut self.link) => self.hear(heard),
            };
            if let Some(event) = event {
                return event;
            }
        }
    }

    /// Takes what has happened on the chain, and agrees to a line of the opponent there.
    fn take(&mut self, happened: Happened) -> Option<TermsEvent> {
        let dispute = self.dispute.as_mut()?;
        let seat = self.seat.seat_mut();
        let news = dispute.take(happened, seat);
        match seat.concede() {
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
            FromRoom::Position(evidence) => {
                self.shown = Some(*evidence);
                let heard = self.seat.hear_position(&evidence);
                self.answer(heard)
            }
            FromRoom::Offer(offer) => {
                let heard = self.seat.hear_offer(&offer);
                self.answer(heard)
            }
            FromRoom::Rematch(rematch) => {
                let heard = self.seat.hear_rematch(&rematch, machine());
                self.answer(heard.map_err(SeatError::from))
            }
        }
    }

    fn answer(&mut self, heard: Result<TermsHeard, SeatError<KeyringError>>) -> Option<TermsEvent> {
        let TermsHeard { news, send, .. } = match heard {
            Ok(heard) => heard,
            // A relay may say anything. Nobody has to be told.
            Err(SeatError::Refused(_)) => return None,
            Err(error) => return Some(TermsEvent::NotTaken(error)),
        };
        if let Some(message) = send {
            self.send(message);
        }
        Some(match news? {
            TermsNews::Changed => TermsEvent::Changed,
            TermsNews::Offered => TermsEvent::Offered,
            TermsNews::Rematch => TermsEvent::Rematch,
        })
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
        if let Some(link) = &self.link {
            link.tell(self.evidence());
        }
    }

    fn send(&self, message: ToRelay) {
        let Some(link) = &self.link else {
            return;
        };
        match message {
            ToRelay::Position(evidence) => link.tell(&evidence),
            ToRelay::Offer(offer) => link.offer(&offer),
            ToRelay::Rematch(rematch) => link.rematch(&rematch),
            // The link says these by itself.
            ToRelay::Join { .. } | ToRelay::Terms(_) => {}
        }
    }
}

async fn heard_from(link: &mut Option<RelayLink>) -> FromRoom {
    match link {
        Some(link) => link.next().await,
        None => std::future::pending().await,
    }
}

async fn from(dispute: &mut Option<Dispute>) -> Happened {
    match dispute {
        Some(dispute) => dispute.next().await,
        None => std::future::pending().await,
    }
}
