//! Several hosts that share an index, a server that goes away, nodes that discard states, and how far
//! an index is.

use connect4_chain::{Finality, Options as ChainOptions, Storage};
use connect4_client::BlockRef;
use connect4_index::{Index, Status};
use connect4_testing::dice::Dice;
use connect4_testing::postgres::Postgres;

use crate::common::{World, assert_equal, dump};

/// Waits until an index has all of the chain, and no trouble.
async fn up_to_date(world: &World, index: &Index) -> Status {
    let best = world.chain.best().1.number;
    let mut status = index.watch();
    let is_there = |status: &Status| {
        let is_new = status.best.is_some_and(|block| block.number >= best);
        is_new && status.behind() == Some(0) && status.trouble.is_none()
    };
    status.wait_for(is_there).await.unwrap().clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_host_writes_and_another_takes_over() {
    let world = World::new().await;
    let mut dice = Dice(1);
    let postgres = Postgres::start();
    let folder = tempfile::tempdir().unwrap();
    let file = format!("sqlite:{}", folder.path().join("index.db").display());
    for (url, name) in [(postgres.database("shared"), "server"), (file, "file")] {
        let (one, two) = (world.open(&url).await, world.open(&url).await);
        let (first, second) = (one.follow(), two.follow());
        world.something(&mut dice).await;
        let writes = [
            up_to_date(&world, &one).await.writes,
            up_to_date(&world, &two).await.writes,
        ];
        assert!(
            writes[0] != writes[1],
            "{name}: one writes, the other reads"
        );
        let (gone, left) = match writes[0] {
            true => ((first, &one), (second, &two)),
            false => ((second, &two), (first, &one)),
        };
        drop(gone.0);
        gone.1.close().await;
        for _ in 0..6 {
            world.something(&mut dice).await;
        }
        assert!(up_to_date(&world, left.1).await.writes, "{name}");
        let anew = format!("sqlite:{}", folder.path().join(name).display());
        world.built(&anew).await;
        assert_equal(&dump(&url).await, &dump(&anew).await, name);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_goes_away_and_comes_back_is_told_and_used_again() {
    let world = World::new().await;
    let mut dice = Dice(2);
    let mut postgres = Postgres::start();
    let url = postgres.database("index");
    let index = world.open(&url).await;
    let _follower = index.follow();
    world.something(&mut dice).await;
    up_to_date(&world, &index).await;
    postgres.stop();
    let mut status = index.watch();
    world.seal();
    status
        .wait_for(|status| status.trouble.is_some())
        .await
        .unwrap();
    assert!(index.live(1).await.is_err());
    for _ in 0..4 {
        world.something(&mut dice).await;
    }
    postgres.resume();
    up_to_date(&world, &index).await;
    index.live(1).await.unwrap();
    let anew = postgres.database("anew");
    world.built(&anew).await;
    assert_equal(&dump(&url).await, &dump(&anew).await, "after the outage");
    // A server that is not there when a host starts is told at once.
    postgres.stop();
    let gone = Index::open(&url, world.subject(), connect4_index::Options::default()).await;
    let gone = gone.unwrap_err();
    assert!(
        matches!(gone, connect4_index::Error::Unreachable(_)),
        "{gone}"
    );
    postgres.resume();
}

#[tokio::test]
async fn blocks_whose_states_were_discarded_are_told_and_read_later() {
    let world = World::with(ChainOptions {
        finality: Finality::AtOnce,
        keep_states: Some(8),
        ..ChainOptions::default()
    })
    .await;
    let mut dice = Dice(5);
    let game = world.start(&mut dice).await;
    let started = world.chain.best().1.number;
    for bin in [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3] {
        world.drop(game, bin).await;
    }
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("index.db").display());
    let index = world.built(&url).await;
    let missing = index.status().missing;
    assert_eq!(missing.len(), 1, "{missing:?}");
    assert!(missing[0].first <= started && started <= missing[0].last);
    assert!(missing[0].until.is_some());
    // The game's start is among them.
    assert_eq!(index.live(10).await.unwrap(), []);
    // An index that was there in time has no gap.
    let second = world.start(&mut dice).await;
    assert!(index.catch_up().await.unwrap());
    for _ in 0..3 {
        for bin in [0, 1, 2, 3] {
            world.drop(second, bin).await;
        }
        assert!(index.catch_up().await.unwrap());
    }
    assert_eq!(index.status().missing, missing);
    let live = index.live(10).await.unwrap();
    assert_eq!((live.len(), live[0].plies), (1, 12));
    let position = live[0].position.as_deref().unwrap();
    assert!(
        position.ends_with("rbrb..") || position.ends_with("rbrb..."),
        "{position}"
    );
}

#[tokio::test]
async fn a_node_that_has_the_missing_blocks_has_the_index_built_anew() {
    let folder = tempfile::tempdir().unwrap();
    let open = |keep_states| ChainOptions {
        storage: Storage::Folder(folder.path().join("chain")),
        keep_states,
        ..ChainOptions::default()
    };
    let url = format!("sqlite:{}", folder.path().join("index.db").display());
    {
        let world = World::with(open(Some(8))).await;
        let mut dice = Dice(6);
        let game = world.start(&mut dice).await;
        for bin in [0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2] {
            world.drop(game, bin).await;
        }
        let index = world.built(&url).await;
        assert_eq!(index.status().missing.len(), 1);
        index.close().await;
    }
    let world = World::with(open(None)).await;
    let index = world.built(&url).await;
    assert_eq!(index.status().missing, []);
    assert_eq!(index.live(10).await.unwrap().len(), 1);
    let anew = format!("{url}-anew");
    world.built(&anew).await;
    assert_equal(&dump(&url).await, &dump(&anew).await, "with all blocks");
}

#[test]
fn an_index_says_how_far_behind_it_is() {
    let block = |number| {
        Some(BlockRef {
            number,
            hash: connect4_client::H256::zero(),
        })
    };
    let mut status = Status::default();
    assert_eq!((status.behind(), status.seconds_behind()), (None, None));
    status.best = block(9);
    status.finalized = Some(4);
    assert_eq!(
        (status.behind(), status.behind_final()),
        (Some(10), Some(5))
    );
    status.block = block(7);
    assert_eq!((status.behind(), status.behind_final()), (Some(2), Some(0)));
    assert_eq!(status.seconds_behind(), None);
    (status.time, status.best_time) = (Some(100), Some(112));
    assert_eq!(status.seconds_behind(), Some(12));
    // A node that is behind the one from which the index was filled.
    status.best = block(5);
    assert_eq!(
        (status.behind(), status.seconds_behind()),
        (Some(0), Some(0))
    );
}
