//! What a program holds of a player in a signed game.

use connect4_protocol::Address;
use connect4_protocol::signed::{Domain, SessionKey};
use connect4_seat::{Command, GameOffer, Message, Output, Player, Record, Taker};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;

use super::around::Around;
use super::ask::{Answer, Ask};
use super::driver::{Driver, News};
use super::error::SignedError;
use super::records::{GameName, RecordShelf, SignedGames};
use super::view::View;

/// How much is asked and told ahead of who reads it.
const AHEAD: usize = 64;

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
    /// [`PlayerError::NotOver`](super::PlayerError::NotOver).
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

    /// Ends the player of an offer to which nobody has agreed, and forgets the offer. Nothing was signed of it; where
    /// something was, the record stays.
    pub(super) async fn discard(self, games: &SignedGames) {
        let name = self.name;
        self.close().await;
        if let Ok((shelf, record)) = games.open(name)
            && record.terms.is_none()
            && record.tossed.is_none()
        {
            // A record that can't be removed is an offer that nobody can take.
            let _ = shelf.remove();
        }
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

/// The account for which this key plays.
fn account_of(record: &Record, key: Address) -> Address {
    let offer = &record.offer.terms;
    let terms = record.terms.as_ref().unwrap_or(offer);
    let parties = [terms.players.one, terms.players.two];
    let own = parties.into_iter().find(|party| party.key() == key);
    own.map_or(key, |party| party.account())
}
