//! Players behind a relay that lies.
//!
//! The players here know the least that a player has to: to check what comes, to sign one move for a
//! turn, and to go to the chain when nothing comes. So a game ends as it should, whatever the relay does.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use connect4_protocol::fast::wire::{FromRelay, ToRelay};
use connect4_protocol::fast::{Evidence, FIRST, FastGame, Native};
use connect4_protocol::{Address, End};
use connect4_rules::{Bin, Player};
use connect4_testing::fast::FastPlay;
use connect4_testing::malicious::{InBackground, Malicious, Trick};
use connect4_testing::socket::Socket;
use tokio::time::timeout;

use crate::server::{Server, Table, wide};

/// What the players play, if nobody else moves for them.
const GAME: [u8; 11] = [0, 1, 0, 1, 3, 4, 3, 4, 3, 4, 3];

type Chain = Arc<Mutex<FastGame>>;

fn account(game: &FastGame, player: Player) -> Address {
    game.game.account_of(player)
}

/// Plays until the game has ended on the chain, and waits so long for the relay. Returns how often it
/// went to the chain.
async fn play(
    play: FastPlay,
    player: Player,
    mut socket: Socket,
    chain: Chain,
    patience: Duration,
) -> usize {
    let mut held = Evidence::start();
    let mut disputes = 0;
    loop {
        // Its own move, which it signs once: the same moves have the same signature.
        let position = play
            .game
            .replay(held.moves.iter_bins())
            .expect("it checks before it takes");
        if position.to_move() == Some(player) {
            let turns = usize::from(held.moves.turns());
            held = play.evidence(&GAME[..=turns], None);
            socket.send(ToRelay::Position(held)).await;
        }
        let heard = match position.is_over() {
            true => None,
            false => timeout(patience, socket.next_frame()).await.unwrap_or(None),
        };
        match heard {
            Some(Some(FromRelay::Position(next))) if next.replaces(&held) => {
                let keys = &play.game.keys;
                let checked = next.check(play.number, keys, &play.domain, &Native);
                let replayed = play.game.replay(next.moves.iter_bins());
                if checked.is_ok() && replayed.is_ok() {
                    held = next;
                }
            }
            Some(_) => {}
            None => {
                disputes += 1;
                let chain = &mut *chain.lock().unwrap();
                // It says no more than the chain knows, perhaps.
                let _ = chain.advance(play.number, &held, &play.domain, &Native, 0);
                if chain.game.to_move() == Some(player) {
                    let turns = usize::from(chain.game.turns());
                    let bin = Bin::new(GAME[turns]);
                    let caller = account(chain, player);
                    chain.drop(caller, bin, 0).expect("a legal move");
                }
            }
        }
        if chain.lock().unwrap().game.is_over() {
            return disputes;
        }
    }
}

/// Plays the game through a relay with this trick. Returns how often the players went to the chain.
async fn game_through(trick: Trick, seed: u64, patience: Duration) -> usize {
    let game = FastPlay::new(FIRST);
    let server = Server::start(&Table::of(&[&game]), wide());
    let relay = Malicious::start(server.addr, trick, seed).await;
    let chain = Arc::new(Mutex::new(game.game));
    let mut players = Vec::new();
    for player in Player::ALL {
        let socket = Socket::join(relay.addr(), &game, player).await;
        let chain = Arc::clone(&chain);
        let playing = play(game.clone(), player, socket, chain, patience);
        players.push(tokio::spawn(playing));
    }
    let mut disputes = 0;
    for player in players {
        disputes += player.await.expect("it plays on");
    }
    let ended = chain.lock().unwrap();
    assert_eq!(ended.game.end(), Some(End::Line), "{trick:?}, seed {seed}");
    assert_eq!(ended.game.winner(), Some(Player::One));
    assert_eq!(usize::from(ended.game.turns()), GAME.len());
    disputes
}

#[tokio::test]
async fn whatever_a_relay_does_the_game_ends_as_it_should() {
    for trick in Trick::ALL {
        for seed in 0..3 {
            let disputes = game_through(trick, seed, Duration::from_millis(30)).await;
            println!("{trick:?}, seed {seed}: {disputes} times to the chain");
        }
    }
}

#[tokio::test]
async fn behind_a_relay_that_repeats_all_is_played_without_the_chain_but_for_the_end() {
    let disputes = game_through(Trick::Repeat, 0, Duration::from_secs(60)).await;
    assert!((1..=2).contains(&disputes), "{disputes} times to the chain");
}

#[test]
fn tests_without_tokio_have_a_malicious_relay_as_well() {
    let game = FastPlay::new(FIRST);
    let server = Server::start(&Table::of(&[&game]), wide());
    let relay = InBackground::start(server.addr, Trick::Silence, 0);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let mut alice = Socket::join(relay.addr(), &game, Player::One).await;
        alice.send(game.position(&[3])).await;
        // She is told who is there, and no position.
        let mut bob = Socket::open(server.addr, game.number).await;
        bob.moves(&[3]).await;
        while let Some(message) = alice.next().await {
            match message {
                FromRelay::Present(present) if present.watchers == 1 => break,
                FromRelay::Present(_) => {}
                other => panic!("{other:?}"),
            }
        }
    });
}
