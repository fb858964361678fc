//! How a bot finds opponents, one after the other.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use connect4_client::fast::{Lobby, LobbyError, LobbyNews, NotPaired, OpenGame, SeekId, Wish};
use connect4_protocol::Address;
use connect4_protocol::fast::wire::Refusal;
use tokio::sync::{OwnedSemaphorePermit, mpsc, watch};
use tokio::time::{Instant, sleep, timeout};

use super::table::{Table, stopped, until};
use super::wary::Wary;
use crate::commands::guest::Identified;
use crate::failure::Failure;
use crate::said::BotNews;

/// Pause before the lobby is entered again, at first and at most.
const PAUSE: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(60)];
/// How long a seek that came after the own one is there before it is answered: its seeker may answer the own one.
const LATER: Duration = Duration::from_secs(2);
/// How long an answer that waits is waited for when the bot ends.
const LAST: Duration = Duration::from_secs(6);

pub struct Seeking {
    pub table: Arc<Table>,
    pub who: Identified,
    pub wish: Wish,
    /// How many games are begun; none for any number.
    pub count: Option<u32>,
    pub paired: mpsc::Sender<(OpenGame, OwnedSemaphorePermit)>,
}

/// Why the lobby was left without a game.
enum Out {
    /// The bot ends.
    Stopped,
    /// It is entered again after a while.
    Pause(String),
    /// It is of no use.
    Failed(Failure),
}

impl From<LobbyError> for Out {
    fn from(error: LobbyError) -> Self {
        match error {
            // What this program seeks is refused, each time.
            LobbyError::Refused(Refusal::Invalid(_) | Refusal::BadMessage) => {
                Self::Failed(Failure::Refused(error.to_string()))
            }
            error => Self::Pause(error.to_string()),
        }
    }
}

impl Seeking {
    /// Seeks games until the bot ends, or there were as many as are wanted.
    pub async fn run(mut self) -> Result<(), Failure> {
        let mut stop = self.table.stop.clone();
        let [first, most] = PAUSE;
        let mut pause = first;
        let mut trouble = None;
        let mut left = self.count;
        while left != Some(0) {
            let place = tokio::select! {
                biased;
                () = stopped(&mut stop) => return Ok(()),
                place = Arc::clone(&self.table.places).acquire_owned() => place,
            };
            let Ok(place) = place else {
                return Ok(());
            };
            match self.pair(&mut stop).await {
                Ok(open) => {
                    pause = first;
                    trouble = None;
                    left = left.map(|left| left - 1);
                    if left == Some(0) {
                        self.table.is_last.store(true, Ordering::Relaxed);
                    }
                    if self.paired.send((open, place)).await.is_err() {
                        return Ok(());
                    }
                }
                Err(Out::Stopped) => return Ok(()),
                Err(Out::Failed(failure)) => return Err(failure),
                Err(Out::Pause(why)) => {
                    drop(place);
                    if trouble.as_ref() != Some(&why) {
                        let said = format!("{why}; trying again");
                        self.table.say(BotNews::Trouble(said)).await;
                        trouble = Some(why);
                    }
                    tokio::select! {
                        () = stopped(&mut stop) => return Ok(()),
                        () = sleep(pause) => {}
                    }
                    pause = pause.saturating_mul(2).min(most);
                }
            }
        }
        Ok(())
    }

