//! A sponsor, whose relay says what the test says, with a real chain.

use std::collections::HashMap;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use codec::Encode as _;
use connect4_client::Contracts;
use connect4_protocol::ClockSpec;
use connect4_protocol::signed::feed::{FromFeed, Origin};
use connect4_protocol::signed::listing::{self, FromListing};
use connect4_protocol::signed::relay::Refusal;
use connect4_protocol::signed::{
    self, Ending, Finished, GameNumber, Native, Party, SessionKey, Terms,
};
use connect4_rules::{ByPlayer, Player, Shape};
use connect4_testing::games;
use connect4_testing::keys::session_key;
use connect4_testing::signed::{SignedPlay, list_of};
use serde_json::Value;
use tempfile::TempDir;
use tokio_tungstenite::tungstenite::handshake::server::Request;
use tokio_tungstenite::tungstenite::{Message, WebSocket, accept_hdr};

use crate::records::witness;
use crate::run::{self, CODE, Commands, Ended, Node, Running, connect4, run};

/// A day, in seconds.
const DAY: u64 = 24 * 60 * 60;

/// A chain with the contracts, as the test looks at it.
struct Chain {
    node: Node,
    runtime: tokio::runtime::Runtime,
    contract: Contracts,
}

impl Chain {
    fn start(arguments: &[&str]) -> Self {
        let node = Node::start(arguments);
        Commands { node: &node }.out("deploy");
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let contract = runtime.block_on(run::contract(&node, CODE));
        Self {
            node,
            runtime,
            contract,
        }
    }

    fn now(&self) -> u64 {
        let time = self.contract.client().time();
        self.runtime.block_on(time).expect("it serves")
    }

    fn signing(&self) -> signed::Chain {
        let chain = self.contract.client().signing_chain();
        chain.expect("a chain")
    }

    fn number(&self, finished: &Finished) -> GameNumber {
        let domain = signed::Domain::without_stake(self.signing());
        finished.terms.number(&domain, &Native)
    }

    /// A game of two guests of its own, which player one wins by a line.
    fn game(&self, number: u64) -> Finished {
        let now = self.now();
        let play = self.play(number, keys_of(number), now);
        play.finished(&line(), Ending::Board, &witness(), 1000 * now)
    }

    /// The same of this time.
    fn game_of(&self, number: u64, time: u64) -> Finished {
        let play = self.play(number, keys_of(number), time);
        play.finished(&line(), Ending::Board, &witness(), 1000 * time)
    }

    /// A game of players with these keys, which this one wins by a resignation.
    fn resigned(&self, number: u64, winner: Player, keys: ByPlayer<SessionKey>) -> Finished {
        let now = self.now();
        let ending = Ending::Resignation(winner.opponent());
        let play = self.play(number, keys, now);
        play.finished(&line()[..6], ending, &witness(), 1000 * now)
    }

    fn play(&self, number: u64, keys: ByPlayer<SessionKey>, time: u64) -> SignedPlay {
        let terms = Terms {
            players: ByPlayer::from_fn(|player| Party::Guest(keys.get(player).address())),
            witness: Some(witness().address()),
            time,
            nonce: u32::try_from(number).expect("few"),
            clock: Some(ClockSpec::USUAL),
            ..Terms::on(Shape::STANDARD)
        };
        SignedPlay::on(self.signing(), terms, keys)
    }

    /// How often each game was recorded.
    fn recorded(&self) -> HashMap<GameNumber, usize> {
        let events = self.runtime.block_on(async {
            let best = self.contract.client().height().await?;
            self.contract.recorded_ends(0..=best).await
        });
        let mut recorded = HashMap::new();
        for event in events.expect("it serves") {
            *recorded.entry(event.game).or_default() += 1;
        }
        recorded
    }

    fn balance(&self, name: &str) -> i128 {
        Commands { node: &self.node }.balance(name)
    }
}

/// The keys of two guests for each number.
fn keys_of(number: u64) -> ByPlayer<SessionKey> {
    ByPlayer {
        one: session_key(1000 + 2 * number),
        two: session_key(1001 + 2 * number),
    }
}

/// A relay that shows these games to everybody who follows it, and signs lists of their ends as their witness.
pub struct Shown {
    pub url: String,
    games: Arc<Mutex<Vec<FromFeed>>>,
    /// How many ends are in each list that was signed.
    lists: Arc<Mutex<Vec<usize>>>,
    /// Whether it refuses to sign lists.
    refuses: Arc<AtomicBool>,
}

