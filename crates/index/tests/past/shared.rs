//! An index that several programs use.

use std::fs;
use std::sync::Arc;

use tempfile::TempDir;

use crate::common::World;
use crate::past::{play, program, seal, server, standings};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn several_programs_share_the_index() {
    let world = World::new().await;
    for _ in 0..3 {
        play(&world).await;
        seal(&world, 400);
    }
    let (whole, _) = standings(&program(&world, None).await.0).await;
    let folder = TempDir::new().unwrap();
    let mut reading = Vec::new();
    for _ in 0..4 {
        let (past, _) = program(&world, Some(folder.path())).await;
        reading.push(tokio::spawn(async move { standings(&past).await.0 }));
    }
    for reading in reading {
        assert_eq!(reading.await.unwrap(), whole);
    }
    let (past, _) = program(&world, Some(folder.path())).await;
    assert_eq!(standings(&past).await, (whole, 0));
}

/// A server that fills the index all the time keeps no program from it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_reads_what_a_server_writes() {
    let world = World::new().await;
    let folder = TempDir::new().unwrap();
    let server = server(&world, folder.path()).await;
    let _follower = server.follow();
    let (past, _) = program(&world, Some(folder.path())).await;
    let past = Arc::new(past);
    let indexed = world.variants.clone().with_archive(past.clone());
    let mut status = server.watch();
    status.wait_for(|status| status.writes).await.unwrap();
    for games in 1..=3 {
        let game = play(&world).await;
        let (found, read) = standings(&past).await;
        assert_eq!((found.unrated.other_board, read), (games, 0));
        assert_eq!(indexed.history(game, 0).await.unwrap().len(), 9);
        seal(&world, 20);
    }
}

/// A program that writes the index by a node that lacks the newest blocks, or not at all for a while.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_index_that_another_program_writes_may_be_some_blocks_behind() {
    let world = World::new().await;
    play(&world).await;
    let folder = TempDir::new().unwrap();
    let (past, _) = program(&world, Some(folder.path())).await;
    let (whole, _) = standings(&past).await;
    let files = fs::read_dir(folder.path()).unwrap();
    let mut files = files.map(|file| file.unwrap().path());
    let lock = files.find(|file| file.extension().is_some_and(|end| end == "lock"));
    let lock = fs::File::open(lock.unwrap()).unwrap();
    lock.lock().unwrap();
    seal(&world, 3);
    assert_eq!(standings(&past).await, (whole, 0));
}