    /// Seeks one game.
    async fn pair(&mut self, stop: &mut watch::Receiver<bool>) -> Result<OpenGame, Out> {
        let mut lobby = tokio::select! {
            biased;
            () = stopped(stop) => return Err(Out::Stopped),
            lobby = self.who.enter(&self.table.relay) => lobby?,
        };
        lobby.seek(&self.wish, None).await?;
        let mut answers = Answers::default();
        let mut is_listed = false;
        loop {
            let look_at = answers.look_at(&self.table.wary());
            let news = tokio::select! {
                biased;
                () = stopped(stop) => return self.leave(lobby).await,
                news = lobby.next() => Some(news?),
                () = until(look_at) => None,
            };
            match news {
                Some(LobbyNews::Paired(terms)) => return Ok(self.open(&lobby, *terms)),
                // Somebody may have sought the same before.
                Some(LobbyNews::Seeking(_)) if !is_listed => {
                    is_listed = true;
                    lobby.list(true).await?;
                }
                Some(LobbyNews::NotPaired(id, why)) => {
                    answers.not_paired(id, why, &mut self.table.wary());
                }
                // The seek was taken off the list, as too many answers came to nothing: perhaps as this program has
                // waited for a seeker meanwhile.
                Some(LobbyNews::Elsewhere) => {
                    answers.failed(&mut self.table.wary());
                    return Err(Out::Pause("the seek was taken off the list".into()));
                }
                Some(LobbyNews::Busy) => {
                    return Err(Out::Pause("the lobby of the relay is full".into()));
                }
                _ => {}
            }
            let own = lobby.own();
            let fitting = lobby.all_fitting(&self.wish);
            let fitting = fitting.map(|(id, signed)| (id, signed.seek.party.key()));
            let next = answers.next(own, fitting, &self.table.wary(), Instant::now());
            if let Some(id) = next {
                lobby.answer(id).await?;
            }
        }
    }

    fn open(&self, lobby: &Lobby, terms: connect4_protocol::fast::SignedTerms) -> OpenGame {
        OpenGame {
            terms,
            domain: lobby.domain(),
            relay: self.table.relay.clone(),
        }
    }

    /// Takes the seek back. A game that is agreed on at this moment is not lost.
    async fn leave(&self, mut lobby: Lobby) -> Result<OpenGame, Out> {
        let until = Instant::now() + LAST;
        while lobby.is_bound() {
            match timeout(
                until.saturating_duration_since(Instant::now()),
                lobby.next(),
            )
            .await
            {
                Ok(Ok(LobbyNews::Paired(terms))) => return Ok(self.open(&lobby, *terms)),
                Ok(Ok(_)) => {}
                Ok(Err(_)) | Err(_) => break,
            }
        }
        // The relay takes it off the list as well when the socket is closed.
        let _ = timeout(LAST, lobby.withdraw()).await;
        Err(Out::Stopped)
    }
}

/// Which seeks are answered, and when.
#[derive(Debug, Default)]
struct Answers {
    /// A seek that came after the own one, and when it is answered.
    later: Option<(SeekId, Instant)>,
    /// The seek that was answered last, and the key of its seeker.
    asked: Option<(SeekId, Address)>,
}

impl Answers {
    /// No game has come of a seek.
    fn not_paired(&mut self, id: SeekId, why: NotPaired, wary: &mut Wary) {
        if self.asked.is_some_and(|(asked, _)| asked == id) {
            match why {
                // Also one that is withdrawn whenever it is answered.
                NotPaired::Declined | NotPaired::Silent | NotPaired::Gone => self.failed(wary),
                NotPaired::Taken => self.asked = None,
            }
        }
    }

    /// Nothing has come of the answer that waits, if any does.
    fn failed(&mut self, wary: &mut Wary) {
        if let Some((_, key)) = self.asked.take() {
            wary.failed(key, Instant::now());
        }
    }

    /// The seek that is answered now, if any. `fitting` are those that may be, with the keys of their seekers, the oldest
    /// first.
    fn next(
        &mut self,
        own: Option<SeekId>,
        mut fitting: impl Iterator<Item = (SeekId, Address)>,
        wary: &Wary,
        now: Instant,
    ) -> Option<SeekId> {
        let Some((id, key)) = fitting.find(|(_, key)| wary.answers(*key, now)) else {
            self.later = None;
            return None;
        };
        let at = match self.later {
            _ if own.is_some_and(|own| id < own) => now,
            Some((known, at)) if known == id => at,
            _ => now + LATER,
        };
        if at <= now {
            self.later = None;
            self.asked = Some((id, key));
            return Some(id);
        }
        self.later = Some((id, at));
        None
    }

    /// When the list is looked at next, whatever happens.
    fn look_at(&self, wary: &Wary) -> Option<Instant> {
        let later = self.later.map(|(_, at)| at);
        later.into_iter().chain(wary.next(Instant::now())).min()
    }
}
