//! A socket in a room of a relay.

use std::net::SocketAddr;

use codec::Encode;
use connect4_protocol::signed::feed::{self, FromFeed, ToFeed};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};

pub struct Socket {
    stream: WebSocketStream<TcpStream>,
    pings: u64,
}

impl Socket {
    /// Opens a socket at a path with a buffer that takes few frames while nothing is read.
    pub async fn narrow_over(relay: SocketAddr, path: &str) -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_recv_buffer_size(1).expect("the smallest");
        let stream = socket.connect(relay).await.expect("it listens");
        Self::over(stream, path).await.expect("a socket")
    }

    /// How many pings came before the messages that were read by [`next_of`](Self::next_of).
    pub const fn pings(&self) -> u64 {
        self.pings
    }

    /// The next message as `read` reads it; none if the socket is closed.
    pub async fn next_of<M>(&mut self, read: fn(&[u8]) -> Option<M>) -> Option<M> {
        loop {
            match self.stream.next().await?.ok()? {
                Message::Binary(frame) => return Some(read(&frame).expect("a message")),
                Message::Ping(_) => self.pings += 1,
                Message::Pong(_) => {}
                Message::Close(_) => return None,
                other => panic!("{other:?}"),
            }
        }
    }

    /// Enters the feed, as a proxy does for a visitor if one is named. It tells nothing before it is asked.
    pub async fn feed(relay: SocketAddr, visitor: Option<&str>) -> Self {
        let stream = TcpStream::connect(relay).await.expect("it listens");
        let socket = Self::with(stream, feed::PATH, visitor).await;
        socket.expect("a socket")
    }

    /// Enters the feed with a buffer that takes few frames while nothing is read.
    pub async fn narrow_feed(relay: SocketAddr) -> Self {
        Self::narrow_over(relay, feed::PATH).await
    }

    pub async fn tell_feed(&mut self, message: ToFeed) {
        self.send_message(&message).await;
    }

    /// The next message of the feed; none if the socket is closed.
    pub async fn next_in_feed(&mut self) -> Option<FromFeed> {
        self.next_of(feed::read).await
    }

    /// Opens a socket at a path.
    ///
    /// # Errors
    ///
    /// What the relay answers instead.
    pub async fn over(stream: TcpStream, path: &str) -> Result<Self, Error> {
        Self::with(stream, path, None).await
    }

    /// Opens a socket at a path as a proxy does for a visitor.
    ///
    /// # Errors
    ///
    /// What the relay answers instead, or that it is not there.
    pub async fn passed_to(relay: SocketAddr, path: &str, visitor: &str) -> Result<Self, Error> {
        let stream = TcpStream::connect(relay).await?;
        Self::with(stream, path, Some(visitor)).await
    }

    async fn with(stream: TcpStream, path: &str, visitor: Option<&str>) -> Result<Self, Error> {
        stream.set_nodelay(true).expect("an option of TCP");
        let config = WebSocketConfig::default()
            .read_buffer_size(1024)
            .write_buffer_size(0);
        let mut request = format!("ws://relay{path}").into_client_request()?;
        if let Some(visitor) = visitor {
            let visitor = HeaderValue::from_str(visitor)?;
            request.headers_mut().insert("x-forwarded-for", visitor);
        }
        let (stream, _) =
            tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await?;
        Ok(Self { stream, pings: 0 })
    }

    /// Sends a message of any kind.
    pub async fn send_message(&mut self, message: &impl Encode) {
        self.send_frame(Message::Binary(message.encode().into()))
            .await;
    }

    /// Sends any frame. The relay may have closed the socket.
    pub async fn send_frame(&mut self, frame: Message) {
        let _ = self.stream.send(frame).await;
    }

    /// Reads until the socket is closed.
    pub async fn closed(&mut self) {
        while let Some(Ok(frame)) = self.stream.next().await {
            if matches!(frame, Message::Close(_)) {
                return;
            }
        }
    }

    /// The connection below, of which nothing was read yet beyond the handshake.
    pub fn into_stream(self) -> TcpStream {
        self.stream.into_inner()
    }
}