impl Shown {
    pub fn start(chain: signed::Chain) -> Self {
        Self::ending(chain, Some(FromFeed::Complete))
    }

    /// One that never says that its list is complete.
    fn silent(chain: signed::Chain) -> Self {
        Self::ending(chain, None)
    }

    fn ending(chain: signed::Chain, last: Option<FromFeed>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let addr = listener.local_addr().expect("bound");
        let games = Arc::new(Mutex::new(Vec::<FromFeed>::new()));
        let shown = Arc::clone(&games);
        let lists = Arc::new(Mutex::new(Vec::new()));
        let signed = Arc::clone(&lists);
        let refuses = Arc::new(AtomicBool::new(false));
        let is_refused = Arc::clone(&refuses);
        // It ends with the test.
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shown = shown.lock().expect("no panic").clone();
                let signed = Arc::clone(&signed);
                let is_refused = Arc::clone(&is_refused);
                thread::spawn(move || {
                    let mut is_list = false;
                    #[expect(
                        clippy::result_large_err,
                        reason = "the library's callback returns such"
                    )]
                    let look = |request: &Request, response| {
                        is_list = request.uri().path() == listing::path(witness().address());
                        Ok(response)
                    };
                    let Ok(mut socket) = accept_hdr(stream, look) else {
                        return;
                    };
                    if is_list {
                        let is_refused = is_refused.load(Ordering::Relaxed);
                        let count = sign_list(&mut socket, &shown, chain, is_refused);
                        signed.lock().expect("no panic").extend(count);
                        while socket.read().is_ok() {}
                        return;
                    }
                    let welcome = FromFeed::Welcome {
                        chain,
                        time: 0,
                        run: 1,
                    };
                    let all = [welcome].into_iter().chain(shown);
                    for message in all.chain(last) {
                        let frame = Message::Binary(message.encode().into());
                        if socket.send(frame).is_err() {
                            return;
                        }
                    }
                    while socket.read().is_ok() {}
                });
            }
        });
        Self {
            url: format!("ws://{addr}"),
            games,
            lists,
            refuses,
        }
    }

    /// Shows a game of players who are connected from these addresses.
    pub fn show(&self, finished: Finished, origins: [u8; 2]) {
        let [one, two] = origins.map(|origin| Origin([origin; 8]));
        let mut games = self.games.lock().expect("no panic");
        let id = games.len() as u64 + 1;
        games.push(FromFeed::Finished {
            id,
            origins: ByPlayer { one, two },
            finished,
        });
    }
}

/// Signs one list of these games for a recorder, or refuses; returns how many ends are in it.
fn sign_list(
    socket: &mut WebSocket<TcpStream>,
    shown: &[FromFeed],
    chain: signed::Chain,
    is_refused: bool,
) -> Option<usize> {
    let games: Vec<Finished> = shown
        .iter()
        .filter_map(|shown| match shown {
            FromFeed::Finished { finished, .. } => Some(*finished),
            _ => None,
        })
        .collect();
    let message = |message: FromListing| Message::Binary(message.encode().into());
    let welcome = FromListing::Welcome {
        chain_id: chain.id,
        genesis: chain.genesis,
    };
    socket.send(message(welcome)).ok()?;
    // It may ask whether the relay is there before it asks for the list.
    let asked = loop {
        if let Message::Binary(asked) = socket.read().ok()? {
            break listing::read::<listing::Asked>(&asked)?;
        }
    };
    if is_refused {
        let refused = FromListing::Refused(Refusal::Busy);
        socket.send(message(refused)).ok()?;
        return Some(0);
    }
    let domain = signed::Domain::without_stake(chain);
    let number = |game: &Finished| game.terms.number(&domain, &Native);
    let wanted = asked.games().iter().filter_map(|wanted| {
        let mut games = games.iter();
        games.find(|game| number(game) == *wanted).copied()
    });
    let wanted: Vec<Finished> = wanted.collect();
    let (_, signature) = list_of(&wanted, chain, &witness());
    socket.send(message(FromListing::Signed(signature))).ok()?;
    Some(wanted.len())
}

fn line() -> Vec<u8> {
    games::bins(games::SHORT).collect()
}

