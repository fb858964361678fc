//! Lists of ends that a witness signs for those who record them.

use codec::Encode as _;
use connect4_protocol::Address;
use connect4_protocol::signed::Native;
use connect4_protocol::signed::feed::{FromFeed, LiveGame, ToFeed};
use connect4_protocol::signed::listing::{Asked, FromListing, MAX_LEN, path, read};
use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::wire::{Act, Telling, Told};
use connect4_protocol::signed::{
    Crypto as _, Domain, Ends, Finished, GameNumber, Group, RecordedEnd, Signature, WitnessedEnd,
};
use connect4_relay::{Limits, Rate};
use connect4_rules::Player;
use connect4_testing::room::Seat;
use connect4_testing::signed::{CHAIN, DOMAIN, SignedPlay};
use connect4_testing::socket::Socket;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use super::table::{Folder, behind_a_proxy, both, play, play_on, shared};
use crate::server::{Server, wide};

async fn open(server: &Server, witness: Address) -> Socket {
    let stream = TcpStream::connect(server.addr).await.expect("it listens");
    let socket = Socket::over(stream, &path(witness)).await;
    socket.expect("a socket")
}

/// A recorder's socket, after the welcome.
pub async fn recorder(server: &Server, witness: Address) -> Socket {
    welcomed(open(server, witness).await).await
}

async fn welcomed(mut socket: Socket) -> Socket {
    let welcome = FromListing::Welcome {
        chain_id: CHAIN.id,
        genesis: CHAIN.genesis,
    };
    assert_eq!(socket.next_of(read).await, Some(welcome));
    socket
}

async fn ask(socket: &mut Socket, games: &[GameNumber]) -> FromListing {
    let asked = Asked::new(games.to_vec()).expect("few games");
    socket.send_message(&asked).await;
    socket.next_of(read).await.expect("an answer")
}

/// A game that one resigns, and its end.
async fn ended(server: &Server, witness: Address, number: u64) -> (SignedPlay, Told) {
    let play = play(number, witness);
    let mut seats = both(server.addr, &play).await;
    play_on(&mut seats, &play, &[], &[3, 4, 3]).await;
    let resigns = play.spoken(Player::Two, Act::Resign, &[3, 4, 3]);
    seats[1].say(resigns).await;
    (play, seats[0].end().await)
}

/// What the contract of the records looks at of a call with a list: each game as it is recorded, and the one signature.
fn is_taken(ended: &[(SignedPlay, Told)], witness: Address, list: Signature) -> bool {
    let group = Group {
        genesis: CHAIN.genesis,
        witness: Some(witness),
        event: None,
        list: Some(list),
    };
    let hashes: Vec<_> = ended
        .iter()
        .map(|(play, told)| {
            let finished = told.finished(&play.signed).expect("an end");
            let recorded = RecordedEnd::of(&finished, true).expect("a record");
            let terms = recorded.terms(&group, &Native);
            assert_eq!(terms, play.signed.terms.to_bytes());
            let finished: Finished = recorded.finished(play.signed.terms);
            let judged = finished.judge_listed(play.number, CHAIN, &Native);
            let (outcome, hash) = judged.expect("an end");
            assert_eq!(outcome.winner, Some(Player::One));
            hash.expect("a witness")
        })
        .collect();
    let domain = Domain::without_stake(CHAIN);
    let digest = Ends { hashes: &hashes }.digest(&domain, &Native);
    Native.recover(&digest, &list) == Some(witness)
}

