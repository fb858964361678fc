//! The connection to a relay.

use std::time::Duration;

use codec::Encode as _;
use connect4_protocol::fast::wire::{self, FromRelay, Offer, Present, ToRelay};
use connect4_protocol::fast::{Evidence, Native, SessionKey};
use connect4_rules::Player;
use connect4_seat::{Subject, why_refused};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::TcpStream;
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;
use tokio::time::{Instant, interval, sleep, sleep_until, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use super::allowance::Allowance;

/// How long a connection may take to be made.
pub(crate) const CONNECT: Duration = Duration::from_secs(5);
/// Pause before a connection is made again, at first and at most.
pub(crate) const RETRY: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(5)];
/// How often the relay is asked whether it is there.
pub(crate) const PING: Duration = Duration::from_secs(10);
/// How long the relay may be silent, though it was asked, before the connection counts as lost.
pub(crate) const SILENCE: Duration = Duration::from_secs(25);
/// How long a player is alone in the room before it is entered again, at first and at most. Behind a
/// proxy, a relay that came back after a while gets new connections while another one keeps its old ones:
/// so the opponent may be elsewhere.
const ALONE: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(160)];
/// How much is received and sent ahead of who reads it.
const AHEAD: usize = 64;

/// URL of the relay with this name: its own, or that of its page.
#[must_use]
pub fn rooms_at(named: &str) -> String {
    let url = named.trim_end_matches('/');
    match url.split_once("://") {
        Some(("http", rest)) => format!("ws://{rest}"),
        Some(("https", rest)) => format!("wss://{rest}"),
        Some(_) => url.to_owned(),
        None => format!("ws://{url}"),
    }
}

/// What comes from the room of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromRoom {
    /// The relay is connected, and was told the latest position.
    Connected,
    /// The relay is not reachable, for this reason. The connection is made again.
    Lost(String),
    /// A position. It is not checked.
    Position(Box<Evidence>),
    /// An offer of a draw. It is not checked.
    Offer(Box<Offer>),
    /// Who is there, as the relay says.
    Present(Present),
}

/// A connection to the room of a game at a relay, which is made again whenever it is lost. It ends when
/// this is dropped.
#[derive(Debug)]
pub struct RelayLink {
    latest: watch::Sender<Option<Evidence>>,
    offers: mpsc::Sender<Offer>,
    heard: mpsc::Receiver<FromRoom>,
    task: AbortHandle,
}

impl Drop for RelayLink {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl RelayLink {
    /// Connects to the room of a game at a relay with this URL, as `ws://127.0.0.1:4404`: as the player
    /// with this session key, or as a watcher.
    #[must_use]
    pub fn open(url: &str, subject: &Subject, player: Option<(Player, SessionKey)>) -> Self {
        Self::with_patience(url, subject, player, ALONE)
    }

    fn with_patience(
        url: &str,
        subject: &Subject,
        player: Option<(Player, SessionKey)>,
        alone: [Duration; 2],
    ) -> Self {
        let (latest, positions) = watch::channel(None);
        let (offers, to_send) = mpsc::channel(AHEAD);
        let (hears, heard) = mpsc::channel(AHEAD);
        let line = Line {
            url: format!(
                "{}{}",
                url.trim_end_matches('/'),
                wire::path(subject.number())
            ),
            subject: *subject,
            player,
            positions,
            offers: to_send,
            hears,
            patience: alone[0],
            alone,
            alone_since: None,
        };
        let task = tokio::spawn(line.run());
        Self {
            latest,
            offers,
            heard,
            task: task.abort_handle(),
        }
    }

    /// Has the relay told of the latest position, now and each time that it is connected again.
    pub fn tell(&self, latest: &Evidence) {
        self.latest.send_replace(Some(*latest));
    }

    /// Has the relay told of an offer of a draw, if it is connected.
    pub fn offer(&self, offer: &Offer) {
        // Offers that nobody hears lapse.
        let _ = self.offers.try_send(*offer);
    }

