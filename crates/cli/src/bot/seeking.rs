//! How a bot finds opponents, one after the other.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use connect4_client::signed::{How, Lobby, LobbyError, PairingError, SignedPlayer, Sought, pair};
use connect4_protocol::signed::relay::Refusal;
use tokio::sync::{OwnedSemaphorePermit, mpsc, watch};
use tokio::time::sleep;

use super::table::{Table, stopped};
use crate::failure::Failure;
use crate::said::BotNews;

/// Pause before the lobby is entered again, at first and at most.
const PAUSE: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(60)];
/// How long an offer that came after the own one is there before it is taken: its player may take the own one.
const LATER: Duration = Duration::from_secs(2);

pub struct Seeking {
    pub table: Arc<Table>,
    pub sought: Sought,
    /// How many games are begun; none for any number.
    pub count: Option<u32>,
    pub paired: mpsc::Sender<(SignedPlayer, OwnedSemaphorePermit)>,
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

impl From<PairingError> for Out {
    fn from(error: PairingError) -> Self {
        match error {
            // What this program seeks is refused, each time.
            PairingError::Lobby(LobbyError::Refused(Refusal::Invalid(_) | Refusal::BadMessage)) => {
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
                Ok(player) => {
                    pause = first;
                    trouble = None;
                    left = left.map(|left| left - 1);
                    if left == Some(0) {
                        self.table.is_last.store(true, Ordering::Relaxed);
                    }
                    if self.paired.send((player, place)).await.is_err() {
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

    /// Seeks one game. One to which both have agreed just when the bot ends does not begin.
    async fn pair(&self, stop: &mut watch::Receiver<bool>) -> Result<SignedPlayer, Out> {
        let seeker = &self.table.seeker;
        let paired = async {
            let mut lobby = Lobby::enter(&seeker.relay).await?;
            pair(&mut lobby, seeker, self.sought, How::Play(Some(LATER))).await
        };
        tokio::select! {
            biased;
            () = stopped(stop) => Err(Out::Stopped),
            paired = paired => Ok(paired?),
        }
    }
}
