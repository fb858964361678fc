//! Programs that play at a relay by themselves, against each other and against hostile opponents.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use connect4_client::fast::{
    Identity, Keyring, Lobby, LobbyNews, OpenGame, Side, TermsPlayer, Wish,
};
use connect4_protocol::fast::lobby::{FromLobby, Seek, SignedSeek, ToLobby};
use connect4_protocol::fast::wire::FromRelay;
use connect4_protocol::fast::{Ending, Native, Party, SessionKey};
use connect4_rules::{Bin, Player, Shape};
use connect4_testing::malicious::{InBackground, Trick};
use connect4_testing::socket::Socket;
use connect4_wire::words::now;
use serde_json::Value;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::guests::{BOARD, Machine, relay};
use crate::run::{Node, Running, connect4};

/// What the bots of these tests seek: a board on which games are short.
const TERMS: &str = "--pool 0 --pie-rule --bins 6 --capacity 4";

fn wish() -> Wish {
    Wish {
        shape: Shape::CLASSROOM.into(),
        pie_rule: true,
        pool: 0,
        clock: None,
        side: Side::Random,
    }
}

/// The next line of `--json` with this event.
fn event(running: &mut Running, name: &str) -> Value {
    let line = running.line_with(&format!("\"event\":\"{name}\""));
    serde_json::from_str(&line).expect("JSON")
}

/// Answers each question for a move by the next bin, until the game is over.
fn type_moves(person: &mut Running, most: usize) -> bool {
    let mut bins = (0..6).cycle();
    let mut moves = 0;
    while let Some(line) = person.next_line() {
        if line.starts_with("winner: ") || line.contains("a tie") {
            return true;
        }
        let is_full = line.contains("the bin is full");
        if is_full || line.starts_with("add shape: ") {
            if moves == most && !is_full {
                return false;
            }
            moves += usize::from(!is_full);
            person.say(bins.next().expect("a bin"));
        }
    }
    panic!("the person's program has ended");
}

#[test]
fn two_bots_play_to_the_end_and_are_recorded() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    // One machine, with an account for each and one for its person.
    let machine = Machine::at(&relay);
    machine.start("seek --list").end().expect(0);
    let bots = ["random", "hard"]
        .map(|level| machine.start(&format!("bot --level {level} --count 1 --json {TERMS}")));
    let mut accounts = Vec::new();
    let mut results = Vec::new();
    let mut games = Vec::new();
    for mut bot in bots {
        accounts.push(event(&mut bot, "bot_ready")["account"].clone());
        let began = event(&mut bot, "bot_began");
        assert_eq!(began["program"], true, "{began}");
        let ended = event(&mut bot, "bot_ended");
        assert_eq!(ended["game"], began["game"]);
        results.push(ended["won"].clone());
        games.push(began["game"].as_str().expect("a number").to_owned());
        bot.end().expect(0);
    }
    assert_eq!(games[0], games[1]);
    match &results[..] {
        [Value::Bool(one), Value::Bool(two)] => assert_ne!(one, two),
        draw => assert_eq!(draw, [Value::Null, Value::Null]),
    }
    let guest = connect4(&["guest", "--data", machine.folder.path().to_str().unwrap()]);
    let guest = Running::start(guest).end().expect(0).out;
    assert_ne!(accounts[0], accounts[1]);
    for account in &accounts {
        assert!(!guest.contains(account.as_str().unwrap()), "{guest}");
    }
    let file = format!("bots/hard/played/{}.game", games[0]);
    let file = machine.folder.path().join(file);
    let record = [
        "record",
        file.to_str().unwrap(),
        "--url",
        &node.url,
        "--yes",
    ];
    let mut command = connect4(&record);
    command.env("CONNECT4_DATA", machine.folder.path());
    let recorded = crate::run::run_command(command, "").expect(0);
    assert!(recorded.out.contains(&games[0]), "{}", recorded.out);
    // Both have signed that they are programs.
    for (format, mark) in [(&[][..], "(a program)"), (&["--json"], "\"program\":true")] {
        let mut command = connect4(&[&["standings", "--url", &node.url], format].concat());
        command.env("CONNECT4_DATA", machine.folder.path());
        let standings = crate::run::run_command(command, "").expect(0).out;
        assert_eq!(standings.matches(mark).count(), 2, "{standings}");
    }
    relay.stop().expect(0);
}

