//! Chains that are begun anew or fork, and nodes that are behind.

use std::sync::Arc;

use connect4_chain::{Finality, Options as ChainOptions};
use connect4_testing::dice::Dice;
use tempfile::TempDir;

use crate::common::World;
use crate::past::{add_block, play, program, seal, server, standings};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_chain_of_the_same_genesis_is_another() {
    let folder = TempDir::new().unwrap();
    // One that is shorter than what is kept is read anew each time.
    for (empty_blocks, games, is_kept) in [(40, 2, true), (0, 1, false), (60, 3, true)] {
        let world = World::new().await;
        seal(&world, empty_blocks);
        for _ in 0..games {
            play(&world).await;
        }
        let (past, _) = program(&world, Some(folder.path())).await;
        let (found, _) = standings(&past).await;
        assert_eq!(found.unrated.other_board, games);
        let (again, read) = standings(&past).await;
        assert_eq!((again, read == 0), (found, is_kept));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_fork_has_retracted_is_undone() {
    let world = World::with(ChainOptions {
        finality: Finality::Lag(200),
        ..ChainOptions::default()
    })
    .await;
    let mut dice = Dice(6);
    let game = play(&world).await;
    let folder = TempDir::new().unwrap();
    let past = Arc::new(program(&world, Some(folder.path())).await.0);
    let indexed = world.variants.clone().with_archive(past.clone());
    assert_eq!(standings(&past).await.0.unrated.other_board, 1);
    // The move that ended the game is retracted, and later the whole game.
    for depth in [2, 9] {
        world.fork(depth, &mut dice);
        let (found, _) = standings(&past).await;
        let (without, _) = standings(&program(&world, None).await.0).await;
        assert_eq!(found, without, "{depth}");
        let history = indexed
            .history(game, 0)
            .await
            .map_err(|error| error.to_string());
        let same = world.variants.history(game, 0).await;
        assert_eq!(history, same.map_err(|error| error.to_string()), "{depth}");
    }
}

/// A node behind the same address as another one can lack the newest block.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_index_that_is_a_block_ahead_of_the_node_is_used() {
    let world = World::new().await;
    play(&world).await;
    seal(&world, 100);
    let folder = TempDir::new().unwrap();
    let (past, _) = program(&world, Some(folder.path())).await;
    let (whole, _) = standings(&past).await;
    let index = server(&world, folder.path()).await;
    let next = add_block(&world, &index).await;
    assert_eq!(standings(&past).await, (whole, 0));
    assert_eq!(index.newest_block().await.unwrap(), Some(next));
    // That block was retracted.
    play(&world).await;
    let (found, read) = standings(&past).await;
    assert_eq!((found.unrated.other_board, read), (2, 8));
}
