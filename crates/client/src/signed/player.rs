//! What a program holds of a player in a signed game.

use connect4_protocol::Address;
use connect4_protocol::fast::SessionKey;
use connect4_protocol::signed::{Domain, Finished, Moves};
use connect4_seat::{
    Command, GameOffer, Message, Output, Player, PlayerError, Record, Shown, Taker,
};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;

use super::carrier::Carrier;
use super::driver::{Driver, News};
use super::records::{GameName, RecordShelf, SignedGames};
use super::room::RoomState;
use crate::accounts::account::Signer;
use crate::contracts::stakes::Stakes;
use crate::error::Error as ChainError;
use crate::fast::KeyringError;
use crate::fast::clocks::machine;
use crate::fast::rooms_at;

/// How much is asked and told ahead of who reads it.
const AHEAD: usize = 64;

/// What is around a player.
#[derive(Debug)]
pub struct Around {
    /// Where its record and its key are.
    pub games: SignedGames,
    /// The contract of the stakes, and the account that plays there; none in a game without a stake.
    pub stakes: Option<(Stakes, Signer)>,
    /// The relay of the room, in place of the one that the offer names; none for that one.
    pub relay: Option<String>,
    /// The way to the opponent's program; none if there is none, so that the opponent is heard by the chain or by the
    /// witness alone.
    pub carrier: Option<Carrier>,
    /// By how many seconds the clock of the witness is ahead of this machine's, as far as is known: offers are dated and
    /// judged by it. In its room the witness says it anew.
    pub ahead: i64,
}

/// Why there is no player, or it does not do what is wanted.
#[derive(Debug, thiserror::Error)]
pub enum SignedError {
    /// The player refuses, as the rules or its record don't allow it.
    #[error(transparent)]
    Player(#[from] PlayerError<KeyringError>),
    /// The record, or the key, is not to be had.
    #[error(transparent)]
    Keyring(#[from] KeyringError),
    /// The chain could not be read.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// The game has a stake, and no contract was given.
    #[error("a game with a stake needs the contract that holds it, and an account that pays")]
    NoContract,
    /// The stake would be paid by another account than the game names.
    #[error("the game names the account {named}, and {given} would pay")]
    OtherAccount {
        /// The account of the terms.
        named: Address,
        /// The account that was given.
        given: Address,
    },
    /// The room of a game without a stake is at a relay, and none is named.
    #[error("the offer names no relay, and a game without a stake is played in the room of one")]
    NoRelay,
    /// The player has been ended.
    #[error("the game is not played here any more")]
    Ended,
}

/// What a program shows of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The game as it stands.
    pub shown: Shown,
    /// All moves that are known here.
    pub moves: Moves,
    /// Whether the room of a game without a stake is there.
    pub room: RoomState,
    /// What shows how a game without a stake has ended; none before, or if it is void.
    pub finished: Option<Box<Finished>>,
    /// By how many seconds the clock of the witness is ahead of this machine's.
    pub ahead: i64,
    /// The newest block of the chain of a game with a stake; none before one was seen.
    pub block: Option<NewestBlock>,
}

/// The newest block that was seen. If none comes for long, nothing is brought to the chain in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewestBlock {
    /// Its time, in seconds since 1970.
    pub time: u64,
    /// When it was seen, by this machine's clock.
    pub seen: u64,
}

/// A player in a signed game, driven by a task: it keeps what it signs, talks with the opponent and the witness, looks at
/// the chain and does there what has to be done. It ends when this is dropped; what it has kept is
/// [resumed](Self::resume) later.
#[derive(Debug)]
pub struct SignedPlayer {
    name: GameName,
    asks: mpsc::Sender<Ask>,
    view: watch::Receiver<View>,
    news: mpsc::Receiver<News>,
    task: Option<JoinHandle<()>>,
}

/// What is asked of the task.
pub(super) enum Ask {
    Command(Command, Answer<()>),
    Tell(Box<Message>, Answer<()>),
    Rematch {
        until: u64,
        nonce: u32,
        answer: Answer<GameOffer>,
    },
    IsRematch(Box<GameOffer>, oneshot::Sender<bool>),
}

