//! Nodes that discard states.

use std::sync::Arc;

use connect4_chain::{Options as ChainOptions, Storage};
use connect4_client::{Action, Archive as _, Client, GameId, StoredVariants, replay_variant};
use connect4_index::{Index, League, Recorded};
use tempfile::TempDir;

use crate::common::{CODE, World, assert_equal, dump};
use crate::past::{add_block, play, program, seal, server, standings};

fn pruned(keep_states: u32) -> ChainOptions {
    ChainOptions {
        keep_states: Some(keep_states),
        ..ChainOptions::default()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_discards_states_is_said_to_lack_them() {
    let world = World::with(pruned(16)).await;
    let games = [play(&world).await, play(&world).await];
    seal(&world, 30);
    let third = play(&world).await;
    let folder = TempDir::new().unwrap();
    let past = Arc::new(program(&world, Some(folder.path())).await.0);
    let index = past.read(0, &|_| {}).await.unwrap();
    let gaps = index.gaps(world.variants.emitters(), 0).await.unwrap();
    let [gap] = &gaps[..] else {
        panic!("{gaps:?}");
    };
    assert_eq!(gap.first, 0);
    assert!(world.chain.best().1.number - gap.last <= 17, "{gap:?}");
    assert!(gap.since.is_some() && gap.since <= gap.until, "{gap:?}");
    assert_eq!(
        index
            .gaps(world.variants.emitters(), gap.last + 1)
            .await
            .unwrap(),
        []
    );
    let indexed = world.variants.clone().with_archive(past.clone());
    let error = indexed.history(games[0], 0).await.unwrap_err().to_string();
    let begins = format!(
        "looking up the history of game v0: its start cannot be read, as the node has discarded the \
         states of blocks 0 to {} (20",
        gap.last
    );
    assert!(error.starts_with(&begins), "{error}");
    let same = world.variants.history(games[0], 0).await.unwrap_err();
    assert_eq!(same.to_string(), error);
    assert_eq!(indexed.history(third, 0).await.unwrap().len(), 9);

    // The records tell the results.
    let records = async |index: &Index| -> StoredVariants {
        let known = index.known_variants().await.unwrap();
        let best = index.newest_block().await.unwrap().unwrap();
        world
            .variants
            .variant_records(&known, best.hash)
            .await
            .unwrap()
    };
    let found = records(&index).await;
    let numbers: Vec<_> = found.games.keys().copied().map(GameId::Variant).collect();
    assert_eq!(numbers, games);
    assert_eq!(found.lost, 0);
    let wins = async |recorded: Recorded| {
        let leagues = index.leagues(0, &recorded).await.unwrap();
        leagues[&League::Two]
            .rows
            .iter()
            .map(|row| row.wins)
            .sum::<u32>()
    };
    let recorded = Recorded {
        variants: found.games,
    };
    assert_eq!(wins(recorded).await, 3);
    assert_eq!(wins(Recorded::default()).await, 1);

    // A freed one is lost, which is said.
    let free = world
        .variants
        .perform(&world.people[0], games[1], Action::Free);
    free.await.unwrap();
    index.close().await;
    let index = past.read(0, &|_| {}).await.unwrap();
    let found = records(&index).await;
    assert_eq!((found.games.len(), found.lost), (1, 1));

    // A contract that is younger than the missing blocks lacks nothing.
    let younger = Client::variants_address(world.people[1].address(), CODE);
    assert_eq!(index.gaps(&[younger], 0).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_index_that_is_kept_up_outlasts_the_states() {
    let world = World::with(pruned(16)).await;
    let folder = TempDir::new().unwrap();
    let past = Arc::new(program(&world, Some(folder.path())).await.0);
    let indexed = world.variants.clone().with_archive(past.clone());
    let mut games = Vec::new();
    for _ in 0..3 {
        standings(&past).await;
        games.push(play(&world).await);
        standings(&past).await;
        seal(&world, 14);
    }
    let (complete, _) = standings(&past).await;
    assert_eq!(complete.unrated.other_board, 3);
    let lost = world.variants.history(games[0], 0).await.unwrap_err();
    assert!(lost.to_string().contains("has discarded"), "{lost}");
    // Their transactions, too, with the fees, which only the states would tell.
    for game in games {
        let history = indexed.history(game, 0).await.unwrap();
        assert_eq!(history.len(), 9);
        assert!(replay_variant(&history).unwrap().0.is_over());
        let sent = indexed.client().transactions(&history).await.unwrap();
        assert!(sent.iter().all(|sent| sent.fee > 0));
    }
    // What happens while nobody looks is missing, and nothing else.
    let known = world.chain.best().1.number;
    play(&world).await;
    seal(&world, 30);
    let (later, _) = standings(&past).await;
    assert_eq!(later, complete);
    let index = past.read(0, &|_| {}).await.unwrap();
    let gaps = index.gaps(world.variants.emitters(), 0).await.unwrap();
    assert_eq!((gaps.len(), gaps[0].first), (1, known + 1));
    assert!(gaps[0].last < world.chain.best().1.number);
}

/// A question about a game does not wait until a gap is filled.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_is_looked_up_without_filling_a_gap() {
    let chain_folder = TempDir::new().unwrap();
    let open = async |keep_states| {
        World::with(ChainOptions {
            storage: Storage::Folder(chain_folder.path().into()),
            keep_states,
            ..ChainOptions::default()
        })
        .await
    };
    let folder = TempDir::new().unwrap();
    let world = open(Some(16)).await;
    seal(&world, 60);
    let (past, _) = program(&world, Some(folder.path())).await;
    past.read(0, &|_| {}).await.unwrap().close().await;
    drop((world, past));
    let world = open(None).await;
    let game = play(&world).await;
    let (past, notices) = program(&world, Some(folder.path())).await;
    let archived = past.game(world.variants.emitters(), game).await.unwrap();
    assert_eq!(archived.events.len(), 9);
    assert_eq!(notices.lock().unwrap()[..], [""; 0]);
    past.read(0, &|_| {}).await.unwrap().close().await;
    let said = std::mem::take(&mut *notices.lock().unwrap());
    assert!(said[0].contains("has events of blocks 0 to"), "{said:?}");
}

/// A node that has discarded other states than the one before fills what it can, and nothing that was
/// read is given up for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_with_the_missing_blocks_alone_fills_the_gap() {
    let chain_folder = TempDir::new().unwrap();
    let open = async |keep_states| {
        World::with(ChainOptions {
            storage: Storage::Folder(chain_folder.path().into()),
            ..pruned(keep_states)
        })
        .await
    };
    let folder = TempDir::new().unwrap();
    let url = format!("sqlite:{}", folder.path().join("index.db").display());
    let missing = {
        let world = open(40).await;
        play(&world).await;
        seal(&world, 12);
        world.built(&url).await.close().await;
        seal(&world, 80);
        let index = world.built(&url).await;
        let missing = index.status().missing;
        index.close().await;
        assert_eq!(missing.len(), 1, "{missing:?}");
        missing[0].clone()
    };
    for (keep_states, left) in [(60, true), (85, false)] {
        let world = open(keep_states).await;
        let index = world.built(&url).await;
        let now = index.status().missing;
        assert_eq!(now.len(), usize::from(left), "{now:?}");
        assert!(
            now.iter()
                .all(|gap| gap.first == missing.first && gap.last < missing.last)
        );
        // Its states are gone.
        assert!(world.variants.history(GameId::Variant(0), 0).await.is_err());
        let game = index.game(GameId::Variant(0)).await.unwrap().unwrap();
        assert!(game.ended_block.is_some());
        index.close().await;
    }
    // It is equal to one that was never behind.
    let world = World::with(ChainOptions {
        storage: Storage::Folder(chain_folder.path().into()),
        ..ChainOptions::default()
    })
    .await;
    let anew = format!("{url}-anew");
    world.built(&anew).await;
    world.built(&url).await;
    assert_equal(&dump(&url).await, &dump(&anew).await, "filled");
}

/// The games that no event tells of are read from the contract's storage, as it is in a block that the
/// node has.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_index_with_a_gap_that_is_a_block_ahead_of_the_node_is_used() {
    let world = World::with(pruned(16)).await;
    let game = play(&world).await;
    seal(&world, 30);
    let folder = TempDir::new().unwrap();
    let (past, _) = program(&world, Some(folder.path())).await;
    past.read(0, &|_| {}).await.unwrap().close().await;
    let index = server(&world, folder.path()).await;
    let best = index.newest_block().await.unwrap().unwrap();
    assert_eq!(index.newest_shared_block().await.unwrap(), best);
    let next = add_block(&world, &index).await;
    assert_eq!(index.newest_block().await.unwrap(), Some(next));
    let shared = index.newest_shared_block().await.unwrap();
    assert_eq!(shared, best);
    let known = index.known_variants().await.unwrap();
    assert!(
        world
            .variants
            .variant_records(&known, next.hash)
            .await
            .is_err()
    );
    let records = world
        .variants
        .variant_records(&known, shared.hash)
        .await
        .unwrap();
    assert!(records.games.contains_key(&game.number()));
}
