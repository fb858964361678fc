//! Many rooms at once: `cargo bench --package connect4-relay`.
//!
//! Signed games of guests are played at a relay in a process of its own, which is a witness with a log on the disk: pairs
//! who find each other in the lobby, and play in rooms of the witness, with the clock of *Play*. Options after `--`:
//!
//! - `--guests N`: games at the same time, 1,000 unless said otherwise. Each process needs two open files for each.
//! - `--strangers N`: then as many games of guests once more, beside so many strangers, each from a network of its
//!   own, who offer, take, open rooms and end games as fast as they can; 24 unless said otherwise.
//! - `--idle N`: games besides, without a clock, in which both players are there and nobody moves; none unless said
//!   otherwise.
//! - `--kills N`: then as many games of guests once more, while the relay is ended by SIGKILL and started again, so many
//!   times, each time once all players are back; none unless said otherwise. Every other player brings nothing but the
//!   terms then.
//! - `--moves N`: moves of each game, 20 unless said otherwise, 40 at most.
//! - `--pace MILLISECONDS`: time for which players think, from none to twice as long, 1,000 unless said
//!   otherwise.
//!
//! It prints the memory and the processor time of the relay, how long it takes from when a player sends a move until the
//! opponent has its receipt, and by how much the witness takes more or less off a clock than the player has used by its own
//! clock, from the receipt of the opponent's move until the own one is sent. It fails if a socket or a move was lost, or if
//! the witness has contradicted itself, and asserts no times, as they differ between machines.

use std::collections::{BTreeMap, VecDeque};
use std::error::Error;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use connect4_protocol::signed::GameNumber;
use connect4_protocol::signed::lobby::{FromLobby, ToLobby};
use connect4_protocol::signed::relay::Present;
use connect4_protocol::signed::wire::{FromWitness, Telling, Told};
use connect4_protocol::{Address, ClockSpec};
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
/// After how long a relay is looked for again that is not there.
const LOOK: Duration = Duration::from_millis(20);
/// What *Play* offers.
const CLOCK: ClockSpec = ClockSpec {
    bank: 180,
    increment: 2,
};
/// After how long something that has not come is lost: more than it takes on a machine that does other things, too.
const LOST: Duration = Duration::from_secs(120);

#[derive(Clone, Copy)]
struct Load {
    moves: usize,
    pace: u64,
    guests: u32,
    idle: u32,
    strangers: u64,
    kills: usize,
}

impl Load {
    fn asked() -> Result<Self, Failed> {
        let mut load = Self {
            moves: 20,
            pace: 1000,
            guests: 1000,
            idle: 0,
            strangers: 24,
            kills: 0,
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
                "--idle" => load.idle = value.parse()?,
                "--kills" => load.kills = value.parse()?,
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
        Some(option) if option == SERVE => {
            let [folder, at] = [arguments.next(), arguments.next()].map(Option::unwrap_or_default);
            runtime.block_on(relay(&PathBuf::from(folder), at.parse()?))
        }
        _ => runtime.block_on(measure(Load::asked()?)),
    }
}

/// Is the relay until the process is ended, with its log in this folder. Prints its address, and the key of its witness.
async fn relay(folder: &Path, at: SocketAddr) -> Result<(), Failed> {
    let limits = Limits {
        // Players may have little to think about here.
        messages: Rate {
            burst: 1000,
            per_second: 1000,
        },
        ..Limits::default()
    };
    let witness = Witness::open(folder, CHAIN)?;
    let key = witness.key();
    let relay = Relay::witnessed(limits, witness);
    let listener = TcpListener::bind(at).await?;
    println!("{} {key}", listener.local_addr()?);
    let proxies = Proxies::new(vec!["127.0.0.1".parse()?], ProxyHeader::XForwardedFor);
    serve(listener, relay, proxies).await;
    Ok(())
}

/// The process of the relay.
struct Server {
    process: Child,
    folder: PathBuf,
    relay: SocketAddr,
    witness: Address,
}

impl Server {
    /// At a port that the system chooses.
    fn start() -> Result<Self, Failed> {
        let name = format!("connect4-bench-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let (process, relay, witness) = Self::run(&folder, ([127, 0, 0, 1], 0).into())?;
        Ok(Self {
            process,
            folder,
            relay,
            witness,
        })
    }

    fn run(folder: &Path, at: SocketAddr) -> Result<(Child, SocketAddr, Address), Failed> {
        let mut process = Command::new(std::env::current_exe()?)
            .arg(SERVE)
            .arg(folder)
            .arg(at.to_string())
            .stdout(Stdio::piped())
            .spawn()?;
        let output = process.stdout.take().ok_or("its output")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        let [relay, witness] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            return Err("an address and a key".into());
        };
        Ok((process, relay.parse()?, witness.parse()?))
    }

