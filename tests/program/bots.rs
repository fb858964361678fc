//! Programs that play at a relay by themselves, against each other and against hostile opponents.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use connect4_client::signed::{
    Awaited, Command, How, Keyring, Lobby, LobbyNews, Seeker, SignedGames, SignedPlayer, Sought,
    Stage, View, Wary, What, Who, pair,
};
use connect4_protocol::ClockSpec;
use connect4_protocol::signed::Terms;
use connect4_rules::{Bin, Player, Shape};
use connect4_testing::malicious::{InBackground, Trick};
use serde_json::Value;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::guests::{BOARD, Machine, relay};
use crate::run::{Node, Running, connect4};

/// What the bots of these tests seek: a board on which games are short.
const TERMS: &str = "--pool 0 --pie-rule --bins 6 --capacity 4";

fn sought() -> Sought {
    Sought {
        terms: Terms {
            pie_rule: true,
            clock: Some(ClockSpec::USUAL),
            ..Terms::on(Shape::CLASSROOM)
        },
        player: None,
        opponent: None,
    }
}

/// The next line of `--json` with this event.
fn event(running: &mut Running, name: &str) -> Value {
    let line = running.line_with(&format!("\"event\":\"{name}\""));
    serde_json::from_str(&line).expect("JSON")
}

/// Answers each question for a move by the next bin, until the game is over.
fn type_moves(person: &mut Running, most: usize) -> bool {
    let mut bins = (1..=6).cycle();
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
fn two_bots_play_to_the_end() {
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
    seeker: Seeker,
}

impl Peer {
    fn at(url: &str) -> Self {
        let folder = TempDir::new().expect("a folder");
        let keyring = Keyring::in_folder(folder.path().into());
        let key = keyring.create_guest().expect("a key").address();
        let seeker = Seeker {
            games: SignedGames::beside(&keyring),
            relay: url.into(),
            key,
            account: None,
            is_program: false,
            stakes: None,
            wary: Wary::default(),
            payment: Seeker::PAYMENT,
        };
        Self {
            _folder: folder,
            seeker,
        }
    }

    async fn lobby(&self) -> Lobby {
        Lobby::enter(&self.seeker.relay).await.expect("the lobby")
    }

    /// Plays the bot, and enters the room.
    async fn pair(&self) -> SignedPlayer {
        let mut lobby = self.lobby().await;
        let paired = pair(&mut lobby, &self.seeker, sought(), How::Play(None));
        paired.await.expect("a game")
    }

    /// Agrees to a game with the bot, and never comes to the room.
    async fn agree(&self) -> SignedPlayer {
        let mut lobby = self.lobby().await;
        let elsewhere = Seeker {
            // Nobody listens there.
            relay: "ws://127.0.0.1:1".into(),
            ..self.seeker.clone()
        };
        let paired = pair(&mut lobby, &elsewhere, sought(), How::Play(None));
        paired.await.expect("a game")
    }
}

fn number(player: &SignedPlayer) -> String {
    player.view().shown.number.expect("a game").to_string()
}

fn moves(view: &View) -> u8 {
    view.shown.game.map_or(0, |game| game.moves())
}

fn is_over(view: &View) -> bool {
    view.shown.stage == Stage::Over
}

fn is_turn(view: &View) -> bool {
    matches!(
        view.shown.awaited,
        Some(Awaited {
            of: Who::You,
            what: What::Move,
            ..
        })
    )
}

/// Drops a disc into the first bin that is not full, and waits until the witness has it.
async fn play(player: &mut SignedPlayer, view: &View) {
    let game = view.shown.game.expect("it goes on");
    let bin = game.position().legal_bins().next().expect("it goes on");
    let bin = Bin::new(bin.index());
    player.command(Command::Move(bin)).await.expect("legal");
    let before = moves(view);
    let has_moved = |view: &View| is_over(view) || moves(view) > before;
    player.until(has_moved).await.expect("it is there");
}

/// Plays until the game is over, or so many moves were made.
async fn play_on(player: &mut SignedPlayer, until: u8) {
    loop {
        let is_done = |view: &View| is_over(view) || moves(view) >= until;
        let wanted = |view: &View| is_done(view) || is_turn(view);
        let view = player.until(wanted).await.expect("it is there");
        if is_done(&view) {
            return;
        }
        play(player, &view).await;
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
        let before = moves(&waited.view());
        let heard = tokio::task::block_in_place(|| event(&mut bot, "bot_waits"));
        assert_eq!(heard["game"], game);

        let mut played = other.pair().await;
        play_on(&mut played, u8::MAX).await;
        let ended = event(&mut bot, "bot_ended");
        assert_ne!(ended["game"], game);
        drop(played);

        assert!(moves(&waited.view()) >= before);
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
        let game = event(&mut bot, "bot_began")["game"].clone();
        assert_eq!(game, number(&agreed));
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
        while !is_over(&player.view()) {
            let next = moves(&player.view()) + 1;
            play_on(&mut player, next).await;
            // After the own move, as often as the rules let it.
            offers += u32::from(player.command(Command::OfferDraw).await.is_ok());
        }
        assert!(offers > 1, "{offers}");
        // It is bad at it, so that the bot has no reason to agree.
        let shown = player.view().shown;
        let bots = shown.side.map(Player::opponent);
        assert_eq!(shown.game.and_then(|game| game.winner()), bots);
    });
    assert_eq!(event(&mut bot, "bot_ended")["won"], true);
    bot.stop("TERM").expect(0);
    relay.stop().expect(0);
}