/// Arguments of the sponsor of a relay, whose account is bob's.
fn arguments<'a>(
    chain: &'a Chain,
    relay: &'a Shown,
    folder: &'a Path,
    line: &'a str,
) -> Vec<&'a str> {
    let state = folder.to_str().expect("text");
    let fixed = [
        "record",
        "--follow",
        "--account",
        "bob",
        "--url",
        &chain.node.url,
        "--relay",
        &relay.url,
        "--state",
        state,
        "--json",
    ];
    fixed.into_iter().chain(line.split_whitespace()).collect()
}

fn sponsor(chain: &Chain, relay: &Shown, folder: &Path, line: &str) -> Ended {
    run(&arguments(chain, relay, folder, line), "")
}

/// The last line that says what was spent.
fn told(lines: &[Value]) -> Value {
    let told = lines.iter().rev().find(|line| line["event"] == "sponsored");
    told.expect("it says what was spent").clone()
}

fn amount(told: &Value, name: &str) -> i128 {
    told[name]
        .as_str()
        .expect("an amount")
        .parse()
        .expect("one")
}

const GENEROUS: &str = "--once --budget 10/day --pace 1";

#[test]
fn ended_games_are_recorded_once_and_junk_is_not_paid_for() {
    let chain = Chain::start(&["--tmp"]);
    let relay = Shown::start(chain.signing());
    let folder = TempDir::new().expect("a folder");
    let now = chain.now();
    // They would not count, and are no forgeries: players can sign terms of any time.
    for number in 100..125 {
        relay.show(chain.game_of(number, now - 32 * DAY), [1, 1]);
    }
    // It would not in an hour.
    relay.show(chain.game_of(99, now - 31 * DAY + 600), [97, 98]);
    let good: Vec<Finished> = (1..=3).map(|number| chain.game(number)).collect();
    for (game, origin) in good.iter().zip(1..) {
        relay.show(*game, [origin, origin + 100]);
    }
    // It is too short.
    let of_number = |number| chain.play(number, keys_of(number), now);
    let resigned = Ending::Resignation(Player::One);
    let short = of_number(11).finished(&[3, 3], resigned, &witness(), 1000 * now);
    relay.show(short, [12, 13]);
    // Its players, or its witness, have not signed it.
    let forged = Finished {
        signatures: good[0].signatures,
        ..chain.game(12)
    };
    relay.show(forged, [14, 15]);
    let by_another = of_number(13).finished(&line(), Ending::Board, &session_key(901), 1000 * now);
    relay.show(by_another, [16, 17]);
    // It is of another chain.
    let elsewhere = signed::Chain {
        genesis: [7; 32],
        ..chain.signing()
    };
    let play = SignedPlay::on(elsewhere, chain.game(14).terms, keys_of(14));
    let other = play.finished(&line(), Ending::Board, &witness(), 1000 * now);
    relay.show(other, [18, 19]);
    // It has no witness: whoever made it up could do so without an end.
    let terms = Terms {
        witness: None,
        ..chain.game(15).terms
    };
    let play = SignedPlay::on(chain.signing(), terms, keys_of(15));
    let agreed = Ending::Resignation(Player::Two);
    relay.show(play.finished(&line(), agreed, &witness(), 0), [20, 21]);
    // Its witness has signed another end of it, too: one is paid for.
    let play = SignedPlay::on(chain.signing(), good[0].terms, keys_of(1));
    let again = play.finished(&line()[..6], resigned, &witness(), 1000 * now);
    relay.show(again, [22, 23]);
    let before = chain.balance("bob");
    let lines = sponsor(&chain, &relay, folder.path(), GENEROUS)
        .expect(0)
        .json();
    let recorded = chain.recorded();
    assert_eq!(recorded.len(), 3);
    for game in &good {
        assert_eq!(recorded.get(&chain.number(game)), Some(&1));
    }
    let spent = told(&lines);
    assert_eq!(spent["games"], 3);
    assert_eq!(
        before - chain.balance("bob"),
        amount(&spent, "spent_in_all")
    );
    // Again, it finds nothing to do.
    let again = told(
        &sponsor(&chain, &relay, folder.path(), GENEROUS)
            .expect(0)
            .json(),
    );
    assert_eq!(again["spent_in_all"], spent["spent_in_all"]);
    // With a lost state the chain says what is there.
    let other = TempDir::new().expect("a folder");
    let fresh = told(
        &sponsor(&chain, &relay, other.path(), GENEROUS)
            .expect(0)
            .json(),
    );
    assert_eq!(fresh["games"], 0);
    assert_eq!(chain.recorded(), recorded);
    let line = "--summary --budget 10/day";
    let summary = told(
        &sponsor(&chain, &relay, folder.path(), line)
            .expect(0)
            .json(),
    );
    assert_eq!(summary["spent_in_all"], spent["spent_in_all"]);
}

