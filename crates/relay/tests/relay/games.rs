//! Which games have rooms, and what is kept of them.

use connect4_protocol::fast::wire::Refusal;
use connect4_protocol::fast::{Evidence, FIRST, Native};
use connect4_protocol::{End, Error};
use connect4_relay::Limits;
use connect4_rules::Player;
use connect4_testing::fast::FastPlay;
use connect4_testing::socket::Socket;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite;

use crate::server::{Server, Table, wide};

/// Moves of which the last completes a line.
const LINE: [u8; 7] = [3, 4, 3, 4, 3, 4, 3];

/// Enters a room, plays a move and leaves. Returns when the room is empty.
async fn play_and_leave(server: &Server, play: &FastPlay) {
    let mut alice = Socket::join(server.addr, play, Player::One).await;
    alice.send(play.position(&[3])).await;
    alice.moves(&[3]).await;
    let mut bob = Socket::open(server.addr, play.number).await;
    bob.present(true, false, 1).await;
    drop(alice);
    bob.present(false, false, 1).await;
    leave(server, bob).await;
}

/// Closes a socket, and waits until the relay has closed it.
async fn leave(server: &Server, socket: Socket) {
    let before = server.counts().sockets;
    drop(socket);
    while server.counts().sockets == before {
        tokio::task::yield_now().await;
    }
}

async fn held(server: &Server, play: &FastPlay) -> Evidence {
    let mut socket = Socket::open(server.addr, play.number).await;
    let position = socket.position().await;
    leave(server, socket).await;
    position
}

#[tokio::test]
async fn a_room_has_two_names_and_other_paths_none() {
    let play = FastPlay::new(FIRST + 3);
    let server = Server::start(&Table::of(&[&play]), wide());
    let open = async |path| {
        let stream = TcpStream::connect(server.addr).await.expect("it listens");
        Socket::over(stream, path).await
    };
    let mut alice = open("/fast/f3").await.expect("a room");
    let mut bob = open("/fast/2147483651").await.expect("a room");
    alice.send(play.position(&[3])).await;
    bob.moves(&[3]).await;
    for path in ["/fast/3", "/fast/v3", "/fast/", "/fast", "/", "/fast/f3/f3"] {
        let Err(tungstenite::Error::Http(answer)) = open(path).await else {
            panic!("{path} is no room");
        };
        assert_eq!(answer.status(), 404, "{path}");
    }
}

#[tokio::test]
async fn a_game_that_is_not_on_the_chain_has_no_room() {
    let server = Server::start(&Table::of(&[]), wide());
    let mut nobody = Socket::open(server.addr, FIRST).await;
    assert_eq!(nobody.refusal().await, Refusal::NoSuchGame);
    assert_eq!(server.counts().rooms, 0);
}

/// The game after the chain was told of this.
fn settled(evidence: impl Fn(&FastPlay) -> Evidence) -> FastPlay {
    let mut play = FastPlay::new(FIRST);
    let evidence = evidence(&play);
    let advanced = play
        .game
        .advance(FIRST, &evidence, &play.domain, &Native, 0);
    advanced.expect("both have signed");
    play
}

#[tokio::test]
async fn a_game_that_has_ended_on_the_chain_has_no_room() {
    let play = settled(|play| play.agreed(&LINE));
    let server = Server::start(&Table::of(&[&play]), wide());
    let mut late = Socket::open(server.addr, FIRST).await;
    assert_eq!(late.refusal().await, Refusal::Invalid(Error::GameOver));
    assert_eq!(server.counts().rooms, 0);
}

#[tokio::test]
async fn a_line_that_can_be_contested_leaves_the_room_open() {
    let play = settled(|play| play.evidence(&LINE, None));
    assert_eq!(play.game.game.end(), Some(End::Line));
    let server = Server::start(&Table::of(&[&play]), wide());
    let mut alice = Socket::join(server.addr, &play, Player::One).await;
    let mut bob = Socket::join(server.addr, &play, Player::Two).await;
    // They have left that position.
    let later = [3, 4, 3, 4, 3, 4, 0, 0];
    bob.send(play.position(&later)).await;
    alice.moves(&later).await;
}

#[tokio::test]
async fn without_the_chain_the_rooms_that_are_known_stay() {
    let (known, unknown) = (FastPlay::new(FIRST), FastPlay::new(FIRST + 1));
    let table = Table::of(&[&known, &unknown]);
    let server = Server::start(&table, wide());
    play_and_leave(&server, &known).await;
    table.set_reachable(false);
    let mut nobody = Socket::open(server.addr, unknown.number).await;
    assert_eq!(nobody.refusal().await, Refusal::ChainUnreachable);
    assert_eq!(held(&server, &known).await, known.evidence(&[3], None));
}