#[test]
fn a_bot_that_was_killed_resumes_its_game_and_one_that_is_stopped_says_what_is_open() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let [first, second] = [Machine::at(&relay), Machine::at(&relay)];
    let start = || first.start(&format!("bot --level easy --name sparring --json {TERMS}"));
    let mut bot = start();
    event(&mut bot, "bot_ready");
    let mut person = second.start(&format!("play --guest --pie-rule {BOARD}"));
    let game = event(&mut bot, "bot_began")["game"].clone();
    // With three discs nobody wins.
    assert!(!type_moves(&mut person, 1));
    bot.kill();

    let mut bot = start();
    let resumed = event(&mut bot, "bot_began");
    assert_eq!(
        (&resumed["game"], &resumed["resumed"]),
        (&game, &Value::Bool(true))
    );
    let twice = start().end().expect(3);
    assert!(
        twice.err.contains("plays already on this machine"),
        "{}",
        twice.err
    );
    person.say(3);
    assert!(!type_moves(&mut person, 0));
    let stopped = bot.stop("INT").expect(0).json();
    let last = stopped.last().expect("a line");
    assert_eq!(
        (&last["event"], &last["game"]),
        (&"bot_unfinished".into(), &game)
    );

    let mut bot = start();
    assert_eq!(event(&mut bot, "bot_began")["game"], game);
    person.say(4);
    type_moves(&mut person, usize::MAX);
    assert_eq!(event(&mut bot, "bot_ended")["game"], game);
    person.end().expect(0);
    // It seeks the next one, and takes that back.
    let listed = crate::guests::sought(&second);
    assert!(listed.contains("a program"), "{listed}");
    bot.stop("TERM").expect(0);
    let list = second.start("seek --list").end().expect(0);
    assert!(list.out.contains("nobody seeks a game"), "{}", list.out);
    relay.stop().expect(0);
}

/// A guest whose program does what the test has it do.
struct Peer {
    _folder: TempDir,
    keyring: Keyring,
    key: SessionKey,
    url: String,
}

impl Peer {
    fn at(url: &str) -> Self {
        let folder = TempDir::new().expect("a folder");
        let keyring = Keyring::in_folder(folder.path().into());
        let key = keyring.create_guest().expect("a key");
        Self {
            _folder: folder,
            keyring,
            key,
            url: url.into(),
        }
    }

    async fn lobby(&self) -> Lobby {
        let entered = Lobby::enter(&self.url, Identity::guest(self.key.clone())).await;
        entered.expect("the lobby")
    }

    /// Seeks, and agrees to a game with the bot.
    async fn agree(&self) -> OpenGame {
        let mut lobby = self.lobby().await;
        lobby.seek(&wish(), None).await.expect("sent");
        let terms = loop {
            if let LobbyNews::Paired(terms) = lobby.next().await.expect("the lobby") {
                break *terms;
            }
        };
        OpenGame {
            terms,
            domain: lobby.domain(),
            relay: self.url.clone(),
        }
    }

    /// Seeks, is paired with the bot, and enters the room.
    async fn pair(&self) -> TermsPlayer {
        let open = self.agree().await;
        let key = self
            .keyring
            .open_guest(self.key.address())
            .expect("its key");
        TermsPlayer::begin(&open, key).expect("a game")
    }
}

/// The first bin that is not full.
fn any(player: &TermsPlayer) -> Bin {
    let latest = player.latest();
    let bin = latest.position().legal_bins().next();
    bin.expect("the game goes on")
}

fn is_turn(player: &TermsPlayer) -> bool {
    player.latest().to_move() == Some(player.player())
}

/// Plays until the game is over, or so many moves were made.
async fn play_on(player: &mut TermsPlayer, until: u8) {
    while !player.latest().is_over() && player.latest().moves() < until {
        if is_turn(player) {
            player.drop(any(player)).expect("a legal move");
        }
        player.next().await;
    }
}

#[test]
fn a_silent_opponent_keeps_nobody_from_playing_and_comes_back() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let machine = Machine::at(&relay);
    let mut bot = machine.start(&format!("bot --level easy --patience 1 --json {TERMS}"));
    event(&mut bot, "bot_ready");
    let runtime = Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let [silent, other] = [Peer::at(&machine.url()), Peer::at(&machine.url())];
        // It is there, and says nothing.
        let mut waited = silent.pair().await;
        play_on(&mut waited, 2).await;
        let game = event(&mut bot, "bot_began")["game"].clone();
        let moves = waited.latest().moves();
        let waits = async {
            loop {
                waited.next().await;
            }
        };
        let heard = tokio::task::block_in_place(|| event(&mut bot, "bot_waits"));
        drop(waits);
        assert_eq!(heard["game"], game);

        let mut played = other.pair().await;
        play_on(&mut played, u8::MAX).await;
        let ended = event(&mut bot, "bot_ended");
        assert_ne!(ended["game"], game);
        drop(played);

        assert!(waited.latest().moves() >= moves);
        play_on(&mut waited, u8::MAX).await;
        assert_eq!(event(&mut bot, "bot_ended")["game"], game);
    });
    bot.stop("TERM").expect(0);
    relay.stop().expect(0);
}

