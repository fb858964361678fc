//! Signed games in the rooms of a relay that a server names, and that is elsewhere.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use codec::Encode as _;
use connect4_client::name_of;
use connect4_protocol::Address;
use connect4_protocol::signed::feed::{self, FromFeed, LiveGame};
use connect4_protocol::signed::lobby::{self, FromLobby, WitnessAt};
use connect4_protocol::signed::wire::{Act, FromWitness};
use connect4_protocol::signed::{Chain, Moves, SignedTerms};
use connect4_rules::Player;
use connect4_testing::keys::session_key;
use connect4_testing::malicious::{Malicious, Trick};
use connect4_testing::room::Seat;
use connect4_testing::signed::SignedPlay;
use connect4_wire::words::now;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};

use crate::served::{Another, Served, game, seated};

/// A chain with the contracts, and a relay without a page.
struct Relayed {
    served: Served,
    relay: SocketAddr,
    witness: Address,
    chain: Chain,
}

impl Relayed {
    async fn start() -> Self {
        let served = Served::start_indexed_now().await;
        served.deploy().await;
        let chain = served.client().await.signing_chain().unwrap();
        let relay = served.relay().await;
        let (addr, witness) = (
            relay.local_addr(),
            relay.witnessed().expect("a witness").key,
        );
        tokio::spawn(relay.run());
        Self {
            served,
            relay: addr,
            witness,
            chain,
        }
    }

    /// A game of two guests at its witness, which the chain does not know.
    fn game(&self, number: u64) -> SignedPlay {
        game(self.chain, self.witness, number)
    }

    async fn seated(&self, play: &SignedPlay) -> [Seat; 2] {
        seated(self.relay, play).await
    }
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
    let relayed = Relayed::start().await;
    let url = format!("ws://{}", relayed.relay);
    let another = relayed.served.another_indexed(url).await;
    let play = relayed.game(1);
    let mut players = relayed.seated(&play).await;

    let listed = in_rooms(&another, |games| games[0].is_object()).await;
    let empty = ["......."; 6].join("/");
    assert_eq!(listed[0]["game"], play.number.to_string());
    assert_eq!(
        (&listed[0]["position"], &listed[0]["pool"]),
        (&json!(empty), &json!(2))
    );

    // The second player has the red disc after the swap.
    let bins = [3, Moves::SWAP, 2];
    for moves in 1..=bins.len() {
        let mover = &mut players[(moves - 1) % 2];
        mover.say(play.made(&bins[..moves])).await;
        mover.receipt(&bins[..moves]).await;
    }
    let listed = in_rooms(&another, |games| games[0]["plies"] == 3).await;
    let dots = ["......."; 5].join("/");
    assert_eq!(listed[0]["position"], format!("{dots}/..br..."));
    let path = format!("/game/{}/picture.svg", play.number);
    let (status, picture) = another.host.get(&path).await;
    let name = name_of(play.keys.one.address());
    assert_eq!(status, 200);
    assert!(picture.as_str().unwrap().contains(&name), "{picture}");

