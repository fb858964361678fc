//! What guards a game with a stake while its player's program does not run.

use std::time::Duration;

use connect4_protocol::signed::staked_room::{self, FromStakedRoom, ToStakedRoom};
use connect4_protocol::signed::{ChainGame, GameNumber, Native, StakedGame, StakesError, Terms};
use connect4_seat::{Call, Guard, Received, Subject, signed_by_both};
use tokio::sync::mpsc;
use tokio::time::{Instant, interval, sleep};

use super::chain::guarded;
use super::clocks::machine;
use super::driver::{heard, is_done};
use super::guarded::GuardedGames;
use super::records::{GameName, SignedGames};
use super::room::{FromRoom, RoomLink};
use super::rooms_at;
use crate::accounts::account::Signer;
use crate::chain::block_ref::BlockRef;
use crate::contracts::receipt::Receipt;
use crate::contracts::stakes::Stakes;
use crate::error::Error;
use crate::task::Task;

/// How often the time is looked at.
const TICK: Duration = Duration::from_secs(1);
/// Pause before the chain is looked at again after it could not be read.
const AGAIN: Duration = Duration::from_secs(2);
/// After how long a transaction is sent again that has changed nothing.
const SENT: Duration = Duration::from_secs(12);
/// Seconds before the end of a clock on the chain in which nobody else is waited for.
const SOON: u64 = 60;
/// After how long a room is entered again that has refused: it may have been full.
const ENTER_AGAIN: Duration = Duration::from_secs(5);

type Room = RoomLink<ToStakedRoom, FromStakedRoom>;

/// What has happened to a game that is guarded.
#[derive(Debug)]
pub enum StakedGuardNews {
    /// Both players have signed so many moves, as far as is held here.
    Holds(u8),
    /// This was sent to the chain.
    Done(Box<(Call, Receipt<()>)>),
    /// The chain could not be read or told. It is tried again.
    NotDone(Error),
    /// The room of the game is not there, for this reason, so that nothing is heard of what is signed now. It is entered
    /// again.
    NoRoom(String),
    /// What is held can't be written, for this reason: it is lost if the program ends.
    NotKept(String),
    /// The game is over on the chain for good, or will never begin.
    Over,
}

/// A guard of one game with a stake. It holds what both players have signed, as their programs tell it in the room of a
/// relay or have kept it on this machine, and brings it to the chain when that has to know it. It has no session key, and
/// makes no move.
#[derive(Debug)]
pub struct StakedPost {
    stakes: Stakes,
    signer: Signer,
    terms: Terms,
    guard: Guard,
    relay: Option<String>,
    record: Option<(SignedGames, GameName)>,
    kept: Option<GuardedGames>,
    /// What was sent last, on which state of the game, and when.
    sent: Option<(Call, ChainGame, Instant)>,
    /// For how long the players' own programs are left to do what has to be done.
    patience: Duration,
    /// Since when something has to be done.
    due: Option<Instant>,
}

impl StakedPost {
    /// A guard of the game by these terms, whose transactions the signer pays.
    ///
    /// # Errors
    ///
    /// Returned if no game can be played by the terms.
    pub fn at(stakes: Stakes, signer: Signer, terms: Terms) -> Result<Self, StakesError> {
        let subject = Subject::staked(&terms, stakes.domain(), &Native)?;
        Ok(Self {
            stakes,
            signer,
            terms,
            guard: Guard::new(subject, *subject.start(), terms.time),
            relay: None,
            record: None,
            kept: None,
            sent: None,
            patience: Duration::ZERO,
            due: None,
        })
    }

    /// The same guard, which leaves what has to be done to the players' own programs for so long, unless a clock on the
    /// chain is about to end.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// The same guard, which listens in the room of the game at the relay with this URL.
    #[must_use]
    pub fn with_relay(self, url: Option<&str>) -> Self {
        Self {
            relay: url.map(rooms_at),
            ..self
        }
    }