/// It accepts one of two offers, and the game is over by that.
#[test]
fn a_draw_that_the_bot_accepts_ends_the_game() {
    let node = Node::start(&["--tmp"]);
    let relay = relay(&node);
    let machine = Machine::at(&relay);
    let mut bot = machine.start(&format!("bot --level random --json {TERMS}"));
    event(&mut bot, "bot_ready");
    let runtime = Runtime::new().expect("a runtime");
    runtime.block_on(async {
        loop {
            let peer = Peer::at(&machine.url());
            let mut player = peer.pair().await;
            while !is_over(&player.view()) {
                let next = moves(&player.view()) + 1;
                play_on(&mut player, next).await;
                let _ = player.command(Command::OfferDraw).await;
            }
            let ended = event(&mut bot, "bot_ended");
            if ended["end"] == "agreement" {
                assert_eq!(ended["won"], Value::Null);
                return;
            }
        }
    });
    bot.stop("TERM").expect(0);
    relay.stop().expect(0);
}

/// Offers a game again and again, and answers nobody.
async fn tease(url: String) {
    loop {
        let peer = Peer::at(&url);
        let mut lobby = peer.lobby().await;
        let offer = peer.seeker.offer(&lobby, &sought(), 600);
        lobby.offer(&offer.expect("an offer"), None).expect("short");
        while lobby.own().is_none() {
            lobby.next().await.expect("the lobby");
        }
        // Nobody reads what it is told, until the relay has taken the offer off the list.
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

/// Offers games all the time with one key, and declines whoever takes one. Counts them.
async fn decline_all(url: String, answers: Arc<AtomicU32>) {
    let peer = Peer::at(&url);
    let mut lobby = peer.lobby().await;
    loop {
        let offer = peer.seeker.offer(&lobby, &sought(), 600);
        lobby.offer(&offer.expect("an offer"), None).expect("short");
        loop {
            match lobby.next().await {
                Ok(LobbyNews::Taken { offer, take, .. }) => {
                    answers.fetch_add(1, Ordering::Relaxed);
                    lobby.decline(offer, take);
                    break;
                }
                Ok(_) => {}
                Err(_) => return,
            }
        }
    }
}

#[test]
fn a_seeker_who_declines_is_not_answered_again_and_again_while_others_play() {
    const GAMES: u32 = 3;
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
            // Who seeks after the other one, and is declined once.
            let peer = Peer::at(&machine.url());
            let mut player = peer.pair().await;
            play_on(&mut player, u8::MAX).await;
            event(&mut bot, "bot_began");
            event(&mut bot, "bot_ended");
        }
    });
    // It is the oldest one that seeks, before each of the games. The bot's first pauses are of 30 and 60 seconds.
    let answers = answers.load(Ordering::Relaxed);
    assert!((1..=2 + GAMES).contains(&answers), "{answers}");
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
            let ended = event(&mut bot, "bot_ended");
            assert_eq!(ended["game"], number(&player));
            assert_eq!(ended["won"], true);
            let shown = player.view().shown;
            let bots = shown.side.map(Player::opponent);
            (shown.game.and_then(|game| game.winner()), bots)
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
        let relay = relay.restart(&node);
        play_on(&mut player, u8::MAX).await;
        event(&mut bot, "bot_ended");
        drop(player);
        // And the lobby.
        let other = Peer::at(&url);
        let mut next = other.pair().await;
        event(&mut bot, "bot_began");
        play_on(&mut next, 2).await;
        bot.stop("TERM").expect(0);
        relay.stop().expect(0);
    });
}