    /// What comes next from the room. If the wait is given up, nothing is lost.
    pub async fn next(&mut self) -> FromRoom {
        match self.heard.recv().await {
            Some(heard) => heard,
            None => std::future::pending().await,
        }
    }
}

pub(crate) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// The task that owns the connection.
struct Line {
    url: String,
    subject: Subject,
    player: Option<(Player, SessionKey)>,
    positions: watch::Receiver<Option<Evidence>>,
    offers: mpsc::Receiver<Offer>,
    hears: mpsc::Sender<FromRoom>,
    /// How long a player is alone before the room is entered again, at first and at most.
    alone: [Duration; 2],
    /// The same now.
    patience: Duration,
    /// Since when this player is alone in the room.
    alone_since: Option<Instant>,
}

/// Why a connection ended.
enum Ended {
    /// It is lost, for this reason.
    Lost(String),
    /// The player was alone for long.
    Alone,
}

impl Line {
    async fn run(mut self) {
        let [first, most] = RETRY;
        let mut pause = first;
        loop {
            let why = match self.connect().await {
                Ok(socket) => {
                    let since = Instant::now();
                    let ended = self.serve(socket).await;
                    if since.elapsed() > most {
                        pause = first;
                    }
                    match ended {
                        Ended::Lost(why) => why,
                        Ended::Alone => {
                            self.patience = self.patience.saturating_mul(2).min(self.alone[1]);
                            continue;
                        }
                    }
                }
                Err(why) => why,
            };
            if self.hears.send(FromRoom::Lost(why)).await.is_err() {
                return;
            }
            // Offers of the time without a connection would come too late.
            while self.offers.try_recv().is_ok() {}
            sleep(pause).await;
            pause = pause.saturating_mul(2).min(most);
        }
    }

    async fn connect(&self) -> Result<Socket, String> {
        let config = WebSocketConfig::default()
            .max_message_size(Some(wire::MAX_LEN))
            .max_frame_size(Some(wire::MAX_LEN));
        let connecting =
            tokio_tungstenite::connect_async_with_config(&self.url, Some(config), true);
        match timeout(CONNECT, connecting).await {
            Ok(Ok((socket, _))) => Ok(socket),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err("it does not answer".into()),
        }
    }

    /// Passes on what both sides say until the connection is lost, or is of no use.
    async fn serve(&mut self, mut socket: Socket) -> Ended {
        self.alone_since = None;
        let mut pings = interval(PING);
        let mut last_heard = Instant::now();
        let mut allowance = Allowance::new(last_heard);
        let mut is_welcome = false;
        loop {
            let enough = self.alone_since.map(|since| since + self.patience);
            let done = tokio::select! {
                () = sleep_until(enough.unwrap_or(last_heard)), if enough.is_some() => {
                    return Ended::Alone;
                }
                frame = socket.next() => {
                    last_heard = Instant::now();
                    match frame {
                        None => Err("it has closed the connection".into()),
                        Some(Err(error)) => Err(error.to_string()),
                        Some(Ok(_)) if !allowance.take(last_heard) => {
                            Err("it sends more than a game has to say".into())
                        }
                        Some(Ok(Message::Binary(frame))) => match wire::read(&frame) {
                            Some(FromRelay::Welcome { nonce }) if !is_welcome => {
                                is_welcome = true;
                                self.enter(&mut socket, nonce).await
                            }
                            Some(message) => self.pass(message).await,
                            None => Err("it sent an invalid message".into()),
                        },
                        Some(Ok(_)) => Ok(()),
                    }
                }
                changed = self.positions.changed(), if is_welcome => match changed {
                    Ok(()) => self.tell_latest(&mut socket).await,
                    Err(_) => Err("nobody plays any more".into()),
                },
                Some(offer) = self.offers.recv(), if is_welcome => {
                    send(&mut socket, &ToRelay::Offer(offer)).await
                }
                _ = pings.tick() => match last_heard.elapsed() > SILENCE {
                    true => Err("it is silent".into()),
                    false => ping(&mut socket).await,
                },
            };
            if let Err(why) = done {
                return Ended::Lost(why);
            }
        }
    }

    /// Says who this is, and the latest position.
    async fn enter(&mut self, socket: &mut Socket, nonce: [u8; 32]) -> Result<(), String> {
        if let Some((player, key)) = &self.player {
            let domain = self.subject.domain();
            let digest = wire::presence(self.subject.number(), nonce, &domain, &Native);
            let join = ToRelay::Join {
                player: *player,
                signature: key.sign(&digest),
            };
            send(socket, &join).await?;
        }
        self.tell_latest(socket).await?;
        self.hear(FromRoom::Connected).await
    }

