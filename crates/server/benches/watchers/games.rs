//! Games on the chain that go on all the time, and when watchers saw their moves.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use connect4_client::{Client, Contracts, GameId, Signer};
use connect4_protocol::message::ContractKind;
use connect4_rules::{Bin, Shape};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::Failed;
use crate::processes::CODE;

/// Moves of a game: the bins one after the other, three times, complete no line.
const MOVES: u8 = 21;

/// Games between two accounts, which are played one after the other, a move each.
pub struct OfPair {
    players: [Signer; 2],
    pub games: Vec<GameId>,
}

pub async fn start_games(
    contract: &Contracts,
    accounts: &[Signer],
    count: usize,
) -> Result<Vec<OfPair>, Failed> {
    // The games alone: there are no offers and no stakes to be asked for.
    let client = contract.client();
    let games = Contracts::open(
        client,
        contract.address_of(ContractKind::Games).unwrap(),
        CODE,
    )
    .await?;
    let began = Instant::now();
    let pairs = accounts.chunks_exact(2);
    let of_each = count.div_ceil(pairs.len());
    let mut starting = JoinSet::new();
    for pair in pairs {
        let (games, players) = (games.clone(), [pair[0].clone(), pair[1].clone()]);
        starting.spawn(async move {
            let [one, two] = &players;
            let mut numbers = Vec::new();
            while numbers.len() < of_each {
                let shape = Shape::STANDARD.into();
                let first = games.start_game(one, one.address(), two.address(), shape);
                let second = games.start_game(two, one.address(), two.address(), shape);
                let (first, second) = tokio::try_join!(first, second)?;
                numbers.extend([first.value, second.value]);
            }
            Ok::<_, connect4_client::Error>(OfPair {
                players,
                games: numbers,
            })
        });
    }
    let mut all = Vec::new();
    while let Some(started) = starting.join_next().await {
        all.push(started??);
    }
    let took = began.elapsed().as_secs_f64();
    println!("{count} games started in {took:.0} s");
    Ok(all)
}

impl OfPair {
    /// Plays for ever: both players make a move in each block.
    pub async fn play(self, contract: Contracts, blocks: Blocks) -> Result<(), Failed> {
        let client = contract.client();
        let games = Contracts::open(
            client,
            contract.address_of(ContractKind::Games).unwrap(),
            CODE,
        )
        .await?;
        let [one, two] = self.players;
        let (to_one, for_one) = mpsc::unbounded_channel();
        let (to_two, for_two) = mpsc::unbounded_channel();
        for number in self.games {
            to_one.send((number, 0))?;
        }
        tokio::try_join!(
            make_moves(&games, &one, for_one, to_two, &blocks),
            make_moves(&games, &two, for_two, to_one, &blocks),
        )?;
        Ok(())
    }
}

async fn make_moves(
    games: &Contracts,
    player: &Signer,
    mut turns: mpsc::UnboundedReceiver<(GameId, u8)>,
    opponent: mpsc::UnboundedSender<(GameId, u8)>,
    blocks: &Blocks,
) -> Result<(), Failed> {
    while let Some((number, turn)) = turns.recv().await {
        let bin = Bin::new(turn % 7);
        let receipt = games.drop_disc(player, number, bin).await?;
        blocks.made(number.number(), turn + 1, receipt.transaction.block);
        if turn + 1 < MOVES {
            opponent.send((number, turn + 1))?;
        }
    }
    Ok(())
}

/// When blocks were known here, and what was in them.
#[derive(Clone, Default)]
pub struct Blocks {
    known: Arc<Mutex<HashMap<u32, Instant>>>,
    moves: Arc<Mutex<HashMap<(u32, u8), u32>>>,
}

impl Blocks {
    pub async fn follow(self, client: Client) -> Result<(), Failed> {
        let mut heads = client.heads().await?;
        loop {
            let block = heads.next().await?;
            let at = Instant::now();
            let mut known = self.known.lock().map_err(|_| "a panic")?;
            known.entry(block).or_insert(at);
        }
    }

    fn made(&self, number: u32, turns: u8, block: u32) {
        if let Ok(mut moves) = self.moves.lock() {
            moves.insert((number, turns), block);
        }
    }

    /// Time from when a block was known until a watcher had a move in it, for what was seen up to now.
    pub fn times(&self, seen: &Mutex<Vec<(u32, u8, Instant)>>) -> Vec<Duration> {
        let (Ok(known), Ok(moves), Ok(mut seen)) =
            (self.known.lock(), self.moves.lock(), seen.lock())
        else {
            return Vec::new();
        };
        let times = seen.drain(..).filter_map(|(number, turns, at)| {
            let block = moves.get(&(number, turns))?;
            Some(at.saturating_duration_since(*known.get(block)?))
        });
        times.collect()
    }
}
