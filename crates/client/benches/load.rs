//! Many games at once, to the limit of the blocks: `cargo bench --package connect4-client`.
//!
//! Every player is an account of its own that waits for its opponent's move and replies with a random
//! one. Without options the games are played on a local chain in this process, with a block every two
//! seconds. Options after `--`:
//!
//! - `--url URL`, once or more: nodes of a chain to play on. Alice has to have tokens there. The two
//!   players of a game use different nodes, if there are several.
//! - `--games N`: games at once, 200 unless said otherwise.
//! - `--moves N`: moves of each game at most, 42 unless said otherwise.
//! - `--seed N`: of the moves and of the accounts.
//!
//! It prints how long a move takes until its player and until the opponent know of it, how many moves
//! the fullest block has held and what of its weight they took. It fails if a move was lost or made
//! twice.

use std::collections::HashSet;
use std::error::Error;
use std::time::{Duration, Instant};

use connect4_chain::{Chain, Options, rpc};
use connect4_client::{
    AccountId32, Client, Code, Contracts, Event, H256, Occurrence, Patience, Signer,
};
use connect4_protocol::{Game, GameId};
use connect4_rules::{Bin, Shape};
use connect4_testing::contracts::{GAMES, VARIANTS};
use connect4_testing::dice::Dice;
use connect4_testing::served;
use futures_util::future::try_join_all;
use subxt::backend::legacy::LegacyRpcMethods;
use subxt::backend::rpc::RpcClient;
use subxt::config::DefaultExtrinsicParamsBuilder;
use subxt::dynamic::{At as _, Value};
use subxt::{OnlineClient, PolkadotConfig};
use subxt_signer::sr25519::dev;

type Failed = Box<dyn Error + Send + Sync>;

const CODE: Code = Code {
    games: GAMES,
    variants: VARIANTS,
    signed_records: None,
    stakes: None,
};
/// Time between the blocks of the local chain.
const BLOCK_TIME: Duration = Duration::from_secs(2);
/// Tokens that each player gets: a move costs some 0.006 DOT.
const TOKENS: u128 = 2;
/// Weight of a move by COSTS.md, without the transaction around it, in bytes of proof.
const MOVE: u64 = 39_704;

/// What is asked for.
struct Load {
    urls: Vec<String>,
    games: usize,
    moves: u8,
    seed: u64,
}

impl Load {
    fn read(arguments: impl Iterator<Item = String>) -> Result<Self, Failed> {
        let mut load = Self {
            urls: Vec::new(),
            games: 200,
            moves: 42,
            seed: 1,
        };
        let mut arguments = arguments.filter(|argument| argument != "--bench");
        while let Some(option) = arguments.next() {
            let value = arguments
                .next()
                .ok_or_else(|| format!("{option} needs a value"))?;
            match option.as_str() {
                "--url" => load.urls.push(value),
                "--games" => load.games = value.parse()?,
                "--moves" => load.moves = value.parse()?,
                "--seed" => load.seed = value.parse()?,
                _ => return Err(format!("there is no option {option}").into()),
            }
        }
        Ok(load)
    }
}

/// A move that was made.
struct Timed {
    /// Time until its player had the receipt.
    sent: Duration,
    /// Time until the opponent had seen it.
    seen: Duration,
}

/// A game, and the two who play it, each through its own node.
struct Pair {
    game: GameId,
    players: [(Contracts, Signer); 2],
    dice: Dice,
}

impl Pair {
    /// Plays random moves. Returns how long each took, in order.
    async fn play(mut self, most: u8) -> Result<(GameId, Vec<Timed>), Failed> {
        let id = self.game;
        let mut moves = Vec::new();
        let mut seen = self.players[0].0.see_game::<Game>(id).await?;
        while let Some(game) = seen.filter(|game| game.to_move().is_some() && game.turns() < most) {
            let turn = usize::from(game.turns());
            let position = game.position();
            let is_free = |bin: &Bin| {
                let mut tried = position;
                tried.drop(*bin).is_ok()
            };
            let bins: Vec<Bin> = position.shape().iter_bins().filter(is_free).collect();
            let bin = self.dice.one_of(&bins);
            let (contract, mover) = &self.players[turn % 2];
            let began = Instant::now();
            let based_on = contract.based_on(id, &game);
            let receipt = based_on.drop_disc(mover, id, bin).await?;
            let sent = began.elapsed();
            if usize::from(receipt.value.dropped.turn) != turn {
                return Err(format!("a move of game {id} was made twice").into());
            }
            let (other, _) = &self.players[(turn + 1) % 2];
            seen = Some(other.wait_for_change(id, &game.value).await?);
            moves.push(Timed {
                sent,
                seen: began.elapsed(),
            });
        }
        Ok((id, moves))
    }
}