#[tokio::test]
async fn a_list_of_ends_has_one_signature_that_the_contract_takes() {
    let folder = Folder::new();
    let (server, witness) = shared(&folder);
    let mut all = Vec::new();
    for number in 1..=4 {
        all.push(ended(&server, witness, number).await);
    }
    let games: Vec<_> = all.iter().map(|(play, _)| play.number).collect();
    let mut socket = recorder(&server, witness).await;
    let FromListing::Signed(list) = ask(&mut socket, &games).await else {
        panic!("no list");
    };
    assert!(is_taken(&all, witness, list));
    // Of these games in this order alone.
    assert!(!is_taken(&all[1..], witness, list));
    let mut turned = all.clone();
    turned.swap(0, 1);
    assert!(!is_taken(&turned, witness, list));
    // A part of them, on the same socket, and the same after a restart.
    let FromListing::Signed(part) = ask(&mut socket, &games[..1]).await else {
        panic!("no list");
    };
    assert!(is_taken(&all[..1], witness, part));
    drop((socket, server));
    let (server, again) = shared(&folder);
    assert_eq!(again, witness);
    let mut socket = recorder(&server, witness).await;
    // Somebody else asks for the same: it is signed once.
    let mut other = recorder(&server, witness).await;
    for socket in [&mut socket, &mut other] {
        assert_eq!(ask(socket, &games).await, FromListing::Signed(list));
    }
    assert_eq!(server.counts().signed_lists, 1);
    let again = ask(&mut other, &games[..1]).await;
    assert_eq!(again, FromListing::Signed(part));
    assert_eq!(server.counts().signed_lists, 2);
}

/// Who records games follows the feed, and needs nothing else of a game.
#[tokio::test]
async fn the_feed_shows_each_game_that_the_witness_has_ended_once() {
    let folder = Folder::new();
    let (server, witness) = shared(&folder);
    let (first, told) = ended(&server, witness, 1).await;
    let mut follower = Socket::feed(server.addr, None).await;
    let welcome = follower.next_in_feed().await;
    assert!(
        matches!(welcome, Some(FromFeed::Welcome { .. })),
        "{welcome:?}"
    );
    follower.tell_feed(ToFeed::Ended { after: 0 }).await;
    let mut next = async || match follower.next_in_feed().await {
        Some(FromFeed::Finished { id, finished, .. }) => Some((id, finished)),
        Some(FromFeed::Complete) => None,
        other => panic!("{other:?}"),
    };
    let finished = told.finished(&first.signed).expect("an end");
    assert_eq!(next().await, Some((1, finished)));
    assert_eq!(next().await, None);
    finished.judge(CHAIN, &Native).expect("an end");
    let (second, told) = ended(&server, witness, 2).await;
    let finished = told.finished(&second.signed).expect("an end");
    assert_eq!(next().await, Some((2, finished)));
}

