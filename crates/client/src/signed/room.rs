//! The connection to the room of a signed game: at its witness, or, with a stake, at any relay.

use std::time::Duration;

use codec::{Decode, Encode};
use connect4_protocol::Address;
use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::staked_room::FromStakedRoom;
use connect4_protocol::signed::wire::{self, FromWitness};
use connect4_protocol::signed::{Chain, GameNumber};
use connect4_seat::{WrongClock, why_refused};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep, timeout};

use super::allowance::Allowance;
use super::clocks::machine;
use super::messages::{LobbyError, Messages};
use super::relay::{RETRY, rooms_at};

/// How much is received and sent ahead of who reads it.
const AHEAD: usize = 64;
/// For how long what is said is still passed on to a relay that is not listened to any more.
const LINGER: Duration = Duration::from_millis(500);

/// Whether the room of a game is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoomState {
    /// It is not entered.
    None,
    /// It is being entered.
    Entering,
    /// It is entered; whether the opponent is there, too, as the witness says.
    Entered {
        /// Whether the opponent is there.
        opponent: bool,
    },
    /// It is not reachable, for this reason, or refuses. It is entered again.
    Lost(String),
}

/// What a relay says in a room.
pub(super) trait RoomWords: Decode + Send + 'static {
    /// Why the relay refuses something, if it says that.
    fn refusal(&self) -> Option<Refusal>;
}

impl RoomWords for FromWitness {
    fn refusal(&self) -> Option<Refusal> {
        match self {
            Self::Refused(refusal) => Some(*refusal),
            _ => None,
        }
    }
}

impl RoomWords for FromStakedRoom {
    fn refusal(&self) -> Option<Refusal> {
        match self {
            Self::Refused(refusal) => Some(*refusal),
            _ => None,
        }
    }
}

/// What comes from the room.
pub(super) enum FromRoom<F> {
    Said(Box<F>),
    /// The connection is lost, for this reason. It is made again unless the room has refused.
    Closed(String),
}

/// A connection to a room, which is made again whenever it is lost. It ends when this is dropped, or when the room
/// refuses. `T` is said there, `F` is heard.
pub(super) struct RoomLink<T, F> {
    says: mpsc::Sender<(u32, T)>,
    heard: mpsc::Receiver<(u32, FromRoom<F>)>,
    /// Number of the connection from which something was heard last.
    connection: u32,
    task: AbortHandle,
}

impl<T, F> Drop for RoomLink<T, F> {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl<T: Encode + Send + Sync + 'static, F: RoomWords> RoomLink<T, F> {
    /// Enters the room at a path of the relay with this URL, whose messages have so many bytes at most.
    pub(super) fn open(url: &str, path: String, most_bytes: usize) -> Self {
        let (says, to_say) = mpsc::channel(AHEAD);
        let (hears, heard) = mpsc::channel(AHEAD);
        let line = Line {
            url: url.to_owned(),
            path,
            most_bytes,
            to_say,
            hears,
        };
        let task = tokio::spawn(line.run());
        Self {
            says,
            heard,
            connection: 0,
            task: task.abort_handle(),
        }
    }

    /// Says something in the room, unless the connection is lost from which was heard last. What is not said is said
    /// again to the next one's welcome.
    pub(super) fn say(&self, message: T) {
        let _ = self.says.try_send((self.connection, message));
    }

    /// What comes next; none if the room has refused. If the wait is given up, nothing is lost.
    pub(super) async fn next(&mut self) -> Option<FromRoom<F>> {
        let (connection, heard) = self.heard.recv().await?;
        self.connection = connection;
        Some(heard)
    }
}

