//! How a bot finds opponents, one after the other.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use connect4_client::fast::{Lobby, LobbyError, LobbyNews, NotPaired, OpenGame, SeekId, Wish};
use connect4_protocol::fast::wire::Refusal;
use tokio::sync::{OwnedSemaphorePermit, mpsc, watch};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::table::{Table, stopped};
use crate::commands::guest::Identified;
use crate::failure::Failure;
use crate::said::BotNews;

/// Pause before the lobby is entered again, at first and at most.
const PAUSE: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(60)];
/// How long a seek that came after the own one is there before it is answered: its seeker may answer the own one.
const LATER: Duration = Duration::from_secs(2);
/// For how long nobody is answered after a seeker who did not accept, at first and at most: who floods a lobby with
/// such seeks does not keep the bot from others who answer it.
const WARY: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(60)];
/// How long an answer that waits is waited for when the bot ends.
const LAST: Duration = Duration::from_secs(6);

/// Who seeks, and what.
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
    pub async fn run(self) -> Result<(), Failure> {
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
    async fn pair(&self, stop: &mut watch::Receiver<bool>) -> Result<OpenGame, Out> {
        let mut lobby = tokio::select! {
            biased;
            () = stopped(stop) => return Err(Out::Stopped),
            lobby = self.who.enter(&self.table.relay) => lobby?,
        };
        lobby.seek(&self.wish, None).await?;
        let mut answers = Answers::default();
        let mut is_listed = false;
        loop {
            let news = tokio::select! {
                biased;
                () = stopped(stop) => return self.leave(lobby).await,
                news = lobby.next() => Some(news?),
                () = sleep_until(answers.look_at()), if answers.has_to_look() => None,
            };
            match news {
                Some(LobbyNews::Paired(terms)) => return Ok(self.open(&lobby, *terms)),
                // Somebody may have sought the same before.
                Some(LobbyNews::Seeking(_)) if !is_listed => {
                    is_listed = true;
                    lobby.list(true).await?;
                }
                Some(LobbyNews::NotPaired(_, NotPaired::Declined | NotPaired::Silent)) => {
                    answers.failed();
                }
                // The seek was taken off the list, as too many answers came to nothing.
                Some(LobbyNews::Elsewhere) => {
                    return Err(Out::Pause("the seek was taken off the list".into()));
                }
                Some(LobbyNews::Busy) => {
                    return Err(Out::Pause("the lobby of the relay is full".into()));
                }
                _ => {}
            }
            if let Some(id) = answers.next(&lobby, &self.wish) {
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
#[derive(Default)]
struct Answers {
    /// A seek that came after the own one, and when it is answered.
    later: Option<(SeekId, Instant)>,
    /// Until when nobody is answered.
    wary_until: Option<Instant>,
    failures: u32,
}

impl Answers {
    /// A seeker has declined, or was silent.
    fn failed(&mut self) {
        let [first, most] = WARY;
        let pause = first.saturating_mul(1 << self.failures.min(8)).min(most);
        self.failures = self.failures.saturating_add(1);
        self.wary_until = Some(Instant::now() + pause);
    }

    /// The seek that is answered now, if any.
    fn next(&mut self, lobby: &Lobby, wish: &Wish) -> Option<SeekId> {
        let now = Instant::now();
        self.wary_until = self.wary_until.filter(|until| *until > now);
        if self.wary_until.is_some() {
            return None;
        }
        if let Some(id) = lobby.fitting(wish) {
            return Some(id);
        }
        let Some(id) = lobby.fitting_any(wish) else {
            self.later = None;
            return None;
        };
        let at = match self.later {
            Some((known, at)) if known == id => at,
            _ => now + LATER,
        };
        self.later = Some((id, at));
        (at <= now).then(|| {
            self.later = None;
            id
        })
    }

    const fn has_to_look(&self) -> bool {
        self.later.is_some() || self.wary_until.is_some()
    }

    /// When the list is looked at next, whatever happens.
    fn look_at(&self) -> Instant {
        let later = self.later.map(|(_, at)| at);
        self.wary_until.or(later).unwrap_or_else(Instant::now)
    }
}
