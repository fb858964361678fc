//! Players and guards of fast games, with a chain and a relay around them.

mod common;

use std::future::pending;
use std::time::Duration;

use codec::Encode as _;
use connect4_chain::{Chain, Clock, Options, Retracted};
use connect4_client::fast::{
    Dropped, Duty, FastPlayer, GuardNews, Journal, Keep as _, Keyring, PlayError, PlayerEvent,
    Post, SeatError,
};
use connect4_client::{Client, Contracts, GameId, Offer};
use connect4_protocol::End;
use connect4_protocol::fast::wire::FromRelay;
use connect4_protocol::fast::{Ending, Evidence, FastGame};
use connect4_protocol::message::Advance;
use connect4_rules::Player;
use connect4_testing::counting::Counting;
use connect4_testing::fast::FastPlay;
use connect4_testing::malicious::{Malicious, Trick};
use futures_util::{SinkExt as _, StreamExt as _};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

use common::fast::{session_key, start_fast};
use common::kept::{keyring, position};
use common::{CODE, account, chain, deployed, offer, serve, stored};

/// More than anything here takes.
const LONG: Duration = Duration::from_secs(60);

/// The moves that both have signed, of which Bob made the last one.
const SIGNED: [u8; 4] = [0, 1, 0, 1];

/// A fast game of Alice and Bob for a token, and the key of one of them, with what it has kept.
struct Table {
    contract: Contracts,
    play: FastPlay,
    keyring: Keyring,
    _folder: TempDir,
}

impl Table {
    async fn new(url: &str, player: Player, kept: impl FnOnce(&FastPlay) -> Journal) -> Self {
        let contract = deployed(&Client::connect(url).await.unwrap()).await;
        let play = start_fast(&contract, &account("alice"), &account("bob"), 1).await;
        let folder = TempDir::new().unwrap();
        Self {
            keyring: keyring(folder.path(), &play, player, &kept(&play)),
            contract,
            play,
            _folder: folder,
        }
    }

    /// Bob's seat, where both have signed [`SIGNED`].
    async fn of_bob(url: &str) -> Self {
        Self::new(url, Player::Two, |play| position(play, &SIGNED)).await
    }

    async fn sit(&self, contract: &Contracts, name: &str, relay: Option<&str>) -> FastPlayer {
        let (number, signer) = (self.play.id(), account(name));
        let sat = FastPlayer::sit(contract, number, signer, &self.keyring, relay);
        sat.await.unwrap()
    }

    /// The contract by a node whose answers can be held back.
    async fn through(&self, url: &str) -> (Counting, Contracts) {
        let counting = Counting::before(url.trim_start_matches("ws://").into()).await;
        let client = Client::connect(&counting.url()).await.unwrap();
        let contract = Contracts::open(&client, self.contract.address(), CODE);
        (counting, contract.await.unwrap())
    }
}

/// Alice brings her first move, and starts Bob's clock at it.
async fn press_stale(contract: &Contracts, play: &FastPlay) {
    let stale = play.evidence(&SIGNED[..1], None);
    let alice = account("alice");
    let pressed = contract.send(
        &alice,
        Advance {
            game: play.number,
            press: true,
            evidence: stale,
        },
    );
    pressed.await.unwrap();
}

/// Waits until Bob's program has told the chain.
async fn done(player: &mut FastPlayer) -> Duty {
    let done = async {
        loop {
            match player.next().await {
                PlayerEvent::Done(duty, _) => return duty,
                PlayerEvent::NotDone(_, error) => panic!("{error}"),
                _ => {}
            }
        }
    };
    timeout(LONG, done).await.expect("it tells the chain")
}

/// A server of WebSockets that welcomes everybody.
async fn welcoming() -> std::net::SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let addr = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut socket = tokio_tungstenite::accept_async(stream).await.unwrap();
                let welcome = FromRelay::Welcome { nonce: [9; 32] };
                let _ = socket.send(Message::Binary(welcome.encode().into())).await;
                while let Some(Ok(_)) = socket.next().await {}
            });
        }
    });
    addr
}

#[tokio::test]
async fn behind_a_relay_that_floods_a_press_is_seen_and_answered() {
    let (_server, url) = chain().await;
    let table = Table::of_bob(&url).await;
    let relay = Malicious::start(welcoming().await, Trick::Flood, 7).await;
    let relay = format!("ws://{}", relay.addr());
    let mut player = table.sit(&table.contract, "bob", Some(&relay)).await;
    press_stale(&table.contract, &table.play).await;
    let told = done(&mut player).await;
    assert_eq!(told, Duty::Advance(table.play.evidence(&SIGNED, None)));
    // Such a relay is left.
    let left = async {
        while !matches!(player.relay(), connect4_client::fast::RelayState::Lost(_)) {
            player.next().await;
        }
    };
    timeout(LONG, left).await.expect("it is left");
}