/// For which chain games are signed at the witness with this key, at a relay, and its time in seconds since 1970.
///
/// # Errors
///
/// [`LobbyError`], also if the relay is another witness, or none, or if its time is far from this machine's.
pub async fn witness_at(relay: &str, witness: Address) -> Result<(Chain, u64), LobbyError> {
    // The room of no game: it is left before it is opened.
    let path = wire::path(witness, GameNumber([u8::MAX; 32]));
    let mut messages = Messages::connect(&rooms_at(relay), &path, wire::MAX_LEN).await?;
    match messages.first().await? {
        FromWitness::Welcome {
            chain_id: id,
            genesis,
            time,
            ..
        } => {
            let time = time / 1_000;
            match WrongClock::shown_by(time, machine()) {
                Some(wrong) => Err(LobbyError::WrongClock(wrong)),
                None => Ok((Chain { id, genesis }, time)),
            }
        }
        FromWitness::Refused(refusal) => Err(LobbyError::Refused(refusal)),
        _ => Err(LobbyError::lost("it does not welcome")),
    }
}

/// The task that owns the connection.
struct Line<T, F> {
    url: String,
    path: String,
    most_bytes: usize,
    to_say: mpsc::Receiver<(u32, T)>,
    hears: mpsc::Sender<(u32, FromRoom<F>)>,
}

/// Why a connection ended.
enum Ended {
    Lost(String),
    Refused(String),
    /// Nobody listens any more.
    Left,
}

impl<T: Encode + Send + Sync + 'static, F: RoomWords> Line<T, F> {
    async fn run(mut self) {
        let [first, most] = RETRY;
        let mut pause = first;
        let mut connection = 0_u32;
        loop {
            connection = connection.wrapping_add(1);
            let since = Instant::now();
            let ended = self.serve(connection).await;
            let (why, is_refused) = match ended {
                Ended::Lost(why) => (why, false),
                Ended::Refused(why) => (why, true),
                Ended::Left => return,
            };
            let closed = self.hears.send((connection, FromRoom::Closed(why))).await;
            if closed.is_err() || is_refused {
                return;
            }
            if since.elapsed() > most {
                pause = first;
            }
            sleep(pause).await;
            pause = pause.saturating_mul(2).min(most);
        }
    }

    /// Passes on what is said here, and listens no more.
    async fn say_on(&mut self, connection: u32, messages: &mut Messages) {
        while let Some((of, message)) = self.to_say.recv().await {
            if of == connection && messages.send(&message).await.is_err() {
                return;
            }
        }
    }

    /// Passes on what both sides say until the connection is lost.
    async fn serve(&mut self, connection: u32) -> Ended {
        let connected = Messages::connect(&self.url, &self.path, self.most_bytes).await;
        let mut messages = match connected {
            Ok(messages) => messages,
            Err(error) => return error.into(),
        };
        let mut first = match messages.first().await {
            Ok(first) => Some(first),
            Err(error) => return error.into(),
        };
        let mut allowance = Allowance::new(Instant::now());
        loop {
            let heard: Result<F, LobbyError> = match first.take() {
                Some(first) => Ok(first),
                None => tokio::select! {
                    heard = messages.receive() => heard,
                    said = self.to_say.recv() => match said {
                        Some((of, message)) if of == connection => {
                            match messages.send(&message).await {
                                Ok(()) => continue,
                                Err(error) => Err(error),
                            }
                        }
                        // It was said to an earlier connection.
                        Some(_) => continue,
                        None => return Ended::Left,
                    },
                },
            };
            let message = match heard {
                Ok(message) => message,
                Err(error) => return error.into(),
            };
            if !allowance.take(Instant::now()) {
                // What the relay has not read yet is lost with the connection.
                let _ = timeout(LINGER, self.say_on(connection, &mut messages)).await;
                return Ended::Lost("it sends more than a game has to say".into());
            }
            let refusal = message.refusal();
            let said = FromRoom::Said(Box::new(message));
            if self.hears.send((connection, said)).await.is_err() {
                return Ended::Left;
            }
            if let Some(refusal) = refusal.filter(|refusal| refusal.closes()) {
                return Ended::Refused(why_refused(refusal).into_owned());
            }
        }
    }
}

impl From<LobbyError> for Ended {
    fn from(error: LobbyError) -> Self {
        match error {
            LobbyError::Refused(_) => Self::Refused(error.to_string()),
            error => Self::Lost(error.to_string()),
        }
    }
}
