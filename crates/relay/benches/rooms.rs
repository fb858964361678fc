//! Many rooms at once: `cargo bench --package connect4-relay`.
//!
//! Signed games of guests are played at a relay in a process of its own, which is a witness with a log on the disk: pairs
//! who find each other in the lobby, and play in rooms of the witness. Options after `--`:
//!
//! - `--guests N`: games at the same time, 1,000 unless said otherwise. Each process needs two open files for each.
//! - `--strangers N`: then as many games of guests once more, beside so many strangers, each from a network of its
//!   own, who offer, take, open rooms and end games as fast as they can; 24 unless said otherwise.
//! - `--moves N`: moves of each game, 20 unless said otherwise, 40 at most.
//! - `--pace MILLISECONDS`: time for which players think, from none to twice as long, 1,000 unless said
//!   otherwise.
//!
//! It prints the memory and the processor time of the relay, and how long it takes from when a player
//! sends a move until the opponent has its receipt. It fails if a socket or a move was lost, and asserts no times, as they
//! differ between machines.

use std::collections::VecDeque;
use std::error::Error;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::ops::Range;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use connect4_protocol::Address;
use connect4_protocol::signed::lobby::{FromLobby, ToLobby};
use connect4_relay::{Limits, Proxies, ProxyHeader, Rate, Relay, Witness, serve};
use connect4_rules::{Bin, Player, Position, Shape};
use connect4_testing::crowd::Stranger;
use connect4_testing::dice::Dice;
use connect4_testing::lobby::{Visitor, letter, offer};
use connect4_testing::room::Seat;
use connect4_testing::signed::{CHAIN, SignedPlay};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex, watch};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, timeout};

type Failed = Box<dyn Error + Send + Sync>;

/// The option with which this program is the relay.
const SERVE: &str = "--serve";
/// Sockets that are opened at the same time.
const OPENING: usize = 32;
/// Least time between what a stranger tries twice.
const BETWEEN_ACTS: Duration = Duration::from_millis(250);
/// Rounds of which a stranger keeps the sockets.
const KEPT: usize = 16;
/// After how long a guest tries again what the lobby has refused. The lobby lists all once in a second at most.
const AGAIN: Duration = Duration::from_secs(1);
/// After how long something that has not come is lost: more than it takes on a machine that does other things, too.
const LOST: Duration = Duration::from_secs(120);

#[derive(Clone, Copy)]
struct Load {
    moves: usize,
    pace: u64,
    guests: u32,
    strangers: u64,
}

impl Load {
    fn asked() -> Result<Self, Failed> {
        let mut load = Self {
            moves: 20,
            pace: 1000,
            guests: 1000,
            strangers: 24,
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(option) = arguments.next() {
            // cargo says this to all benches.
            if option == "--bench" {
                continue;
            }
            let value = arguments.next().ok_or("a value is missing")?;
            match &*option {
                "--moves" => load.moves = value.parse()?,
                "--pace" => load.pace = value.parse()?,
                "--guests" => load.guests = value.parse()?,
                "--strangers" => load.strangers = value.parse()?,
                other => return Err(format!("there is no option {other}").into()),
            }
        }
        if load.moves > 40 {
            return Err("more than 40 moves".into());
        }
        Ok(load)
    }

    /// Time for which a player thinks.
    fn thought(self, dice: &mut Dice) -> Duration {
        Duration::from_millis(dice.below(2 * self.pace + 1))
    }
}

fn main() -> Result<(), Failed> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let mut arguments = std::env::args().skip(1);
    match arguments.next() {
        Some(option) if option == SERVE => runtime.block_on(relay()),
        _ => runtime.block_on(measure(Load::asked()?)),
    }
}

/// Folder of the witness that a process is.
fn folder(process: u32) -> PathBuf {
    std::env::temp_dir().join(format!("connect4-bench-{process}"))
}