/// Nobody has signed anything but the terms, or the bot its first move.
#[test]
fn a_game_whose_opponent_never_enters_the_room_has_not_begun() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let machine = Machine::at(&relay);
    let mut bot = machine.start(&format!("bot --level easy --patience 1 --json {TERMS}"));
    event(&mut bot, "bot_ready");
    let runtime = Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let [absent, other] = [Peer::at(&machine.url()), Peer::at(&machine.url())];
        let agreed = absent.agree().await;
        let number = agreed.terms.terms.number(&agreed.domain, &Native);
        let game = event(&mut bot, "bot_began")["game"].clone();
        assert_eq!(game, number.to_string());
        assert_eq!(event(&mut bot, "bot_not_begun")["game"], game);
        let mut played = other.pair().await;
        play_on(&mut played, u8::MAX).await;
        assert_ne!(event(&mut bot, "bot_ended")["game"], game);
    });
    let stopped = bot.stop("TERM").expect(0).json();
    let is_unfinished = |line: &Value| line["event"] == "bot_unfinished";
    assert!(!stopped.iter().any(is_unfinished), "{stopped:?}");
    // It does not resume the game either.
    let mut bot = machine.start(&format!("bot --level easy --json {TERMS}"));
    event(&mut bot, "bot_ready");
    let stopped = bot.stop("TERM").expect(0).json();
    let is_begun = |line: &Value| line["event"] == "bot_began";
    assert!(!stopped.iter().any(is_begun), "{stopped:?}");
    relay.stop().expect(0);
}

#[test]
fn offers_of_draws_in_a_loop_change_nothing() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let machine = Machine::at(&relay);
    let mut bot = machine.start(&format!("bot --level perfect --json {TERMS}"));
    event(&mut bot, "bot_ready");
    let runtime = Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let peer = Peer::at(&machine.url());
        let mut player = peer.pair().await;
        let mut offers = 0;
        while !player.latest().is_over() {
            if is_turn(&player) {
                player.drop(any(&player)).expect("a legal move");
            }
            // After the own move, as often as the rules let it.
            if player.latest().moves() > 0 && player.offer_draw().is_ok() {
                offers += 1;
            }
            player.next().await;
        }
        assert!(offers > 1, "{offers}");
        // It is bad at it, so that the bot has no reason to agree.
        let bots = player.player().opponent();
        assert_eq!(player.latest().winner(), Some(bots));
    });
    assert_eq!(event(&mut bot, "bot_ended")["won"], true);
    bot.stop("TERM").expect(0);
    relay.stop().expect(0);
}

/// Moves, and offers a draw after each move, until the bot has accepted one; from then on it does nothing. Returns
/// whether it has.
async fn offers_until_accepted(player: &mut TermsPlayer, room: &mut Socket) -> bool {
    while !player.latest().is_over() {
        if is_turn(player) {
            player.drop(any(player)).expect("a legal move");
            let moves = player.latest().moves();
            let mut waits = player.offer_draw().is_ok();
            while waits {
                match room.next().await.expect("the room stays open") {
                    FromRelay::Offer(offer) if offer.until == Ending::FOR_GOOD => return true,
                    FromRelay::Position(position) => waits = position.moves.turns() <= moves,
                    _ => {}
                }
            }
        }
        player.next().await;
    }
    false
}

/// It need not be silent for that: an offer can be made again as long as its player is there.
#[test]
fn a_draw_that_nobody_completes_keeps_nobody_from_playing() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let addr = relay.addr.parse().expect("an address");
    let machine = Machine::at(&relay);
    let mut bot = machine.start(&format!("bot --level random --patience 1 --json {TERMS}"));
    event(&mut bot, "bot_ready");
    let runtime = Runtime::new().expect("a runtime");
    runtime.block_on(async {
        // It accepts one of two offers.
        loop {
            let peer = Peer::at(&machine.url());
            let mut player = peer.pair().await;
            let game = event(&mut bot, "bot_began")["game"].clone();
            let mut room = Socket::open(addr, player.number()).await;
            if !offers_until_accepted(&mut player, &mut room).await {
                event(&mut bot, "bot_ended");
                continue;
            }
            assert_eq!(event(&mut bot, "bot_waits")["game"], game);
            // The offer stands, so that it has not moved.
            let heard = tokio::time::timeout(Duration::ZERO, async {
                while !matches!(room.next().await, Some(FromRelay::Position(_)) | None) {}
            });
            assert!(
                heard.await.is_err(),
                "it waits for a move, not for the draw"
            );
            let other = Peer::at(&machine.url());
            let mut played = other.pair().await;
            play_on(&mut played, u8::MAX).await;
            assert_ne!(event(&mut bot, "bot_ended")["game"], game);
            break;
        }
    });
    bot.stop("TERM").expect(0);
    relay.stop().expect(0);
}

