//! Games of guests at once, then recorded by a sponsor: `cargo bench --package connect4-cli`.
//!
//! The programs are those of a user: a node with a block every six seconds, a relay, a sponsor, each a process of its
//! own. Pairs of guests find each other in the lobby, sign terms, and play all at once. Options after `--`:
//!
//! - `--games N`: games, 1,000 unless said otherwise.
//! - `--moves N`: moves of each game before it is resigned, 20 unless said otherwise, 40 at most.
//! - `--strangers N`: addresses at which games of six moves are ended as fast as the relay lets them, while the others
//!   play, to be recorded by the sponsor; 10 unless said otherwise.
//!
//! Each pair of guests has an address of its own, and the sponsor has its usual limits but for the budget. The bench
//! prints how long the games and the moves take, and of the records the transactions, the proof, the fee and the time,
//! and what the strangers had of them. It fails if a game of the guests is lost, or if an address of the strangers has
//! more than its part, and asserts no times, as they differ between machines.

use std::collections::HashSet;
use std::error::Error;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use codec::{Compact, Decode as _};
use connect4_client::fast::{Feed, Identity, Lobby, LobbyNews, Side, Wish};
use connect4_protocol::fast::wire::{FromRelay, ToRelay, presence};
use connect4_protocol::fast::{Domain, Ending, Native, SessionKey, SignedTerms};
use connect4_rules::{ByPlayer, Player, Shape};
use connect4_testing::fast::{TermsPlay, session_key};
use connect4_testing::games;
use connect4_testing::socket::Socket;
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;

type Failed = Box<dyn Error + Send + Sync>;

/// Pairs that meet in the lobby at the same time.
const MEETING: usize = 32;
/// Games that a sponsor records of an address in 24 hours, unless it is told another number.
const PER_ADDRESS: u32 = 20;
/// Least time between two games of an address of the strangers.
const BETWEEN_GAMES: Duration = Duration::from_millis(250);
const MOVES_OF_STRANGERS: usize = 6;
/// Key of `System::BlockWeight` in the state.
const BLOCK_WEIGHT: &str = "0x26aa394eea5630e07c48ae0c9558cef734abf5cb34d6244378cddbf18e849d96";

fn main() -> Result<(), Failed> {
    let (mut games, mut moves, mut strangers) = (1000_u32, 20_usize, 10_u32);
    let mut arguments = std::env::args()
        .skip(1)
        .filter(|option| option != "--bench");
    while let Some(option) = arguments.next() {
        let value = arguments.next().ok_or("a value is missing")?;
        match &*option {
            "--games" => games = value.parse()?,
            "--moves" => moves = value.parse()?,
            "--strangers" => strangers = value.parse()?,
            other => return Err(format!("there is no option {other}").into()),
        }
    }
    if !(2..=40).contains(&moves) {
        return Err("from 2 to 40 moves".into());
    }
    open_most_files();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(measure(games, moves, strangers))
}

/// Each game has two sockets.
fn open_most_files() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    // Without it fewer games can be played.
    let _ = setrlimit(Resource::Nofile, limit);
}

/// A process of the program, which ends with this.
struct Program {
    process: Child,
    url: String,
}

impl Program {
    /// Starts a command that says where it serves, behind `sign`.
    fn start(arguments: &[&str], by_errors: bool, sign: &str) -> Result<Self, Failed> {
        let mut process = command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let said: Box<dyn std::io::Read + Send> = match by_errors {
            true => Box::new(process.stderr.take().ok_or("its errors")?),
            false => Box::new(process.stdout.take().ok_or("its output")?),
        };
        let mut lines = BufReader::new(said).lines();
        let url = loop {
            let line = lines.next().ok_or("it ends")??;
            if let Some((_, url)) = line.split_once(sign) {
                break format!("ws://{url}");
            }
        };
        // What it says later is read, so that it can say more.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(Self { process, url })
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_connect4"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("CONNECT4_") {
            command.env_remove(name);
        }
    }
    command.args(arguments);
    command
}

