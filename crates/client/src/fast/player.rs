//! A player in a fast game: its seat, with the chain and a relay around it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use connect4_protocol::fast::wire::Offer;
use connect4_protocol::fast::{Evidence, FastGame};
use connect4_protocol::{Error as Refusal, Game, GameId};
use connect4_rules::{Bin, Player};
use connect4_seat::{Duty, Heard, Moved, OFFER_STANDS, Press, Seat, SeatError, Subject};
use tokio::task::JoinHandle;
use tokio::time::{Instant, Interval, interval};

use super::happening::{Happening, Made, PlayError, RelayState};
use super::keyring::{Journal, Keyring};
use super::relay::{FromRoom, RelayLink};
use super::sight::{Sight, Sights};
use super::telling::{perform, was_done};
use crate::account::Signer;
use crate::action::{Action, Performed};
use crate::contract::Contract;
use crate::error::Error;
use crate::receipt::Receipt;
use crate::seen::Seen;
use crate::task::Task;

/// How often deadlines are looked at.
const TICK: Duration = Duration::from_secs(1);
/// Pause before the chain is told again of what it has not taken, or what somebody else told it.
const AGAIN: Duration = Duration::from_secs(2);
/// For how long the opponent's agreement to a line is waited for.
const AGREEMENT: Duration = Duration::from_secs(3);
/// After how many of them the relay is told the latest position again.
const TELL_AGAIN: u32 = 10;

type Told = (Duty, Result<(Receipt<Performed>, Sight), Error>);

/// A player in a fast game. It keeps what it signs, talks with the relay, watches the chain, and tells
/// the chain by itself what it has to be told.
///
/// It does so only while [`next`](Self::next) is waited for.
#[derive(Debug)]
pub struct FastPlayer {
    contract: Contract,
    signer: Signer,
    seat: Seat<Journal>,
    block: Seen<Game>,
    link: Option<RelayLink>,
    relay: RelayState,
    sights: Sights,
    tick: Interval,
    telling: Option<JoinHandle<Told>>,
    not_before: Instant,
    /// Since when the game has ended by a line of this player.
    ended: Option<Instant>,
    is_freed: bool,
    /// When the chain was asked for what was seen last.
    asked: Instant,
    ticks: u32,
}

impl FastPlayer {
    /// The seat of an account in the game with this number, whose session key is in the keyring. The
    /// relay has this URL, if there is one.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame` or `NotAPlayer`; [`PlayError::Keyring`] if the key is not
    /// there, is used by another program or damaged; else if the chain cannot be reached.
    pub async fn sit(
        contract: &Contract,
        number: u32,
        signer: Signer,
        keyring: &Keyring,
        relay: Option<&str>,
    ) -> Result<Self, PlayError> {
        let refused = |error| Error::Refused {
            task: Task::ReadGame {
                game: GameId::Classic(number),
            },
            error,
        };
        let sight = Sight::of(contract, number).await?;
        let seen = sight.game.ok_or_else(|| refused(Refusal::NoSuchGame))?;
        let player = seen.game.player_of(&signer.address());
        let player = player.ok_or_else(|| refused(Refusal::NotAPlayer))?;
        let subject = Subject::new(number, contract.domain()?, seen.value);
        let journal = keyring.open(*subject.keys().get(player), &subject)?;
        let (key, book) = (journal.key().clone(), journal.book());
        let seat = Seat::new(subject, key, book, journal, seen.value, sight.now);
        let seat = seat.map_err(refused)?;
        let link = relay.map(|url| {
            let link = RelayLink::open(url, &subject, Some((player, seat.key().clone())));
            link.tell(seat.evidence());
            link
        });
        Ok(Self {
            relay: match link {
                Some(_) => RelayState::Connecting,
                None => RelayState::None,
            },
            link,
            sights: Sights::of(contract, number),
            contract: contract.clone(),
            signer,
            block: seen.map(|fast| fast.game),
            seat,
            tick: interval(TICK),
            telling: None,
            not_before: Instant::now(),
            ended: None,
            is_freed: false,
            asked: sight.asked,
            ticks: 0,
        })
    }

