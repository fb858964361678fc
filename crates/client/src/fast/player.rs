//! A player in a fast game: its seat, with the chain and a relay around it.

mod acts;

use std::time::Duration;

use connect4_protocol::fast::wire::Offer;
use connect4_protocol::fast::{Evidence, FastGame, Moves};
use connect4_protocol::message::ReadFast;
use connect4_protocol::{Error as Refusal, Game, GameId, Match};
use connect4_rules::Player;
use connect4_seat::{Duty, Received, Seat, SeatError, Subject};
use tokio::task::JoinHandle;
use tokio::time::{Instant, Interval, interval};

use super::clocks::{Clocks, ClocksDiffer, machine};
use super::duty::{perform, was_done};
use super::keyring::{Keyring, LockedKey};
use super::player_event::{PlayError, PlayerEvent, RelayState};
use super::relay::{FromRoom, RelayLink};
use super::snapshot::{Snapshot, Snapshots};
use crate::accounts::account::Signer;
use crate::chain::seen::Seen;
use crate::contracts::calls::Query as _;
use crate::contracts::deployed::Contracts;
use crate::contracts::performed::Performed;
use crate::contracts::receipt::Receipt;
use crate::error::Error;

/// How often deadlines are looked at.
const TICK: Duration = Duration::from_secs(1);
/// Pause before something is sent to the chain again that it has not taken, or that somebody else has sent.
const AGAIN: Duration = Duration::from_secs(2);
/// After how many of them the relay is told the latest position again.
const TELL_AGAIN: u32 = 10;

type Told = (Duty, Result<(Receipt<Performed>, Snapshot), Error>);

/// A player in a fast game. It keeps what it signs, talks with the relay, watches the chain, and sends
/// to the chain by itself what has to be there.
///
/// It does so only while [`next`](Self::next) is waited for.
#[derive(Debug)]
pub struct FastPlayer {
    /// The game.
    id: GameId,
    contract: Contracts,
    signer: Signer,
    seat: Seat<LockedKey>,
    block: Seen<Game>,
    link: Option<RelayLink>,
    relay: RelayState,
    snapshots: Snapshots,
    tick: Interval,
    telling: Option<JoinHandle<Told>>,
    not_before: Instant,
    /// What has to be done, and since when.
    duty: Option<(Duty, Instant)>,
    is_freed: bool,
    /// Whether the game has ended, or was freed, in a final block.
    is_settled: bool,
    /// The game in a final block, which is to be kept with the key.
    begun: Option<FastGame>,
    of_match: Match,
    /// When the chain was asked for what was seen last.
    asked: Instant,
    /// Time of the newest block that was seen, in seconds since 1970.
    block_time: u64,
    clocks: Clocks,
    /// A difference of the clocks that is to be told.
    differ: Option<ClocksDiffer>,
    /// Whether it is to be told that what was signed in this game is not known.
    has_forgotten: bool,
    ticks: u32,
}