/// Seeks again and again, and accepts nothing.
async fn tease(url: String) {
    loop {
        let peer = Peer::at(&url);
        let mut lobby = peer.lobby().await;
        lobby.seek(&wish(), None).await.expect("sent");
        while !matches!(lobby.next().await, Ok(LobbyNews::Seeking(_))) {}
        // Nobody reads what it is told, until the relay has taken the seek off the list.
        tokio::time::sleep(Duration::from_secs(7)).await;
    }
}

#[test]
fn seekers_who_accept_nothing_do_not_keep_the_bot_from_others() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let machine = Machine::at(&relay);
    let runtime = Runtime::new().expect("a runtime");
    for _ in 0..6 {
        runtime.spawn(tease(machine.url()));
    }
    let listed = || {
        machine
            .start("seek --list")
            .end()
            .expect(0)
            .out
            .lines()
            .count()
    };
    while listed() < 6 {}
    let mut bot = machine.start(&format!("bot --level easy --json {TERMS}"));
    event(&mut bot, "bot_ready");
    let mut person = machine.start(&format!("play --guest --pie-rule {BOARD}"));
    let began = event(&mut bot, "bot_began");
    assert_eq!(began["program"], false);
    type_moves(&mut person, usize::MAX);
    event(&mut bot, "bot_ended");
    bot.stop("TERM").expect(0);
    relay.stop().expect(0);
}

/// Seeks all the time with one key, and declines each answer. Counts them.
async fn decline_all(url: String, answers: Arc<AtomicU32>) {
    let addr = url.trim_start_matches("ws://").parse().expect("an address");
    let peer = Peer::at(&url);
    let domain = peer.lobby().await.domain();
    let mut socket = Socket::lobby(addr).await;
    let wish = wish();
    let mut time = now();
    loop {
        let seek = Seek {
            party: Party::Guest(peer.key.address()),
            shape: wish.shape,
            pie_rule: wish.pie_rule,
            pool: wish.pool,
            program: false,
            clock: None,
            side: Side::First,
            commitment: [0; 32],
            time,
        };
        let nonce = socket.nonce();
        let signature = peer.key.sign(&seek.digest(nonce, &domain, &Native));
        let seek = SignedSeek {
            seek,
            nonce,
            session: None,
            signature,
        };
        let invite = None;
        socket.tell_lobby(ToLobby::Seek { seek, invite }).await;
        loop {
            match socket.next_in_lobby().await {
                Some(FromLobby::Answered { id, .. }) => {
                    answers.fetch_add(1, Ordering::Relaxed);
                    socket.tell_lobby(ToLobby::Decline { answer: id }).await;
                    break;
                }
                Some(_) => {}
                None => return,
            }
        }
        time += 1;
    }
}

#[test]
fn a_seeker_who_declines_is_not_answered_again_and_again_while_others_play() {
    const GAMES: usize = 3;
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let machine = Machine::at(&relay);
    let runtime = Runtime::new().expect("a runtime");
    let answers = Arc::new(AtomicU32::new(0));
    runtime.spawn(decline_all(machine.url(), Arc::clone(&answers)));
    crate::guests::sought(&machine);
    let mut bot = machine.start(&format!("bot --level random --json {TERMS}"));
    event(&mut bot, "bot_ready");
    runtime.block_on(async {
        for _ in 0..GAMES {
            // It answers nobody, and seeks after the other one.
            let peer = Peer::at(&machine.url());
            let mut player = peer.pair().await;
            play_on(&mut player, u8::MAX).await;
            event(&mut bot, "bot_began");
            event(&mut bot, "bot_ended");
        }
    });
    // It is the oldest one that seeks, before each of the games. The first pauses are of 30 and 60 seconds.
    let answers = answers.load(Ordering::Relaxed);
    assert!((1..=2).contains(&answers), "{answers}");
    bot.stop("TERM").expect(0);
    relay.stop().expect(0);
}