/// Up to thirty ends by one signature of their witness.
#[test]
fn ends_are_recorded_by_lists_of_their_witness() {
    let chain = Chain::start(&["--tmp"]);
    let relay = Shown::start(chain.signing());
    let folder = TempDir::new().expect("a folder");
    let good: Vec<Finished> = (1..=31).map(|number| chain.game(number)).collect();
    for (game, origin) in good.iter().zip(1..) {
        relay.show(*game, [origin, origin + 100]);
    }
    let lines = sponsor(&chain, &relay, folder.path(), GENEROUS)
        .expect(0)
        .json();
    let recorded = chain.recorded();
    assert_eq!(recorded.len(), 31);
    for game in &good {
        assert_eq!(recorded.get(&chain.number(game)), Some(&1));
    }
    assert_eq!(told(&lines)["games"], 31);
    let calls = lines.iter().filter(|line| line["event"] == "recorded");
    assert_eq!(calls.count(), 2);
    assert_eq!(*relay.lists.lock().expect("no panic"), [30]);
    // Neither the same state nor a lost one records any of them again.
    let other = TempDir::new().expect("a folder");
    for folder in [folder.path(), other.path()] {
        sponsor(&chain, &relay, folder, GENEROUS).expect(0);
        assert_eq!(chain.recorded(), recorded);
    }
}

/// Then each game has its own signature, and the operator is told why that costs more.
#[test]
fn a_witness_that_signs_no_list_is_named_once() {
    let chain = Chain::start(&["--tmp"]);
    let relay = Shown::start(chain.signing());
    relay.refuses.store(true, Ordering::Relaxed);
    let folder = TempDir::new().expect("a folder");
    // More than one transaction has.
    for (number, origin) in (1..=32).zip(1..) {
        relay.show(chain.game(number), [origin, origin + 100]);
    }
    let ended = sponsor(&chain, &relay, folder.path(), GENEROUS).expect(0);
    let calls = ended.json();
    let calls = calls.iter().filter(|line| line["event"] == "recorded");
    assert_eq!(calls.count(), 2);
    assert_eq!(chain.recorded().len(), 32);
    assert_eq!(*relay.lists.lock().expect("no panic"), [0, 0]);
    let said = [ended.out, ended.err].concat();
    let why = format!(
        "no relay has signed all of their ends at once: {}",
        relay.url
    );
    assert_eq!(said.matches(&why).count(), 1, "{said}");
}

/// A player who is sponsored for many wins loses at last: the game counts for the winner alone.
#[test]
fn what_the_loser_was_paid_for_keeps_no_win_from_the_chain() {
    let chain = Chain::start(&["--tmp"]);
    let relay = Shown::start(chain.signing());
    let folder = TempDir::new().expect("a folder");
    let keys = |other| ByPlayer {
        one: session_key(1),
        two: session_key(other),
    };
    for number in 0..3 {
        let won = chain.resigned(number, Player::One, keys(100 + number));
        relay.show(won, [1, 10]);
    }
    let strict = "--once --budget 10/day --pace 1 --per-account 2 --per-address 2";
    sponsor(&chain, &relay, folder.path(), strict).expect(0);
    assert_eq!(chain.recorded().len(), 2);
    let lost = chain.resigned(9, Player::Two, keys(100));
    relay.show(lost, [1, 10]);
    sponsor(&chain, &relay, folder.path(), strict).expect(0);
    assert_eq!(chain.recorded().len(), 3);
}