/// Output of a command that has to succeed.
fn output(arguments: &[&str]) -> Result<String, Failed> {
    let output = command(arguments).output()?;
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout)?),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned().into()),
    }
}

async fn measure(games: u32, moves: usize, strangers: u32) -> Result<(), Failed> {
    let node = ["node", "--tmp", "--block-time", "6", "--rpc-port", "0"];
    let node = Program::start(&node, true, "Running JSON-RPC server: addr=")?;
    output(&["deploy", "--url", &node.url])?;
    let relay = [
        "relay",
        "--listen",
        "127.0.0.1:0",
        "--url",
        &node.url,
        "--rooms",
        "20000",
        "--seeks",
        "5000",
        "--trust-proxy",
        "127.0.0.1",
    ];
    let relay = Program::start(&relay, false, "Relay at ws://")?;
    let address: SocketAddr = relay.url.trim_start_matches("ws://").parse()?;
    let domain = Feed::enter(&relay.url).await?.domain();

    println!("{games} games of two guests each, of {moves} moves and a resignation");
    let started = Instant::now();
    let places = Arc::new(Semaphore::new(MEETING));
    let all = Arc::new(tokio::sync::Barrier::new(usize::try_from(games)?));
    let mut flooding = JoinSet::new();
    for stranger in 0..strangers {
        flooding.spawn(flood(relay.url.clone(), address, domain, stranger));
    }
    let mut playing = JoinSet::new();
    for number in 0..games {
        let (url, places, all) = (relay.url.clone(), Arc::clone(&places), Arc::clone(&all));
        playing.spawn(async move {
            let keys =
                [2 * number, 2 * number + 1].map(|key| session_key(7_000_000 + u64::from(key)));
            let place = places.acquire().await?;
            let signed = meet(&url, keys.clone()).await?;
            drop(place);
            let [one, two] = keys;
            let from = format!("2001:db8:0:{number:x}::1");
            let game = Playing::enter(address, &signed, [one, two], domain, &from).await?;
            let id = game.play.number();
            all.wait().await;
            let begun = Instant::now();
            Ok::<_, Failed>((id, game.play(moves).await?, begun))
        });
    }
    let (mut latencies, mut begun) = (Vec::new(), None);
    let mut of_guests = HashSet::new();
    while let Some(played) = playing.join_next().await {
        let (number, times, since) = played??;
        of_guests.insert(number.to_string());
        latencies.extend(times);
        begun = Some(begun.map_or(since, |begun: Instant| begun.min(since)));
    }
    let begun = begun.ok_or("no game")?;
    flooding.shutdown().await;
    latencies.sort_unstable();
    let at = |part: usize| {
        let latency = latencies.get(latencies.len() * part / 100).copied();
        latency.unwrap_or_default().as_secs_f64() * 1000.0
    };
    println!(
        "  until all have met and are at their boards  {:.1} s",
        (begun - started).as_secs_f64()
    );
    println!(
        "  until all have ended, played without pauses {:.1} s",
        begun.elapsed().as_secs_f64()
    );
    println!(
        "  a move until the opponent has it            {:.1} ms at the median, {:.1} ms at the 99th percentile",
        at(50),
        at(99)
    );

    let folder = TempDir::new()?;
    let state = folder.path().to_str().ok_or("text")?;
    let started = Instant::now();
    let said = output(&[
        "sponsor",
        "--once",
        "--json",
        "--account",
        "bob",
        "--url",
        &node.url,
        "--relay",
        &relay.url,
        "--state",
        state,
        "--budget",
        "1000/day",
        "--pace",
        "1",
    ])?;
    let took = started.elapsed();
    let lines = said.lines().map(serde_json::from_str::<Value>);
    let lines: Vec<Value> = lines.collect::<Result<_, _>>()?;
    let (mut transactions, mut recorded, mut of_strangers, mut fee, mut proof, mut time) =
        (0, 0, 0, 0_u128, 0, 0);
    for line in lines.iter().filter(|line| line["event"] == "recorded") {
        let transaction = &line["transaction"];
        transactions += 1;
        for game in line["games"].as_array().ok_or("games")? {
            match of_guests.contains(game.as_str().ok_or("a number")?) {
                true => recorded += 1,
                false => of_strangers += 1,
            }
        }
        fee += transaction["fee"]
            .as_str()
            .ok_or("a fee")?
            .parse::<u128>()?;
        let block = transaction["block_hash"].as_str().ok_or("a block")?;
        let weight = weight_of(&node.url, block)?;
        time += weight.0;
        proof += weight.1;
    }
    if recorded != games {
        return Err(format!("{recorded} of {games} games are recorded").into());
    }
    if of_strangers > PER_ADDRESS * strangers {
        return Err(format!("{of_strangers} games of strangers are recorded").into());
    }
    let each = |amount: f64| amount / f64::from(recorded + of_strangers);
    let tokens = fee as f64 / 1e10;
    println!("recorded by a sponsor");
    println!("  games         {recorded} of the guests, {of_strangers} of the strangers");
    println!("  transactions  {transactions}");
    println!(
        "  proof         {:.2} MB, {:.0} bytes a game",
        proof as f64 / 1e6,
        each(proof as f64)
    );
    println!(
        "  weight        {:.2} s of the blocks' time",
        time as f64 / 1e12
    );
    println!(
        "  fee           {tokens:.4} DOT, {:.6} DOT a game",
        each(tokens)
    );
    println!(
        "  time          {:.1} s, with a block every 6 s",
        took.as_secs_f64()
    );
    Ok(())
}

