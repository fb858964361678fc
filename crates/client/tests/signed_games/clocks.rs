//! What a player's line does to its clock, and what a player can gain who says that it is slower than it is.

use std::net::SocketAddr;
use std::time::Duration;

use connect4_client::signed::{Command, View};
use connect4_protocol::ClockSpec;
use connect4_rules::{Bin, Player};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::{Referee, Table, may_move, play, until};

const CLOCK: ClockSpec = ClockSpec {
    bank: 60,
    increment: 0,
};

/// Discs of which none complete a line on the classroom board.
const NO_LINE: [u8; 12] = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2];

/// A line to a relay on which everything is late by so much, in each direction.
struct SlowLine {
    to_player: Duration,
    to_relay: Duration,
}

impl SlowLine {
    /// Listens for the player.
    async fn before(self, relay: SocketAddr) -> SocketAddr {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let addr = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((player, _)) = listener.accept().await {
                let Ok(relay) = TcpStream::connect(relay).await else {
                    return;
                };
                let (from_player, to_player) = player.into_split();
                let (from_relay, to_relay) = relay.into_split();
                late(from_relay, to_player, self.to_player);
                late(from_player, to_relay, self.to_relay);
            }
        });
        addr
    }

    /// Two guests, of whom player two has this line.
    async fn table(self) -> Table {
        let referee = Referee::new();
        let url = format!("ws://{}", self.before(referee.addr).await);
        Table::at(referee, Some(url), Some(CLOCK), |offer| offer).await
    }
}

/// Passes on what comes, late by so much.
fn late(
    mut from: impl AsyncRead + Unpin + Send + 'static,
    mut to: impl AsyncWrite + Unpin + Send + 'static,
    by: Duration,
) {
    let (came, mut passes) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        let mut bytes = vec![0; 4096];
        while let Ok(count @ 1..) = from.read(&mut bytes).await {
            if came
                .send((Instant::now() + by, bytes[..count].to_vec()))
                .is_err()
            {
                return;
            }
        }
    });
    tokio::spawn(async move {
        while let Some((at, bytes)) = passes.recv().await {
            sleep_until(at).await;
            if to.write_all(&bytes).await.is_err() {
                return;
            }
        }
    });
}

/// What player two has lost of its bank so far.
fn lost(table: &Table) -> Duration {
    let left = table.players[1].view().shown.left.unwrap();
    let bank = Duration::from_secs(CLOCK.bank.into());
    bank - Duration::from_millis(*left.get(Player::Two))
}

#[tokio::test]
async fn a_slow_line_costs_less_than_it_takes() {
    let way = Duration::from_millis(250);
    let line = SlowLine {
        to_player: way,
        to_relay: way,
    };
    let mut table = line.table().await;
    // The first moves have a time of their own.
    let (first, next) = NO_LINE.split_at(2);
    table.play(first).await;
    let mut took = Duration::ZERO;
    for turn in next[..4].chunks(2) {
        play(&mut table.players, &turn[..1]).await;
        let player = &mut table.players[1];
        until(player, may_move).await;
        let since = Instant::now();
        let before = player.view().moves.len();
        let dropped = Command::Move(Bin::new(turn[1]));
        player.command(dropped).await.unwrap();
        until(player, |view: &View| view.moves.len() > before).await;
        took += since.elapsed();
    }
    // Of each of the two moves the round trip of half a second is the line's.
    let lost = lost(&table);
    assert!(lost + 2 * way <= took, "{lost:?} of {took:?}");
}

#[tokio::test]
async fn pongs_that_are_held_back_give_a_tenth_of_a_second_a_move_in_the_end() {
    let held = Duration::from_millis(450);
    // It sees all of it at once, thinks meanwhile, and says that it is far away.
    let line = SlowLine {
        to_player: held,
        to_relay: Duration::ZERO,
    };
    let mut table = line.table().await;
    let (first, rest) = NO_LINE.split_at(2);
    table.play(first).await;
    table.play(rest).await;
    let turns = u32::try_from(rest.len() / 2).unwrap();
    let given = Duration::from_secs(1) + turns * Duration::from_millis(100);
    let lost = lost(&table);
    assert!(lost >= turns * held - given, "{lost:?}");
}