#[test]
fn several_games_are_played_by_one_key_and_the_oldest_that_waits_is_left() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let machine = Machine::at(&relay);
    // Of the eight rooms of its key one is left for a game that waits.
    let line = format!("bot --level easy --games 6 --patience 1 --json {TERMS}");
    let mut bot = machine.start(&line);
    event(&mut bot, "bot_ready");
    let runtime = Runtime::new().expect("a runtime");
    let games: Vec<Value> = runtime.block_on(async {
        let peers = [(); 3].map(|()| Peer::at(&machine.url()));
        let mut playing = Vec::new();
        for peer in &peers {
            playing.push(peer.pair().await);
        }
        let games = peers
            .iter()
            .map(|_| event(&mut bot, "bot_began")["game"].clone());
        let games: Vec<Value> = games.collect();
        // All of them go on at once.
        for player in &mut playing {
            play_on(player, 4).await;
        }
        // Now they vanish, one after the other.
        drop(playing);
        games
    });
    for _ in 0..2 {
        assert!(games.contains(&event(&mut bot, "bot_waits")["game"]));
    }
    assert!(games.contains(&event(&mut bot, "bot_left")["game"]));
    let stopped = bot.stop("TERM").expect(0).json();
    let unfinished = stopped
        .iter()
        .filter(|line| line["event"] == "bot_unfinished");
    let mut open: Vec<&Value> = unfinished.map(|line| &line["game"]).collect();
    open.sort_by_key(|game| game.to_string());
    let mut all: Vec<&Value> = games.iter().collect();
    all.sort_by_key(|game| game.to_string());
    assert_eq!(open, all, "each is resumed later");
    relay.stop().expect(0);
}

/// The relay passes on what nobody has signed, moves that are not legal or of no turn, and what is no message at all.
#[test]
fn behind_a_relay_that_lies_the_bot_wins_what_it_would_have_won() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let addr = relay.addr.parse().expect("an address");
    let url = format!("ws://{}", relay.addr);
    let runtime = Runtime::new().expect("a runtime");
    for (seed, trick) in [Trick::Repeat, Trick::Pretend, Trick::Flood]
        .into_iter()
        .enumerate()
    {
        println!("{trick:?}");
        let liar = InBackground::start(addr, trick, seed as u64);
        let data = TempDir::new().expect("a folder");
        let named = format!("ws://{}", liar.addr());
        let data = data.path().to_str().expect("text");
        let command = format!("bot --level hard --count 1 --json {TERMS}");
        let own = ["--relay", &named, "--data", data];
        let arguments: Vec<&str> = command.split_whitespace().chain(own).collect();
        let mut bot = Running::start(connect4(&arguments));
        event(&mut bot, "bot_ready");
        // The opponent is at the relay itself, and plays badly.
        let winner = runtime.block_on(async {
            let peer = Peer::at(&url);
            let mut player = peer.pair().await;
            play_on(&mut player, u8::MAX).await;
            let bots = player.player().opponent();
            let ended = event(&mut bot, "bot_ended");
            assert_eq!(ended["game"], player.number().to_string());
            assert_eq!(ended["won"], true);
            (player.latest().winner(), Some(bots))
        });
        assert_eq!(winner.0, winner.1);
        let ended = bot.end().expect(0);
        assert!(!ended.err.contains("panicked"), "{}", ended.err);
    }
    relay.stop().expect(0);
}

#[test]
fn a_relay_that_comes_back_is_played_at_again() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let addr = relay.addr.clone();
    let data = TempDir::new().expect("a folder");
    let url = format!("ws://{addr}");
    let start = |command: &str| {
        let arguments = command.split_whitespace();
        let own = [
            "--relay",
            &url,
            "--data",
            data.path().to_str().expect("text"),
        ];
        Running::start(connect4(&arguments.chain(own).collect::<Vec<_>>()))
    };
    let mut bot = start(&format!("bot --level easy --json {TERMS}"));
    event(&mut bot, "bot_ready");
    let runtime = Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let peer = Peer::at(&url);
        let mut player = peer.pair().await;
        play_on(&mut player, 3).await;
        event(&mut bot, "bot_began");
        relay.stop().expect(0);
        let relay = crate::relay::Relay::at(&node, &addr);
        play_on(&mut player, u8::MAX).await;
        event(&mut bot, "bot_ended");
        drop(player);
        // And the lobby.
        let mut next = Peer::at(&url).pair().await;
        event(&mut bot, "bot_began");
        let started = next.next();
        let _ = tokio::time::timeout(Duration::from_secs(1), started).await;
        assert!(matches!(next.player(), Player::One | Player::Two));
        bot.stop("TERM").expect(0);
        relay.stop().expect(0);
    });
}