/// Is the relay until the process is ended. Prints its address, and the key of its witness.
async fn relay() -> Result<(), Failed> {
    let limits = Limits {
        // Players may have little to think about here.
        messages: Rate {
            burst: 1000,
            per_second: 1000,
        },
        ..Limits::default()
    };
    let witness = Witness::open(&folder(std::process::id()), CHAIN)?;
    let key = witness.key();
    let relay = Relay::witnessed(limits, witness);
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    println!("{} {key}", listener.local_addr()?);
    let proxies = Proxies::new(vec!["127.0.0.1".parse()?], ProxyHeader::XForwardedFor);
    serve(listener, relay, proxies).await;
    Ok(())
}

/// The process of the relay.
struct Server {
    process: Child,
    relay: SocketAddr,
    witness: Address,
}

impl Server {
    fn start() -> Result<Self, Failed> {
        let mut process = Command::new(std::env::current_exe()?)
            .arg(SERVE)
            .stdout(Stdio::piped())
            .spawn()?;
        let output = process.stdout.take().ok_or("its output")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        let [relay, witness] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            return Err("an address and a key".into());
        };
        Ok(Self {
            process,
            relay: relay.parse()?,
            witness: witness.parse()?,
        })
    }

    /// Memory that it takes, in MB; none where the system does not tell.
    fn memory(&self) -> Option<f64> {
        let path = format!("/proc/{}/status", self.process.id());
        let status = std::fs::read_to_string(path).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS"))?;
        let kibibytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kibibytes * 1024.0 / 1e6)
    }

    /// Processor time that it has taken; none where the system does not tell.
    fn time(&self) -> Option<Duration> {
        let path = format!("/proc/{}/stat", self.process.id());
        let stat = std::fs::read_to_string(path).ok()?;
        let (_, fields) = stat.rsplit_once(')')?;
        let ticks = |field| fields.split_whitespace().nth(field)?.parse::<u64>().ok();
        // In hundredths of a second on all common systems.
        Some(Duration::from_millis(10 * (ticks(11)? + ticks(12)?)))
    }

    async fn count(&self, name: &str) -> Result<u64, Failed> {
        let mut stream = TcpStream::connect(self.relay).await?;
        let request = "GET /metrics HTTP/1.1\r\nhost: relay\r\nconnection: close\r\n\r\n";
        stream.write_all(request.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        let name = format!("connect4_relay_{name} ");
        let count = answer.lines().find_map(|line| line.strip_prefix(&*name));
        Ok(count.ok_or("no such count")?.parse()?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(folder(self.process.id()));
    }
}

async fn measure(load: Load) -> Result<(), Failed> {
    let server = Server::start()?;
    let script = script(load.moves);
    let guests = u64::from(load.guests);
    self::guests(&server, load, &script, 0..guests).await?;
    if load.strangers == 0 {
        return Ok(());
    }
    println!("the same beside {} strangers who flood it:", load.strangers);
    let acts = Arc::new(AtomicU64::new(0));
    let mut crowd = JoinSet::new();
    for number in 0..load.strangers {
        let (relay, witness) = (server.relay, server.witness);
        crowd.spawn(flood(relay, witness, number, Arc::clone(&acts)));
    }
    let began = Instant::now();
    self::guests(&server, load, &script, guests..2 * guests).await?;
    println!(
        "the strangers tried {:.0} things a second; of theirs the relay keeps {} ended games",
        acts.load(Ordering::Relaxed) as f64 / began.elapsed().as_secs_f64(),
        server.count("kept_ended").await?,
    );
    Ok(())
}

/// Offers, takes, opens rooms and ends games for ever, and keeps the newest sockets that it is given.
async fn flood(relay: SocketAddr, witness: Address, number: u64, acts: Arc<AtomicU64>) {
    let mut next = tokio::time::interval(BETWEEN_ACTS);
    next.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut kept = VecDeque::new();
    for round in 0.. {
        next.tick().await;
        let stranger = Stranger {
            relay,
            witness,
            from: format!("2001:db8:{number:x}:1::{:x}", round % 0xffff),
            number: (number << 24) + round,
            now: now(),
        };
        kept.push_back((stranger.offers().await, stranger.ends().await));
        kept.drain(..kept.len().saturating_sub(KEPT));
        acts.fetch_add(2, Ordering::Relaxed);
    }
}

/// The time of this machine, in seconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// Pairs of guests find each other in the lobby, all at once, and play.
async fn guests(
    server: &Server,
    load: Load,
    script: &[u8],
    mut numbers: Range<u64>,
) -> Result<(), Failed> {
    let began = (Instant::now(), server.time());
    let mut pairs = JoinSet::new();
    let mut pairing = Vec::new();
    let (start, started) = watch::channel(());
    let mut waiting = JoinSet::new();
    loop {
        while pairs.len() < OPENING
            && let Some(number) = numbers.next()
        {
            let (relay, witness) = (server.relay, server.witness);
            pairs.spawn(soon("a game", pair(relay, witness, number)));
        }
        let Some(paired) = pairs.join_next().await else {
            break;
        };
        let (play, sockets, took) = paired?;
        pairing.push(took);
        waiting.spawn(wait(play, sockets, started.clone()));
    }
    drop(start);
    let seats = waiting.join_all().await;
    let share = |(since, before): (Instant, Option<Duration>)| match (before, server.time()) {
        (Some(before), Some(after)) => {
            100.0 * (after - before).as_secs_f64() / since.elapsed().as_secs_f64()
        }
        _ => f64::NAN,
    };
    let took = began.0.elapsed().as_secs_f64();
    println!(
        "{} pairs of guests found each other and opened a room in {took:.1} s: {:.0} % of a core",
        load.guests,
        share(began)
    );
    print("from an offer to the game", pairing);
    let began = (Instant::now(), server.time());
    let mut players = JoinSet::new();
    for (play, [one, two]) in seats {
        let sent = Arc::new(Mutex::new(None));
        for (player, seat) in [(Player::One, one), (Player::Two, two)] {
            let (play, script, sent) = (play.clone(), script.to_vec(), Arc::clone(&sent));
            players.spawn(play_signed(load, player, seat, play, script, sent));
        }
    }
    let (mut latencies, mut stay) = (Vec::new(), Vec::new());
    while let Some(played) = players.join_next().await {
        let (measured, socket) = played?;
        latencies.extend(measured);
        stay.push(socket);
    }
    let moves = latencies.len();
    assert_eq!(
        moves,
        load.guests as usize * load.moves,
        "each was received"
    );
    print("a move between guests", latencies);
    let memory = server.memory().unwrap_or(f64::NAN);
    println!(
        "{} games of guests, {:.0} moves a second: {:.0} % of a core, {memory:.0} MB; {} rooms",
        load.guests,
        moves as f64 / began.0.elapsed().as_secs_f64(),
        share(began),
        server.count("signed_rooms").await?,
    );
    Ok(())
}

/// Two guests who find each other: strangers who take the offer are declined, and what is refused is tried again. Returns
/// their game, their sockets in its room, and how long it took from the offer until both were there.
async fn pair(
    relay: SocketAddr,
    witness: Address,
    number: u64,
) -> (SignedPlay, [Seat; 2], Duration) {
    let homes = [1, 2].map(|home| format!("2001:db9:{number:x}:{home}::1"));
    let [mut alice, mut bob] = [
        Visitor::enter_from(relay, &homes[0]).await,
        Visitor::enter_from(relay, &homes[1]).await,
    ];
    let began = Instant::now();
    let (own, terms) = (offer(number), letter(&number.to_be_bytes()));
    let offered = ToLobby::Offer {
        offer: own.clone(),
        invite: None,
    };
    alice.say(offered.clone()).await;
    bob.say(ToLobby::List { live: true }).await;
    loop {
        tokio::select! {
            message = alice.next() => match message.expect("the socket stays open") {
                FromLobby::Taken { offer, id: take, letter } if letter == terms => {
                    alice.say(ToLobby::Accept { offer, take, letter, stays: false }).await;
                }
                FromLobby::Taken { offer, id: take, .. } => {
                    alice.say(ToLobby::Decline { offer, take }).await;
                }
                FromLobby::Refused(_) => {
                    tokio::time::sleep(AGAIN).await;
                    alice.say(offered.clone()).await;
                }
                _ => {}
            },
            message = bob.next() => match message.expect("the socket stays open") {
                FromLobby::Listed { id, offer, .. } if offer == own => {
                    bob.take(id, &number.to_be_bytes()).await;
                }
                FromLobby::Refused(_) => {
                    tokio::time::sleep(AGAIN).await;
                    bob.say(ToLobby::List { live: true }).await;
                }
                FromLobby::Accepted { .. } => break,
                _ => {}
            },
        }
    }
    let play = SignedPlay::new(number, witness, None, now());
    let join = async |player, home: &str| {
        let seat = Seat::join_from(relay, &play, player, home).await;
        seat.expect("a socket")
    };
    let mut seats = [
        join(Player::One, &homes[0]).await,
        join(Player::Two, &homes[1]).await,
    ];
    for seat in &mut seats {
        seat.present(true, true).await;
    }
    (play, seats, began.elapsed())
}

/// Two guests at their board who wait until all may start. Their sockets are read meanwhile, as the relay asks
/// whether somebody is there.
async fn wait(
    play: SignedPlay,
    [mut one, mut two]: [Seat; 2],
    mut started: watch::Receiver<()>,
) -> (SignedPlay, [Seat; 2]) {
    tokio::select! {
        // The channel is closed then.
        _ = started.changed() => {}
        () = one.closed() => panic!("player one is put out"),
        () = two.closed() => panic!("player two is put out"),
    }
    (play, [one, two])
}

/// Plays one side of a game: thinks, sends, waits for the answer. A move has come once its receipt has. Returns how long
/// the moves of the opponent have taken.
async fn play_signed(
    load: Load,
    player: Player,
    mut seat: Seat,
    play: SignedPlay,
    script: Vec<u8>,
    sent: Arc<Mutex<Option<Instant>>>,
) -> (Vec<Duration>, Seat) {
    let mut dice = Dice(play.signed.signatures.one.0[0].into());
    let mut latencies = Vec::new();
    for turns in 1..=load.moves {
        let moves = &script[..turns];
        let is_own = (turns % 2 == 1) == (player == Player::One);
        if is_own {
            tokio::time::sleep(load.thought(&mut dice)).await;
            *sent.lock().await = Some(Instant::now());
            seat.say(play.made(moves)).await;
        }
        soon("a receipt", seat.receipt(moves)).await;
        if !is_own {
            let heard = Instant::now();
            let at = sent.lock().await.expect("it was sent");
            latencies.push(heard - at);
        }
    }
    (latencies, seat)
}

/// Waits for something that is lost if it does not come.
async fn soon<T>(what: &str, wanted: impl Future<Output = T>) -> T {
    let came = timeout(LOST, wanted).await;
    came.unwrap_or_else(|_| panic!("{what} has not come within {LOST:?}"))
}

/// Moves that end no game.
fn script(moves: usize) -> Vec<u8> {
    let mut dice = Dice(1);
    loop {
        let mut position = Position::new(Shape::STANDARD);
        let mut bins = Vec::new();
        while bins.len() < moves && position.outcome().is_none() {
            let bin = dice.below(7) as u8;
            if position.drop(Bin::new(bin)).is_ok() {
                bins.push(bin);
            }
        }
        if bins.len() == moves && position.outcome().is_none() {
            return bins;
        }
    }
}

fn print(what: &str, mut latencies: Vec<Duration>) {
    latencies.sort_unstable();
    let at = |share: f64| {
        let index = (latencies.len() as f64 * share) as usize;
        let latency = latencies.get(index.min(latencies.len().saturating_sub(1)));
        latency.map_or(0.0, Duration::as_secs_f64) * 1000.0
    };
    println!(
        "{what}: {} times, median {:.2} ms, 99th percentile {:.2} ms, longest {:.2} ms",
        latencies.len(),
        at(0.5),
        at(0.99),
        at(1.0),
    );
}