    // A game that has ended is not live.
    let resigns = play.spoken(Player::One, Act::Resign, &bins);
    players[0].say(resigns).await;
    in_rooms(&another, |games| *games == json!([])).await;
    // Its picture says so.
    loop {
        let (_, picture) = another.host.get(&path).await;
        if picture.as_str().unwrap().contains("won") {
            break;
        }
    }
    let path = format!("/game/{}/picture.svg", relayed.game(2).number);
    let (status, _) = another.host.get(&path).await;
    assert_eq!(status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_shown_that_both_and_the_witness_have_not_signed() {
    let relayed = Relayed::start().await;
    let between = Malicious::start(relayed.relay, Trick::Pretend, 7).await;
    let url = format!("ws://{}", between.addr());
    let another = relayed.served.another_indexed(url).await;
    let play = relayed.game(1);
    let mut players = relayed.seated(&play).await;
    let bins = [3, 3, 4];
    for moves in 1..=bins.len() {
        players[(moves - 1) % 2]
            .say(play.made(&bins[..moves]))
            .await;
        // The relay tells of longer games, and of ends.
        let listed = in_rooms(&another, |games| games[0]["plies"] == moves).await;
        assert_eq!(listed[0]["game"], play.number.to_string());
    }
}

/// A relay that says to be this witness of a chain, lists a game, and sends these terms in its room; counts who comes to
/// rooms.
async fn pretending(
    chain: Chain,
    witness: Address,
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
                let mut asked_for = String::new();
                #[allow(clippy::result_large_err, reason = "the type is the handshake's")]
                let read_path = |request: &Request, response: Response| {
                    request.uri().path().clone_into(&mut asked_for);
                    Ok(response)
                };
                let accepted = tokio_tungstenite::accept_hdr_async(stream, read_path).await;
                let mut socket = accepted.unwrap();
                let time = 1000 * now();
                let frames = match &*asked_for {
                    feed::PATH => vec![
                        FromFeed::Welcome {
                            chain,
                            time: now(),
                            run: 1,
                        }
                        .encode(),
                    ],
                    lobby::PATH => vec![
                        FromLobby::Welcome {
                            time,
                            witness: Some(WitnessAt {
                                key: witness,
                                chain_id: chain.id,
                                genesis: chain.genesis,
                            }),
                        }
                        .encode(),
                    ],
                    _ => {
                        rooms.fetch_add(1, Ordering::Relaxed);
                        vec![
                            FromWitness::Welcome {
                                chain_id: chain.id,
                                genesis: chain.genesis,
                                nonce: [0; 32],
                                time,
                            }
                            .encode(),
                            FromWitness::Terms(terms).encode(),
                        ]
                    }
                };
                for frame in frames {
                    let _ = socket.send(Message::Binary(frame.into())).await;
                }
                while let Some(Ok(asked)) = socket.next().await {
                    if asked_for == feed::PATH && asked.is_binary() {
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
    served.deploy().await;
    let chain = served.client().await.signing_chain().unwrap();
    let witness = session_key(100).address();
    let play = game(chain, witness, 1);
    let listed = LiveGame {
        moves: 40,
        since: u64::MAX,
        ..LiveGame::of(play.number, &play.signed.terms, 0)
    };
    let mut forged = play.signed;
    forged.signatures.two = forged.signatures.one;
    let (url, came) = pretending(chain, witness, listed, forged).await;
    let another = served.another_indexed(url).await;
    while came.load(Ordering::Relaxed) == 0 {
        in_rooms(&another, |games| *games == json!([])).await;
    }
    in_rooms(&another, |games| *games == json!([])).await;

    // With the true terms it is listed, and as those have it.
    let (url, _) = pretending(chain, witness, listed, play.signed).await;
    let another = served.another_indexed(url).await;
    let games = in_rooms(&another, |games| games[0].is_object()).await;
    assert_eq!(games[0]["plies"], 0);
    assert_eq!(games[0]["since"], play.signed.terms.time);

    // One of another chain is not asked for games.
    let elsewhere = Chain {
        id: chain.id + 1,
        ..chain
    };
    let (url, came) = pretending(elsewhere, witness, listed, play.signed).await;
    let another = served.another_indexed(url).await;
    in_rooms(&another, |games| *games == json!([])).await;
    assert_eq!(came.load(Ordering::Relaxed), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_for_games_that_there_are_not_takes_no_place_of_others() {
    let relayed = Relayed::start().await;
    let url = format!("ws://{}", relayed.relay);
    let another = relayed.served.another_indexed(url).await;
    let asked = (100..160).map(|number| {
        let path = format!("/game/{}/picture.svg", relayed.game(number).number);
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
    let play = relayed.game(1);
    let _players = relayed.seated(&play).await;
    in_rooms(&another, |games| games[0]["position"].is_string()).await;
    let path = format!("/game/{}/picture.svg", play.number);
    assert_eq!(another.host.get(&path).await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_relay_that_is_away_keeps_nobody_waiting_for_long() {
    let served = Served::start_indexed_now().await;
    served.deploy().await;
    let chain = served.client().await.signing_chain().unwrap();
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
    let number = game(chain, session_key(100).address(), 1).number;
    let (status, _) = another
        .host
        .get(&format!("/game/{number}/picture.svg"))
        .await;
    assert_eq!(status, 503, "nobody knows whether there is such a game");
}
