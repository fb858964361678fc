//! What a room tells, and to whom.

use connect4_protocol::Error;
use connect4_protocol::fast::wire::{FromRelay, Refusal, ToRelay};
use connect4_protocol::fast::{Ending, Evidence, FIRST, Native};
use connect4_rules::Player;
use connect4_testing::fast::FastPlay;
use connect4_testing::socket::Socket;

use crate::server::{Server, Table, wide};

fn start(play: &FastPlay) -> Server {
    Server::start(&Table::of(&[play]), wide())
}

#[tokio::test]
async fn a_position_reaches_everybody_and_comes_back_as_the_receipt() {
    let play = FastPlay::new(FIRST);
    let server = start(&play);
    let mut alice = Socket::join(server.addr, &play, Player::One).await;
    let mut bob = Socket::join(server.addr, &play, Player::Two).await;
    let mut watcher = Socket::open(server.addr, play.number).await;
    alice.send(play.position(&[3])).await;
    for socket in [&mut alice, &mut bob, &mut watcher] {
        assert_eq!(socket.moves(&[3]).await, play.evidence(&[3], None));
    }
    bob.send(play.position(&[3, 4])).await;
    for socket in [&mut alice, &mut bob, &mut watcher] {
        assert_eq!(socket.moves(&[3, 4]).await, play.evidence(&[3, 4], None));
    }
    assert_eq!(server.counts().positions, 2);
}

#[tokio::test]
async fn rooms_are_apart() {
    let (play, other) = (FastPlay::new(FIRST), FastPlay::new(FIRST + 1));
    let server = Server::start(&Table::of(&[&play, &other]), wide());
    let mut alice = Socket::join(server.addr, &play, Player::One).await;
    let mut elsewhere = Socket::open(server.addr, other.number).await;
    alice.send(play.position(&[3])).await;
    alice.moves(&[3]).await;
    elsewhere.send(other.position(&[0])).await;
    assert_eq!(elsewhere.position().await, Evidence::start());
    assert_eq!(elsewhere.position().await, other.evidence(&[0], None));
}

#[tokio::test]
async fn who_connects_is_welcomed_and_told_what_the_room_holds() {
    let play = FastPlay::new(FIRST);
    let server = start(&play);
    let mut alice = Socket::join(server.addr, &play, Player::One).await;
    alice.send(play.position(&[3])).await;
    let offer = play.offer(Player::One, 60, &[3]);
    alice.send(ToRelay::Offer(offer)).await;
    let told = |message| matches!(message, FromRelay::Offer(_)).then_some(());
    alice.until(told).await;

    let mut watcher = Socket::open(server.addr, play.number).await;
    watcher.welcome().await;
    let mut next = async || watcher.next().await.expect("it is open");
    assert_eq!(next().await, FromRelay::Position(play.evidence(&[3], None)));
    assert_eq!(next().await, FromRelay::Offer(offer));
    let FromRelay::Present(present) = next().await else {
        panic!("who is there");
    };
    assert!(present.players.one && !present.players.two);
    assert_eq!(present.watchers, 1);
}

#[tokio::test]
async fn the_position_with_more_moves_is_taken_by_all() {
    let play = FastPlay::new(FIRST);
    let server = start(&play);
    let mut alice = Socket::join(server.addr, &play, Player::One).await;
    alice.send(play.position(&[3, 4, 3])).await;
    alice.moves(&[3, 4, 3]).await;
    // Bob comes back with less: he gets the answer to his move.
    let mut bob = Socket::join(server.addr, &play, Player::Two).await;
    assert_eq!(*bob.position().await.moves, [3, 4, 3]);
    bob.send(play.position(&[3, 4])).await;
    assert_eq!(*bob.position().await.moves, [3, 4, 3]);
    // Somebody comes with more.
    let mut friend = Socket::open(server.addr, play.number).await;
    friend.send(play.position(&[3, 4, 3, 4, 3])).await;
    for socket in [&mut alice, &mut bob, &mut friend] {
        socket.moves(&[3, 4, 3, 4, 3]).await;
    }
    assert_eq!(server.counts().repeated, 1);
}

