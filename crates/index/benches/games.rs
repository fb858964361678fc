//! How fast an index is built, and how long the heaviest questions take with 100,000 plain games, in SQLite
//! and PostgreSQL. Printed, not asserted: it differs between machines.
//!
//! `cargo bench --package connect4-index --bench games`, or with `-- --games N` for another number of games

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use codec::Encode;
use connect4_chain::{Chain, Options, rpc};
use connect4_client::{
    Address, BlockRef, Blocks, Client, Code, Contracts, Emitted, H256, ReadBlock, Signer,
};
use connect4_index::{Filter, Index, Kind, Outcome, Subject};
use connect4_protocol::End;
use connect4_protocol::event::{DiscDropped, GameEnded, GameStarted};
use connect4_rules::{Cells, Shape};
use connect4_testing::contracts::{GAMES, VARIANTS};
use connect4_testing::dice::Dice;
use connect4_testing::postgres::Postgres;
use connect4_testing::served;

/// Games that are played, if nothing else is asked for.
const PLAYED: u32 = 100_000;
/// Games that are played at the same time, each with an event in each block.
const AT_ONCE: u32 = 8;
const MOVES: u32 = 24;
const ACCOUNTS: u64 = 2_000;
/// Blocks that are added at once, as a follower does.
const BATCH: usize = 512;
const CODE: Code = Code {
    games: GAMES,
    variants: VARIANTS,
    signed_records: None,
    stakes: None,
};

fn account(number: u64) -> Address {
    let mut bytes = [0; 20];
    // Spread, so that an address does not tell the order.
    bytes[..8].copy_from_slice(&number.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes());
    bytes[19] = 1;
    Address(bytes)
}

fn hash(number: u32) -> H256 {
    let mut bytes = [0; 32];
    bytes[..4].copy_from_slice(&number.to_be_bytes());
    H256(bytes)
}

/// What the contract of the games emits in each block.
struct Events {
    contract: Address,
    dice: Dice,
    players: Vec<[Address; 2]>,
}

impl Events {
    fn emitted(&self, place: u32, declaration: &str, event: &impl Encode) -> Emitted {
        Emitted {
            contract: self.contract,
            index: place,
            place,
            topic: connect4_protocol::topic(declaration),
            data: event.encode(),
        }
    }

    /// A block in which each of the games under way has an event.
    fn block(&mut self, number: u32) -> ReadBlock {
        let round = (number - 1) / (MOVES + 2);
        let turn = (number - 1) % (MOVES + 2);
        let events = (0..AT_ONCE).map(|lane| {
            let game = round * AT_ONCE + lane;
            if turn == 0 {
                // One account plays a tenth of all games.
                let one = match self.dice.once_in(5) {
                    true => 0,
                    false => self.dice.below(ACCOUNTS),
                };
                let two = (one + 1 + self.dice.below(ACCOUNTS - 1)) % ACCOUNTS;
                self.players.push([account(one), account(two)]);
            }
            let [one, two] = self.players[game as usize];
            if turn == 0 {
                let shape = Shape::STANDARD.into();
                let started = GameStarted {
                    game,
                    player_one: one,
                    player_two: two,
                    shape,
                };
                self.emitted(lane, GameStarted::DECLARATION, &started)
            } else if turn <= MOVES {
                let turn = (turn - 1) as u8;
                let dropped = DiscDropped {
                    game,
                    player: [one, two][usize::from(turn % 2)],
                    bin: turn % 7,
                    row: turn / 7,
                    turn,
                };
                self.emitted(lane, DiscDropped::DECLARATION, &dropped)
            } else {
                let winner = self.dice.one_of(&[one, two]);
                let ended = GameEnded {
                    game,
                    winner: Some(winner),
                    end: End::Resignation,
                    winning_cells: Cells::EMPTY,
                };
                self.emitted(lane, GameEnded::DECLARATION, &ended)
            }
        });
        let events = events.collect();
        ReadBlock {
            block: BlockRef {
                number,
                hash: hash(number),
            },
            time: Some(1_700_000_000 + 6 * u64::from(number)),
            events,
            fees: BTreeMap::new(),
            payers: BTreeMap::new(),
        }
    }
}

async fn time<T, E: std::fmt::Debug>(name: &str, work: impl AsyncFn() -> Result<T, E>) -> Duration {
    // The first one may find nothing in memory.
    let mut times = Vec::new();
    for _ in 0..5 {
        let started = Instant::now();
        work().await.expect("it is read");
        times.push(started.elapsed());
    }
    times.sort();
    let median = times[2];
    println!("  {name:<44} {:>9.1} ms", median.as_secs_f64() * 1000.0);
    median
}

