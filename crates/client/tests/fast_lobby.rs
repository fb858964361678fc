//! Players in the lobby of a relay that lies.

use codec::Encode as _;
use connect4_client::fast::{Identity, Lobby, LobbyError, LobbyNews, NotPaired, Side, Wish};
use connect4_protocol::fast::lobby::{FromLobby, SignedSeek, ToLobby, read, seeker_is_first};
use connect4_protocol::fast::{Native, SignedTerms};
use connect4_rules::Shape;
use connect4_testing::fast::session_key;
use connect4_testing::terms::{DOMAIN, answer, seek};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

const SECRET: [u8; 32] = [5; 32];

/// What the relay has of one player: its socket.
struct Liar(WebSocketStream<TcpStream>);

impl Liar {
    /// A player in the lobby of a relay that says what the test says.
    async fn with(key: u64) -> (Self, Lobby) {
        let (liar, lobby) = Self::at(key, now()).await;
        (liar, lobby.expect("it is welcome"))
    }

    /// The same, of a relay whose clock says this.
    async fn at(key: u64, time: u64) -> (Self, Result<Lobby, LobbyError>) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let url = format!("ws://{}", listener.local_addr().expect("bound"));
        let identity = Identity::guest(session_key(key));
        let entering = tokio::spawn(async move { Lobby::enter(&url, identity).await });
        let (stream, _) = listener.accept().await.expect("it connects");
        let socket = tokio_tungstenite::accept_async(stream).await;
        let mut liar = Self(socket.expect("a WebSocket"));
        liar.say(&FromLobby::Welcome {
            nonce: [9; 32],
            chain_id: DOMAIN.chain_id,
            contract: DOMAIN.contract,
            time,
        })
        .await;
        (liar, entering.await.expect("no panic"))
    }

    async fn say(&mut self, message: &FromLobby) {
        let frame = Message::Binary(message.encode().into());
        self.0.send(frame).await.expect("it listens");
    }

    async fn hear(&mut self) -> ToLobby {
        loop {
            if let Some(Ok(Message::Binary(frame))) = self.0.next().await {
                return read(&frame).expect("a message");
            }
        }
    }
}

/// The time of this machine, in seconds since 1970.
fn now() -> u64 {
    let since = std::time::UNIX_EPOCH.elapsed();
    since.expect("later than 1970").as_secs()
}

const fn listed(id: u64, seek: SignedSeek) -> FromLobby {
    FromLobby::Listed {
        id,
        invited: false,
        seek,
    }
}

fn wish(side: Side) -> Wish {
    Wish {
        shape: Shape::STANDARD.into(),
        pie_rule: false,
        pool: 0,
        clock: None,
        side,
    }
}