/// Sends each of these accounts tokens of alice's, and waits until they have them.
async fn fund(client: &Client, accounts: &[AccountId32]) -> Result<(), Failed> {
    let api = OnlineClient::<PolkadotConfig>::from_insecure_url(client.url()).await?;
    let alice = dev::alice();
    let payer = alice.public_key().to_account_id();
    // That of the best block: the deployment need not be final yet.
    let rpc = RpcClient::from_insecure_url(client.url()).await?;
    let rpc = LegacyRpcMethods::<PolkadotConfig>::new(rpc);
    let mut nonce = rpc.system_account_next_index(&payer).await?;
    let unit = 10_u128.pow(client.token().decimals);
    for account in accounts {
        let to = Value::unnamed_variant("Id", [Value::from_bytes(account.0)]);
        let fields = vec![to, Value::u128(TOKENS * unit)];
        let transfer = subxt::dynamic::tx("Balances", "transfer_allow_death", fields);
        let parameters = DefaultExtrinsicParamsBuilder::<PolkadotConfig>::new().nonce(nonce);
        let mut calls = api.tx();
        let sent = calls.sign_and_submit(&transfer, &alice, parameters.build());
        sent.await?;
        nonce += 1;
    }
    let mut heads = client.heads().await?;
    if let Some(last) = accounts.last() {
        while client.balance(last).await? < TOKENS * unit {
            heads.next().await?;
        }
    }
    Ok(())
}

/// Weight of a block's ordinary transactions, in bytes of proof.
async fn proof_size(api: &OnlineClient<PolkadotConfig>, block: H256) -> Result<u64, Failed> {
    let address = subxt::dynamic::storage("System", "BlockWeight", Vec::<Value>::new());
    let weight = api.storage().at(block).fetch(&address).await?;
    let weight = weight.ok_or("the block has no weight")?.to_value()?;
    let normal = weight.at("normal");
    let size = normal.at("proof_size").and_then(|size| size.as_u128());
    Ok(u64::try_from(size.ok_or("the weight is another one")?)?)
}

/// Most that a block's ordinary transactions may weigh together, in bytes of proof.
fn limit(api: &OnlineClient<PolkadotConfig>) -> Result<u64, Failed> {
    let address = subxt::dynamic::constant("System", "BlockWeights");
    let weights = api.constants().at(&address)?.to_value()?;
    let classes = weights.at("per_class");
    let normal = classes.at("normal");
    let total = normal.at("max_total");
    let most = total.at(0);
    let size = most.at("proof_size").and_then(|size| size.as_u128());
    Ok(u64::try_from(size.ok_or("the limits are others")?)?)
}

/// Prints the median, the 99th percentile and the longest of these times.
fn print(what: &str, times: impl Iterator<Item = Duration>) {
    let mut times: Vec<Duration> = times.collect();
    times.sort_unstable();
    let at = |percent: usize| {
        let place = times.len().saturating_sub(1) * percent / 100;
        times.get(place).map_or(0.0, Duration::as_secs_f64)
    };
    println!(
        "{what:<40} median {:.2} s, 99th percentile {:.2} s, longest {:.2} s",
        at(50),
        at(99),
        at(100)
    );
}

/// Checks that the chain has each of these moves once, and no other.
fn check(events: &[Occurrence], played: &[(GameId, Vec<Timed>)]) -> Result<(), Failed> {
    let games: HashSet<u32> = played.iter().map(|(game, _)| game.number()).collect();
    let mut found = HashSet::new();
    for at in events {
        if let Event::DiscDropped(dropped) = &at.event
            && games.contains(&dropped.game)
            && !found.insert((dropped.game, dropped.turn))
        {
            let (turn, game) = (dropped.turn, dropped.game);
            return Err(format!("turn {turn} of game {game} was made twice").into());
        }
    }
    let made: usize = played.iter().map(|(_, moves)| moves.len()).sum();
    if found.len() != made {
        return Err(format!("{made} moves were made, the chain has {}", found.len()).into());
    }
    println!("{made} moves, none lost, none made twice");
    Ok(())
}

