//! Games of guests at once, then recorded by a sponsor: `cargo bench --package connect4-cli`.
//!
//! The programs are those of a user: a node with a block every six seconds, a relay that is a witness, a sponsor, each a
//! process of its own. Pairs of guests find each other in the lobby, sign terms, and play all at once. Options after `--`:
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
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use codec::{Compact, Decode as _};
use connect4_protocol::Address;
use connect4_protocol::signed::lobby::ToLobby;
use connect4_protocol::signed::wire::Act;
use connect4_protocol::signed::{Chain, Party, Terms};
use connect4_rules::{ByPlayer, Player, Shape};
use connect4_testing::games;
use connect4_testing::keys::session_key;
use connect4_testing::lobby::{Visitor, letter, offer};
use connect4_testing::room::Seat;
use connect4_testing::signed::SignedPlay;
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
/// After how long strangers give a game up that the relay does not give them.
const MET: Duration = Duration::from_secs(30);
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
    let folder = TempDir::new()?;
    let log = folder.path().join("witness");
    let relay = [
        "relay",
        "--listen",
        "127.0.0.1:0",
        "--url",
        &node.url,
        "--witness-log",
        log.to_str().ok_or("text")?,
        "--rooms-by-terms",
        "10000",
        "--seeks",
        "5000",
        "--trust-proxy",
        "127.0.0.1",
    ];
    let relay = Program::start(&relay, false, "Relay at ws://")?;
    let address: SocketAddr = relay.url.trim_start_matches("ws://").parse()?;
    let (witness, chain) = witness_at(address).await?;

    println!("{games} games of two guests each, of {moves} moves and a resignation");
    let started = Instant::now();
    let places = Arc::new(Semaphore::new(MEETING));
    let all = Arc::new(tokio::sync::Barrier::new(usize::try_from(games)?));
    let mut flooding = JoinSet::new();
    for stranger in 0..strangers {
        flooding.spawn(flood(address, witness, chain, stranger));
    }
    let mut playing = JoinSet::new();
    for number in 0..games {
        let (places, all) = (Arc::clone(&places), Arc::clone(&all));
        playing.spawn(async move {
            let from = format!("2001:db8:0:{number:x}::1");
            let number = 3_500_000 + u64::from(number);
            let place = places.acquire().await?;
            meet(address, number, &from).await?;
            drop(place);
            let game = Playing::enter(address, witness, chain, number, &from).await?;
            let id = game.play.number;
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

    let state = folder.path().join("sponsor");
    let state = state.to_str().ok_or("text")?;
    let started = Instant::now();
    let said = output(&[
        "record",
        "--follow",
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

/// The witness that the relay is, and the chain of its games.
async fn witness_at(relay: SocketAddr) -> Result<(Address, Chain), Failed> {
    let witness = Visitor::witness_at(relay).await.ok_or("no witness")?;
    let chain = Chain {
        id: witness.chain_id,
        genesis: witness.genesis,
    };
    Ok((witness.key, chain))
}

/// Ends one game after the other at one address, each of two new guests, for ever.
async fn flood(relay: SocketAddr, witness: Address, chain: Chain, stranger: u32) {
    let from = format!("2001:db8:1:{stranger:x}::1");
    let mut next = tokio::time::interval(BETWEEN_GAMES);
    next.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for round in 0..u64::MAX {
        next.tick().await;
        let number = 4_000_000 + (u64::from(stranger) << 32) + round;
        if meet(relay, number, &from).await.is_err() {
            continue;
        }
        if let Ok(game) = Playing::enter(relay, witness, chain, number, &from).await {
            game.end(MOVES_OF_STRANGERS).await;
        }
    }
}

/// Two guests meet by an invite.
async fn meet(relay: SocketAddr, number: u64, from: &str) -> Result<(), Failed> {
    let invite = rand::random();
    let mut alice = Visitor::passed_on(relay, from).await?;
    let mut bob = Visitor::passed_on(relay, from).await?;
    let own = offer(number);
    let met = async {
        let id = alice.offer(own.clone(), Some(invite)).await;
        bob.say(ToLobby::Look(invite)).await;
        assert_eq!(bob.listed(&own).await, id);
        bob.take(id, b"terms").await;
        let (take, _) = alice.taken(id).await;
        let letter = letter(b"signed");
        alice
            .say(ToLobby::Accept {
                offer: id,
                take,
                letter,
                stays: false,
            })
            .await;
        bob.accepted().await;
    };
    // Those whose address has enough are refused.
    let met = tokio::time::timeout(MET, met).await;
    met.map_err(|_| "they do not meet".into())
}

/// A game, with the sockets of both players.
struct Playing {
    play: SignedPlay,
    seats: ByPlayer<Seat>,
}

impl Playing {
    async fn enter(
        relay: SocketAddr,
        witness: Address,
        chain: Chain,
        number: u64,
        from: &str,
    ) -> Result<Self, Failed> {
        let keys = ByPlayer {
            one: session_key(2 * number),
            two: session_key(2 * number + 1),
        };
        let terms = Terms {
            players: ByPlayer::from_fn(|player| Party::Guest(keys.get(player).address())),
            witness: Some(witness),
            time: SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs(),
            nonce: 7,
            ..Terms::on(Shape::STANDARD)
        };
        let play = SignedPlay::on(chain, terms, keys);
        let seats = ByPlayer {
            one: Seat::join_from(relay, &play, Player::One, from).await?,
            two: Seat::join_from(relay, &play, Player::Two, from).await?,
        };
        Ok(Self { play, seats })
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
            let moves = &bins[..turns];
            let sent = Instant::now();
            self.seats[mover].say(self.play.made(moves)).await;
            self.seats[mover.opponent()].receipt(moves).await;
            latencies.push(sent.elapsed());
        }
        self.resign(&bins[..moves]).await;
        self.seats[Player::Two].end().await;
        Ok(latencies)
    }

    /// Player one resigns after these moves, which are told to its socket.
    async fn resign(&mut self, bins: &[u8]) {
        let seat = &mut self.seats[Player::One];
        seat.receipt(bins).await;
        let resigns = self.play.spoken(Player::One, Act::Resign, bins);
        seat.say(resigns).await;
    }

    /// Makes so many moves at once, and resigns.
    async fn end(mut self, moves: usize) {
        let bins: Vec<u8> = games::bins(games::DRAW).collect();
        for turns in 1..=moves {
            let made = self.play.made(&bins[..turns]);
            self.seats[Player::One].say(made).await;
        }
        let ended = async {
            self.resign(&bins[..moves]).await;
            self.seats[Player::Two].end().await;
        };
        // A game that the relay has refused does not end.
        let _ = tokio::time::timeout(MET, ended).await;
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