impl FastPlayer {
    /// The seat of an account in a fast game, whose session key is in the keyring. The
    /// relay has this URL, if there is one.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] with `NoSuchGame` or `NotAPlayer`; [`PlayError::Keyring`] if the key is not
    /// there, is used by another program or damaged; [`PlayError::NotAgreed`] or [`PlayError::OtherGame`]
    /// if the node shows another game than was agreed on or begun; else if the chain cannot be reached.
    pub async fn sit(
        contract: &Contracts,
        game: GameId,
        signer: Signer,
        keyring: &Keyring,
        relay: Option<&str>,
    ) -> Result<Self, PlayError> {
        let refused = |error| Error::Refused {
            task: ReadFast {
                game: game.number(),
            }
            .task(),
            error,
        };
        let snapshot = Snapshot::of(contract, game, true).await?;
        let seen = snapshot.game.ok_or_else(|| refused(Refusal::NoSuchGame))?;
        let player = seen.game.player_of(&signer.address());
        let player = player.ok_or_else(|| refused(Refusal::NotAPlayer))?;
        let state = contract.match_of(game).await?;
        let subject = Subject::new(game.number(), contract.domain()?, seen.value);
        let subject = subject.with_clock(state.clock);
        let locked = keyring.open(*subject.keys().get(player), &subject)?;
        if let Some(agreed) = locked.agreement() {
            let same = agreed.check(&subject, player, &state);
            same.map_err(|difference| PlayError::not_agreed(game, difference))?;
        }
        let (key, journal) = (locked.key().clone(), locked.journal());
        let block_time = snapshot.now.unwrap_or_default();
        let seat = Seat::new(subject, key, journal, locked, seen.value, block_time);
        let mut seat = seat.map_err(|error| match error {
            Refusal::BadKey => PlayError::from(refused(error)),
            _ => PlayError::OtherGame(game),
        })?;
        seat.pass_time(machine());
        let has_forgotten = seat.has_forgotten();
        let link = relay.map(|url| {
            let link = RelayLink::open(url, &subject, Some((player, seat.key().clone())));
            link.tell(seat.evidence());
            link
        });
        let mut player = Self {
            relay: match link {
                Some(_) => RelayState::Connecting,
                None => RelayState::None,
            },
            link,
            snapshots: Snapshots::of(contract, game),
            id: game,
            contract: contract.clone(),
            signer,
            block: seen.map(|fast| fast.game),
            seat,
            tick: interval(TICK),
            telling: None,
            not_before: Instant::now(),
            duty: None,
            is_freed: false,
            is_settled: snapshot.is_settled,
            of_match: state,
            begun: snapshot.begun,
            has_forgotten,
            asked: snapshot.asked,
            block_time,
            clocks: Clocks::after(seen.block.number, block_time, snapshot.machine),
            differ: None,
            ticks: 0,
        };
        match player.bind() {
            // It is tried again. What is held can be brought to the chain meanwhile.
            Ok(()) | Err(PlayError::Keyring(_)) => Ok(player),
            Err(error) => Err(error),
        }
    }

    /// The game's match as it was when the seat was opened: its stake and its clock, as they were agreed on.
    #[must_use]
    pub const fn of_match(&self) -> &Match {
        &self.of_match
    }

    /// The game.
    #[must_use]
    pub const fn id(&self) -> GameId {
        self.id
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

    /// The game as it is on the chain.
    #[must_use]
    pub const fn chain(&self) -> &FastGame {
        self.seat.chain()
    }

    /// The same, with the block after which it was so.
    #[must_use]
    pub fn seen(&self) -> Seen<FastGame> {
        self.block.map(|_| *self.seat.chain())
    }

    /// What the opponent and watchers are told: the latest position, or the end, that both players have
    /// signed.
    #[must_use]
    pub fn evidence(&self) -> &Evidence {
        self.seat.evidence()
    }

    /// Whether the game goes on on the chain, as the opponent has not signed what is known there.
    #[must_use]
    pub fn is_on_chain(&self) -> bool {
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

    /// The bins of all moves that lead to the latest position; none if they are not signed by both, so that
    /// they are the chain's.
    #[must_use]
    pub fn moves(&self) -> Option<Moves> {
        let latest = self.seat.latest();
        let signed = [self.seat.evidence(), &self.seat.journal().position];
        let mut moves = signed.into_iter().map(|evidence| evidence.moves);
        moves.find(|moves| {
            let replayed = self.seat.subject().replay(moves);
            replayed.is_ok_and(|game| game.board() == latest.board())
        })
    }

    /// Time in seconds since 1970 by which deadlines are told: that of the newest block, or of this
    /// machine if that is later.
    #[must_use]
    pub const fn now(&self) -> u64 {
        self.seat.now()
    }

    /// The last second, by the chain's clock, at which the player to move there has to have answered, or
    /// at which a line there can be contested; none if no such time runs.
    #[must_use]
    pub fn deadline(&self) -> Option<u64> {
        self.seat.deadline()
    }

    /// Whether nothing has to be done any more: the game has ended on the chain, for good, or this player has
    /// lost it by its own signature.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.is_settled() || self.seat.has_lost()
    }

    /// Whether this player has lost as far as it is seen: also by a line that only the node shows.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.seat.is_lost()
    }