#[test]
fn the_budget_is_kept_and_one_person_does_not_get_it_all() {
    let chain = Chain::start(&["--tmp"]);
    let relay = Shown::start(chain.signing());
    let folder = TempDir::new().expect("a folder");
    // A flood of one address with many accounts; then somebody else's game.
    for number in 1..=60 {
        relay.show(chain.game(number), [1, 1]);
    }
    let honest = chain.game(100);
    relay.show(honest, [2, 3]);
    let before = chain.balance("bob");
    // It is enough for some ten games.
    let scarce = "--once --budget 0.025/day --pace 1 --per-address 30";
    let spent = told(
        &sponsor(&chain, &relay, folder.path(), scarce)
            .expect(0)
            .json(),
    );
    let paid = before - chain.balance("bob");
    assert_eq!(paid, amount(&spent, "spent_in_all"));
    assert!(paid <= amount(&spent, "budget"), "{spent}");
    let recorded = chain.recorded();
    assert!(recorded.len() > 3, "{}", recorded.len());
    assert!(
        recorded.contains_key(&chain.number(&honest)),
        "who has had least comes first"
    );
    // The next run has what is left, and no more.
    let again = told(
        &sponsor(&chain, &relay, folder.path(), scarce)
            .expect(0)
            .json(),
    );
    assert!(before - chain.balance("bob") <= amount(&again, "budget"));
    // With money for all, an address has its limit.
    let folder = TempDir::new().expect("a folder");
    let generous = "--once --budget 10/day --pace 1 --per-address 30";
    sponsor(&chain, &relay, folder.path(), generous).expect(0);
    let by_flood = chain.recorded().len() - recorded.len();
    assert!(by_flood <= 30, "{by_flood}");
    // What is kept in reserve is not touched.
    let reserve = "--once --budget 10/day --pace 1 --reserve 100000000";
    let folder = TempDir::new().expect("a folder");
    let none = told(
        &sponsor(&chain, &relay, folder.path(), reserve)
            .expect(0)
            .json(),
    );
    assert_eq!(none["games"], 0);
}

#[test]
fn a_single_run_ends_although_a_relay_is_silent() {
    let chain = Chain::start(&["--tmp"]);
    let relay = Shown::start(chain.signing());
    let silent = Shown::silent(chain.signing());
    let folder = TempDir::new().expect("a folder");
    for (relay, number) in [(&relay, 1), (&silent, 2)] {
        let origin = u8::try_from(number).expect("few");
        relay.show(chain.game(number), [origin, origin + 100]);
    }
    let unused = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let away = format!("ws://{}", unused.expect("an address"));
    let all = format!("{GENEROUS} --relay {} --relay {away}", silent.url);
    let ended = sponsor(&chain, &relay, folder.path(), &all).expect(1);
    for why in [format!("{} did not send all", silent.url), away] {
        assert!(ended.err.contains(&why), "{why}: {}", ended.err);
    }
    // What it had shown is recorded, and known to be.
    assert!(!ended.err.contains(&relay.url), "{}", ended.err);
    assert_eq!(chain.recorded().len(), 2);
    let again = sponsor(&chain, &relay, folder.path(), GENEROUS).expect(0);
    assert_eq!(told(&again.json())["games"], 2);
}

/// A node says that a day has passed, which has not by the clock of this machine.
#[test]
fn a_node_that_is_ahead_does_not_renew_the_budget() {
    let chain = Chain::start(&["--tmp", "--dev-rpc"]);
    let relay = Shown::start(chain.signing());
    let folder = TempDir::new().expect("a folder");
    for number in 1..=60 {
        let origin = u8::try_from(number).expect("few");
        relay.show(chain.game(number), [origin, origin + 100]);
    }
    let scarce = "--once --budget 0.025/day --pace 1";
    let run = || {
        sponsor(&chain, &relay, folder.path(), scarce).expect(0);
        chain.recorded().len()
    };
    let mut recorded = 0;
    // The last ones are recorded one by one.
    for _ in 0..10 {
        let before = std::mem::replace(&mut recorded, run());
        if before == recorded {
            break;
        }
    }
    assert!((4..60).contains(&recorded), "{recorded}");
    chain.node.ask("dev_advanceClock", "[90000]");
    chain.node.ask("dev_seal", "[]");
    assert_eq!(run(), recorded);
    let told = told(
        &sponsor(&chain, &relay, folder.path(), scarce)
            .expect(0)
            .json(),
    );
    assert!(amount(&told, "spent") > 0, "{told}");
}

