//! How fast programs can play over the local chain's RPC: `cargo bench --package connect4-chain`.
//!
//! The chain is kept in a folder, so that every block is on disk before it is announced. Moves are
//! signed before the measurement begins; checking, executing and storing them is measured.

use std::time::{Duration, Instant};

use codec::Encode;
use connect4_chain::{
    Chain, Options, Storage, dev, rpc,
    runtime::{RuntimeCall, currency::UNITS},
};
use connect4_protocol::{
    Event, Message,
    event::GameStarted,
    message::{DropDisc, ReadWinner, StartGame},
};
use connect4_rules::{Shape, ShapeSpec};
use connect4_testing::{
    Account, Input, Limits, address_of, answer, contracts, data, games, local::instantiated,
};
use frame_support::weights::Weight;
use jsonrpsee::{
    core::client::{ClientT, Subscription, SubscriptionClientT},
    rpc_params,
    ws_client::{WsClient, WsClientBuilder},
};
use serde_json::Value;
use sp_core::{H160, Pair, sr25519};

/// How many pairs of players play at once, each pair over a connection of its own.
const PAIRS: usize = 4;
/// How many games each pair plays, one after the other.
const GAMES: u32 = 250;
/// How many moves are made one by one, each after the block of the one before.
const SINGLE: u32 = 140;

fn player(number: usize) -> sr25519::Pair {
    Pair::from_string(&format!("//Player{number}"), None).expect("a derivation path")
}

/// A chain with the contract, and players whose accounts have money and are mapped for contracts.
struct Field {
    chain: Chain,
    contract: H160,
}

impl Field {
    fn new(storage: Storage) -> Self {
        let chain = Chain::open(Options {
            storage,
            ..Options::default()
        })
        .expect("a chain");
        let alice = Account::Alice.pair();
        let deploy = RuntimeCall::Revive(pallet_revive::Call::instantiate_with_code {
            value: 0,
            weight_limit: Limits::AMPLE.weight,
            storage_deposit_limit: Limits::AMPLE.deposit,
            code: contracts::GAMES.to_vec(),
            data: data("new", ()),
            salt: None,
        });
        let report = chain.submit(&alice, deploy).expect("taken");
        let contract = H160(instantiated(&report, Account::Alice).0);
        for number in 0..2 * PAIRS {
            let dest = dev::account_of(&player(number)).into();
            let pay = pallet_balances::Call::transfer_keep_alive {
                dest,
                value: 1_000 * UNITS,
            };
            chain
                .submit(&alice, RuntimeCall::Balances(pay))
                .expect("taken");
            let map = RuntimeCall::Revive(pallet_revive::Call::map_account {});
            let report = chain.submit(&player(number), map).expect("taken");
            report.outcome.expect("mapped");
        }
        Self { chain, contract }
    }

    fn call(&self, message: impl Into<Input>) -> RuntimeCall {
        RuntimeCall::Revive(pallet_revive::Call::call {
            dest: self.contract,
            value: 0,
            weight_limit: Weight::from_parts(2_000_000_000, 60_000),
            storage_deposit_limit: UNITS,
            data: message.into().data,
        })
    }

    fn nonce(&self, player: &sr25519::Pair) -> u32 {
        self.chain
            .next_nonce(&dev::account_of(player))
            .expect("the store works")
    }

    /// Starts games between a pair, and returns the number of the first.
    fn start(&self, one: &sr25519::Pair, two: &sr25519::Pair, games: u32) -> u32 {
        let of = |player| address_of(&dev::account_of(player));
        let start = StartGame {
            player_one: of(one),
            player_two: of(two),
            shape: ShapeSpec::from(Shape::STANDARD),
        };
        let mut last = 0;
        for _ in 0..games {
            let report = self.chain.submit(one, self.call(start.clone()));
            let report = report.expect("taken");
            report.outcome.expect("started");
            let (_, topics, data) = report.contract_events().next().expect("an event");
            let event = Event::decode(topics[0].as_bytes(), data).expect("decoded");
            let Some(Event::GameStarted(GameStarted { game, .. })) = event else {
                panic!("{event:?} is not a start");
            };
            last = game;
        }
        last + 1 - games
    }

    /// The signed moves of games played one after the other, encoded in hex.
    fn moves(
        &self,
        one: &sr25519::Pair,
        two: &sr25519::Pair,
        first: u32,
        games: u32,
    ) -> Vec<String> {
        let genesis = self.chain.genesis_hash();
        let mut players = [(one, self.nonce(one)), (two, self.nonce(two))];
        let mut moves = Vec::new();
        for game in first..first + games {
            for (turn, bin) in games::bins(games::SHORT).enumerate() {
                let (player, nonce) = &mut players[turn % 2];
                let call = self.call(DropDisc { game, bin });
                let signed = dev::sign(player, call, *nonce, 0, genesis);
                *nonce += 1;
                moves.push(format!("0x{}", hex::encode(signed.encode())));
            }
        }
        moves
    }