    async fn tell_latest(&mut self, socket: &mut Socket) -> Result<(), String> {
        let latest = *self.positions.borrow_and_update();
        match latest {
            Some(evidence) if evidence != Evidence::start() => {
                send(socket, &ToRelay::Position(evidence)).await
            }
            _ => Ok(()),
        }
    }

    async fn pass(&mut self, message: FromRelay) -> Result<(), String> {
        match message {
            FromRelay::Welcome { .. } => Ok(()),
            FromRelay::Position(evidence) => {
                self.hear(FromRoom::Position(Box::new(evidence))).await
            }
            FromRelay::Offer(offer) => self.hear(FromRoom::Offer(Box::new(offer))).await,
            FromRelay::Present(present) => {
                self.meet(present);
                self.hear(FromRoom::Present(present)).await
            }
            FromRelay::Refused(refusal) if refusal.closes() => {
                Err(why_refused(refusal).into_owned())
            }
            FromRelay::Refused(_) => Ok(()),
        }
    }

    /// Sees whether the opponent of this player is in the room.
    fn meet(&mut self, present: Present) {
        let Some((player, _)) = &self.player else {
            return;
        };
        if *present.players.get(player.opponent()) {
            self.patience = self.alone[0];
            self.alone_since = None;
        } else {
            self.alone_since.get_or_insert_with(Instant::now);
        }
    }

    async fn hear(&self, heard: FromRoom) -> Result<(), String> {
        let sent = self.hears.send(heard).await;
        sent.map_err(|_| "nobody listens any more".into())
    }
}

async fn send(socket: &mut Socket, message: &ToRelay) -> Result<(), String> {
    let frame = Message::Binary(message.encode().into());
    socket.send(frame).await.map_err(|error| error.to_string())
}

async fn ping(socket: &mut Socket) -> Result<(), String> {
    let frame = Message::Ping(Vec::new().into());
    socket.send(frame).await.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use connect4_rules::ByPlayer;
    use connect4_testing::fast::FastPlay;
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn a_player_who_is_alone_for_long_enters_the_room_again() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let url = format!("ws://{}", listener.local_addr().expect("bound"));
        let play = FastPlay::new(7);
        let subject = Subject::new(play.number, play.domain, play.game);
        let player = Some((Player::One, play.keys.one.clone()));
        let alone = [Duration::from_millis(5), Duration::from_millis(10)];
        let mut link = RelayLink::with_patience(&url, &subject, player, alone);
        link.tell(&play.evidence(&[3], None));
        // As behind a proxy: the opponent is where the last connection leads, and not the first ones.
        for is_here in [false, false, true] {
            let (stream, _) = listener.accept().await.expect("it connects");
            let accepted = tokio_tungstenite::accept_async(stream).await;
            let mut socket = accepted.expect("a WebSocket");
            let said = [
                FromRelay::Welcome { nonce: [9; 32] },
                FromRelay::Present(Present {
                    players: ByPlayer {
                        one: true,
                        two: is_here,
                    },
                    watchers: 0,
                }),
            ];
            for message in said {
                let frame = Message::Binary(message.encode().into());
                socket.send(frame).await.expect("it listens");
            }
            let mut heard = Vec::new();
            while heard.len() < 2 {
                if let Some(Ok(Message::Binary(frame))) = socket.next().await {
                    heard.push(wire::read::<ToRelay>(&frame).expect("a message"));
                }
            }
            assert!(matches!(heard[0], ToRelay::Join { .. }));
            assert!(matches!(heard[1], ToRelay::Position(_)), "it is told anew");
            // A player who is not alone stays.
            if !is_here {
                while let Some(Ok(_)) = socket.next().await {}
            }
            assert_eq!(link.next().await, FromRoom::Connected);
            let present = link.next().await;
            assert!(
                matches!(present, FromRoom::Present(present) if present.players.two == is_here)
            );
        }
    }

    #[test]
    fn a_relay_is_named_by_its_address_or_that_of_its_page() {
        for (named, url) in [
            ("ws://127.0.0.1:1/", "ws://127.0.0.1:1"),
            ("http://host:4444", "ws://host:4444"),
            ("https://host", "wss://host"),
            ("host:4444", "ws://host:4444"),
        ] {
            assert_eq!(rooms_at(named), url);
        }
    }
}