async fn measure(name: &str, url: &str, subject: Subject, contract: Address, played: u32) {
    println!("{name}");
    let options = connect4_index::Options::default();
    let index = Index::open(url, subject, options).await.expect("it opens");
    let mut events = Events {
        contract,
        dice: Dice(7),
        players: Vec::new(),
    };
    let last = played / AT_ONCE * (MOVES + 2);
    let numbers: Vec<u32> = (1..=last).collect();
    let mut writing = Duration::ZERO;
    let read = |blocks: Vec<ReadBlock>, last: u32, finalized: u32| {
        let block = |number| BlockRef {
            number,
            hash: hash(number),
        };
        Blocks {
            blocks,
            gaps: Vec::new(),
            last: Some(block(last)),
            best: block(last),
            finalized,
        }
    };
    for batch in numbers.chunks(BATCH) {
        let blocks = batch.iter().map(|number| events.block(*number)).collect();
        let newest = batch[batch.len() - 1];
        let started = Instant::now();
        index
            .add(&read(blocks, newest, newest))
            .await
            .expect("it is written");
        writing += started.elapsed();
    }
    let count = f64::from(last * AT_ONCE);
    let seconds = writing.as_secs_f64();
    println!(
        "  {played} games, {count} events in {seconds:.0} s: {:.0} a second",
        count / seconds
    );
    // A chain that is followed: a block at a time.
    let mut followed = Duration::ZERO;
    for number in last + 1..=last + 200 {
        let block = events.block(number);
        let started = Instant::now();
        index
            .add(&read(vec![block], number, number - 3))
            .await
            .expect("it is written");
        followed += started.elapsed();
    }
    println!(
        "  a block with {AT_ONCE} events {:>34.1} ms",
        followed.as_secs_f64() * 1000.0 / 200.0
    );
    let started = Instant::now();
    index.retract(last + 197).await.expect("it is undone");
    println!(
        "  three blocks undone {:>37.1} ms",
        started.elapsed().as_secs_f64() * 1000.0
    );

    let (busiest, usual) = (account(0), account(77));
    time("profile of the account with the most games", async || {
        index.profile(busiest).await
    })
    .await;
    time("profile of another account", async || {
        index.profile(usual).await
    })
    .await;
    time("one account against another", async || {
        index.against(busiest, usual, 20).await
    })
    .await;
    let filter = Filter {
        account: Some(busiest),
        ..Filter::default()
    };
    let page = index.history(filter, None, 30).await.expect("it is read");
    time("history of an account, the second page", async || {
        index.history(filter, page.next, 30).await
    })
    .await;
    let signed = Filter {
        kind: Some(Kind::Signed),
        ..filter
    };
    time("history of an account, nothing fits", async || {
        index.history(signed, None, 30).await
    })
    .await;
    time("history of all, nothing fits", async || {
        let aborted = Filter {
            outcome: Some(Outcome::Aborted),
            ..Filter::default()
        };
        index.history(aborted, None, 30).await
    })
    .await;
    time("history of all", async || {
        index.history(Filter::default(), None, 30).await
    })
    .await;
    time("accounts that begin with 0x1", async || {
        index.accounts_beginning("0x1", 10).await
    })
    .await;
    time("live games", async || index.live(60).await).await;
}

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--games");
    let played = arguments.nth(1).and_then(|number| number.parse().ok());
    let played: u32 = played.unwrap_or(PLAYED);
    let chain = Chain::open(Options::default()).expect("a chain in memory");
    let (_server, url) = served::serve(chain, rpc::Options::default()).await;
    let client = Client::connect(&url).await.expect("it answers");
    let alice = Signer::development("alice").expect("a development account");
    let deployed = client.deploy(&alice, CODE).await.expect("deployed");
    let contract = Contracts::open(&client, deployed.address, CODE).await;
    let contract = contract.expect("the contract");
    let subject = Subject::new(&contract, None);
    let emitter = contract.emitters()[0];
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("index.db");
    let url = format!("sqlite:{}", file.display());
    measure("SQLite", &url, subject.clone(), emitter, played).await;
    let size = std::fs::metadata(&file).map_or(0, |file| file.len());
    println!("  {} MB", size / 1_000_000);
    let postgres = Postgres::start();
    let url = postgres.database("index");
    measure("PostgreSQL", &url, subject, emitter, played).await;
}
