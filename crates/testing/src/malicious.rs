//! A relay that lies.
//!
//! It stands between players and an honest relay, reads what they send each other, and does with it
//! what it likes. As any relay it has no keys.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use codec::Encode as _;
use connect4_protocol::Error;
use connect4_protocol::signed::relay::{Present, Refusal};
use connect4_protocol::signed::wire::{FromWitness, Telling, Told, read};
use connect4_protocol::signed::{WitnessedEnd, lobby};
use connect4_rules::{Bin, ByPlayer, Player};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};

use crate::dice::Dice;

/// What a malicious relay does with what a witness tells on their way to a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trick {
    /// Passes nothing on.
    Silence,
    /// Drops one of three.
    Drop,
    /// Keeps each until some others have come.
    Delay,
    /// Sends each again and again, with older ones between.
    Repeat,
    /// Sends each after the one that came later.
    Reorder,
    /// Sends what nobody signed, before each and in the place of some.
    Forge,
    /// All of this in turns.
    All,
    /// Passes all on, between as much junk as the player takes.
    Flood,
    /// Passes all on, between moves and ends that nobody signed. It never breaks a connection, as forgeries
    /// do that are no messages, so that a game comes to its end without a chain.
    Pretend,
}

impl Trick {
    /// All tricks but [`Self::Pretend`], which does a part of what [`Self::Forge`] does.
    pub const ALL: [Self; 8] = [
        Self::Silence,
        Self::Drop,
        Self::Delay,
        Self::Repeat,
        Self::Reorder,
        Self::Forge,
        Self::All,
        Self::Flood,
    ];
}

/// A malicious relay, which serves until the runtime ends.
#[derive(Clone, Copy, Debug)]
pub struct Malicious {
    addr: SocketAddr,
}

impl Malicious {
    /// Listens on a free port, before an honest relay. What it does is the same for the same seed and
    /// the same frames.
    pub async fn start(honest: SocketAddr, trick: Trick, seed: u64) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0))
            .await
            .expect("a port is free");
        let addr = listener.local_addr().expect("it listens");
        let sockets = Arc::new(AtomicU64::new(0));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let number = sockets.fetch_add(1, Ordering::Relaxed);
                let mischief = Mischief::new(trick, seed.wrapping_mul(31).wrapping_add(number));
                tokio::spawn(pass(stream, honest, mischief));
            }
        });
        Self { addr }
    }

    /// Its address, where players think that a relay is.
    pub const fn addr(&self) -> SocketAddr {
        self.addr
    }
}

/// A malicious relay for tests that wait in other ways than tokio's. It ends when this is dropped.
#[derive(Debug)]
pub struct InBackground {
    relay: Malicious,
    runtime: Option<Runtime>,
}

impl InBackground {
    pub fn start(honest: SocketAddr, trick: Trick, seed: u64) -> Self {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        Self {
            relay: runtime.block_on(Malicious::start(honest, trick, seed)),
            runtime: Some(runtime),
        }
    }

    /// Its address, where players think that a relay is.
    pub const fn addr(&self) -> SocketAddr {
        self.relay.addr()
    }
}

impl Drop for InBackground {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Passes frames on until one of the two sides closes.
async fn pass(player: TcpStream, honest: SocketAddr, mut mischief: Mischief) -> Option<()> {
    let mut path = String::new();
    // The type of the answer is the handshake's.
    #[allow(clippy::result_large_err, reason = "the type is the handshake's")]
    let read_path = |request: &Request, response: Response| {
        path = request.uri().to_string();
        Ok(response)
    };
    let mut player = tokio_tungstenite::accept_hdr_async(player, read_path)
        .await
        .ok()?;
    let upstream = TcpStream::connect(honest).await.ok()?;
    let url = format!("ws://{honest}{path}");
    let (mut relay, _) = tokio_tungstenite::client_async(url, upstream).await.ok()?;
    // It begins as any relay does, and so does its lobby: players who find nobody have nothing to lose. It floods
    // once it has passed on how the game stands: before that the player could find out by luck alone.
    let mut has_begun = false;
    let is_room = path != lobby::PATH;
    loop {
        let floods = has_begun && is_room && mischief.trick == Trick::Flood;
        tokio::select! {
            biased;
            frame = player.next() => match frame?.ok()? {
                frame @ (Message::Binary(_) | Message::Text(_)) => relay.send(frame).await.ok()?,
                Message::Close(_) => return None,
                _ => {}
            },
            frame = relay.next() => match frame?.ok()? {
                Message::Binary(frame) => {
                    has_begun |= matches!(read(&frame), Some(FromWitness::Told(_)));
                    let frames = match is_room {
                        true => mischief.of(&frame),
                        false => vec![frame.to_vec()],
                    };
                    for frame in frames {
                        player.send(Message::Binary(frame.into())).await.ok()?;
                    }
                }
                Message::Close(_) => {
                    // What was sent is lost if a socket is closed before everything that has come is read.
                    player.close(None).await.ok()?;
                    while let Some(Ok(_)) = player.next().await {}
                    return None;
                }
                _ => {}
            },
            () = tokio::task::yield_now(), if floods => {
                player.send(Message::Binary(mischief.junk().into())).await.ok()?;
            }
        }
    }
}

/// What is done with the frames to one player.
struct Mischief {
    trick: Trick,
    dice: Dice,
    /// Positions and offers that were passed on.
    seen: Vec<Vec<u8>>,
    /// Those that wait.
    kept: Vec<Vec<u8>>,
}

impl Mischief {
    const fn new(trick: Trick, seed: u64) -> Self {
        Self {
            trick,
            dice: Dice(seed),
            seen: Vec::new(),
            kept: Vec::new(),
        }
    }