    /// Whether this player has lost by what was signed, so that it loses nothing if its program ends.
    #[must_use]
    pub fn has_lost(&self) -> bool {
        self.seat.has_lost()
    }

    /// Whether the game has ended on the chain in a final block, which no fork replaces.
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// Whether the game has ended on the chain. A fork may still replace the block.
    #[must_use]
    pub const fn is_over_on_chain(&self) -> bool {
        self.is_freed || self.seat.chain().is_final()
    }

    /// Whether the chain is being told something.
    #[must_use]
    pub const fn is_telling(&self) -> bool {
        self.telling.is_some()
    }

    /// Whether this player may take the first disc over now, by the pie rule.
    #[must_use]
    pub fn may_swap(&self) -> bool {
        self.seat.may_swap()
    }

    /// Whether the game has the pie rule.
    #[must_use]
    pub const fn has_pie_rule(&self) -> bool {
        self.seat.subject().has_pie_rule()
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
    pub async fn next(&mut self) -> PlayerEvent {
        loop {
            if let Some(differ) = self.differ.take() {
                return PlayerEvent::ClocksDiffer(differ);
            }
            if std::mem::take(&mut self.has_forgotten) {
                return PlayerEvent::NotTaken(SeatError::OnChainAlone.into());
            }
            self.begin_duty();
            // The relay comes last: whatever it sends, the chain and the time are looked at.
            let event = tokio::select! {
                biased;
                told = finished(&mut self.telling) => {
                    self.telling = None;
                    self.not_before = Instant::now() + AGAIN;
                    self.told(told)
                }
                snapshot = self.snapshots.next() => match snapshot {
                    Ok(snapshot) => self.take(snapshot),
                    Err(error) => Some(PlayerEvent::NotSeen(error)),
                },
                _ = self.tick.tick() => {
                    self.pass_time();
                    Some(PlayerEvent::Tick)
                }
                heard = from(&mut self.link) => {
                    let heard = self.hear(heard);
                    heard.unwrap_or_else(|error| Some(PlayerEvent::NotTaken(error)))
                }
            };
            if let Some(event) = event {
                return event;
            }
        }
    }

    /// Takes what was seen, keeps how the game has begun, and agrees to a line of the opponent.
    fn take(&mut self, snapshot: Snapshot) -> Option<PlayerEvent> {
        self.begun = snapshot.begun.or(self.begun);
        let event = self.see(snapshot);
        let done = self.bind().and_then(|()| Ok(self.seat.concede()?));
        match done {
            Ok(true) => self.tell(),
            Ok(false) => {}
            // It is tried again: what has happened is told first.
            Err(error) => return event.or(Some(PlayerEvent::NotTaken(error))),
        }
        event
    }

    /// Keeps what only a final block could tell of the game. From then on a node that shows it otherwise is
    /// not believed.
    fn bind(&mut self) -> Result<(), PlayError> {
        let Some(begun) = self.begun else {
            return Ok(());
        };
        let (game, player) = (self.id(), self.player());
        if !self.seat.subject().is_of(&begun) {
            return Err(PlayError::OtherGame(game));
        }
        let subject = *self.seat.subject();
        self.seat.keeper().bind(&subject, player)?;
        self.begun = None;
        Ok(())
    }

    /// Has the opponent told of the latest position.
    fn tell(&self) {
        if let Some(link) = &self.link {
            link.tell(self.seat.evidence());
        }
    }

    fn hear(&mut self, heard: FromRoom) -> Result<Option<PlayerEvent>, PlayError> {
        Ok(match heard {
            FromRoom::Connected => self.relay_is(RelayState::Connected { opponent: false }),
            FromRoom::Lost(why) => self.relay_is(RelayState::Lost(why)),
            FromRoom::Present(present) => {
                let opponent = *present.players.get(self.player().opponent());
                self.relay_is(RelayState::Connected { opponent })
            }
            FromRoom::Position(evidence) => match self.seat.receive(&evidence) {
                Ok(Received::News) => {
                    if *self.seat.evidence() != *evidence {
                        // The seat has agreed to its loss.
                        self.tell();
                    }
                    Some(PlayerEvent::Changed)
                }
                Ok(Received::Behind) => {
                    self.tell();
                    None
                }
                // A relay may say anything. Nobody has to be told.
                Ok(Received::Known) | Err(SeatError::Refused(_)) => None,
                Err(error) => return Err(error.into()),
            },
            FromRoom::Offer(offer) => match self.seat.receive_offer(&offer) {
                Ok(Received::News) => Some(PlayerEvent::Offered),
                Err(error @ SeatError::Keep(_)) => return Err(error.into()),
                _ => None,
            },
        })
    }

    fn relay_is(&mut self, state: RelayState) -> Option<PlayerEvent> {
        if self.relay == state {
            return None;
        }
        self.relay = state;
        Some(PlayerEvent::Relay)
    }

    fn see(&mut self, snapshot: Snapshot) -> Option<PlayerEvent> {
        if snapshot.asked < self.asked {
            // It was overtaken by what was seen after an own transaction. A final block stays final, and
            // without another block nobody looks again.
            let was_settled = self.is_settled;
            self.is_settled |= snapshot.is_settled;
            return (was_settled != self.is_settled).then_some(PlayerEvent::Changed);
        }
        self.asked = snapshot.asked;
        let was_settled = std::mem::replace(&mut self.is_settled, snapshot.is_settled);
        let is_otherwise = was_settled != snapshot.is_settled;
        let Some(seen) = snapshot.game else {
            let was_freed = std::mem::replace(&mut self.is_freed, true);
            return (!was_freed || is_otherwise).then_some(PlayerEvent::Changed);
        };
        if !self.seat.subject().is_of(&seen.value) {
            return Some(PlayerEvent::NotTaken(PlayError::OtherGame(self.id())));
        }
        // The storage may have been freed in a block that was replaced.
        let was_freed = std::mem::replace(&mut self.is_freed, false);
        let changed = was_freed || is_otherwise || seen.value != *self.seat.chain();
        self.block = seen.map(|fast| fast.game);
        if let Some(now) = snapshot.now {
            self.block_time = now;
            let differ = self
                .clocks
                .compare(seen.block.number, now, snapshot.machine);
            self.differ = differ.or(self.differ);
        }
        self.seat.see(seen.value, self.block_time);
        self.seat.pass_time(machine());
        changed.then_some(PlayerEvent::Changed)
    }

    fn pass_time(&mut self) {
        self.seat.pass_time(machine());
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks.is_multiple_of(TELL_AGAIN) {
            // A relay may have lost it.
            self.tell();
        }
    }

    async fn refresh(&mut self) -> Result<(), Error> {
        let snapshot = Snapshot::of(&self.contract, self.id(), false).await?;
        self.see(snapshot);
        Ok(())
    }

    /// Begins to send a duty to the chain. It continues if nobody waits for it.
    fn begin_duty(&mut self) {
        if self.telling.is_some() || self.is_freed || Instant::now() < self.not_before {
            return;
        }
        let Some(duty) = self.seat.duty() else {
            self.duty = None;
            return;
        };
        let since = match &self.duty {
            Some((known, since)) if *known == duty => *since,
            _ => Instant::now(),
        };
        self.duty = Some((duty, since));
        let patience = Duration::from_secs(self.seat.patience(&duty).into());
        if since.elapsed() < patience {
            return;
        }
        let (contract, signer, game) = (self.contract.clone(), self.signer.clone(), self.id());
        self.telling = Some(tokio::spawn(async move {
            let told = perform(&contract, &signer, game, &duty).await;
            (duty, told)
        }));
    }

    fn told(&mut self, (duty, told): Told) -> Option<PlayerEvent> {
        match told {
            Ok((receipt, snapshot)) => {
                self.see(snapshot);
                self.not_before = Instant::now();
                Some(PlayerEvent::Done(duty, Box::new(receipt)))
            }
            Err(error) if was_done(&error) => None,
            Err(error) => Some(PlayerEvent::NotDone(duty, error)),
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