/// What the first programs have kept of the game was not valid.
#[tokio::test]
async fn a_player_whose_signatures_are_not_known_is_told_so() {
    let (_server, url) = chain().await;
    let marked = |play: &FastPlay| Journal {
        dropped: Some(Dropped {
            before: *play.game.game.board(),
            turns: u8::MAX,
            bin: 0,
        }),
        ..Journal::default()
    };
    let table = Table::new(&url, Player::Two, marked).await;
    let mut player = table.sit(&table.contract, "bob", None).await;
    let told = player.next().await;
    assert!(
        matches!(
            told,
            PlayerEvent::NotTaken(PlayError::Seat(SeatError::OnChainAlone))
        ),
        "{told:?}"
    );
}

#[tokio::test]
async fn a_machine_that_is_years_ahead_answers_a_press() {
    // In the year 2020.
    let clock = Clock::Manual(1_600_000_000_000);
    let chain = Chain::open(Options {
        clock,
        ..Options::default()
    })
    .unwrap();
    let (_server, url) = serve(chain.clone()).await;
    let table = Table::of_bob(&url).await;
    let mut player = table.sit(&table.contract, "bob", None).await;
    press_stale(&table.contract, &table.play).await;
    // The answer, and the difference of the clocks, which is told after some blocks.
    let (mut answer, mut is_told) = (None, false);
    let both = async {
        while answer.is_none() || !is_told {
            match player.next().await {
                PlayerEvent::Done(duty, _) => {
                    answer = Some(duty);
                    chain.seal().unwrap();
                }
                PlayerEvent::ClocksDiffer(_) => is_told = true,
                _ => {}
            }
        }
    };
    timeout(LONG, both).await.expect("both happen");
    let evidence = table.play.evidence(&SIGNED, None);
    assert_eq!(answer, Some(Duty::Advance(evidence)));
}

#[tokio::test]
async fn a_draw_is_brought_by_a_player_who_has_not_made_the_last_move() {
    let (_server, url) = chain().await;
    // Alice has accepted Bob's offer, which never lapses, and he keeps it to himself.
    let agreed = |play: &FastPlay| play.evidence(&SIGNED, Some(Ending::Draw { until: u64::MAX }));
    let kept = |play: &FastPlay| Journal {
        draws: vec![agreed(play)],
        ..position(play, &SIGNED)
    };
    let table = Table::new(&url, Player::One, kept).await;
    let mut player = table.sit(&table.contract, "alice", None).await;
    assert!(!player.is_done(), "the game could go on on the chain");
    let draw = agreed(&table.play);
    assert_eq!(done(&mut player).await, Duty::Advance(draw));
    assert!(player.is_settled());
    assert_eq!(player.latest().end(), Some(End::Agreement));
}

/// The block in which the draw was brought is replaced by others without it.
#[tokio::test]
async fn an_end_that_a_fork_replaces_is_brought_again() {
    let chain = Chain::open(Options::default()).unwrap();
    let (_server, url) = serve(chain.clone()).await;
    let agreed = |play: &FastPlay| play.evidence(&SIGNED, Some(Ending::Draw { until: u64::MAX }));
    let kept = |play: &FastPlay| Journal {
        draws: vec![agreed(play)],
        ..position(play, &SIGNED)
    };
    let table = Table::new(&url, Player::One, kept).await;
    let draw = agreed(&table.play);
    let mut player = table.sit(&table.contract, "alice", None).await;
    chain.stall_finality().unwrap();
    assert_eq!(done(&mut player).await, Duty::Advance(draw));
    assert!(player.is_over_on_chain());
    assert!(!player.is_settled() && !player.is_done(), "it is not final");
    chain.reorganise(1, Retracted::Drop).unwrap();
    assert_eq!(done(&mut player).await, Duty::Advance(draw));
    assert!(!player.is_settled());
    chain.resume_finality().unwrap();
    let settled = async {
        while !player.is_settled() {
            player.next().await;
        }
    };
    timeout(LONG, settled).await.expect("it is final");
    assert_eq!(player.latest().end(), Some(End::Agreement));
}

/// Bob has made the last move, and presses an older position in place of the full board.
#[tokio::test]
async fn a_full_board_is_brought_by_the_player_who_has_not_made_the_last_move() {
    const FULL: [u8; 24] = [
        0, 1, 0, 2, 0, 0, 3, 1, 2, 1, 1, 2, 3, 3, 5, 3, 5, 5, 4, 4, 4, 5, 4, 2,
    ];
    let (_server, url) = chain().await;
    let table = Table::new(&url, Player::One, |play| position(play, &FULL)).await;
    let mut player = table.sit(&table.contract, "alice", None).await;
    assert!(!player.is_done(), "Bob could bring an older position");
    let (number, older) = (table.play.id(), table.play.evidence(&FULL[..22], None));
    let bob = account("bob");
    let pressed = table.contract.send(
        &bob,
        Advance {
            game: number.number(),
            press: true,
            evidence: older,
        },
    );
    pressed.await.unwrap();
    let told = done(&mut player).await;
    assert_eq!(told, Duty::Advance(table.play.evidence(&FULL, None)));
    assert!(player.is_settled());
    assert_eq!(player.latest().end(), Some(End::FullBoard));
}

