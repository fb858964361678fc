//! Many watchers of a public host: `cargo bench --package connect4-server`.
//!
//! A local chain and a host are processes of their own. Here are the players, those who watch, and those
//! who mean no good. Options after `--`:
//!
//! - `--watchers N`: watchers of one game, 2,000 unless said otherwise.
//! - `--games N`: games that are played on the chain at the same time, each with two watchers, 500 unless
//!   said otherwise.
//! - `--slow N`: sockets that read nothing, 200 unless said otherwise.
//! - `--floods N`: strangers who send requests and frames, 40 unless said otherwise.
//! - `--flood-rate N`: how often each of them sends something in a second, 50 unless said otherwise.
//! - `--pace MILLISECONDS`: time between two moves of that game, 500 unless said otherwise.
//!
//! It prints how long it takes from when a player of that game sends a move until each watcher has
//! it, and from when a block with moves of other games is known until their watchers have them; in the
//! same run in peace, with slow readers and floods who go elsewhere, and with the same who come to the
//! host. Elsewhere is a process that does nothing for them: as all are on one machine, the floods take
//! its processors wherever they go, and what the host suffers is the difference. It prints memory and
//! processor time of the host, too. It fails if a watcher missed a move, and asserts no times, as they
//! differ between machines.

mod games;
mod processes;
mod strangers;
mod watching;

use std::collections::HashMap;
use std::error::Error;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use connect4_client::{Client, Contracts, DEVELOPMENT, GameId, Patience, Signer};
use connect4_rules::{Bin, Shape};
use connect4_testing::games::DRAW;
use tokio::task::JoinSet;

use games::{Blocks, start_games};
use processes::{Host, Process, chain, host, lookup};
use strangers::{Strangers, sink};
use watching::{Watcher, open};

type Failed = Box<dyn Error + Send + Sync>;

/// The options with which this program is the chain, the host, or where strangers go in its place.
const CHAIN: &str = "--chain";
const HOST: &str = "--host";
const SINK: &str = "--sink";
/// Moves of the watched game in peace, with strangers elsewhere, and with strangers here.
const MOVES_OF_PHASE: u8 = 13;

#[derive(Clone, Copy)]
struct Load {
    watchers: usize,
    games: usize,
    slow: usize,
    floods: u8,
    flood_rate: u32,
    pace: u64,
}

impl Load {
    fn asked() -> Result<Self, Failed> {
        let mut load = Self {
            watchers: 2000,
            games: 500,
            slow: 200,
            floods: 40,
            flood_rate: 50,
            pace: 500,
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(option) = arguments.next() {
            // cargo says this to all benches.
            if option == "--bench" {
                continue;
            }
            let value = arguments.next().ok_or("a value is missing")?;
            match &*option {
                "--watchers" => load.watchers = value.parse()?,
                "--games" => load.games = value.parse()?,
                "--slow" => load.slow = value.parse()?,
                "--floods" => load.floods = value.parse()?,
                "--flood-rate" => load.flood_rate = value.parse()?,
                "--pace" => load.pace = value.parse()?,
                other => return Err(format!("there is no option {other}").into()),
            }
        }
        Ok(load)
    }
}

fn main() -> Result<(), Failed> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some(CHAIN) => runtime.block_on(chain()),
        Some(HOST) => runtime.block_on(host(arguments.next().ok_or("which chain?")?)),
        Some(SINK) => runtime.block_on(sink()),
        _ => runtime.block_on(measure(Load::asked()?)),
    }
}

