//! How an index follows records of signed games: many games, the same games again and again, and a witness that has
//! contradicted itself. Printed, not asserted: it differs between machines.
//!
//! `cargo bench --package connect4-index --bench records`, or with `-- --games N` for another number of games

use std::collections::BTreeMap;
use std::time::Instant;

use codec::Encode as _;
use connect4_chain::{Chain, Options, rpc};
use connect4_client::{
    Address, BlockRef, Blocks, Client, Code, Contracts, Emitted, H256, ReadBlock, Signer,
};
use connect4_index::{Filter, Index, League, Subject};
use connect4_protocol::signed::event::GameRecorded;
use connect4_protocol::signed::{GameNumber, Moves, Party, Terms};
use connect4_protocol::{ClockSpec, End};
use connect4_rules::{ByPlayer, Player, Shape};
use connect4_testing::contracts::{GAMES, SIGNED_RECORDS, VARIANTS};
use connect4_testing::{games, served};

/// Games that are recorded, if nothing else is asked for.
const RECORDED: u32 = 100_000;
const IN_BLOCK: u32 = 60;
/// Accounts that play, besides the one that plays in each game.
const ACCOUNTS: u64 = 2_000;
/// Time of the first block.
const BORN: u64 = 1_700_000_000;
const WITNESS: Address = Address([0xdd; 20]);
const CODE: Code = Code {
    games: GAMES,
    variants: VARIANTS,
    signed_records: Some(SIGNED_RECORDS),
    stakes: None,
};

fn account(number: u64) -> Address {
    let mut bytes = [0; 20];
    bytes[..8].copy_from_slice(&number.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes());
    Address(bytes)
}

/// Time of a block, in seconds since 1970.
fn time_of(block: u32) -> u64 {
    BORN + 6 * u64::from(block)
}

struct World {
    index: Index,
    genesis: H256,
    next: u32,
}

impl World {
    /// A record of a game, which has ended about when it is recorded.
    fn record(&self, game: u32, turns: usize) -> GameRecorded {
        let mut number = [0xab; 32];
        number[..8].copy_from_slice(
            &u64::from(game)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .to_be_bytes(),
        );
        let players = ByPlayer {
            one: Party::Guest(account(0)),
            two: Party::Guest(account(1 + u64::from(game) % ACCOUNTS)),
        };
        let time = time_of(game / IN_BLOCK);
        let terms = Terms {
            players,
            clock: Some(ClockSpec::USUAL),
            witness: Some(WITNESS),
            time,
            nonce: game,
            ..Terms::on(Shape::STANDARD)
        };
        let moves: Vec<u8> = games::bins(games::DRAW).take(turns).collect();
        let winner = [Player::One, Player::Two][game as usize % 2];
        GameRecorded {
            game: GameNumber(number),
            player_one: players.one.account(),
            player_two: players.two.account(),
            genesis: self.genesis.0,
            terms,
            moves: Moves::from_bins(&moves).expect("few moves"),
            end: End::Resignation,
            winner: Some(players.get(winner).account()),
            at: Some(1000 * time),
        }
    }

    /// Records of these games, by blocks.
    fn blocks(&self, games: &[u32]) -> Vec<Vec<GameRecorded>> {
        let record = |game: &u32| self.record(*game, 20);
        let blocks = games.chunks(IN_BLOCK as usize);
        let blocks = blocks.map(|games| games.iter().map(record).collect());
        blocks.collect()
    }