#[test]
fn killed_at_any_moment_it_pays_nothing_twice() {
    // A block each second, so that transactions are under way for a while.
    let chain = Chain::start(&["--tmp", "--block-time", "1"]);
    let relay = Shown::start(chain.signing());
    let folder = TempDir::new().expect("a folder");
    let state = folder.path().join("state");
    let before = chain.balance("bob");
    let content = || std::fs::read(&state).unwrap_or_default();
    let line_of = "--once --budget 10/day --pace 1";
    for round in 0..4 {
        for number in 10 * round..10 * round + 3 {
            let origin = u8::try_from(number).expect("few");
            relay.show(chain.game(number), [origin, origin + 100]);
        }
        let was = content();
        let start = || Running::start(connect4(&arguments(&chain, &relay, folder.path(), line_of)));
        let mut running = start();
        match round % 2 {
            // The transaction is on disk, and is being sent.
            0 => while content() == was {},
            // It is in a block.
            _ => {
                running.line_with("recorded");
            }
        }
        running.kill();
    }
    let lines = sponsor(&chain, &relay, folder.path(), line_of)
        .expect(0)
        .json();
    let recorded = chain.recorded();
    assert_eq!(recorded.len(), 12);
    assert!(recorded.values().all(|times| *times == 1), "{recorded:?}");
    let spent = told(&lines);
    assert_eq!(spent["games"], 12);
    assert_eq!(
        before - chain.balance("bob"),
        amount(&spent, "spent_in_all")
    );
}

#[test]
fn it_begins_with_clear_arguments_alone() {
    let chain = Chain::start(&["--tmp"]);
    let relay = Shown::start(chain.signing());
    let folder = TempDir::new().expect("a folder");
    for (line, why) in [
        ("", "--budget"),
        ("--budget 1", "a day"),
        ("--budget 1/hour", "a day"),
        ("--budget 0/day", "a day"),
        ("--budget -1/day", "unexpected argument"),
        ("--budget 1EUR/day", "a day"),
        ("--budget 1/day --reserve much", "--reserve"),
        ("--budget 1/day --pace 0", "--pace"),
        ("--budget 1/day --per-pair none", "--per-pair"),
    ] {
        let ended = sponsor(&chain, &relay, folder.path(), line).expect(2);
        assert!(ended.err.contains(why), "{line}: {}", ended.err);
    }
    let twice = format!("--budget 1/day --relay {}", relay.url);
    let ended = sponsor(&chain, &relay, folder.path(), &twice).expect(2);
    assert!(ended.err.contains("twice"), "{}", ended.err);
    let nobody = [
        "record",
        "--follow",
        "--budget",
        "1/day",
        "--relay",
        &relay.url,
        "--url",
        &chain.node.url,
    ];
    let ended = run(&nobody, "").expect(2);
    assert!(ended.err.contains("--secret-file"), "{}", ended.err);
    let at = ["--account", "bob", "--url", &chain.node.url];
    let wrong = |line: &[&str]| run(&[&["record"], line, &at].concat(), "").expect(2).err;
    let without_relay = wrong(&["--follow", "--budget", "1/day"]);
    assert!(without_relay.contains("--relay"), "{without_relay}");
    // Of games that are named the cost is asked for.
    let alone = wrong(&["--budget", "1/day"]);
    assert!(alone.contains("--follow"), "{alone}");
    let both = wrong(&["--follow", "--budget", "1/day", "--max-fee", "1"]);
    assert!(both.contains("cannot be used with"), "{both}");
    // Two at once would not know of each other's payments.
    let line = "--budget 1/day";
    let mut first = Running::start(connect4(&arguments(&chain, &relay, folder.path(), line)));
    first.line_with("sponsored");
    let ended = sponsor(&chain, &relay, folder.path(), line).expect(1);
    assert!(ended.err.contains("another program uses"), "{}", ended.err);
    first.stop("TERM").expect(0);
    std::fs::write(folder.path().join("state"), "junk").expect("written");
    let ended = sponsor(&chain, &relay, folder.path(), line).expect(1);
    assert!(ended.err.contains("damaged"), "{}", ended.err); // It has what an earlier version paid today.
    std::fs::write(folder.path().join("state"), b"c4spon\0\x02").expect("written");
    let ended = sponsor(&chain, &relay, folder.path(), line).expect(1);
    let why = "is of another version of this program";
    assert!(ended.err.contains(why), "{}", ended.err);
}
