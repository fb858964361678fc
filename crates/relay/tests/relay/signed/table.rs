//! Relays with a witness, and games in its rooms.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use connect4_protocol::Address;
use connect4_protocol::signed::wire::Told;
use connect4_relay::{Limits, Witness};
use connect4_rules::Player;
use connect4_testing::room::Seat;
use connect4_testing::signed::{CHAIN, SignedPlay};

use crate::server::Server;

/// A folder that is removed with its files.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static LAST: AtomicU32 = AtomicU32::new(0);
        let number = LAST.fetch_add(1, Ordering::Relaxed);
        let name = format!("connect4-witness-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // A process that was killed in the middle of its tests may have had the same number.
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn log(&self) -> PathBuf {
        self.0.join("log")
    }

    /// The witness whose log is here, once the one before has left it.
    pub fn open(&self) -> Witness {
        loop {
            match Witness::open(&self.0, CHAIN) {
                Ok(witness) => return witness,
                Err(connect4_relay::witness::LogError::InUse) => std::thread::yield_now(),
                Err(error) => panic!("{error}"),
            }
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn start(witness: Witness, limits: Limits) -> Server {
    Server::witnessed(limits, witness)
}

/// Time of this machine, in seconds since 1970.
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.expect("later than 1970").as_secs()
}

/// A game of this witness without a clock.
pub fn play(number: u64, witness: Address) -> SignedPlay {
    SignedPlay::new(number, witness, None, now())
}

/// Plays these moves in turn. Returns the receipt for the last of them.
pub async fn play_on(
    seats: &mut [Seat; 2],
    play: &SignedPlay,
    before: &[u8],
    bins: &[u8],
) -> Option<Told> {
    let mut all = before.to_vec();
    let mut last = None;
    for bin in bins {
        all.push(*bin);
        let mover = (all.len() - 1) % 2;
        seats[mover].say(play.made(&all)).await;
        for seat in &mut *seats {
            last = Some(seat.receipt(&all).await);
        }
    }
    last
}

/// Both players of a game.
pub async fn both(relay: SocketAddr, play: &SignedPlay) -> [Seat; 2] {
    let one = Seat::join(relay, play, Player::One).await;
    let two = Seat::join(relay, play, Player::Two).await;
    let mut seats = [one, two];
    for seat in &mut seats {
        seat.present(true, true).await;
    }
    seats
}

/// What tests share of a relay that runs.
pub fn shared(folder: &Folder) -> (Server, Address) {
    let witness = folder.open();
    let key = witness.key();
    (start(witness, crate::server::wide()), key)
}

/// The same behind a proxy on this machine, which says from where each visitor comes.
pub fn behind_a_proxy(folder: &Folder, limits: Limits) -> (Server, Address) {
    let witness = folder.open();
    let key = witness.key();
    let server = Server::witnessed_behind_a_proxy(limits, witness);
    (server, key)
}