    /// How many of these games have a winner. Each is read from the contract.
    fn won(&self, first: u32, games: u32) -> u32 {
        let reader = dev::account_of(&player(0));
        let mut won = 0;
        for game in first..first + games {
            let read = Input::from(ReadWinner { game });
            let result = self
                .chain
                .call_contract(&reader, self.contract, 0, read.data);
            let returned = result.expect("the store works").result.expect("answered");
            let winner: <ReadWinner as Message>::Answer = answer(&returned.data);
            won += u32::from(winner.expect("a game").is_some());
        }
        won
    }
}

/// Submits all moves without waiting in between, then waits until the last is in a block.
async fn play(client: WsClient, moves: Vec<String>) {
    let (last, before) = moves.split_last().expect("moves");
    for chunk in before.chunks(64) {
        let mut batch = jsonrpsee::core::params::BatchRequestBuilder::new();
        for signed in chunk {
            batch
                .insert("author_submitExtrinsic", rpc_params![signed])
                .expect("a request");
        }
        let answers = client
            .batch_request::<String>(batch)
            .await
            .expect("an answer");
        assert_eq!(answers.num_failed_calls(), 0, "every move is taken");
    }
    follow(&client, last).await;
}

/// Submits a move and waits until it is in a block, which is final.
async fn follow(client: &WsClient, signed: &str) {
    let mut updates: Subscription<Value> = client
        .subscribe(
            "author_submitAndWatchExtrinsic",
            rpc_params![signed],
            "author_unwatchExtrinsic",
        )
        .await
        .expect("taken");
    while let Some(update) = updates.next().await {
        if update.expect("an update").get("inBlock").is_some() {
            return;
        }
    }
    panic!("the chain went away");
}

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let storage = Storage::Folder(folder.path().join("chain"));
    let began = Instant::now();
    drop(
        Chain::open(Options {
            storage: storage.clone(),
            ..Options::default()
        })
        .expect("a chain"),
    );
    println!(
        "new chain, made and closed:     {:8.1} ms",
        millis(began.elapsed())
    );

    let field = Field::new(storage.clone());
    let pairs: Vec<_> = (0..PAIRS)
        .map(|pair| (player(2 * pair), player(2 * pair + 1)))
        .collect();
    let mut all = Vec::new();
    let mut games = Vec::new();
    for (one, two) in &pairs {
        let first = field.start(one, two, GAMES);
        all.push(field.moves(one, two, first, GAMES));
        games.push(first);
    }
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let addr = ([127, 0, 0, 1], 0).into();
        let options = rpc::Options { addr, ..rpc::Options::default() };
        let server = rpc::serve(field.chain.clone(), options).await.expect("a port");
        let url = format!("ws://{}", server.local_addr());
        let blocks = field.chain.best().1.number;
        let count: usize = all.iter().map(Vec::len).sum();
        let mut clients = Vec::new();
        for _ in 0..PAIRS {
            clients.push(WsClientBuilder::default().build(&url).await.expect("connected"));
        }
        let began = Instant::now();
        let players: Vec<_> = clients
            .into_iter()
            .zip(all)
            .map(|(client, moves)| tokio::spawn(play(client, moves)))
            .collect();
        for player in players {
            player.await.expect("played");
        }
        let took = began.elapsed();
        let won: u32 = games.iter().map(|first| field.won(*first, GAMES)).sum();
        assert_eq!(won, GAMES * PAIRS as u32, "every game was won");
        println!(
            "signed moves through the RPC:   {:8.0} a second ({count} moves, {} blocks, {PAIRS} connections)",
            count as f64 / took.as_secs_f64(),
            field.chain.best().1.number - blocks,
        );

        let (one, two) = &pairs[0];
        let single = SINGLE / games::bins(games::SHORT).count() as u32;
        let first = tokio::task::block_in_place(|| field.start(one, two, single));
        let moves = field.moves(one, two, first, single);
        let client = WsClientBuilder::default().build(&url).await.expect("connected");
        let mut times = Vec::new();
        for signed in &moves {
            let began = Instant::now();
            follow(&client, signed).await;
            times.push(began.elapsed());
        }
        times.sort_unstable();
        println!(
            "a move alone, into a block:     {:7.1} ms in the middle, {:.1} ms at the slowest",
            millis(times[times.len() / 2]),
            millis(times[times.len() - 1]),
        );
        server.stop().await;
    });
    let blocks = field.chain.best().1.number;
    drop(field);
    let began = Instant::now();
    let chain = Chain::open(Options {
        storage,
        ..Options::default()
    })
    .expect("a chain");
    println!(
        "opening it again, {blocks} blocks:  {:8.1} ms",
        millis(began.elapsed())
    );
    drop(chain);
    let size =
        std::fs::metadata(folder.path().join("chain/chain.redb")).map_or(0, |file| file.len());
    println!(
        "on disk, a block:               {:8.1} kB",
        size as f64 / 1e3 / f64::from(blocks)
    );
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