/// The games that the feed lists.
async fn live(server: &Server) -> Vec<LiveGame> {
    let mut socket = Socket::feed(server.addr, None).await;
    socket.next_in_feed().await.expect("a welcome");
    socket.tell_feed(ToFeed::Live).await;
    let mut games = Vec::new();
    loop {
        match socket.next_in_feed().await {
            Some(FromFeed::Live(game)) => games.push(game),
            Some(FromFeed::Complete) => return games,
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn the_feed_lists_the_games_that_are_played() {
    let folder = Folder::new();
    let (server, witness) = shared(&folder);
    ended(&server, witness, 1).await;
    let alone = play(2, witness);
    let mut one = Seat::join(server.addr, &alone, Player::One).await;
    one.present(true, false).await;
    let playing = play(3, witness);
    let mut seats = both(server.addr, &playing).await;
    play_on(&mut seats, &playing, &[], &[3]).await;
    let listed = LiveGame::of(playing.number, &playing.signed.terms, 1);
    assert_eq!(live(&server).await, [listed]);
}

/// Also if it has others sit at the other side of its games.
#[tokio::test]
async fn the_games_of_one_address_leave_room_in_the_list_for_others() {
    let folder = Folder::new();
    let (server, key) = behind_a_proxy(&folder, wide());
    let mut seats = Vec::new();
    let mut sit = async |number: u64, from: [&str; 2]| {
        let play = play(number, key);
        for (player, visitor) in Player::ALL.into_iter().zip(from) {
            let seat = Seat::join_from(server.addr, &play, player, visitor).await;
            seats.push(seat.expect("a socket"));
        }
        let last = seats.last_mut().expect("a seat");
        last.present(true, true).await;
        play.number
    };
    let others = sit(1, ["192.0.2.1", "192.0.2.2"]).await;
    for number in 2..14 {
        let beside = format!("198.51.100.{number}");
        sit(number, ["192.0.2.9", &beside]).await;
    }
    let listed = live(&server).await;
    assert!(listed.iter().any(|game| game.number == others));
    assert_eq!(listed.len(), 1 + 8);
}

/// Each is work for the witness, also if it answers that it lacks a game.
#[tokio::test]
async fn an_address_asks_for_so_many_lists_and_others_for_theirs() {
    let folder = Folder::new();
    let limits = Limits {
        lists_of_address: Rate {
            burst: 2,
            per_second: 0,
        },
        ..wide()
    };
    let (server, key) = behind_a_proxy(&folder, limits);
    let from = async |visitor| {
        let socket = Socket::passed_to(server.addr, &path(key), visitor).await;
        welcomed(socket.expect("a socket")).await
    };
    let game = GameNumber([7; 32]);
    let mut sockets = [from("192.0.2.1").await, from("192.0.2.1").await];
    let busy = FromListing::Refused(Refusal::Busy);
    for expected in [FromListing::Lacks(game), busy, busy] {
        for socket in &mut sockets {
            assert_eq!(ask(socket, &[game]).await, expected);
        }
    }
    let mut other = from("192.0.2.2").await;
    assert_eq!(ask(&mut other, &[game]).await, FromListing::Lacks(game));
    assert_eq!(server.counts().busy, 4);
}

#[tokio::test]
async fn no_list_has_an_end_that_the_log_does_not_have() {
    let folder = Folder::new();
    let (server, witness) = shared(&folder);
    let over = ended(&server, witness, 1).await.0.number;
    // A game that goes on, one that is void, one of another witness, and one that nobody has played.
    let running = play(2, witness);
    let mut seats = both(server.addr, &running).await;
    play_on(&mut seats, &running, &[], &[3, 4]).await;
    let void = play(3, witness);
    let mut others = both(server.addr, &void).await;
    others[0]
        .say(void.spoken(Player::One, Act::Resign, &[]))
        .await;
    let told = others[1].end().await;
    assert_eq!(told.what, Telling::Ended(WitnessedEnd::Void));
    let elsewhere = Folder::new();
    let (foreign, stranger) = shared(&elsewhere);
    let theirs = ended(&foreign, stranger, 4).await.0.number;
    let mut socket = recorder(&server, witness).await;
    for lacking in [running.number, void.number, theirs, GameNumber([7; 32])] {
        for games in [vec![over, lacking], vec![lacking, over], vec![lacking]] {
            assert_eq!(ask(&mut socket, &games).await, FromListing::Lacks(lacking));
        }
    }
    let signed = ask(&mut socket, &[over]).await;
    assert!(matches!(signed, FromListing::Signed(_)), "{signed:?}");
    // Once it has ended it is listed.
    let resigns = running.spoken(Player::Two, Act::Resign, &[3, 4]);
    seats[1].say(resigns).await;
    seats[0].end().await;
    let signed = ask(&mut socket, &[over, running.number]).await;
    assert!(matches!(signed, FromListing::Signed(_)), "{signed:?}");
}

#[tokio::test]
async fn a_request_for_a_list_is_bounded() {
    let folder = Folder::new();
    let (server, witness) = shared(&folder);
    let (first, told) = ended(&server, witness, 1).await;
    assert!(told.is_by(witness, first.number, &DOMAIN, &Native));
    let twice = vec![first.number; 2].encode();
    let none = Vec::<GameNumber>::new().encode();
    let many: Vec<_> = (0..=Ends::MAX)
        .map(|number| GameNumber([u8::try_from(number).expect("few"); 32]))
        .collect();
    let mut longer = vec![first.number].encode();
    longer.push(0);
    for junk in [twice, none, many.encode(), longer, vec![7; MAX_LEN + 1]] {
        let mut socket = recorder(&server, witness).await;
        socket.send_frame(Message::Binary(junk.into())).await;
        let refused = FromListing::Refused(Refusal::BadMessage);
        assert_eq!(socket.next_of(read).await, Some(refused));
    }
    let mut other = open(&server, Address([7; 20])).await;
    let refused = FromListing::Refused(Refusal::OtherWitness);
    assert_eq!(other.next_of(read).await, Some(refused));
    let none = Server::start(wide());
    let mut other = open(&none, witness).await;
    assert_eq!(other.next_of(read).await, Some(refused));
}