#[tokio::test]
async fn of_two_moves_for_one_turn_the_first_stays_until_one_is_answered() {
    let play = FastPlay::new(FIRST);
    let server = start(&play);
    let mut alice = Socket::join(server.addr, &play, Player::One).await;
    let mut bob = Socket::join(server.addr, &play, Player::Two).await;
    alice.send(play.position(&[3])).await;
    bob.moves(&[3]).await;
    // She signs another first move.
    alice.send(play.position(&[0])).await;
    assert_eq!(alice.moves(&[3]).await, play.evidence(&[3], None));
    alice.moves(&[3]).await;
    // He has both, and chooses.
    bob.send(play.position(&[0, 0])).await;
    alice.moves(&[0, 0]).await;
    bob.moves(&[0, 0]).await;
}

#[tokio::test]
async fn offers_stand_until_the_next_position() {
    let play = FastPlay::new(FIRST);
    let server = start(&play);
    let mut alice = Socket::join(server.addr, &play, Player::One).await;
    let mut bob = Socket::join(server.addr, &play, Player::Two).await;
    let early = play.offer(Player::One, 60, &[3]);
    alice.send(ToRelay::Offer(early)).await;
    assert_eq!(alice.refusal().await, Refusal::OtherPosition);
    assert_eq!(alice.position().await, Evidence::start());

    alice.send(play.position(&[3])).await;
    alice.send(ToRelay::Offer(early)).await;
    let offer = |message| match message {
        FromRelay::Offer(offer) => Some(offer),
        _ => None,
    };
    assert_eq!(bob.until(offer).await, early);
    bob.send(play.position(&[3, 4])).await;
    alice.moves(&[3, 4]).await;
    alice.send(ToRelay::Offer(early)).await;
    assert_eq!(alice.refusal().await, Refusal::OtherPosition);
    let mut watcher = Socket::open(server.addr, play.number).await;
    watcher.moves(&[3, 4]).await;
    let next = watcher.next().await.expect("who is there");
    assert!(matches!(next, FromRelay::Present(_)), "the offer is gone");

    // This one is accepted.
    let offered = play.offer(Player::Two, u64::MAX, &[3, 4]);
    bob.send(ToRelay::Offer(offered)).await;
    assert_eq!(alice.until(offer).await, offered);
    let digest = offered.statement(play.number).digest(&play.domain, &Native);
    let draw = offered.accepted(play.keys.one.sign(&digest));
    alice.send(ToRelay::Position(draw)).await;
    loop {
        let position = watcher.position().await;
        if position == draw {
            break;
        }
    }
    // After the end nothing is offered or played.
    bob.send(ToRelay::Offer(play.offer(Player::Two, 95, &[3, 4])))
        .await;
    assert_eq!(bob.refusal().await, Refusal::OtherPosition);
    bob.send(play.position(&[3, 4, 3])).await;
    assert_eq!(bob.position().await, draw);
}

#[tokio::test]
async fn a_draw_that_nobody_brought_in_time_keeps_no_move_out() {
    let play = FastPlay::new(FIRST);
    let server = start(&play);
    let mut alice = Socket::join(server.addr, &play, Player::One).await;
    let mut bob = Socket::join(server.addr, &play, Player::Two).await;
    bob.send(play.position(&[3, 4])).await;
    alice.moves(&[3, 4]).await;
    // Both have agreed, and the chain took it until 1970.
    let lapsed = play.evidence(&[3, 4], Some(Ending::Draw { until: 1 }));
    bob.send(ToRelay::Position(lapsed)).await;
    assert_eq!(alice.moves(&[3, 4]).await, lapsed);
    // The game goes on: an offer of another draw, then a move.
    let offered = play.offer(Player::Two, u64::MAX, &[3, 4]);
    bob.send(ToRelay::Offer(offered)).await;
    let offer = |message| match message {
        FromRelay::Offer(offer) => Some(offer),
        _ => None,
    };
    assert_eq!(alice.until(offer).await, offered);
    alice.send(play.position(&[3, 4, 5])).await;
    bob.moves(&[3, 4, 5]).await;
    // Nor does it come back.
    bob.send(ToRelay::Position(lapsed)).await;
    assert_eq!(bob.position().await, play.evidence(&[3, 4, 5], None));
}

