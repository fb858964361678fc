//! Games by signed terms in the rooms of a relay that a server names, and that is elsewhere.

mod served;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use codec::Encode as _;
use connect4_client::Contracts;
use connect4_protocol::fast::feed::{self, FromFeed, LiveGame};
use connect4_protocol::fast::wire::{FromRelay, ToRelay};
use connect4_protocol::fast::{Domain, Ending, Evidence, GameTerms, Moves, Native, SignedTerms};
use connect4_rules::{ByPlayer, Player, Shape};
use connect4_testing::fast::TermsPlay;
use connect4_testing::malicious::{Malicious, Trick};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};

use served::{Another, Served, seated};

/// A chain with the contracts, and a relay without a page.
async fn relayed() -> (Served, Contracts, SocketAddr) {
    let served = Served::start_indexed_now().await;
    let contract = served.deploy().await;
    let relay = served.relay().await;
    let addr = relay.local_addr();
    tokio::spawn(relay.run());
    (served, contract, addr)
}

/// Two guests, whose game the chain does not know.
async fn guests(contract: &Contracts, nonce: u32) -> TermsPlay {
    let now = contract.client().time().await.unwrap();
    TermsPlay::guests(contract.domain().unwrap(), now, nonce)
}

/// The games in rooms, once they are so.
async fn in_rooms(another: &Another, are: impl Fn(&Value) -> bool) -> Value {
    let mut last = Value::Null;
    let looks = async {
        loop {
            let (status, now) = another.host.get("/api/now").await;
            last = now["in_rooms"].clone();
            if status == 200 && are(&last) {
                return;
            }
        }
    };
    let looked = timeout(Duration::from_secs(60), looks).await;
    assert!(looked.is_ok(), "{last}");
    last
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_at_a_relay_elsewhere_are_live_with_boards_and_pictures() {
    let (served, contract, addr) = relayed().await;
    let another = served.another_indexed(format!("ws://{addr}")).await;
    let play = guests(&contract, 1).await;
    let mut players = seated(addr, &play).await;

    let listed = in_rooms(&another, |games| games[0].is_object()).await;
    let empty = ["......."; 6].join("/");
    assert_eq!(listed[0]["game"], play.number().to_string());
    assert_eq!(
        (&listed[0]["position"], &listed[0]["pool"]),
        (&json!(empty), &json!(2))
    );

    // The second player has the red disc after the swap.
    let moved = play.evidence(&[3, Moves::SWAP, 2], None);
    players[0].send(ToRelay::Position(moved)).await;
    let listed = in_rooms(&another, |games| games[0]["plies"] == 3).await;
    let dots = ["......."; 5].join("/");
    assert_eq!(listed[0]["position"], format!("{dots}/..br..."));
    let path = format!("/game/{}/picture.svg", play.number());
    let (status, picture) = another.host.get(&path).await;
    let account = play.terms.players.one.account().to_string();
    assert_eq!(status, 200);
    assert!(
        picture.as_str().unwrap().contains(&account[..6]),
        "{picture}"
    );

    // A game that has ended is not live.
    let resigned = play.evidence(&[3, Moves::SWAP, 2], Some(Ending::Resignation(Player::One)));
    players[0].send(ToRelay::Position(resigned)).await;
    in_rooms(&another, |games| *games == json!([])).await;
    // Its picture says so.
    loop {
        let (_, picture) = another.host.get(&path).await;
        if picture.as_str().unwrap().contains("won") {
            break;
        }
    }
    let unknown = guests(&contract, 2).await.number();
    let path = format!("/game/{unknown}/picture.svg");
    let (status, _) = another.host.get(&path).await;
    assert_eq!(status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_shown_that_both_have_not_signed() {
    let (served, contract, addr) = relayed().await;
    let between = Malicious::start(addr, Trick::Pretend, 7).await;
    let url = format!("ws://{}", between.addr());
    let another = served.another_indexed(url).await;
    let play = guests(&contract, 1).await;
    let mut players = seated(addr, &play).await;
    let bins = [3, 3, 4];
    for moves in 1..=bins.len() {
        let position = play.evidence(&bins[..moves], None);
        players[0].send(ToRelay::Position(position)).await;
        // The relay tells of longer games, and of ends.
        let listed = in_rooms(&another, |games| games[0]["plies"] == moves).await;
        assert_eq!(listed[0]["game"], play.number().to_string());
    }
}

/// A relay that lists a game, and sends these terms in its room; counts who comes.
async fn pretending(
    domain: Domain,
    game: LiveGame,
    terms: SignedTerms,
) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("ws://{}", listener.local_addr().unwrap());
    let came = Arc::new(AtomicUsize::new(0));
    let rooms = Arc::clone(&came);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let rooms = Arc::clone(&rooms);
            tokio::spawn(async move {
                let mut is_feed = false;
                #[allow(clippy::result_large_err, reason = "the type is the handshake's")]
                let read_path = |request: &Request, response: Response| {
                    is_feed = request.uri().path() == feed::PATH;
                    Ok(response)
                };
                let accepted = tokio_tungstenite::accept_hdr_async(stream, read_path).await;
                let mut socket = accepted.unwrap();
                let welcome = FromFeed::Welcome {
                    chain_id: domain.chain_id,
                    contract: domain.contract,
                    time: 0,
                    run: 1,
                };
                let frames = match is_feed {
                    true => vec![welcome.encode()],
                    false => vec![
                        FromRelay::Welcome { nonce: [0; 32] }.encode(),
                        FromRelay::Terms(terms).encode(),
                        FromRelay::Position(Evidence::start()).encode(),
                    ],
                };
                for frame in frames {
                    let _ = socket.send(Message::Binary(frame.into())).await;
                }
                if !is_feed {
                    rooms.fetch_add(1, Ordering::Relaxed);
                }
                while let Some(Ok(asked)) = socket.next().await {
                    if is_feed && asked.is_binary() {
                        for frame in [FromFeed::Live(game), FromFeed::Complete] {
                            let _ = socket.send(Message::Binary(frame.encode().into())).await;
                        }
                    }
                }
            });
        }
    });
    (url, came)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_a_relay_makes_up_is_not_listed() {
    let served = Served::start_indexed_now().await;
    let contract = served.deploy().await;
    let play = guests(&contract, 1).await;
    let listed = listed_of(&play);
    let signed = play.signed_terms();
    let mut forged = signed;
    forged.signatures.two = forged.signatures.one;
    let (url, came) = pretending(play.domain, listed, forged).await;
    let another = served.another_indexed(url).await;
    while came.load(Ordering::Relaxed) == 0 {
        in_rooms(&another, |games| *games == json!([])).await;
    }
    in_rooms(&another, |games| *games == json!([])).await;

    // With the true terms it is listed, and as those have it.
    let (url, _) = pretending(play.domain, listed, signed).await;
    let another = served.another_indexed(url).await;
    let games = in_rooms(&another, |games| games[0].is_object()).await;
    assert_eq!(games[0]["plies"], 0);
    assert!(games[0]["since"].as_u64().unwrap() < u64::from(u32::MAX));

    // One of another chain is not asked for games.
    let elsewhere = Domain::new(play.domain.chain_id + 1, play.domain.contract);
    let (url, came) = pretending(elsewhere, listed, signed).await;
    let another = served.another_indexed(url).await;
    in_rooms(&another, |games| *games == json!([])).await;
    assert_eq!(came.load(Ordering::Relaxed), 0);
}