    /// The same guard, which reads what a program on this machine has kept of the game.
    #[must_use]
    pub fn with_record(self, games: SignedGames, name: GameName) -> Self {
        Self {
            record: Some((games, name)),
            ..self
        }
    }

    /// The same guard, which keeps what it holds on the disk, and begins with what was kept there.
    #[must_use]
    pub fn with_kept(self, kept: GuardedGames) -> Self {
        Self {
            kept: Some(kept),
            ..self
        }
    }

    /// Number of the game.
    #[must_use]
    pub const fn game(&self) -> GameNumber {
        self.guard.subject().number()
    }

    /// Guards the game until it is over on the chain, or nobody listens any more.
    pub async fn run(mut self, tells: mpsc::Sender<(GameNumber, StakedGuardNews)>) {
        self.keep(&tells).await;
        while let Err(error) = guarded(&Task::FollowChain, self.watch(&tells)).await {
            let news = (self.game(), StakedGuardNews::NotDone(error));
            if tells.send(news).await.is_err() {
                return;
            }
            sleep(AGAIN).await;
        }
        if let Some(kept) = self.kept.as_ref().filter(|_| !tells.is_closed()) {
            // One that stays is looked at and deleted by the next guard.
            let _ = kept.forget(self.game());
        }
        let _ = tells.send((self.game(), StakedGuardNews::Over)).await;
    }

    /// Returns once the game is over.
    async fn watch(
        &mut self,
        tells: &mpsc::Sender<(GameNumber, StakedGuardNews)>,
    ) -> Result<(), Error> {
        let game = self.game();
        let mut heads = self.stakes.client().heads().await?;
        let mut room = self.enter();
        let mut refused = Instant::now();
        let mut tick = interval(TICK);
        loop {
            if self.read_record() {
                self.keep(tells).await;
                self.tell_held(tells).await;
            }
            if self.look(tells).await? || tells.is_closed() {
                return Ok(());
            }
            loop {
                let is_new = tokio::select! {
                    head = heads.next() => head.map(|_| true)?,
                    said = heard(&mut room) => match said {
                        Some(FromRoom::Said(message)) => {
                            let is_news = self.hear(&message, room.as_ref());
                            if is_news {
                                self.keep(tells).await;
                            }
                            is_news
                        }
                        Some(FromRoom::Closed(why)) => {
                            let _ = tells.send((game, StakedGuardNews::NoRoom(why))).await;
                            false
                        }
                        // The room has refused: what is on this machine, and the chain, remain.
                        None => {
                            (room, refused) = (None, Instant::now());
                            false
                        }
                    },
                    _ = tick.tick() => {
                        if room.is_none() && refused.elapsed() >= ENTER_AGAIN {
                            room = self.enter();
                        }
                        self.guard.pass_time(machine());
                        // The block by which it is over becomes final without a new one.
                        self.guard.duty().is_some() || self.guard.chain().is_final()
                    }
                };
                if is_new {
                    break;
                }
            }
            self.tell_held(tells).await;
        }
    }

    /// Enters the room of the game; none without a relay.
    fn enter(&self) -> Option<Room> {
        let url = self.relay.as_ref()?;
        let path = staked_room::path(self.game());
        Some(Room::open(url, path, staked_room::MAX_LEN))
    }

    async fn tell_held(&self, tells: &mpsc::Sender<(GameNumber, StakedGuardNews)>) {
        let game = self.game();
        let moves = signed_by_both(game, self.guard.evidence());
        if moves > 0 {
            let _ = tells.send((game, StakedGuardNews::Holds(moves))).await;
        }
    }

    /// Writes what is held. What another guard of this game has written there is held from then on, too.
    async fn keep(&mut self, tells: &mpsc::Sender<(GameNumber, StakedGuardNews)>) {
        let Some(kept) = &self.kept else {
            return;
        };
        let game = self.guard.subject().number();
        if let Some(journal) = kept.held(game) {
            self.guard.read(&journal);
        }
        if let Err(error) = kept.keep(game, &self.terms, self.guard.journal()) {
            let news = StakedGuardNews::NotKept(error.to_string());
            let _ = tells.send((game, news)).await;
        }
    }