#[tokio::test]
async fn a_resignation_is_passed_on_whatever_else_was_played() {
    let play = FastPlay::new(FIRST);
    let server = start(&play);
    let mut alice = Socket::join(server.addr, &play, Player::One).await;
    let mut bob = Socket::join(server.addr, &play, Player::Two).await;
    alice.send(play.position(&[3, 4, 3])).await;
    bob.moves(&[3, 4, 3]).await;
    let resigned = play.evidence(&[3, 4], Some(Ending::Resignation(Player::Two)));
    bob.send(ToRelay::Position(resigned)).await;
    loop {
        let position = alice.position().await;
        if position == resigned {
            break;
        }
    }
}

#[tokio::test]
async fn the_loser_agrees_to_a_line_by_resigning_at_it() {
    let play = FastPlay::new(FIRST);
    let server = start(&play);
    let mut alice = Socket::join(server.addr, &play, Player::One).await;
    let mut bob = Socket::join(server.addr, &play, Player::Two).await;
    let line = [3, 4, 3, 4, 3, 4, 3];
    alice.send(play.position(&line)).await;
    bob.moves(&line).await;
    let agreed = play.agreed(&line);
    bob.send(ToRelay::Position(agreed)).await;
    loop {
        let position = alice.position().await;
        if position == agreed {
            break;
        }
    }
    // The contract takes no resignation of who has won.
    let play = FastPlay::new(FIRST);
    let server = start(&play);
    let mut alice = Socket::join(server.addr, &play, Player::One).await;
    let nonsense = play.evidence(&line, Some(Ending::Resignation(Player::One)));
    alice.send(ToRelay::Position(nonsense)).await;
    assert_eq!(alice.refusal().await, Refusal::Invalid(Error::GameOver));
}

#[tokio::test]
async fn all_are_told_who_comes_and_goes() {
    let play = FastPlay::new(FIRST);
    let server = start(&play);
    let mut watcher = Socket::open(server.addr, play.number).await;
    watcher.present(false, false, 1).await;
    let alice = Socket::join(server.addr, &play, Player::One).await;
    watcher.present(true, false, 1).await;
    let bob = Socket::join(server.addr, &play, Player::Two).await;
    watcher.present(true, true, 1).await;
    let again = Socket::join(server.addr, &play, Player::One).await;
    drop(alice);
    let another = Socket::open(server.addr, play.number).await;
    watcher.present(true, true, 2).await;
    drop(again);
    watcher.present(false, true, 2).await;
    drop((bob, another));
    watcher.present(false, false, 1).await;
}

#[tokio::test]
async fn after_a_restart_players_bring_their_positions_back() {
    let play = FastPlay::new(FIRST);
    let table = Table::of(&[&play]);
    let server = Server::start(&table, wide());
    let mut alice = Socket::join(server.addr, &play, Player::One).await;
    let mut bob = Socket::join(server.addr, &play, Player::Two).await;
    bob.send(play.position(&[3, 4])).await;
    alice.moves(&[3, 4]).await;
    drop(server);
    alice.closed().await;
    bob.closed().await;

    let server = Server::start(&table, wide());
    let mut alice = Socket::join(server.addr, &play, Player::One).await;
    // She has moved in the meantime.
    assert_eq!(alice.position().await, Evidence::start());
    alice.send(play.position(&[3, 4, 3])).await;
    let mut bob = Socket::join(server.addr, &play, Player::Two).await;
    bob.send(play.position(&[3, 4])).await;
    bob.moves(&[3, 4, 3]).await;
    bob.send(play.position(&[3, 4, 3, 4])).await;
    alice.moves(&[3, 4, 3, 4]).await;
}