    /// Number of the game.
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.seat.subject().number()
    }

    /// The player who sits here.
    #[must_use]
    pub const fn player(&self) -> Player {
        self.seat.player()
    }

    /// The account of the player.
    #[must_use]
    pub const fn signer(&self) -> &Signer {
        &self.signer
    }

    /// The game as it stands, on the chain or off it.
    #[must_use]
    pub fn latest(&self) -> Game {
        self.seat.latest()
    }

    /// The game as the chain knows it.
    #[must_use]
    pub const fn chain(&self) -> &FastGame {
        self.seat.chain()
    }

    /// The same, with the block after which it was so.
    #[must_use]
    pub fn seen(&self) -> Seen<FastGame> {
        self.block.map(|_| *self.seat.chain())
    }

    /// The latest position, or the end, that both players have signed.
    #[must_use]
    pub fn evidence(&self) -> &Evidence {
        self.seat.evidence()
    }

    /// Whether the game goes on on the chain, as the opponent has not signed what is known there.
    #[must_use]
    pub const fn is_on_chain(&self) -> bool {
        self.seat.is_on_chain()
    }

    /// Whether the relay is there.
    #[must_use]
    pub const fn relay(&self) -> &RelayState {
        &self.relay
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

    /// Time in seconds since 1970 by which deadlines are told.
    #[must_use]
    pub const fn now(&self) -> u64 {
        self.seat.now()
    }

    /// Whether nothing has to be done any more: the chain knows how the game has ended, or the other
    /// player tells it.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.is_settled() || (self.seat.latest().is_over() && !self.seat.settles())
    }

    /// Whether the chain knows how the game has ended.
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        self.is_freed || self.seat.chain().is_final()
    }

    /// Whether the chain is being told something.
    #[must_use]
    pub const fn is_telling(&self) -> bool {
        self.telling.is_some()
    }

    /// Why the opponent's clock can't be started, if it can't.
    ///
    /// # Errors
    ///
    /// As [`Seat::press`].
    pub fn can_press(&self) -> Result<(), Refusal> {
        self.seat.press().map(|_| ())
    }

    /// Waits for what happens next, and does meanwhile what has to be done. If the wait is given up,
    /// nothing is lost.
    ///
    /// # Errors
    ///
    /// If something that was heard can't be kept, or the chain can't be read.
    pub async fn next(&mut self) -> Result<Happening, PlayError> {
        loop {
            self.begin_duty();
            let happening = tokio::select! {
                biased;
                heard = from(&mut self.link) => self.hear(heard)?,
                told = finished(&mut self.telling) => {
                    self.telling = None;
                    self.not_before = Instant::now() + AGAIN;
                    self.told(told)
                }
                sight = self.sights.next() => {
                    let happening = self.see(sight?);
                    if self.seat.concede()? {
                        self.tell();
                    }
                    happening
                }
                _ = self.tick.tick() => {
                    self.pass_time();
                    Some(Happening::Tick)
                }
            };
            if let Some(happening) = happening {
                return Ok(happening);
            }
        }
    }

    /// Drops a disc of the player: signs it, or makes the move on the chain if the game goes on there.
    ///
    /// # Errors
    ///
    /// As [`Seat::drop`]; on the chain, as [`Contract::perform`].
    pub async fn drop(&mut self, bin: Bin) -> Result<Made, PlayError> {
        match self.seat.drop(bin)? {
            Moved::Signed(_) => {
                self.tell();
                Ok(Made::Signed)
            }
            Moved::OnChain(bin) => {
                let number = self.number();
                let at_stake = self.contract.match_of(number).await?.stake > 0;
                let contract = self.contract.clone();
                let contract = contract.answering(number, &self.block, at_stake);
                let receipt = contract.perform(&self.signer, number, Action::Drop(bin));
                let receipt = receipt.await?;
                self.refresh().await?;
                Ok(Made::OnChain(Box::new(receipt)))
            }
        }
    }

    /// Gives the game up by a signature. The opponent tells the chain.
    ///
    /// # Errors
    ///
    /// As [`Seat::resign`].
    pub fn resign(&mut self) -> Result<(), PlayError> {
        self.seat.resign()?;
        self.tell();
        Ok(())
    }

    /// Offers a draw for [`OFFER_STANDS`] seconds. It may be accepted until then even if the game goes
    /// on.
    ///
    /// # Errors
    ///
    /// As [`Seat::offer_draw`].
    pub fn offer_draw(&mut self) -> Result<(), PlayError> {
        let offer = self
            .seat
            .offer_draw(self.seat.now().saturating_add(OFFER_STANDS))?;
        if let Some(link) = &self.link {
            link.offer(&offer);
        }
        Ok(())
    }

    /// Accepts the opponent's offer of a draw.
    ///
    /// # Errors
    ///
    /// As [`Seat::accept_draw`].
    pub fn accept_draw(&mut self) -> Result<(), PlayError> {
        self.seat.accept_draw()?;
        self.tell();
        Ok(())
    }

    /// Declines the opponent's offer of a draw. Returns whether there was one.
    pub fn decline_draw(&mut self) -> bool {
        self.seat.decline_draw()
    }

    /// Starts the opponent's clock on the chain, with the latest position if that is not known there.
    ///
    /// # Errors
    ///
    /// As [`Seat::press`]; as [`Contract::advance`].
    pub async fn press(&mut self) -> Result<Receipt<Performed>, PlayError> {
        let number = self.number();
        let press = self.seat.press().map_err(SeatError::Refused)?;
        match press {
            Press::With(evidence) => self.advance(&evidence, true).await,
            Press::Alone => {
                let pressed = self.contract.perform(&self.signer, number, Action::Press);
                let receipt = pressed.await?;
                self.refresh().await?;
                Ok(receipt)
            }
        }
    }

    /// Brings the latest position to the chain, and presses nobody.
    ///
    /// # Errors
    ///
    /// As [`Contract::advance`].
    pub async fn show(&mut self) -> Result<Receipt<Performed>, PlayError> {
        let evidence = *self.seat.evidence();
        self.advance(&evidence, false).await
    }

    /// Brings the latest position to the chain, and starts the opponent's clock there if the game has
    /// one: so the opponent has the move without a relay.
    ///
    /// # Errors
    ///
    /// As [`Contract::advance`].
    pub async fn bring(&mut self) -> Result<Receipt<Performed>, PlayError> {
        let chain = self.seat.chain();
        let has_clock = chain.stopped.is_some() || chain.game.clock().is_some();
        let evidence = *self.seat.evidence();
        self.advance(&evidence, has_clock).await
    }

    /// Tells the chain how the game has ended, though the other player is to. None if the chain knows
    /// it, or the game goes on.
    ///
    /// # Errors
    ///
    /// As [`Contract::advance`].
    pub async fn settle(&mut self) -> Result<Option<Receipt<Performed>>, PlayError> {
        if !self.seat.can_settle() {
            return Ok(None);
        }
        self.show().await.map(Some)
    }

    async fn advance(
        &mut self,
        evidence: &Evidence,
        press: bool,
    ) -> Result<Receipt<Performed>, PlayError> {
        let number = self.number();
        let advanced = self.contract.advance(&self.signer, number, press, evidence);
        let receipt = advanced.await?;
        self.refresh().await?;
        Ok(receipt)
    }

    /// Has the opponent told of the latest position.
    fn tell(&self) {
        if let Some(link) = &self.link {
            link.tell(self.seat.evidence());
        }
    }

    fn hear(&mut self, heard: FromRoom) -> Result<Option<Happening>, PlayError> {
        Ok(match heard {
            FromRoom::Connected => self.relay_is(RelayState::Connected { opponent: false }),
            FromRoom::Lost(why) => self.relay_is(RelayState::Lost(why)),
            FromRoom::Present(present) => {
                let opponent = *present.players.get(self.player().opponent());
                self.relay_is(RelayState::Connected { opponent })
            }
            FromRoom::Position(evidence) => match self.seat.hear(&evidence) {
                Ok(Heard::News) => {
                    if *self.seat.evidence() != *evidence {
                        // The seat has agreed to its loss.
                        self.tell();
                    }
                    Some(Happening::Changed)
                }
                Ok(Heard::Behind) => {
                    self.tell();
                    None
                }
                // A relay may say anything. Nobody has to be told.
                Ok(Heard::Known) | Err(SeatError::Refused(_)) => None,
                Err(error) => return Err(error.into()),
            },
            FromRoom::Offer(offer) => match self.seat.hear_offer(&offer) {
                Ok(Heard::News) => Some(Happening::Offered),
                Err(error @ SeatError::Keep(_)) => return Err(error.into()),
                _ => None,
            },
        })
    }

    fn relay_is(&mut self, state: RelayState) -> Option<Happening> {
        if self.relay == state {
            return None;
        }
        self.relay = state;
        Some(Happening::Relay)
    }

    fn see(&mut self, sight: Sight) -> Option<Happening> {
        if sight.asked < self.asked {
            // It was overtaken by what was seen after an own transaction.
            return None;
        }
        self.asked = sight.asked;
        let Some(seen) = sight.game else {
            let was_freed = std::mem::replace(&mut self.is_freed, true);
            return (!was_freed).then_some(Happening::Changed);
        };
        let changed = seen.value != *self.seat.chain();
        self.block = seen.map(|fast| fast.game);
        self.seat.see(seen.value, sight.now);
        changed.then_some(Happening::Changed)
    }

    fn pass_time(&mut self) {
        let machine = SystemTime::now().duration_since(UNIX_EPOCH);
        let machine = machine.map_or(0, |machine| machine.as_secs());
        let now = machine.max(self.seat.now());
        self.seat.see(*self.seat.chain(), now);
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks.is_multiple_of(TELL_AGAIN) {
            // A relay may have lost it.
            self.tell();
        }
    }

    async fn refresh(&mut self) -> Result<(), Error> {
        let sight = Sight::of(&self.contract, self.number()).await?;
        self.see(sight);
        Ok(())
    }

    /// Begins to tell the chain what it has to be told. It goes on if nobody waits for it.
    fn begin_duty(&mut self) {
        if self.telling.is_some() || self.is_freed || Instant::now() < self.not_before {
            return;
        }
        let Some(duty) = self.seat.duty() else {
            return;
        };
        if self.seat.may_be_agreed(&duty) {
            let since = *self.ended.get_or_insert_with(Instant::now);
            if since.elapsed() < AGREEMENT {
                return;
            }
        }
        let (contract, signer, number) =
            (self.contract.clone(), self.signer.clone(), self.number());
        self.telling = Some(tokio::spawn(async move {
            let told = perform(&contract, &signer, number, &duty).await;
            (duty, told)
        }));
    }

    fn told(&mut self, (duty, told): Told) -> Option<Happening> {
        match told {
            Ok((receipt, sight)) => {
                self.see(sight);
                self.not_before = Instant::now();
                Some(Happening::Done(duty, Box::new(receipt)))
            }
            Err(error) if was_done(&error) => None,
            Err(error) => Some(Happening::NotDone(duty, error)),
        }
    }
}

async fn from(link: &mut Option<RelayLink>) -> FromRoom {
    match link {
        Some(link) => link.next().await,
        None => std::future::pending().await,
    }
}

async fn finished(telling: &mut Option<JoinHandle<Told>>) -> Told {
    let told = match telling {
        Some(telling) => telling.await,
        None => std::future::pending().await,
    };
    match told {
        Ok(told) => told,
        // The task neither panics nor is cancelled, but with the program.
        Err(_) => std::future::pending().await,
    }
}