/// Prints how many moves the fullest block holds, and how many would fit.
async fn print_blocks(url: &str, events: &[Occurrence]) -> Result<(), Failed> {
    let api = OnlineClient::<PolkadotConfig>::from_insecure_url(url).await?;
    let limit = limit(&api)?;
    let is_move = |at: &&Occurrence| matches!(at.event, Event::DiscDropped(_));
    let moves: Vec<&Occurrence> = events.iter().filter(is_move).collect();
    let fullest = moves.chunk_by(|one, next| one.block == next.block);
    let Some(fullest) = fullest.max_by_key(|of_block| of_block.len()) else {
        return Ok(());
    };
    let (block, count) = (fullest[0], fullest.len() as u64);
    let weight = proof_size(&api, block.block_hash).await?;
    println!(
        "the fullest block, {}, holds {count} moves: {weight} of {limit} bytes of proof, {} a move",
        block.block,
        weight / count
    );
    println!(
        "the cost table has {MOVE} bytes for the contract's part of a move, of which {} would fit",
        limit / MOVE
    );
    Ok(())
}

/// Accounts with tokens that contracts know, two for each game.
async fn players(client: &Client, load: &Load) -> Result<Vec<Signer>, Failed> {
    let phrase = "bottom drive obey lake curtain smoke basket hold race lonely fit walk";
    let signers = (0..2 * load.games)
        .map(|number| Signer::from_secret(&format!("{phrase}//{}/{number}", load.seed)))
        .collect::<Result<Vec<_>, _>>()?;
    let accounts: Vec<_> = signers.iter().map(Signer::account).collect();
    let began = Instant::now();
    fund(client, &accounts).await?;
    try_join_all(signers.iter().map(|signer| client.ensure_mapped(signer))).await?;
    let took = began.elapsed().as_secs_f64();
    println!("{} accounts paid and mapped in {took:.0} s", signers.len());
    Ok(signers)
}

async fn run(load: Load) -> Result<(), Failed> {
    let mut urls = load.urls.clone();
    let mut own: Option<rpc::Server> = None;
    if urls.is_empty() {
        let chain = Chain::open(Options {
            block_time: Some(BLOCK_TIME),
            ..Options::default()
        })?;
        let (server, url) = served::serve(chain, rpc::Options::default()).await;
        own = Some(server);
        urls.push(url);
    }
    let mut clients = Vec::new();
    for url in &urls {
        let client = Client::connect(url).await?;
        client.set_patience(Patience::Endless);
        clients.push(client);
    }
    let alice = Signer::development("alice").ok_or("alice has no name")?;
    let deployed = clients[0].deploy(&alice, CODE).await?;
    let mut contracts = Vec::new();
    for client in &clients {
        contracts.push(Contracts::open(client, deployed.address, CODE).await?);
    }
    let signers = players(&clients[0], &load).await?;
    let starting = signers.chunks(2).map(|pair| {
        let (one, two) = (&pair[0], pair[1].address());
        contracts[0].start_game(one, one.address(), two, Shape::STANDARD.into())
    });
    let started = try_join_all(starting).await?;

    let first = clients[0].height().await?;
    let began = Instant::now();
    let mut playing = Vec::new();
    for (place, (pair, started)) in signers.chunks(2).zip(&started).enumerate() {
        let player = |seat: usize| {
            let contract = &contracts[(place + seat) % contracts.len()];
            (contract.clone(), pair[seat].clone())
        };
        let pair = Pair {
            game: started.value,
            players: [player(0), player(1)],
            dice: Dice(load.seed.wrapping_mul(1_000_003).wrapping_add(place as u64)),
        };
        playing.push(tokio::spawn(pair.play(load.moves)));
    }
    let mut played = Vec::new();
    for playing in playing {
        played.push(playing.await??);
    }
    let took = began.elapsed().as_secs_f64();

    let last = clients[0].height().await?;
    let events = contracts[0].events(first + 1..=last).await?;
    check(&events, &played)?;
    let moves = || played.iter().flat_map(|(_, moves)| moves);
    println!(
        "{} games at once, nodes: {}; {:.1} moves a second over {took:.0} s",
        load.games,
        urls.len(),
        moves().count() as f64 / took
    );
    print(
        "until the player has the receipt",
        moves().map(|made| made.sent),
    );
    print(
        "until the opponent has seen the move",
        moves().map(|made| made.seen),
    );
    print_blocks(&urls[0], &events).await?;
    drop(own);
    Ok(())
}

fn main() -> Result<(), Failed> {
    let load = Load::read(std::env::args().skip(1))?;
    tokio::runtime::Runtime::new()?.block_on(run(load))
}