/// Where the answer to what is asked goes.
pub(super) type Answer<T> = oneshot::Sender<Result<T, PlayerError<KeyringError>>>;

impl Drop for SignedPlayer {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

impl SignedPlayer {
    /// Offers a game. Its record is on the disk when this returns, and the offer can be put where others find it.
    ///
    /// # Errors
    ///
    /// Those of [`Player::offer`]; [`SignedError::NoContract`], [`SignedError::OtherAccount`],
    /// [`SignedError::NoRelay`], [`SignedError::Keyring`], [`SignedError::Chain`].
    pub async fn offer(around: Around, offer: GameOffer) -> Result<Self, SignedError> {
        let key = offer.party().key();
        let start = start(&around, key, &offer).await?;
        around.check(offer.party().account(), &offer)?;
        let player = Player::offer(start.domain, start.key, start.shelf, offer, around.now())?;
        Ok(Self::drive(around, player, None))
    }

    /// Takes an offer. A stake is paid as soon as a block has been seen.
    ///
    /// # Errors
    ///
    /// Those of [`Player::take`], then as [`Self::offer`].
    pub async fn take(
        around: Around,
        offer: GameOffer,
        taker: &Taker,
    ) -> Result<Self, SignedError> {
        let start = start(&around, taker.party.key(), &offer).await?;
        around.check(taker.party.account(), &offer)?;
        let offered = (offer, taker);
        let taken = Player::take(start.domain, start.key, start.shelf, offered, around.now());
        let (player, told) = taken?;
        Ok(Self::drive(around, player, Some(told)))
    }

    /// Resumes a game whose program was ended.
    ///
    /// # Errors
    ///
    /// Those of [`SignedGames::open`], then those of [`Player::resume`], then as [`Self::offer`].
    pub fn resume(around: Around, name: GameName) -> Result<Self, SignedError> {
        let (shelf, record) = around.games.open(name)?;
        let key = around.games.keyring().key(name.key())?;
        around.check(account_of(&record, name.key()), &record.offer)?;
        let domain = around.domain(&record.offer)?;
        let player = Player::resume(domain, key, shelf, record)?;
        Ok(Self::drive(around, player, None))
    }

    fn drive(
        around: Around,
        mut player: Player<RecordShelf, SessionKey>,
        first: Option<Output>,
    ) -> Self {
        let name = player.shelf().name();
        let (asks, asked) = mpsc::channel(AHEAD);
        let (tells, news) = mpsc::channel(AHEAD);
        let (driver, view) = Driver::new(around, player, asked, tells);
        Self {
            name,
            asks,
            view,
            news,
            task: Some(tokio::spawn(driver.run(first))),
        }
    }

    /// Name of the record, by which the game is resumed.
    #[must_use]
    pub const fn name(&self) -> GameName {
        self.name
    }

    /// The game as it stands.
    #[must_use]
    pub fn view(&self) -> View {
        self.view.borrow().clone()
    }

    /// Follows the game.
    #[must_use]
    pub fn follow(&self) -> watch::Receiver<View> {
        self.view.clone()
    }

    /// Waits until the game is as wanted, and returns it.
    ///
    /// # Errors
    ///
    /// [`SignedError::Ended`].
    pub async fn until(&mut self, wanted: impl FnMut(&View) -> bool) -> Result<View, SignedError> {
        let view = self.view.wait_for(wanted).await;
        view.map(|view| view.clone())
            .map_err(|_| SignedError::Ended)
    }

    /// What has happened next, beside what is shown. If the wait is given up, nothing is lost; what nobody reads for
    /// long is.
    ///
    /// # Errors
    ///
    /// [`SignedError::Ended`].
    pub async fn next(&mut self) -> Result<News, SignedError> {
        self.news.recv().await.ok_or(SignedError::Ended)
    }

    /// Has something done. What is sent to the chain for it is [told](Self::next) later.
    ///
    /// # Errors
    ///
    /// Why it is refused; nothing was signed then.
    pub async fn command(&self, command: Command) -> Result<(), SignedError> {
        self.ask(|answer| Ask::Command(command, answer)).await
    }