#[tokio::test]
async fn a_clock_that_is_wrong_by_the_relays_is_told_before_anything_is_sought() {
    for (time, words) in [
        (now() - 930, "15 minutes fast"),
        (now() + 86_400 + 60, "24 hours slow"),
        (now() - 365 * 86_400 - 60, "365 days fast"),
    ] {
        let (_relay, entered) = Liar::at(1, time).await;
        let Err(error @ LobbyError::WrongClock(_)) = entered else {
            panic!("{time}: {entered:?}");
        };
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[tokio::test]
async fn a_relay_makes_no_seek_up() {
    let (mut relay, mut lobby) = Liar::with(1).await;
    let alice = session_key(2);
    let real = seek(&alice, Side::First, &SECRET, now(), [1; 32]);
    let mut forged = real;
    forged.seek.side = Side::Second;
    let mut replayed = real;
    replayed.nonce = [2; 32];
    let old = seek(&alice, Side::First, &SECRET, 1, [1; 32]);
    for (id, seek) in (1..).zip([forged, replayed, old, real]) {
        relay.say(&listed(id, seek)).await;
    }
    let news = lobby.next().await.expect("it is there");
    assert_eq!(news, LobbyNews::Changed);
    let seeks: Vec<_> = lobby.seeks().map(|(id, _)| id).collect();
    assert_eq!(seeks, [4]);
}

/// Answers a seek, which somebody accepts by what `lie` makes of the truth: the secret, and the terms that
/// are signed.
async fn paired_by(
    lie: impl Fn([u8; 32], u32) -> ([u8; 32], bool),
) -> (LobbyNews, [u8; 20], Option<SignedTerms>) {
    let (mut relay, mut lobby) = Liar::with(1).await;
    let alice = session_key(2);
    let seek = seek(&alice, Side::Random, &SECRET, now(), [1; 32]);
    relay.say(&listed(7, seek)).await;
    lobby.next().await.expect("it is there");
    assert!(lobby.answer(7).await.expect("it is there"), "it is listed");
    let ToLobby::Answer { answer, .. } = relay.hear().await else {
        panic!("it answers");
    };
    let (secret, signs_other) = lie(SECRET, answer.terms.nonce);
    let is_first = seeker_is_first(&SECRET, answer.terms.nonce, &Native);
    let terms = match is_first != signs_other {
        true => answer.terms,
        false => answer.terms.swapped(),
    };
    relay
        .say(&FromLobby::Accepted {
            seek: 7,
            secret,
            signature: alice.sign(&terms.digest(&DOMAIN, &Native)),
        })
        .await;
    let news = lobby.next().await.expect("it is there");
    let signed = match &news {
        LobbyNews::Paired(signed) => Some(**signed),
        _ => None,
    };
    (news, alice.address().0, signed)
}

#[tokio::test]
async fn a_seeker_does_not_choose_a_random_colour() {
    let (_, alice, signed) = paired_by(|secret, _| (secret, false)).await;
    let signed = signed.expect("a game");
    let nonce = signed.terms.nonce;
    let is_first = signed.terms.players.one.key().0 == alice;
    assert_eq!(is_first, seeker_is_first(&SECRET, nonce, &Native));

    let declined = LobbyNews::NotPaired(7, NotPaired::Declined);
    let (news, ..) = paired_by(|secret, _| (secret, true)).await;
    assert_eq!(news, declined, "it has signed the other seating");
    let other_secret = |secret, nonce| {
        let mut other = secret;
        while seeker_is_first(&other, nonce, &Native) == seeker_is_first(&secret, nonce, &Native) {
            other[0] += 1;
        }
        (other, true)
    };
    let (news, ..) = paired_by(other_secret).await;
    assert_eq!(news, declined, "another secret than it has committed to");
}

/// Its secret is public once it has accepted an answer: a relay with a player of its own could choose the colours by
/// another answer.
#[tokio::test]
async fn a_seeker_accepts_one_answer_for_a_commitment() {
    let (mut relay, mut lobby) = Liar::with(1).await;
    lobby.seek(&wish(Side::Random), None).await.expect("there");
    let ToLobby::Seek { seek: signed, .. } = relay.hear().await else {
        panic!("it seeks");
    };
    relay.say(&listed(3, signed)).await;
    let news = lobby.next().await.expect("it is there");
    assert_eq!(news, LobbyNews::Seeking(3));
    let bob = session_key(2);
    for id in [5, 6] {
        let answer = answer(&bob, &signed.seek, now(), id);
        let id = u64::from(id);
        relay.say(&FromLobby::Answered { id, answer }).await;
    }
    let gone = NotPaired::Gone;
    let not_paired = FromLobby::NotPaired { seek: 3, why: gone };
    relay.say(&not_paired).await;
    let news = lobby.next().await.expect("it is there");
    assert_eq!(news, LobbyNews::NotPaired(3, gone));
    assert!(matches!(
        relay.hear().await,
        ToLobby::Accept { answer: 5, .. }
    ));
    assert_eq!(relay.hear().await, ToLobby::Decline { answer: 6 });
    let ToLobby::Seek { seek: again, .. } = relay.hear().await else {
        panic!("it seeks anew");
    };
    assert_ne!(again.seek.commitment, signed.seek.commitment);
}

#[tokio::test]
async fn a_seekers_program_signs_what_it_seeks_alone() {
    let (mut relay, mut lobby) = Liar::with(1).await;
    lobby.seek(&wish(Side::First), None).await.expect("there");
    let ToLobby::Seek { seek: signed, .. } = relay.hear().await else {
        panic!("it seeks");
    };
    relay.say(&listed(3, signed)).await;
    let news = lobby.next().await.expect("it is there");
    assert_eq!(news, LobbyNews::Seeking(3));
    let bob = session_key(2);
    let right = answer(&bob, &signed.seek, now(), 1);
    let mut other_board = right;
    other_board.terms.shape.line = 3;
    let mut second = right;
    second.terms = right.terms.swapped();
    let mut unsigned = right;
    unsigned.signature.0[3] ^= 1;
    let hears = tokio::spawn(async move { lobby.next().await });
    for (id, wrong) in (10..).zip([other_board, second, unsigned]) {
        relay.say(&FromLobby::Answered { id, answer: wrong }).await;
        assert_eq!(relay.hear().await, ToLobby::Decline { answer: id });
    }
    relay
        .say(&FromLobby::Answered {
            id: 20,
            answer: right,
        })
        .await;
    let ToLobby::Accept {
        secret, signature, ..
    } = relay.hear().await
    else {
        panic!("it accepts");
    };
    relay
        .say(&FromLobby::Accepted {
            seek: 3,
            secret,
            signature,
        })
        .await;
    let news = hears.await.expect("no panic").expect("it is there");
    let expected = right.accepted(&signed, &secret, signature, &Native);
    assert_eq!(news, LobbyNews::Paired(Box::new(expected.expect("signed"))));
}

#[tokio::test]
async fn a_seek_is_renewed_before_it_is_too_old() {
    let (mut liar, mut lobby) = Liar::with(1).await;
    lobby.renew_after(std::time::Duration::from_millis(5));
    let wish = Wish {
        shape: Shape::STANDARD.into(),
        pie_rule: true,
        pool: 4,
        clock: None,
        side: Side::First,
    };
    lobby.seek(&wish, None).await.expect("sent");
    let mut times = Vec::new();
    while times.len() < 3 {
        tokio::select! {
            news = lobby.next() => panic!("nothing is told: {news:?}"),
            heard = liar.hear() => match heard {
                ToLobby::Seek { seek, .. } => times.push(seek.seek.time),
                other => panic!("a seek: {other:?}"),
            },
        }
    }
    assert!(times.is_sorted_by(|one, next| one < next), "{times:?}");
}
