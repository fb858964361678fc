//! Those who watch games.

use std::net::SocketAddr;
use std::time::Instant;

use futures_util::StreamExt as _;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use crate::Failed;
use crate::processes::Host;

/// Sockets that are opened at the same time.
const OPENING: usize = 32;

/// When each watcher had each turn of a game.
pub type Had = Vec<(u8, Instant)>;

pub struct Watcher {
    stream: tokio_tungstenite::WebSocketStream<TcpStream>,
}

impl Watcher {
    async fn open(host: SocketAddr, game: &str) -> Result<Self, Failed> {
        let stream = TcpStream::connect(host).await?;
        stream.set_nodelay(true)?;
        let config = WebSocketConfig::default()
            .read_buffer_size(4096)
            .write_buffer_size(0);
        let url = format!("ws://host/api/live?game={game}");
        let opened = tokio_tungstenite::client_async_with_config(url, stream, Some(config));
        let mut watcher = Self {
            stream: opened.await?.0,
        };
        // It is watching once it was told the game.
        while watcher.turns().await?.is_none() {}
        Ok(watcher)
    }

    /// How many moves the next message tells of; none if it is not of the game.
    pub async fn turns(&mut self) -> Result<Option<u8>, Failed> {
        let Message::Text(text) = self.stream.next().await.ok_or("closed")?? else {
            return Ok(None);
        };
        // To read all of it would take the processor from the host.
        let Some((_, rest)) = text.split_once("\"turns\":") else {
            return Ok(None);
        };
        let end = rest.find(|char: char| !char.is_ascii_digit());
        Ok(rest[..end.unwrap_or(rest.len())].parse().ok())
    }

    /// Watches until a game has so many moves.
    pub async fn watch(mut self, until: u8) -> Result<(Self, Had), Failed> {
        let (mut had, mut last) = (Vec::new(), 0);
        while last < until {
            if let Some(turns) = self.turns().await?
                && turns > last
            {
                had.push((turns, Instant::now()));
                last = turns;
            }
        }
        Ok((self, had))
    }
}

/// Opens so many watchers of a game each.
pub async fn open(
    host: Host,
    games: Vec<(String, usize)>,
) -> Result<Vec<(String, Watcher)>, Failed> {
    let mut opening = JoinSet::new();
    let mut watchers = Vec::new();
    let mut wanted = games
        .into_iter()
        .flat_map(|(game, count)| std::iter::repeat_n(game, count));
    loop {
        while opening.len() < OPENING
            && let Some(game) = wanted.next()
        {
            opening.spawn(async move {
                let watcher = Watcher::open(host.addr, &game).await?;
                Ok::<_, Failed>((game, watcher))
            });
        }
        match opening.join_next().await {
            Some(watcher) => watchers.push(watcher??),
            None => return Ok(watchers),
        }
    }
}