    /// Adds blocks with these records, and returns how many milliseconds that took.
    async fn add(&mut self, blocks: Vec<Vec<GameRecorded>>) -> f64 {
        let first = self.next;
        self.next += u32::try_from(blocks.len()).expect("few blocks");
        let at = |number: u32| {
            let mut hash = [0; 32];
            hash[..4].copy_from_slice(&number.to_be_bytes());
            BlockRef {
                number,
                hash: H256(hash),
            }
        };
        let block = |(number, records): (u32, Vec<GameRecorded>)| {
            let event = |(place, record): (u32, GameRecorded)| Emitted {
                contract: Address([0xee; 20]),
                index: 0,
                place,
                topic: connect4_protocol::topic(GameRecorded::DECLARATION),
                data: record.encode(),
            };
            ReadBlock {
                block: at(number),
                time: Some(time_of(number)),
                events: (0..).zip(records).map(event).collect(),
                fees: BTreeMap::new(),
                payers: BTreeMap::new(),
            }
        };
        let last = at(self.next - 1);
        let read = Blocks {
            blocks: (first..).zip(blocks).map(block).collect(),
            gaps: Vec::new(),
            last: Some(last),
            best: last,
            finalized: last.number.saturating_sub(3),
        };
        let started = Instant::now();
        self.index.add(&read).await.expect("it is written");
        started.elapsed().as_secs_f64() * 1000.0
    }
}

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--games");
    let recorded = arguments.nth(1).and_then(|number| number.parse().ok());
    let recorded: u32 = recorded.unwrap_or(RECORDED);
    let chain = Chain::open(Options::default()).expect("a chain in memory");
    let (_server, url) = served::serve(chain, rpc::Options::default()).await;
    let client = Client::connect(&url).await.expect("it answers");
    let alice = Signer::development("alice").expect("a development account");
    let deployed = client.deploy(&alice, CODE).await.expect("deployed");
    let contract = Contracts::open(&client, deployed.address, CODE).await;
    let contract = contract.expect("the contract");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("index.db");
    let place = format!("sqlite:{}", file.display());
    let subject = Subject::new(&contract, None);
    let options = connect4_index::Options {
        witnesses: Some([WITNESS].into()),
        ..connect4_index::Options::default()
    };
    let mut world = World {
        index: Index::open(&place, subject, options)
            .await
            .expect("it opens"),
        genesis: client.genesis(),
        next: 1,
    };
    let all: Vec<u32> = (0..recorded).collect();
    let mut took = 0.0;
    for batch in all.chunks((IN_BLOCK * 64) as usize) {
        let blocks = world.blocks(batch);
        took += world.add(blocks).await;
    }
    println!("{recorded} games of one account, in {:.0} s", took / 1000.0);
    let games: Vec<u32> = (recorded..recorded + IN_BLOCK).collect();
    let new = world.blocks(&games);
    let again = new.clone();
    println!(
        "a block with 60 new games {:>10.1} ms",
        world.add(new).await
    );
    println!("the same again {:>21.1} ms", world.add(again).await);
    let blocks = world.blocks(&[7; 600]);
    println!(
        "one game 600 times, 10 blocks {:>6.1} ms",
        world.add(blocks).await
    );
    let started = Instant::now();
    world.index.retract(world.next - 4).await.expect("undone");
    world.next -= 3;
    println!(
        "three blocks undone {:>16.1} ms",
        started.elapsed().as_secs_f64() * 1000.0
    );
    for _ in 0..2 {
        let started = Instant::now();
        world.index.profile(account(0)).await.expect("it is read");
        println!(
            "profile of the account {:>13.1} ms",
            started.elapsed().as_secs_f64() * 1000.0
        );
    }
    for before in [0, 1_500] {
        let started = Instant::now();
        let standings = world.index.standings(League::Witnessed(0), before, 50);
        standings.await.expect("it is read");
        println!(
            "standings, 50 behind {before:>5} {:>9.1} ms",
            started.elapsed().as_secs_f64() * 1000.0
        );
    }
    let filter = Filter {
        account: Some(account(0)),
        ..Filter::default()
    };
    let started = Instant::now();
    world
        .index
        .history(filter, None, 50)
        .await
        .expect("it is read");
    println!(
        "history {:>28.1} ms",
        started.elapsed().as_secs_f64() * 1000.0
    );
    // Another end of a game in the middle: all games of the pool from its block on are counted again.
    let contradicted = vec![vec![world.record(recorded / 2, 21)]];
    println!("a contradiction {:>20.1} ms", world.add(contradicted).await);
    let size = std::fs::metadata(&file).map_or(0, |file| file.len());
    println!("{} MB", size / 1_000_000);
}
