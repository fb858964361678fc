//! Who means no good: sockets that read nothing, and strangers who send without end.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;

use crate::{Failed, Load, WATCHED};

/// Frames that a flood sends at once. A page that sends 32 at once is put out.
const FRAMES: usize = 100;
/// A ping without content, masked with zeros.
const FRAME: [u8; 6] = [0x89, 0x80, 0, 0, 0, 0];

/// All strangers, who go when this is dropped.
pub struct Strangers {
    _slow: Vec<TcpStream>,
    _floods: JoinSet<Result<(), Failed>>,
    sent: Arc<AtomicU64>,
}

impl Strangers {
    pub async fn come(load: Load, to: SocketAddr) -> Result<Self, Failed> {
        let mut slow = Vec::new();
        for number in 0..load.slow {
            let mut stream = narrow(to).await?;
            // The lobby, which is long, and changes with every move on the chain.
            stream.write_all(upgrade("", number).as_bytes()).await?;
            slow.push(stream);
        }
        let sent = Arc::new(AtomicU64::new(0));
        let mut floods = JoinSet::new();
        for number in 0..load.floods {
            floods.spawn(flood(to, number, load.flood_rate, Arc::clone(&sent)));
        }
        Ok(Self {
            _slow: slow,
            _floods: floods,
            sent,
        })
    }

    /// Requests and pieces of 100 frames that they have sent up to now.
    pub fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }
}

/// Where a stranger seems to come from.
fn stranger(number: usize) -> String {
    format!("198.51.{}.{}", number / 250, number % 250 + 1)
}

/// A connection that takes as little as possible before it is read.
async fn narrow(to: SocketAddr) -> Result<TcpStream, Failed> {
    let socket = TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(1)?;
    Ok(socket.connect(to).await?)
}

/// Asks for a socket that watches.
fn upgrade(query: &str, number: usize) -> String {
    format!(
        "GET /api/live{query} HTTP/1.1\r\nhost: host\r\nx-forwarded-for: {}\r\n\
         connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
         sec-websocket-key: MDEyMzQ1Njc4OTAxMjM0NQ==\r\n\r\n",
        stranger(number)
    )
}

/// Sends requests that ask the chain, or frames that say nothing, so often in a second for ever.
async fn flood(to: SocketAddr, number: u8, rate: u32, sent: Arc<AtomicU64>) -> Result<(), Failed> {
    let stranger_number = 10_000 + usize::from(number);
    let asks = format!(
        "GET /api/holder?account=alice HTTP/1.1\r\nhost: host\r\nx-forwarded-for: {}\r\n\r\n",
        stranger(stranger_number)
    );
    let opens = upgrade(&format!("?game={WATCHED}"), stranger_number);
    let frames = FRAME.repeat(FRAMES);
    let mut buffer = vec![0; 65_536];
    let mut next = tokio::time::interval(Duration::from_secs(1) / rate.max(1));
    next.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut open: Option<TcpStream> = None;
    loop {
        next.tick().await;
        sent.fetch_add(1, Ordering::Relaxed);
        let mut stream = match open.take() {
            Some(stream) => stream,
            None => {
                let mut stream = TcpStream::connect(to).await?;
                if number.is_multiple_of(2) {
                    stream.write_all(opens.as_bytes()).await?;
                    // Once it is open, or refused.
                    let _ = stream.read(&mut buffer).await;
                }
                stream
            }
        };
        let is_open = match number % 2 {
            0 => stream.write_all(&frames).await.is_ok(),
            _ => {
                stream.write_all(asks.as_bytes()).await.is_ok()
                    && matches!(stream.read(&mut buffer).await, Ok(1..))
            }
        };
        open = is_open.then_some(stream);
    }
}

/// Is something that strangers reach in place of a host until the process is ended: it answers what a
/// host answers to those who are beyond its limits, and does nothing for it. Prints its address.
pub async fn sink() -> Result<(), Failed> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    println!("{}", listener.local_addr()?);
    loop {
        let (mut stream, _) = listener.accept().await?;
        tokio::spawn(async move {
            let mut buffer = vec![0; 4096];
            let mut heard = 0;
            let mut is_socket = false;
            while let Ok(read @ 1..) = stream.read(&mut buffer).await {
                heard += read;
                let answer: &[u8] = match is_socket {
                    // A host puts out who sends so much.
                    true if heard > FRAMES * FRAME.len() => return,
                    true => continue,
                    false if buffer[..read].windows(9).any(|part| part == b"websocket") => {
                        (is_socket, heard) = (true, 0);
                        b"HTTP/1.1 101 Switching Protocols\r\n\r\n"
                    }
                    false => b"HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n",
                };
                if stream.write_all(answer).await.is_err() {
                    return;
                }
            }
        });
    }
}
