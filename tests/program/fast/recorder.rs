//! A relay that trusts everybody, and remembers all that was ever sent.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use codec::Encode as _;
use connect4_protocol::fast::Evidence;
use connect4_protocol::fast::wire::{self, FromRelay, ToRelay};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::broadcast;
use tokio_tungstenite::tungstenite::Message;

/// A relay with one room.
pub struct Recorder {
    addr: SocketAddr,
    sent: Arc<Mutex<Vec<Evidence>>>,
    /// It serves until this is dropped.
    _runtime: Runtime,
}

impl Recorder {
    pub fn start() -> Self {
        let runtime = Runtime::new().unwrap();
        let sent = Arc::new(Mutex::new(Vec::new()));
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let addr = listener.local_addr().unwrap();
        let (news, _) = broadcast::channel(1024);
        let keeps = Arc::clone(&sent);
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&keeps), news.clone()));
            }
        });
        Self {
            addr,
            sent,
            _runtime: runtime,
        }
    }

    pub fn url(&self) -> String {
        format!("ws://{}", self.addr)
    }

    /// All positions that were ever sent, in order.
    pub fn sent(&self) -> Vec<Evidence> {
        self.sent.lock().unwrap().clone()
    }
}

/// Passes on what one socket sends, and sends it what others do. Sockets of programs that were killed
/// end with an error.
async fn serve(
    stream: TcpStream,
    sent: Arc<Mutex<Vec<Evidence>>>,
    news: broadcast::Sender<FromRelay>,
) {
    let Ok(mut socket) = tokio_tungstenite::accept_async(stream).await else {
        return;
    };
    let mut others = news.subscribe();
    let mut first = vec![FromRelay::Welcome { nonce: [7; 32] }];
    let latest = sent.lock().unwrap().last().copied();
    first.extend(latest.map(FromRelay::Position));
    for message in first {
        if socket.send(frame(&message)).await.is_err() {
            return;
        }
    }
    loop {
        let message = tokio::select! {
            frame = socket.next() => match frame {
                Some(Ok(Message::Binary(frame))) => match wire::read(&frame) {
                    Some(ToRelay::Position(evidence)) => {
                        sent.lock().unwrap().push(evidence);
                        FromRelay::Position(evidence)
                    }
                    Some(ToRelay::Offer(offer)) => FromRelay::Offer(offer),
                    _ => continue,
                },
                Some(Ok(_)) => continue,
                _ => return,
            },
            Ok(message) = others.recv() => {
                if socket.send(frame(&message)).await.is_err() {
                    return;
                }
                continue;
            }
        };
        let _ = news.send(message);
    }
}

fn frame(message: &FromRelay) -> Message {
    Message::Binary(message.encode().into())
}