    /// Takes what a program on this machine has kept since. Returns whether something in it was new.
    fn read_record(&mut self) -> bool {
        let kept = self.record.as_ref();
        let kept = kept.and_then(|(games, name)| games.peek(*name).ok());
        kept.is_some_and(|kept| self.guard.read(&kept.record.journal))
    }

    /// Takes what is said in the room. Returns whether it was something new that both have signed.
    fn hear(&mut self, message: &FromStakedRoom, room: Option<&Room>) -> bool {
        match message {
            FromStakedRoom::Welcome { .. } => {
                if let Some(room) = room {
                    room.say(ToStakedRoom::Enter {
                        domain: self.stakes.domain(),
                        terms: self.terms,
                        player: None,
                    });
                }
                false
            }
            // Anyone may say anything.
            FromStakedRoom::Position { evidence, .. } => {
                self.guard.receive(evidence) == Ok(Received::News)
            }
            FromStakedRoom::Offer { .. }
            | FromStakedRoom::Present(_)
            | FromStakedRoom::Refused(_) => false,
        }
    }

    /// Looks at the game, and does what has to be done. Returns whether it is over for good, or will never begin.
    async fn look(
        &mut self,
        tells: &mpsc::Sender<(GameNumber, StakedGuardNews)>,
    ) -> Result<bool, Error> {
        let (client, game) = (self.stakes.client(), self.game());
        let block = client.best_block_for(&Task::FollowChain).await?;
        let sight = self.stakes.sight(Some(game), self.signer.address(), block);
        let sight = sight.await?;
        let Some(staked) = sight.game else {
            return self.is_settled().await;
        };
        if staked.paid_by.is_some() || !self.guard.subject().is_of(&staked.game) {
            return Ok(false);
        }
        self.guard.see(staked.game, sight.time);
        if staked.game.is_final() {
            return self.is_settled().await;
        }
        let Some(call) = self.guard.duty().as_ref().map(Call::of) else {
            self.due = None;
            return Ok(false);
        };
        let since = *self.due.get_or_insert_with(Instant::now);
        let deadline = self.guard.subject().deadline(&staked.game);
        let is_soon = deadline.is_some_and(|last| last.saturating_sub(sight.time) <= SOON);
        if since.elapsed() < self.patience && !is_soon {
            return Ok(false);
        }
        let is_recent = |at: &Instant| at.elapsed() < SENT;
        let was_sent = self
            .sent
            .as_ref()
            .is_some_and(|(sent, on, at)| *sent == call && *on == staked.game && is_recent(at));
        if was_sent {
            return Ok(false);
        }
        self.sent = Some((call.clone(), staked.game, Instant::now()));
        let mut number = None;
        let sent = self
            .stakes
            .send(&self.signer, game, &call, Some(block), &mut number);
        let news = match sent.await {
            Ok(receipt) => StakedGuardNews::Done(Box::new((call, receipt))),
            Err(error) if is_done(&error) => return Ok(false),
            Err(error) => StakedGuardNews::NotDone(error),
        };
        let _ = tells.send((game, news)).await;
        Ok(false)
    }

    /// Whether the last final block shows that the game is over, or that it can't be paid for any more and is not there: the
    /// block by which it seems over may be replaced.
    async fn is_settled(&self) -> Result<bool, Error> {
        let (client, task) = (self.stakes.client(), Task::FollowChain);
        let hash = client.finalized(&task).await?;
        let number = client.block_number(&task, hash).await?;
        let block = BlockRef { number, hash };
        let account = self.signer.address();
        let sight = self.stakes.sight(Some(self.game()), account, block).await?;
        let last = self.terms.time.saturating_add(StakedGame::FUNDED.into());
        Ok(match sight.game {
            Some(staked) => staked.game.is_final(),
            None => sight.time > last,
        })
    }
}
