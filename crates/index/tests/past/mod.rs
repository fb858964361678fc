//! The index of a program that asks and ends.

mod branches;
mod kept;
mod pruned;
mod shared;

use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use connect4_client::{Action, BlockRef, Blocks, Client, GameId, Lookup, Reading};
use connect4_index::{Index, League, Options, Past, Recorded, Standings};
use connect4_protocol::variants::message::StartVariant;
use connect4_rules::variant::{Move, VariantSpec};
use connect4_rules::{Bin, Shape};

use crate::common::{CODE, World};

/// A program's index in a folder by a connection of its own, and what it has told.
async fn program(world: &World, folder: Option<&Path>) -> (Past, Arc<Mutex<Vec<String>>>) {
    let client = Client::connect(world.client.url()).await.unwrap();
    program_of(client, folder)
}

/// The same by this connection.
fn program_of(client: Client, folder: Option<&Path>) -> (Past, Arc<Mutex<Vec<String>>>) {
    let notices = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&notices);
    let past = Past {
        folder: folder.map(Path::to_owned),
        lookup: Lookup {
            code: CODE,
            contract: None,
            variants: None,
            deployer: None,
        },
        client,
        contract: None,
        variants: None,
        options: Options {
            notice: Arc::new(move |text| told.lock().unwrap().push(text)),
            ..Options::default()
        },
        subject: OnceLock::new(),
    };
    (past, notices)
}

/// The index in a folder as a server opens it.
async fn server(world: &World, folder: &Path) -> Index {
    let index = Index::in_folder(folder, world.subject(), Options::default());
    index.await.unwrap()
}

/// The standings of variants of two from a block on, and the number of blocks that were read for them.
async fn standings_from(past: &Past, from: u32) -> (Standings, u32) {
    let read = Mutex::new(0);
    let on = |reading: Reading| *read.lock().unwrap() = reading.read;
    let index = past.read(from, &on).await.unwrap();
    let mut leagues = index.leagues(from, &Recorded::default()).await.unwrap();
    index.close().await;
    let read = read.into_inner().unwrap();
    (leagues.remove(&League::Two).unwrap(), read)
}

async fn standings(past: &Past) -> (Standings, u32) {
    standings_from(past, 0).await
}

/// The drops of a game of seven moves, which red wins.
const DROPS: [u8; 7] = [0, 1, 0, 1, 0, 1, 0];

/// Plays such a variant of two on the classroom board.
async fn play(world: &World) -> GameId {
    play_on(world, Shape::CLASSROOM).await
}

/// The same on another board.
async fn play_on(world: &World, shape: Shape) -> GameId {
    let [one, two] = [&world.people[0], &world.people[1]];
    let start = StartVariant {
        players: vec![one.address(), two.address()],
        variant: VariantSpec::classic(shape),
    };
    let game = world.variants.send(one, start).await.unwrap().value;
    for (signer, bin) in [one, two].into_iter().cycle().zip(DROPS) {
        let drop = Action::Move(Move::Drop(Bin::new(bin)));
        let dropped = world.variants.perform(signer, game, drop);
        dropped.await.unwrap();
    }
    game
}

/// Plays such a plain game on the classroom board.
async fn play_plain(world: &World) -> GameId {
    let [one, two] = [&world.people[0], &world.people[1]];
    let shape = Shape::CLASSROOM.into();
    let started = world
        .contract
        .start_game(one, one.address(), two.address(), shape);
    let game = started.await.unwrap().value;
    for (signer, bin) in [one, two].into_iter().cycle().zip(DROPS) {
        let dropped = world.contract.drop_disc(signer, game, Bin::new(bin));
        dropped.await.unwrap();
    }
    game
}

fn seal(world: &World, blocks: u32) {
    for _ in 0..blocks {
        world.seal();
    }
}

/// Adds a block to an index that the node does not have, and returns it.
async fn add_block(world: &World, index: &Index) -> BlockRef {
    let best = world.client.best_block().await.unwrap();
    let next = BlockRef {
        number: best.number + 1,
        hash: [7; 32].into(),
    };
    let ahead = Blocks {
        blocks: Vec::new(),
        gaps: Vec::new(),
        last: Some(next),
        best: next,
        finalized: best.number - 6,
    };
    assert!(index.add(&ahead).await.unwrap());
    next
}