async fn measure(load: Load) -> Result<(), Failed> {
    let (_chain, url) = Process::start(&[CHAIN])?;
    let client = Client::connect(&url).await?;
    client.set_patience(Patience::Endless);
    let accounts: Vec<_> = DEVELOPMENT
        .into_iter()
        .filter_map(Signer::development)
        .collect();
    let (contract, _) = lookup().deploy(&client, &accounts[0]).await?;
    let (_host, line) = Process::start(&[HOST, &url])?;
    let (addr, metrics) = line.split_once(' ').ok_or("two addresses")?;
    let host = Host {
        addr: addr.parse()?,
        metrics: metrics.parse()?,
    };
    println!("host alone: {:.0} MB", host.taken().await?.memory);

    let watched = contract
        .start_game(
            &accounts[0],
            accounts[0].address(),
            accounts[1].address(),
            Shape::STANDARD.into(),
        )
        .await?
        .value;
    assert_eq!(watched.to_string(), WATCHED);
    let games = start_games(&contract, &accounts, load.games).await?;
    let began = Instant::now();
    let numbers = games.iter().flat_map(|of_pair| &of_pair.games);
    let mut wanted: Vec<_> = numbers.map(|number| (number.to_string(), 2)).collect();
    wanted.push((WATCHED.into(), load.watchers));
    let mut watchers = Vec::new();
    let mut others = Vec::new();
    for (game, watcher) in open(host, wanted).await? {
        match game == WATCHED {
            true => watchers.push(watcher),
            false => others.push((game.parse::<u32>()?, watcher)),
        }
    }
    println!(
        "{} watchers of one game, {} of {} other games: opened in {:.1} s, {:.0} MB",
        watchers.len(),
        others.len(),
        load.games,
        began.elapsed().as_secs_f64(),
        host.taken().await?.memory,
    );

    // The other games go on all the time.
    let blocks = Blocks::default();
    let mut beside = JoinSet::new();
    beside.spawn(blocks.clone().follow(client.clone()));
    for of_pair in games {
        beside.spawn(of_pair.play(contract.clone(), blocks.clone()));
    }
    let seen = Arc::new(Mutex::new(Vec::new()));
    for (number, watcher) in others {
        let seen = Arc::clone(&seen);
        beside.spawn(async move {
            let mut watcher = watcher;
            while let Ok(turns) = watcher.turns().await {
                if let Some(turns) = turns
                    && let Ok(mut seen) = seen.lock()
                {
                    seen.push((number, turns, Instant::now()));
                }
            }
            Ok(())
        });
    }

    let table = Table {
        contract: contract.clone(),
        game: watched,
        players: [accounts[0].clone(), accounts[1].clone()],
        pace: Duration::from_millis(load.pace),
    };
    let (_sink, elsewhere) = Process::start(&[SINK])?;
    let name = format!("{} slow readers and {} floods", load.slow, load.floods);
    let phases = [
        ("in peace".to_owned(), None),
        (format!("{name} elsewhere"), Some(elsewhere.parse()?)),
        (format!("{name} here"), Some(host.addr)),
    ];
    let mut turn = 1;
    for (name, to) in phases {
        let strangers = match to {
            Some(to) => Some(Strangers::come(load, to).await?),
            None => None,
        };
        // What was seen before is of another phase.
        blocks.times(&seen);
        let before = host.taken().await?;
        let times;
        (watchers, times) = table
            .play(watchers, turn..=turn + MOVES_OF_PHASE - 1)
            .await?;
        turn += MOVES_OF_PHASE;
        print(&format!("{name}: a move to all watchers"), times);
        print(&format!("{name}: a block to watchers"), blocks.times(&seen));
        before.print(&format!("{name}: the host"), host).await?;
        if let Some(strangers) = strangers {
            println!("{name}: the floods have sent {}", strangers.sent());
        }
    }
    let counts = host.counts().await?;
    for (name, count) in [
        (
            "requests of floods refused",
            r#"connect4_limited_total{limit="dear_requests_of_address"}"#,
        ),
        (
            "sockets of floods closed",
            r#"connect4_sockets_closed_total{reason="flood"}"#,
        ),
        (
            "slow readers closed",
            r#"connect4_sockets_closed_total{reason="slow"}"#,
        ),
    ] {
        println!("{name}: {}", counts.get(count).copied().unwrap_or_default());
    }
    Ok(())
}

/// The watched game, which is started first, as its page names it.
const WATCHED: &str = "0";

/// The players of the watched game.
struct Table {
    contract: Contracts,
    game: GameId,
    players: [Signer; 2],
    pace: Duration,
}

impl Table {
    /// Makes these moves, and returns how long each took until each watcher had it.
    async fn play(
        &self,
        watchers: Vec<Watcher>,
        turns: std::ops::RangeInclusive<u8>,
    ) -> Result<(Vec<Watcher>, Vec<Duration>), Failed> {
        let last = *turns.end();
        let mut watching = JoinSet::new();
        for watcher in watchers {
            watching.spawn(watcher.watch(last));
        }
        let draw: Vec<u8> = DRAW.bytes().map(|digit| digit - b'1').collect();
        let mut sent = HashMap::new();
        for turn in turns {
            tokio::time::sleep(self.pace).await;
            let at = usize::from(turn) - 1;
            let (bin, player) = (Bin::new(draw[at]), &self.players[at % 2]);
            sent.insert(turn, Instant::now());
            self.contract.drop_disc(player, self.game, bin).await?;
        }
        let (mut stay, mut times) = (Vec::new(), Vec::new());
        while let Some(watched) = watching.join_next().await {
            let (watcher, had) = watched??;
            for (turn, sent) in &sent {
                // Who is behind is told the newest position, which has the moves before it.
                let told = had.iter().find(|(told, _)| told >= turn);
                let (_, at) = told.ok_or("a watcher missed a move")?;
                times.push(at.duration_since(*sent));
            }
            stay.push(watcher);
        }
        Ok((stay, times))
    }
}

fn print(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |share: f64| {
        let place = (times.len().saturating_sub(1)) as f64 * share;
        let time = times.get(place as usize).copied().unwrap_or_default();
        1000.0 * time.as_secs_f64()
    };
    println!(
        "{what}: median {:.1} ms, 99th percentile {:.1} ms, longest {:.1} ms, of {}",
        at(0.5),
        at(0.99),
        at(1.0),
        times.len(),
    );
}