    /// What is sent in the place of a frame.
    fn of(&mut self, frame: &[u8]) -> Vec<Vec<u8>> {
        let told = match read(frame) {
            Some(FromWitness::Told(told)) => Some(told),
            Some(FromWitness::Offer(_)) => None,
            _ => return vec![frame.to_vec()],
        };
        let trick = match self.trick {
            Trick::All => self.dice.one_of(&[
                Trick::Drop,
                Trick::Delay,
                Trick::Repeat,
                Trick::Reorder,
                Trick::Forge,
            ]),
            trick => trick,
        };
        let frame = frame.to_vec();
        let sent = match trick {
            Trick::Silence => Vec::new(),
            Trick::Drop if self.dice.once_in(3) => Vec::new(),
            Trick::Drop | Trick::All | Trick::Flood => vec![frame.clone()],
            Trick::Delay => {
                self.kept.push(frame.clone());
                match self.kept.len() > 2 {
                    true => vec![self.kept.remove(0)],
                    false => Vec::new(),
                }
            }
            Trick::Repeat => {
                let mut sent = vec![frame.clone(); 2];
                if !self.seen.is_empty() {
                    sent.push(self.dice.one_of(&self.seen));
                }
                sent.push(frame.clone());
                sent
            }
            Trick::Reorder => match self.kept.pop() {
                Some(kept) => vec![frame.clone(), kept],
                None => {
                    self.kept.push(frame.clone());
                    Vec::new()
                }
            },
            Trick::Pretend => {
                let pretended = self.unsigned(told);
                let (before, after) = pretended.split_at(pretended.len() / 2);
                [before, std::slice::from_ref(&frame), after].concat()
            }
            Trick::Forge => {
                let mut sent = self.forge(told);
                if !self.dice.once_in(4) {
                    sent.push(frame.clone());
                }
                sent
            }
        };
        self.seen.push(frame);
        sent
    }

    /// A frame that has nothing to say: somebody comes or goes.
    fn junk(&mut self) -> Vec<u8> {
        let one = self.dice.once_in(2);
        let junk = FromWitness::Present(Present {
            players: ByPlayer { one, two: false },
            watchers: 0,
        });
        junk.encode()
    }

    /// Moves and ends that nobody signed, made of what somebody has.
    fn unsigned(&mut self, told: Option<Told>) -> Vec<Vec<u8>> {
        let Some(told) = told else {
            return Vec::new();
        };
        let unsigned = self.unsigned_told(told).into_iter();
        unsigned
            .map(|told| FromWitness::Told(told).encode())
            .collect()
    }

    /// What neither the witness nor the players have signed, made of what they have.
    fn unsigned_told(&mut self, told: Told) -> [Told; 6] {
        let with = |change: &dyn Fn(&mut Told)| {
            let mut forged = told;
            change(&mut forged);
            forged
        };
        let player = self.dice.one_of(&Player::ALL);
        let bin = Bin::new(self.dice.below(7) as u8);
        let at = self.dice.below(65) as usize;
        [
            with(&|forged| {
                forged.moves.push(bin);
            }),
            with(&|forged| forged.signatures[player].0[at] ^= 1),
            with(&|forged| forged.witness.0[at] ^= 1),
            with(&|forged| forged.at += 60_000),
            with(&|forged| forged.what = Telling::Ended(WitnessedEnd::Resignation(player))),
            with(&|forged| forged.what = Telling::Ended(WitnessedEnd::Lapse(player))),
        ]
    }

    /// Frames that nobody signed, made of what somebody has.
    fn forge(&mut self, told: Option<Told>) -> Vec<Vec<u8>> {
        if told.is_none() {
            return Vec::new();
        }
        let unsigned = self.unsigned(told);
        let others = [
            FromWitness::Present(Present::default()),
            FromWitness::Refused(Refusal::OtherPosition),
            FromWitness::Refused(Refusal::Invalid(Error::GameOver)),
            FromWitness::Welcome {
                nonce: [0; 32],
                chain_id: 0,
                genesis: [0; 32],
                time: 0,
            },
        ];
        let others = others.map(|message| message.encode());
        let forged = [&unsigned[..], &others].concat();
        let at = self.dice.below(65) as usize;
        let mut frames: Vec<Vec<u8>> = (0..3).map(|_| self.dice.one_of(&forged)).collect();
        // No message at all.
        frames.push((0..at).map(|_| self.dice.below(256) as u8).collect());
        frames
    }
}