/// Ends one game after the other at one address, each of two new guests, for ever.
async fn flood(url: String, relay: SocketAddr, domain: Domain, stranger: u32) {
    let from = format!("2001:db8:1:{stranger:x}::1");
    let mut next = tokio::time::interval(BETWEEN_GAMES);
    next.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for number in 0..u64::MAX {
        next.tick().await;
        let key = |side| session_key(8_000_000 + (u64::from(stranger) << 32) + 2 * number + side);
        let keys = [0, 1].map(key);
        let Ok(signed) = meet(&url, keys.clone()).await else {
            continue;
        };
        if let Ok(game) = Playing::enter(relay, &signed, keys, domain, &from).await {
            game.end(MOVES_OF_STRANGERS).await;
        }
    }
}

/// Two guests meet by an invite, and sign terms.
async fn meet(url: &str, [one, two]: [SessionKey; 2]) -> Result<SignedTerms, Failed> {
    let wish = Wish {
        shape: Shape::STANDARD.into(),
        pie_rule: false,
        pool: 0,
        clock: None,
        side: Side::First,
    };
    let invite = rand::random();
    let mut seeker = Lobby::enter(url, Identity::guest(one)).await?;
    let mut other = Lobby::enter(url, Identity::guest(two)).await?;
    seeker.seek(&wish, Some(invite)).await?;
    while !matches!(seeker.next().await?, LobbyNews::Seeking(_)) {}
    other.look(invite).await?;
    let id = loop {
        if let LobbyNews::Invited(id) = other.next().await? {
            break id;
        }
    };
    other.answer(id).await?;
    // Both are told; the seeker accepts by itself.
    let accepting = async {
        loop {
            if let LobbyNews::Paired(terms) = seeker.next().await? {
                return Ok::<_, Failed>(*terms);
            }
        }
    };
    let accepted = async {
        loop {
            match other.next().await? {
                LobbyNews::Paired(_) => return Ok::<_, Failed>(()),
                LobbyNews::NotPaired(..) => return Err("they do not meet".into()),
                _ => {}
            }
        }
    };
    let (terms, ()) = tokio::try_join!(accepting, accepted)?;
    Ok(terms)
}