    /// Ends the process as the system does that has no memory left, and starts it again at the same port, with what the
    /// disk has.
    fn kill(&mut self) -> Result<(), Failed> {
        self.process.kill()?;
        self.process.wait()?;
        let (process, _, witness) = Self::run(&self.folder, self.relay)?;
        self.process = process;
        assert_eq!(witness, self.witness, "its log is whole");
        Ok(())
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
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

async fn measure(load: Load) -> Result<(), Failed> {
    let mut server = Server::start()?;
    let script = script(load.moves);
    let mut next = 0;
    let mut numbers = || {
        let first = next;
        next += u64::from(load.guests) + u64::from(load.idle);
        first..next
    };
    guests(&mut server, load, &script, numbers(), 0).await?;
    if load.strangers > 0 {
        beside_strangers(&mut server, load, &script, numbers()).await?;
    }
    if load.kills > 0 {
        println!("the same while the relay is killed {} times:", load.kills);
        guests(&mut server, load, &script, numbers(), load.kills).await?;
    }
    Ok(())
}

async fn beside_strangers(
    server: &mut Server,
    load: Load,
    script: &[u8],
    numbers: Range<u64>,
) -> Result<(), Failed> {
    println!("the same beside {} strangers who flood it:", load.strangers);
    let acts = Arc::new(AtomicU64::new(0));
    let mut crowd = JoinSet::new();
    for number in 0..load.strangers {
        let (relay, witness) = (server.relay, server.witness);
        crowd.spawn(flood(relay, witness, number, Arc::clone(&acts)));
    }
    let began = Instant::now();
    guests(server, load, script, numbers, 0).await?;
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

/// Pairs of guests find each other in the lobby, all at once, and play while the relay is killed so many times.
async fn guests(
    server: &mut Server,
    load: Load,
    script: &[u8],
    mut numbers: Range<u64>,
    kills: usize,
) -> Result<(), Failed> {
    let began = (Instant::now(), server.time());
    let clocked = numbers.start + u64::from(load.guests);
    let mut pairs = JoinSet::new();
    let mut pairing = Vec::new();
    let (start, started) = watch::channel(());
    let mut waiting = JoinSet::new();
    loop {
        while pairs.len() < OPENING
            && let Some(number) = numbers.next()
        {
            let (relay, witness) = (server.relay, server.witness);
            let clock = (number < clocked).then_some(CLOCK);
            pairs.spawn(soon("a game", pair(relay, witness, number, clock)));
        }
        let Some(paired) = pairs.join_next().await else {
            break;
        };
        let (places, took) = paired?;
        pairing.push(took);
        waiting.spawn(wait(places, started.clone()));
    }
    drop(start);
    let seats = waiting.join_all().await;
    let share = |server: &Server, (since, before): (Instant, Option<Duration>)| {
        // A process that was killed meanwhile has taken its time with it.
        let taken = before.zip(server.time()).filter(|_| kills == 0);
        taken.map_or_else(String::new, |(before, after)| {
            let share = (after - before).as_secs_f64() / since.elapsed().as_secs_f64();
            format!("{:.0} % of a core, ", 100.0 * share)
        })
    };
    let took = began.0.elapsed().as_secs_f64();
    println!(
        "{} pairs of guests found each other and opened a room: {}in {took:.1} s",
        load.guests + load.idle,
        share(server, began)
    );
    print("from an offer to the game", pairing);
    let began = (Instant::now(), server.time());
    let all = Arc::new(Common {
        load,
        script: script.to_vec(),
        killed: Mutex::new(Instant::now()),
        back: AtomicUsize::new(0),
    });
    let (end, over) = watch::channel(());
    let mut players = JoinSet::new();
    for places in seats {
        let sent = Arc::new(Mutex::new(None));
        for mut place in places {
            let (all, sent, over) = (Arc::clone(&all), Arc::clone(&sent), over.clone());
            place.may_lose = kills > 0;
            players.spawn(async move {
                if place.play.signed.terms.clock.is_some() {
                    place.play(&all, &sent).await;
                }
                place.stay(&all, over).await
            });
        }
    }
    for kill in 1..=kills {
        tokio::time::sleep(load.thought(&mut Dice(kill as u64))).await;
        *all.killed.lock().await = Instant::now();
        server.kill()?;
        let are_back = async {
            while all.back.load(Ordering::Relaxed) < kill * players.len() {
                tokio::time::sleep(LOOK).await;
            }
        };
        soon("a player", are_back).await;
    }
    drop(end);
    let mut measured = Measured::default();
    let mut told: BTreeMap<GameNumber, (SignedPlay, Vec<Told>)> = BTreeMap::new();
    while let Some(played) = players.join_next().await {
        let place = played?;
        measured.add(place.measured);
        let of_game = told.entry(place.play.number);
        let (_, of_game) = of_game.or_insert_with(|| (place.play.clone(), Vec::new()));
        of_game.extend(place.told);
    }
    for (play, told) in told.values() {
        assert!(!play.contradicts(told), "the witness contradicts itself");
    }
    let moves = measured.latencies.len();
    let wanted = load.guests as usize * load.moves;
    assert_eq!(moves, wanted, "each was received");
    print("a move between guests", measured.latencies);
    print("more taken off a clock than was used", measured.more);
    print("less taken off a clock than was used", measured.less);
    if kills > 0 {
        print("from a kill until a player is back", measured.away);
    }
    let memory = server.memory().unwrap_or(f64::NAN);
    println!(
        "{} games of guests, {:.0} moves a second: {}{memory:.0} MB; {} rooms",
        load.guests,
        moves as f64 / began.0.elapsed().as_secs_f64(),
        share(server, began),
        server.count("signed_rooms").await?,
    );
    Ok(())
}

/// Two guests who find each other: strangers who take the offer are declined, and what is refused is tried again. Returns
/// their places in the room of their game, and how long it took from the offer until both were there.
async fn pair(
    relay: SocketAddr,
    witness: Address,
    number: u64,
    clock: Option<ClockSpec>,
) -> ([Place; 2], Duration) {
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
    let play = SignedPlay::new(number, witness, clock, now());
    let [one, two] = homes;
    let mut places = [
        Place::enter(relay, play.clone(), Player::One, one).await,
        Place::enter(relay, play, Player::Two, two).await,
    ];
    for place in &mut places {
        place.seat.present(true, true).await;
    }
    (places, began.elapsed())
}

/// Two guests at their board who wait until all may start. Their sockets are read meanwhile, as the relay asks
/// whether somebody is there.
async fn wait([mut one, mut two]: [Place; 2], mut started: watch::Receiver<()>) -> [Place; 2] {
    tokio::select! {
        // The channel is closed then.
        _ = started.changed() => {}
        () = one.seat.closed() => panic!("player one is put out"),
        () = two.seat.closed() => panic!("player two is put out"),
    }
    [one, two]
}

/// What all players know.
struct Common {
    load: Load,
    script: Vec<u8>,
    /// When the relay was killed last.
    killed: Mutex<Instant>,
    /// How often players have come back since all began.
    back: AtomicUsize,
}

/// What a player has measured.
#[derive(Default)]
struct Measured {
    /// From when the opponent has sent a move until its receipt was here.
    latencies: Vec<Duration>,
    /// By how much more, or less, the witness has taken off the own clock for a move than the player has used.
    more: Vec<Duration>,
    less: Vec<Duration>,
    /// From when the relay was killed until the player was in the room again.
    away: Vec<Duration>,
}

impl Measured {
    fn add(&mut self, other: Self) {
        self.latencies.extend(other.latencies);
        self.more.extend(other.more);
        self.less.extend(other.less);
        self.away.extend(other.away);
    }

    /// How much time was used for a move, by the player and by the witness.
    fn used(&mut self, own: Duration, taken: Duration) {
        match own.checked_sub(taken) {
            Some(less) => self.less.push(less),
            None => self.more.push(taken.saturating_sub(own)),
        }
    }
}

/// A player at the board of a game.
struct Place {
    relay: SocketAddr,
    play: SignedPlay,
    player: Player,
    home: String,
    seat: Seat,
    /// Whether the socket may be lost: then the player comes back.
    may_lose: bool,
    /// What the witness has said, in the order in which it came.
    told: Vec<Told>,
    /// When the newest position came.
    heard: Instant,
    measured: Measured,
}

impl Place {
    async fn enter(relay: SocketAddr, play: SignedPlay, player: Player, home: String) -> Self {
        let seat = Seat::join_from(relay, &play, player, &home).await;
        Self {
            relay,
            play,
            player,
            home,
            seat: seat.expect("a socket"),
            may_lose: false,
            told: Vec::new(),
            heard: Instant::now(),
            measured: Measured::default(),
        }
    }

    /// The receipt with most moves.
    fn newest(&self) -> Option<&Told> {
        self.told.iter().max_by_key(|told| told.moves.len())
    }

    /// Number of moves of the newest position.
    fn turns(&self) -> usize {
        self.newest().map_or(0, |told| told.moves.len())
    }

    /// What was left to this player after so many moves; none if the receipt has not come.
    fn left(&self, turns: usize) -> Option<Duration> {
        let mut told = self.told.iter();
        let told = told.find(|told| told.moves.len() == turns)?;
        match told.what {
            Telling::Receipt { left } => Some(Duration::from_millis(*left.get(self.player))),
            Telling::Ended(_) => None,
        }
    }

    /// Hears what has come next, none if the socket is closed: then the player comes back.
    async fn hear(&mut self, next: Option<FromWitness>, all: &Common) {
        match next {
            Some(message) => self.take(message),
            None if self.may_lose => self.come_back(all).await,
            None => panic!("a player is put out"),
        }
    }

    fn take(&mut self, message: FromWitness) {
        let FromWitness::Told(told) = message else {
            return;
        };
        assert!(
            matches!(told.what, Telling::Receipt { .. }),
            "nobody ends a game: {told:?}"
        );
        if told.moves.len() > self.turns() {
            self.heard = Instant::now();
        }
        self.told.push(told);
    }

    /// Joins the room again with what the player holds: one of the two has lost all but the terms.
    async fn come_back(&mut self, all: &Common) {
        while !self.is_back().await {
            tokio::time::sleep(LOOK).await;
        }
        self.measured.away.push(all.killed.lock().await.elapsed());
        all.back.fetch_add(1, Ordering::Relaxed);
    }

    /// Tries to join the room again. Whether the player is in it.
    async fn is_back(&mut self) -> bool {
        let held = self.newest().filter(|_| self.player == Player::One);
        let Self {
            relay, play, home, ..
        } = &*self;
        let Some(seat) = Seat::rejoin_from(*relay, play, self.player, home, held).await else {
            return false;
        };
        self.seat = seat;
        while let Some(message) = self.seat.next().await {
            self.take(message);
            if let FromWitness::Present(Present { players, .. }) = message
                && *players.get(self.player)
            {
                return true;
            }
        }
        false
    }

    /// Plays one side of a game: thinks, sends, waits for the answer. A move has come once its receipt has.
    async fn play(&mut self, all: &Common, sent: &Mutex<Option<Instant>>) {
        let mut dice = Dice(self.play.signed.signatures.one.0[0].into());
        for turns in 1..=all.load.moves {
            let moves = &all.script[..turns];
            let is_own = (turns % 2 == 1) == (self.player == Player::One);
            if !is_own {
                soon("a receipt", self.wait_for(turns, None, all)).await;
                let at = sent.lock().await.expect("it was sent");
                self.measured.latencies.push(self.heard - at);
                continue;
            }
            let thought = tokio::time::sleep(all.load.thought(&mut dice));
            tokio::pin!(thought);
            loop {
                tokio::select! {
                    () = &mut thought => break,
                    next = self.seat.next() => self.hear(next, all).await,
                }
            }
            let now = Instant::now();
            let own = now - self.heard;
            *sent.lock().await = Some(now);
            soon("a receipt", self.wait_for(turns, Some(moves), all)).await;
            // The first move of a player costs nothing.
            if turns > 2
                && let (Some(before), Some(after)) = (self.left(turns - 1), self.left(turns))
            {
                let gained = Duration::from_secs(CLOCK.increment.into());
                self.measured
                    .used(own, (before + gained).saturating_sub(after));
            }
        }
    }

    /// Waits for the receipt of so many moves, and says the own one again each time the player has come back.
    async fn wait_for(&mut self, turns: usize, own: Option<&[u8]>, all: &Common) {
        let mut said = None;
        while self.turns() < turns {
            let times = self.measured.away.len();
            if let Some(moves) = own.filter(|_| said != Some(times)) {
                self.seat.say(self.play.made(moves)).await;
                said = Some(times);
            }
            let next = self.seat.next().await;
            self.hear(next, all).await;
        }
    }

    /// Stays at the board until all is over.
    async fn stay(mut self, all: &Common, mut over: watch::Receiver<()>) -> Self {
        loop {
            tokio::select! {
                // The channel is closed then.
                _ = over.changed() => return self,
                next = self.seat.next() => self.hear(next, all).await,
            }
        }
    }
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