#[tokio::test]
async fn an_empty_room_keeps_its_position_until_the_place_is_needed() {
    let plays = [0, 1, 2].map(|number| FastPlay::new(FIRST + number));
    let [first, second, third] = &plays;
    let limits = Limits { rooms: 2, ..wide() };
    let server = Server::start(&Table::of(&[first, second, third]), limits);
    play_and_leave(&server, first).await;
    play_and_leave(&server, second).await;
    assert_eq!(held(&server, first).await, first.evidence(&[3], None));
    // Now the second room has been empty for the longest.
    play_and_leave(&server, third).await;
    assert_eq!(server.counts().rooms, 2);
    assert_eq!(held(&server, first).await, first.evidence(&[3], None));
    assert_eq!(held(&server, third).await, third.evidence(&[3], None));
    assert_eq!(held(&server, second).await, Evidence::start());
}

#[tokio::test]
async fn a_room_with_somebody_in_it_makes_place_for_nobody() {
    let (play, other) = (FastPlay::new(FIRST), FastPlay::new(FIRST + 1));
    let limits = Limits { rooms: 1, ..wide() };
    let server = Server::start(&Table::of(&[&play, &other]), limits);
    let mut alice = Socket::join(server.addr, &play, Player::One).await;
    alice.position().await;
    let mut nobody = Socket::open(server.addr, other.number).await;
    assert_eq!(nobody.refusal().await, Refusal::Full);
    leave(&server, alice).await;
    assert_eq!(held(&server, &other).await, Evidence::start());
}

#[tokio::test]
async fn a_game_in_the_place_of_one_whose_block_was_taken_back_has_a_room_of_its_own() {
    let play = FastPlay::new(FIRST);
    let table = Table::of(&[&play]);
    let server = Server::start(&table, wide());
    play_and_leave(&server, &play).await;
    let mut other = FastPlay::new(FIRST + 1);
    other.number = FIRST;
    table.set(&other);
    assert_eq!(held(&server, &other).await, Evidence::start());
    play_and_leave(&server, &other).await;
    assert_eq!(held(&server, &other).await, other.evidence(&[3], None));
}

/// A fork has another game in its place, and somebody who watches keeps the room from being empty.
#[tokio::test]
async fn players_of_a_game_that_a_fork_has_replaced_get_a_room_of_their_own() {
    let before = FastPlay::new(FIRST + 3);
    let table = Table::of(&[&before]);
    let server = Server::start(&table, wide());
    let mut watcher = Socket::open(server.addr, before.number).await;
    watcher.position().await;
    let mut alice = Socket::join(server.addr, &before, Player::One).await;
    alice.send(before.position(&[3])).await;
    watcher.moves(&[3]).await;

    let after = FastPlay {
        number: before.number,
        ..FastPlay::new(FIRST + 4)
    };
    table.set(&after);
    // The room does not know the key. Whoever comes next has the chain asked.
    let mut bob = Socket::join(server.addr, &after, Player::Two).await;
    let refused = Refusal::Invalid(Error::BadSignature);
    assert_eq!(bob.refusal().await, refused);
    let mut bob = Socket::join(server.addr, &after, Player::Two).await;
    assert_eq!(bob.position().await, Evidence::start());
    for mut gone in [watcher, alice] {
        assert_eq!(gone.refusal().await, Refusal::NoSuchGame);
    }
    let mut alice = Socket::join(server.addr, &after, Player::One).await;
    alice.send(after.position(&[4])).await;
    bob.moves(&[4]).await;
    assert_eq!(server.counts().rooms, 1);
}

#[tokio::test]
async fn a_signature_by_a_wrong_key_changes_nothing_in_a_room() {
    let play = FastPlay::new(FIRST + 3);
    let server = Server::start(&Table::of(&[&play]), wide());
    let mut alice = Socket::join(server.addr, &play, Player::One).await;
    alice.send(play.position(&[3])).await;
    alice.moves(&[3]).await;
    let stranger = FastPlay {
        number: play.number,
        ..FastPlay::new(FIRST + 4)
    };
    let mut eve = Socket::join(server.addr, &stranger, Player::Two).await;
    eve.refusal().await;
    let mut bob = Socket::join(server.addr, &play, Player::Two).await;
    bob.moves(&[3]).await;
    bob.send(play.position(&[3, 4])).await;
    alice.moves(&[3, 4]).await;
}