/// A game, with the sockets of both players.
struct Playing {
    play: TermsPlay,
    sockets: ByPlayer<Socket>,
}

impl Playing {
    async fn enter(
        relay: SocketAddr,
        signed: &SignedTerms,
        [one, two]: [SessionKey; 2],
        domain: Domain,
        from: &str,
    ) -> Result<Self, Failed> {
        let play = TermsPlay {
            terms: signed.terms,
            domain,
            keys: ByPlayer { one, two },
            sessions: ByPlayer::default(),
        };
        let number = play.number();
        let enter = async |player: Player| {
            let mut socket = Socket::passed_on(relay, number, from).await?;
            let nonce = socket.welcome().await;
            socket.send(ToRelay::Terms(*signed)).await;
            let digest = presence(number, nonce, &domain, &Native);
            let signature = play.keys.get(player).sign(&digest);
            socket.send(ToRelay::Join { player, signature }).await;
            Ok::<_, Failed>(socket)
        };
        let sockets = ByPlayer {
            one: enter(Player::One).await?,
            two: enter(Player::Two).await?,
        };
        Ok(Self { play, sockets })
    }

    /// Plays the moves, then player one resigns. Returns how long each move took to the opponent.
    async fn play(mut self, moves: usize) -> Result<Vec<Duration>, Failed> {
        let bins: Vec<u8> = games::bins(games::DRAW).collect();
        let mut latencies = Vec::with_capacity(moves);
        for turns in 1..=moves {
            let mover = if turns % 2 == 1 {
                Player::One
            } else {
                Player::Two
            };
            let evidence = self.play.evidence(&bins[..turns], None);
            let sent = Instant::now();
            self.sockets[mover].send(ToRelay::Position(evidence)).await;
            self.sockets[mover.opponent()].moves(&bins[..turns]).await;
            latencies.push(sent.elapsed());
        }
        let ending = Some(Ending::Resignation(Player::One));
        let evidence = self.play.evidence(&bins[..moves], ending);
        self.sockets[Player::One]
            .send(ToRelay::Position(evidence))
            .await;
        let is_it = |message| match message {
            FromRelay::Position(shown) => (shown == evidence).then_some(()),
            _ => None,
        };
        self.sockets[Player::Two].until(is_it).await;
        Ok(latencies)
    }

    /// Brings the game to the relay when player one has resigned after these moves, and waits until it is shown or
    /// refused.
    async fn end(mut self, moves: usize) {
        let bins: Vec<u8> = games::bins(games::DRAW).collect();
        let ending = Some(Ending::Resignation(Player::One));
        let evidence = self.play.evidence(&bins[..moves], ending);
        let socket = &mut self.sockets[Player::One];
        socket.send(ToRelay::Position(evidence)).await;
        while let Some(message) = socket.next().await {
            if matches!(message, FromRelay::Position(shown) if shown == evidence) {
                return;
            }
        }
    }
}

/// Time and proof that the transactions of a block take.
fn weight_of(url: &str, block: &str) -> Result<(u64, u64), Failed> {
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"state_getStorage","params":["{BLOCK_WEIGHT}","{block}"]}}"#
    );
    let mut stream = TcpStream::connect(url.trim_start_matches("ws://"))?;
    write!(
        stream,
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (_, json) = answer.split_once("\r\n\r\n").ok_or("no answer")?;
    let (start, end) = (
        json.find('{').ok_or("JSON")?,
        json.rfind('}').ok_or("JSON")?,
    );
    let answer: Value = serde_json::from_str(&json[start..=end])?;
    let value = answer["result"].as_str().ok_or("no weight")?;
    let bytes = hex::decode(value.trim_start_matches("0x"))?;
    let (Compact(time), Compact(proof)) = <(Compact<u64>, Compact<u64>)>::decode(&mut &*bytes)?;
    Ok((time, proof))
}