    /// Takes what the opponent has told, by whichever way it has come.
    ///
    /// # Errors
    ///
    /// Why it is not taken.
    pub async fn tell(&self, message: Message) -> Result<(), SignedError> {
        let message = Box::new(message);
        self.ask(|answer| Ask::Tell(message, answer)).await
    }

    /// The offer of the next game against the same opponent, which stands until this second.
    ///
    /// # Errors
    ///
    /// [`PlayerError::NotOver`].
    pub async fn rematch(&self, until: u64) -> Result<GameOffer, SignedError> {
        let nonce = rand::random();
        self.ask(|answer| Ask::Rematch {
            until,
            nonce,
            answer,
        })
        .await
    }

    /// Whether an offer is the opponent's of a rematch of this game.
    ///
    /// # Errors
    ///
    /// [`SignedError::Ended`].
    pub async fn is_rematch(&self, offer: &GameOffer) -> Result<bool, SignedError> {
        let (answer, answered) = oneshot::channel();
        let ask = Ask::IsRematch(Box::new(offer.clone()), answer);
        self.asks.send(ask).await.map_err(|_| SignedError::Ended)?;
        answered.await.map_err(|_| SignedError::Ended)
    }

    async fn ask<T>(&self, ask: impl FnOnce(Answer<T>) -> Ask) -> Result<T, SignedError> {
        let (answer, answered) = oneshot::channel();
        let asked = self.asks.send(ask(answer)).await;
        asked.map_err(|_| SignedError::Ended)?;
        let answered = answered.await.map_err(|_| SignedError::Ended)?;
        Ok(answered?)
    }

    /// Ends the player. When this returns, another program can resume the game.
    pub async fn close(mut self) {
        if let Some(task) = self.task.take() {
            task.abort();
            // It was aborted.
            let _ = task.await;
        }
    }
}

/// What a player begins with.
struct Start {
    domain: Domain,
    key: SessionKey,
    shelf: RecordShelf,
}

async fn start(around: &Around, key: Address, offer: &GameOffer) -> Result<Start, SignedError> {
    let domain = around.domain(offer)?;
    let since = match &around.stakes {
        Some((stakes, _)) => stakes.client().final_height().await?,
        None => 0,
    };
    Ok(Start {
        domain,
        key: around.games.keyring().key(key)?,
        shelf: around.games.create(key, since)?,
    })
}

impl Around {
    /// Where a game by this offer is signed, as it is known without it.
    fn domain(&self, offer: &GameOffer) -> Result<Domain, SignedError> {
        if offer.terms.stake == 0 {
            // The room says for which chain its games are signed.
            return Ok(Domain::without_stake(offer.domain.chain));
        }
        let (stakes, _) = self.stakes.as_ref().ok_or(SignedError::NoContract)?;
        Ok(stakes.domain())
    }

    /// The time by which offers are dated.
    fn now(&self) -> u64 {
        machine().saturating_add_signed(self.ahead)
    }

    /// Whether this account can play the game of the offer.
    fn check(&self, named: Address, offer: &GameOffer) -> Result<(), SignedError> {
        match &self.stakes {
            _ if offer.terms.stake == 0 => {
                let relay = self.relay(offer);
                relay.map(|_| ()).ok_or(SignedError::NoRelay)
            }
            Some((_, signer)) if signer.address() != named => Err(SignedError::OtherAccount {
                named,
                given: signer.address(),
            }),
            Some(_) => Ok(()),
            None => Err(SignedError::NoContract),
        }
    }

    /// URL of the relay in whose room a game by this offer is played.
    pub(super) fn relay(&self, offer: &GameOffer) -> Option<String> {
        let named = self.relay.as_ref().or(offer.relay.as_ref());
        named.map(|named| rooms_at(named))
    }
}

/// The account for which this key plays.
fn account_of(record: &Record, key: Address) -> Address {
    let offer = &record.offer.terms;
    let terms = record.terms.as_ref().unwrap_or(offer);
    let parties = [terms.players.one, terms.players.two];
    let own = parties.into_iter().find(|party| party.key() == key);
    own.map_or(key, |party| party.account())
}
