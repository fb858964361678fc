//! Databases that are damaged, full, of another version or another chain, and programs that are
//! killed.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use connect4_chain::{Finality, Options as ChainOptions};
use connect4_index::{Error, Filter, Index, Options, Outcome};
use connect4_testing::dice::Dice;
use connect4_testing::postgres::Postgres;
use sqlx::Executor as _;

use crate::common::{World, assert_equal, connect, dump, options, subject_at};

#[derive(Clone, Default)]
struct Notices(Arc<Mutex<Vec<String>>>);

impl Notices {
    fn options(&self) -> Options {
        let told = Arc::clone(&self.0);
        Options {
            notice: Arc::new(move |text| told.lock().unwrap().push(text)),
            ..options()
        }
    }

    fn all(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

fn place(folder: &tempfile::TempDir) -> (PathBuf, String) {
    let path = folder.path().join("index.db");
    let url = format!("sqlite:{}", path.display());
    (path, url)
}

async fn small_world() -> World {
    let world = World::new().await;
    let mut dice = Dice(3);
    for _ in 0..12 {
        world.something(&mut dice).await;
    }
    world
}

/// Overwrites the middle of a file, where its tables are.
fn damage(path: &Path) {
    let mut bytes = std::fs::read(path).unwrap();
    assert!(bytes.len() > 40_000, "{}", bytes.len());
    let middle = bytes.len() / 8;
    bytes[middle..].fill(0xa5);
    std::fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn a_file_that_is_no_database_is_put_aside() {
    let world = small_world().await;
    let folder = tempfile::tempdir().unwrap();
    let (path, url) = place(&folder);
    std::fs::write(&path, "this is no database".repeat(500)).unwrap();
    let told = Notices::default();
    let index = Index::open(&url, world.subject(), told.options()).await;
    assert!(index.unwrap().catch_up().await.unwrap());
    let told = told.all();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("index.unreadable"), "{told:?}");
    let aside = std::fs::read(path.with_extension("unreadable")).unwrap();
    assert!(aside.starts_with(b"this is no database"));
}

#[tokio::test]
async fn a_file_that_is_damaged_while_it_is_used_is_put_aside_and_built_anew() {
    let world = small_world().await;
    let folder = tempfile::tempdir().unwrap();
    let (path, url) = place(&folder);
    let index = world.built(&url).await;
    let expected = dump(&url).await;
    index.close().await;
    damage(&path);
    let told = Notices::default();
    let index = Index::open(&url, world.subject(), told.options()).await;
    let index = index.unwrap();
    let _follower = index.follow();
    let mut status = index.watch();
    let is_there =
        |status: &connect4_index::Status| status.behind() == Some(0) && status.trouble.is_none();
    status.wait_for(is_there).await.unwrap();
    assert!(
        path.with_extension("unreadable").exists(),
        "{:?}",
        told.all()
    );
    assert_equal(&dump(&url).await, &expected, "built anew");
}

#[tokio::test]
async fn another_format_is_put_aside_in_a_file_and_refused_in_a_server() {
    let world = small_world().await;
    let folder = tempfile::tempdir().unwrap();
    let (path, url) = place(&folder);
    let postgres = Postgres::start();
    let server = postgres.database("older");
    for url in [&url, &server] {
        world.built(url).await.close().await;
        let mut connection = connect(url).await;
        let older = "UPDATE meta SET value = '0' WHERE name = 'format'";
        connection.execute(older).await.unwrap();
    }
    let told = Notices::default();
    let index = Index::open(&url, world.subject(), told.options()).await;
    assert!(index.unwrap().catch_up().await.unwrap());
    assert!(path.with_extension("unreadable").exists());
    assert!(told.all()[0].contains("format 0"), "{:?}", told.all());
    let refused = Index::open(&server, world.subject(), Options::default()).await;
    let Err(Error::Format { found, .. }) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(found, "0");
}

#[tokio::test]
async fn a_database_of_postgresql_is_shared_with_other_programs_and_versions() {
    let world = small_world().await;
    let postgres = Postgres::start();
    let url = postgres.database("shared");
    // Another program's table of that name, and the tables of an older version of this one.
    let mut theirs = connect(&url).await;
    for statement in [
        "CREATE TABLE meta (id INTEGER)",
        "INSERT INTO meta VALUES (7)",
        "CREATE SCHEMA older",
        "CREATE TABLE older.meta (name TEXT, value TEXT)",
        "INSERT INTO older.meta VALUES ('format', '0')",
    ] {
        theirs.execute(statement).await.unwrap();
    }
    world.built(&url).await.close().await;
    let ours = dump(&url).await;
    assert!(
        ours.iter().any(|row| row.starts_with("games: ")),
        "{ours:?}"
    );
    let left = sqlx::query_scalar::<_, i32>("SELECT id FROM public.meta");
    assert_eq!(left.fetch_one(&mut theirs).await.unwrap(), 7);
    let left = sqlx::query_scalar::<_, String>("SELECT value FROM older.meta");
    assert_eq!(left.fetch_one(&mut theirs).await.unwrap(), "0");
}

#[tokio::test]
async fn a_page_of_a_history_looks_at_so_many_games_and_the_next_ones_at_the_others() {
    let world = World::new().await;
    let mut dice = Dice(5);
    for _ in 0..60 {
        world.something(&mut dice).await;
    }
    let folder = tempfile::tempdir().unwrap();
    let postgres = Postgres::start();
    for url in [place(&folder).1, postgres.database("history")] {
        let whole = world.built(&url).await;
        let options = Options {
            looks_at: 2,
            ..Options::default()
        };
        let index = Index::open(&url, world.subject(), options).await.unwrap();
        let account = whole.history(Filter::default(), None, 1).await.unwrap();
        let account = Some(account.games[0].players[0]);
        for filter in [
            Filter::default(),
            Filter {
                account,
                ..Filter::default()
            },
            Filter {
                outcome: Some(Outcome::Aborted),
                ..Filter::default()
            },
            Filter {
                account,
                outcome: Some(Outcome::Open),
                ..Filter::default()
            },
        ] {
            let all = whole.history(filter, None, 1000).await.unwrap();
            assert_eq!(all.next, None);
            let (mut found, mut behind, mut pages) = (Vec::new(), None, 0);
            loop {
                let page = index.history(filter, behind, 1000).await.unwrap();
                assert!(page.games.len() <= 2);
                found.extend(page.games);
                pages += 1;
                behind = page.next;
                if behind.is_none() {
                    break;
                }
            }
            assert_eq!(found, all.games, "{filter:?}");
            assert!(pages > 1, "{filter:?}");
        }
    }
}

#[tokio::test]
async fn the_index_of_another_chain_or_of_other_contracts_is_refused() {
    let world = small_world().await;
    let other = World::with(ChainOptions {
        finality: Finality::AtOnce,
        ..ChainOptions::default()
    })
    .await;
    let folder = tempfile::tempdir().unwrap();
    let postgres = Postgres::start();
    for url in [place(&folder).1, postgres.database("taken")] {
        world.built(&url).await.close().await;
        for (name, value, is_expected) in [
            (
                "genesis",
                "0x00",
                (|error| matches!(error, Error::OtherChain { .. })) as fn(&Error) -> bool,
            ),
            ("contracts", "others", |error| {
                matches!(error, Error::OtherContracts { .. })
            }),
        ] {
            let mut connection = connect(&url).await;
            let query = "SELECT value FROM meta WHERE name = $1";
            let before: String = sqlx::query_scalar(query)
                .bind(name)
                .fetch_one(&mut connection)
                .await
                .unwrap();
            let set = "UPDATE meta SET value = $1 WHERE name = $2";
            let query = sqlx::query(set).bind(value).bind(name);
            query.execute(&mut connection).await.unwrap();
            let refused = Index::open(&url, other.subject(), Options::default()).await;
            assert!(is_expected(&refused.unwrap_err()), "{name}");
            let query = sqlx::query(set).bind(before).bind(name);
            query.execute(&mut connection).await.unwrap();
        }
        world.open(&url).await;
    }
}

#[tokio::test]
async fn a_chain_that_was_begun_anew_is_indexed_anew() {
    let folder = tempfile::tempdir().unwrap();
    let (_, url) = place(&folder);
    let before = small_world().await;
    before.built(&url).await.close().await;
    // The same first block and the same contracts, but other blocks.
    let now = World::new().await;
    let mut dice = Dice(4);
    for _ in 0..8 {
        now.something(&mut dice).await;
    }
    assert_eq!(before.client.genesis(), now.client.genesis());
    now.built(&url).await;
    let anew = format!("{url}-anew");
    now.built(&anew).await;
    assert_equal(&dump(&url).await, &dump(&anew).await, "begun anew");
}

#[tokio::test]
async fn a_full_disk_is_told_and_leaves_the_index_as_it_was() {
    let world = small_world().await;
    let folder = tempfile::tempdir().unwrap();
    let (_, url) = place(&folder);
    world.built(&url).await.close().await;
    let before = dump(&url).await;
    let full = Options {
        most_pages: Some(1),
        ..Options::default()
    };
    let index = Index::open(&url, world.subject(), full).await.unwrap();
    let mut dice = Dice(9);
    for _ in 0..30 {
        world.something(&mut dice).await;
    }
    let refused = index.catch_up().await;
    assert!(matches!(refused, Err(Error::Full(_))), "{refused:?}");
    assert_equal(&dump(&url).await, &before, "unchanged");
    // What is there can be read.
    assert!(!index.live(10).await.unwrap().is_empty());
    index.close().await;
    let index = world.open(&url).await;
    assert!(index.catch_up().await.unwrap());
    let anew = format!("{url}-anew");
    world.built(&anew).await;
    assert_equal(&dump(&url).await, &dump(&anew).await, "with room again");
}

/// The program that is killed: fills an index for ever.
#[tokio::test]
#[ignore = "it is the child of another test"]
async fn fill_until_killed() {
    let (Ok(chain), Ok(index)) = (std::env::var("CHAIN"), std::env::var("INDEX")) else {
        return;
    };
    let subject = subject_at(&chain).await;
    let tables = [
        "blocks", "events", "games", "seats", "ratings", "pairs", "accounts",
    ];
    let emptied = tables.map(|table| format!("DELETE FROM {table};"));
    let emptied = format!("BEGIN; {} COMMIT", emptied.join(" "));
    loop {
        let opened = Index::open(&index, subject.clone(), Options::default()).await;
        let opened = opened.unwrap();
        println!("opened");
        std::io::stdout().flush().unwrap();
        opened.catch_up().await.unwrap();
        opened.close().await;
        // All of it is to be written again.
        let mut connection = connect(&index).await;
        connection.execute(emptied.as_str()).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_that_is_killed_leaves_an_index_that_is_resumed() {
    let world = small_world().await;
    let folder = tempfile::tempdir().unwrap();
    let anew = format!("{}-anew", place(&folder).1);
    world.built(&anew).await;
    let expected = dump(&anew).await;
    let postgres = Postgres::start();
    for (url, name) in [
        (place(&folder).1, "file"),
        (postgres.database("killed"), "server"),
    ] {
        for times in 1..6 {
            let mut child = Command::new(std::env::current_exe().unwrap())
                .args([
                    "--exact",
                    "database::fill_until_killed",
                    "--ignored",
                    "--nocapture",
                ])
                .env("CHAIN", world.client.url())
                .env("INDEX", &url)
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let told = BufReader::new(child.stdout.take().unwrap());
            let opened = told.lines().map_while(Result::ok);
            let opened = opened.filter(|line| line == "opened").take(times).count();
            assert_eq!(opened, times, "{name}");
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let index = world.open(&url).await;
        let mut status = index.watch();
        let _follower = index.follow();
        status
            .wait_for(|status| status.behind() == Some(0))
            .await
            .unwrap();
        assert_equal(&dump(&url).await, &expected, name);
    }
}