fn listed_of(play: &TermsPlay) -> LiveGame {
    LiveGame {
        number: play.number(),
        players: play.terms.players.map(|party| party.account()),
        programs: ByPlayer::default(),
        shape: Shape::STANDARD.into(),
        pie_rule: true,
        pool: 2,
        clock: None,
        moves: 40,
        since: u64::MAX,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_for_games_that_there_are_not_takes_no_place_of_others() {
    let (served, contract, addr) = relayed().await;
    let another = served.another_indexed(format!("ws://{addr}")).await;
    let made_up = guests(&contract, 100).await;
    let numbers = (0..60).map(|nonce| {
        let terms = GameTerms {
            nonce,
            ..made_up.terms
        };
        terms.number(&made_up.domain, &Native)
    });
    let asked = numbers.map(|number| {
        let path = format!("/game/{number}/picture.svg");
        let host = &another.host;
        async move { host.get(&path).await.0 }
    });
    let statuses = futures_util::future::join_all(asked).await;
    // The relay was asked for some of them; for the others this host asks later.
    let unknown = statuses.iter().filter(|status| **status == 404).count();
    assert!((1..=24).contains(&unknown), "{statuses:?}");
    assert!(
        statuses.iter().all(|status| [404, 503].contains(status)),
        "{statuses:?}"
    );
    // One that is played is listed and drawn.
    let play = guests(&contract, 1).await;
    let _players = seated(addr, &play).await;
    in_rooms(&another, |games| games[0]["position"].is_string()).await;
    let path = format!("/game/{}/picture.svg", play.number());
    assert_eq!(another.host.get(&path).await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_relay_that_is_away_keeps_nobody_waiting_for_long() {
    let served = Served::start_indexed_now().await;
    let contract = served.deploy().await;
    // A port at which nobody listens.
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let nobody = listener.local_addr().unwrap();
    drop(listener);
    let another = served.another_indexed(format!("ws://{nobody}")).await;
    in_rooms(&another, |games| *games == json!([])).await;
    // One that takes connections and says nothing.
    let silent = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("ws://{}", silent.local_addr().unwrap());
    let another = served.another_indexed(url).await;
    in_rooms(&another, |games| *games == json!([])).await;
    let number = guests(&contract, 1).await.number();
    let (status, _) = another
        .host
        .get(&format!("/game/{number}/picture.svg"))
        .await;
    assert_eq!(status, 404);
}