/// The opponent could accept for as long as the clock of the machine is ahead.
#[tokio::test]
async fn a_machine_that_is_years_ahead_offers_no_draw() {
    // In the year 2020.
    let clock = Clock::Manual(1_600_000_000_000);
    let chain = Chain::open(Options {
        clock,
        ..Options::default()
    })
    .unwrap();
    let (_server, url) = serve(chain).await;
    let table = Table::of_bob(&url).await;
    let mut player = table.sit(&table.contract, "bob", None).await;
    let refused = player.offer_draw();
    assert!(
        matches!(refused, Err(PlayError::Seat(SeatError::ClocksDiffer(_)))),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_seat_is_played_on_after_errors_of_the_node() {
    let (_server, url) = chain().await;
    let table = Table::of_bob(&url).await;
    let (counting, through) = table.through(&url).await;
    let mut player = table.sit(&through, "bob", None).await;
    counting.refuse(true);
    press_stale(&table.contract, &table.play).await;
    let not_seen = async { while !matches!(player.next().await, PlayerEvent::NotSeen(_)) {} };
    timeout(LONG, not_seen).await.expect("it says so");
    counting.refuse(false);
    let told = done(&mut player).await;
    assert_eq!(told, Duty::Advance(table.play.evidence(&SIGNED, None)));
}

/// What a guard tells next that fits.
async fn told(news: &mut mpsc::Receiver<(GameId, GuardNews)>, fits: impl Fn(&GuardNews) -> bool) {
    let told = async {
        loop {
            match news.recv().await {
                Some((_, told)) if fits(&told) => return,
                Some(_) => {}
                None => pending().await,
            }
        }
    };
    timeout(LONG, told).await.expect("the guard tells it");
}

#[tokio::test]
async fn a_guard_goes_on_after_errors_and_reads_what_is_signed_on_its_machine() {
    let (_server, url) = chain().await;
    let table = Table::new(&url, Player::Two, |_| Journal::default()).await;
    let (counting, through) = table.through(&url).await;
    let Table {
        contract,
        play,
        keyring,
        ..
    } = table;
    let post = Post::at(through, play.id(), account("charlie"), None)
        .await
        .unwrap();
    let post = post
        .expect("the game goes on")
        .with_keyring(keyring.clone());
    let (sender, mut news) = mpsc::channel(64);
    let guarding = tokio::spawn(post.run(sender));
    counting.refuse(true);
    press_stale(&contract, &play).await;
    told(&mut news, |news| matches!(news, GuardNews::NotDone(_))).await;
    // Bob's program signs meanwhile, and no relay tells of it.
    let of = connect4_client::fast::Subject::new(play.number, play.domain, play.game);
    let mut locked = keyring.open(play.keys.two.address(), &of).unwrap();
    locked.keep(&position(&play, &SIGNED)).unwrap();
    told(&mut news, |news| matches!(news, GuardNews::Holds(4))).await;
    counting.refuse(false);
    let answer = |news: &GuardNews| matches!(news, GuardNews::Done(Duty::Advance(Evidence { moves, .. }), _) if moves.turns() == 4);
    told(&mut news, answer).await;
    assert!(!guarding.is_finished());
    let fast = stored::<FastGame>(&contract, play.id()).await;
    assert_eq!(fast.game.turns(), 4);
}

/// A fork has Bob accept with another key, while the node does not answer.
#[tokio::test]
async fn a_guard_leaves_a_game_in_whose_place_a_fork_has_another_one() {
    let chain = Chain::open(Options::default()).unwrap();
    let (_server, url) = serve(chain.clone()).await;
    let contract = deployed(&Client::connect(&url).await.unwrap()).await;
    let (alice, bob) = (account("alice"), account("bob"));
    chain.stall_finality().unwrap();
    let made = Offer {
        key: Some(session_key(7).address()),
        pie_rule: false,
        ..offer(contract.client(), 0)
    };
    let challenge = contract.challenge(&alice, made).await.unwrap().value;
    let accept = async |key| {
        let key = Some(session_key(key).address());
        contract.accept(&bob, challenge, key).await.unwrap().value
    };
    let number = accept(8).await;
    let counting = Counting::before(url.trim_start_matches("ws://").into()).await;
    let client = Client::connect(&counting.url()).await.unwrap();
    let through = Contracts::open(&client, contract.address(), CODE).await;
    let post = Post::at(through.unwrap(), number, account("charlie"), None);
    let post = post.await.unwrap().expect("the game goes on");
    let (sender, mut news) = mpsc::channel(64);
    tokio::spawn(post.run(sender));
    counting.refuse(true);
    chain.reorganise(1, Retracted::Drop).unwrap();
    told(&mut news, |news| matches!(news, GuardNews::NotDone(_))).await;
    assert_eq!(accept(9).await, number, "in its place");
    counting.refuse(false);
    told(&mut news, |news| matches!(news, GuardNews::Over)).await;
}
