//! An index that was built step by step, through forks, is equal to one that was built at once.

use connect4_testing::dice::Dice;
use connect4_testing::postgres::Postgres;

use crate::common::{World, assert_equal, dump, standings};

fn file(folder: &tempfile::TempDir, name: &str) -> String {
    format!("sqlite:{}", folder.path().join(name).display())
}

/// Plays through forks, while two indexes follow in steps of different lengths.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forks_are_undone_row_for_row() {
    let world = World::new().await;
    let folder = tempfile::tempdir().unwrap();
    let postgres = Postgres::start();
    let steps = [file(&folder, "steps.db"), postgres.database("steps")];
    let (sqlite, server) = (world.open(&steps[0]).await, world.open(&steps[1]).await);
    let mut dice = Dice(20);
    let mut undone = 0;
    for step in 0..160 {
        world.something(&mut dice).await;
        if dice.once_in(2) {
            assert!(sqlite.catch_up().await.unwrap());
        }
        if dice.once_in(5) {
            assert!(server.catch_up().await.unwrap());
        }
        if dice.once_in(7) {
            let before = sqlite.status().block;
            let depth = 1 + dice.below(5) as u32;
            world.fork(depth, &mut dice);
            let best = world.chain.best().1.number;
            undone += u32::from(before.is_some_and(|block| block.number + depth >= best));
            if dice.once_in(2) {
                assert!(server.catch_up().await.unwrap());
            }
        }
        // What is on its way must not be undone by half.
        if step % 40 == 39 {
            assert!(sqlite.catch_up().await.unwrap());
            let url = file(&folder, &format!("at-{step}.db"));
            world.built(&url).await;
            assert_equal(
                &dump(&steps[0]).await,
                &dump(&url).await,
                &format!("{step}"),
            );
        }
    }
    assert!(undone > 5, "{undone}");
    for index in [&sqlite, &server] {
        assert!(index.catch_up().await.unwrap());
        assert_eq!(index.status().behind(), Some(0));
        assert_eq!(index.status().seconds_behind(), Some(0));
    }
    let at_once = [file(&folder, "at-once.db"), postgres.database("at_once")];
    for url in &at_once {
        world.built(url).await;
    }
    let expected = dump(&at_once[0]).await;
    for table in ["games", "seats", "ratings", "pairs", "accounts"] {
        let begins = format!("{table}: ");
        let count = expected.iter().filter(|row| row.starts_with(&begins));
        assert!(count.count() > 3, "{table} has rows");
    }
    assert_equal(&dump(&at_once[1]).await, &expected, "PostgreSQL at once");
    assert_equal(&dump(&steps[0]).await, &expected, "SQLite in steps");
    assert_equal(&dump(&steps[1]).await, &expected, "PostgreSQL in steps");

    // The ratings are those of all games counted at once, to the last bit.
    let mut ratings: Vec<String> = expected
        .into_iter()
        .filter(|row| row.starts_with("accounts: "))
        .collect();
    ratings.sort();
    assert_eq!(ratings, standings(&sqlite).await);
    assert_eq!(ratings, standings(&server).await);
}
