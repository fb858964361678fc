//! An index in a folder: read once, resumed, and of use whatever is wrong with it.

use std::fs;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use connect4_chain::{Chain, Options as ChainOptions};
use connect4_client::{Action, Archive as _, Client, Contracts, GameId, Reading, Signer};
use connect4_index::{League, Recorded, Standings};
use connect4_protocol::variants::message::StartVariant;
use connect4_rules::Shape;
use connect4_testing::dice::Dice;
use sqlx::{AnyConnection, Connection as _, Executor as _, Row as _};
use tempfile::TempDir;

use crate::common::{CODE, World};
use crate::past::{
    play, play_on, play_plain, program, program_of, seal, standings, standings_from,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn blocks_are_read_once() {
    let world = World::new().await;
    play(&world).await;
    seal(&world, 300);
    play(&world).await;
    let folder = TempDir::new().unwrap();
    let (without, all) = standings(&program(&world, None).await.0).await;
    assert!(all > 300, "{all}");
    assert_eq!(without.unrated.other_board, 2);
    let (past, notices) = program(&world, Some(folder.path())).await;
    assert_eq!(standings(&past).await, (without.clone(), all));
    assert_eq!(standings(&past).await, (without, 0), "nothing is new");

    // Only what is new is read, also by another program.
    seal(&world, 70);
    let before = world.chain.best().1.number;
    let freed = play(&world).await;
    let free = world
        .variants
        .perform(&world.people[0], freed, Action::Free);
    free.await.unwrap();
    let (other, _) = program(&world, Some(folder.path())).await;
    let (third, read) = standings(&other).await;
    assert_eq!(read, world.chain.best().1.number - before + 70);
    assert_eq!(third.unrated.other_board, 3);

    // From a block on, games that began before do not count, with the index or without it.
    let (some, read) = standings_from(&past, before).await;
    assert_eq!((some.unrated.other_board, read), (1, 0));
    let (same, read) = standings_from(&program(&world, None).await.0, before).await;
    assert_eq!((same, read < 20), (some, true));
    // Behind the newest block there are none.
    for kept in [None, Some(folder.path())] {
        let (none, read) = standings_from(&program(&world, kept).await.0, u32::MAX - 1).await;
        assert_eq!((none, read), (Standings::default(), 0));
    }
    assert_eq!(notices.lock().unwrap()[..], [""; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_is_looked_up_in_the_index() {
    let world = World::new().await;
    let mut dice = Dice(8);
    let games = [play_plain(&world).await, play_plain(&world).await];
    let variant = world.variant(&mut dice).await;
    world.play_variant(variant, &mut dice).await;
    let folder = TempDir::new().unwrap();
    let past = Arc::new(program(&world, Some(folder.path())).await.0);
    let indexed = world.contract.clone().with_archive(past.clone());
    for game in games {
        let history = world.contract.history(game, 0).await.unwrap();
        assert_eq!(history.len(), 9);
        assert_eq!(indexed.history(game, 0).await.unwrap(), history);
        let sent = world.client.transactions(&history).await.unwrap();
        let same = indexed.client().transactions(&history).await.unwrap();
        assert_eq!(same, sent);
        // The index is asked, and has all of it.
        let archived = past.game(world.contract.emitters(), game).await.unwrap();
        assert_eq!(archived.last.number, world.chain.best().1.number);
        assert_eq!(archived.events.len(), 9);
    }
    let variants = world.variants.clone().with_archive(past.clone());
    let history = variants.history(variant, 0).await.unwrap();
    assert_eq!(history, world.variants.history(variant, 0).await.unwrap());
    let missing = indexed
        .history(GameId::Classic(7), 0)
        .await
        .unwrap_err()
        .to_string();
    let same = world
        .contract
        .history(GameId::Classic(7), 0)
        .await
        .unwrap_err()
        .to_string();
    assert_eq!(missing, same);

    // An index that is behind is brought up to date, and of one that is far behind nothing is waited for.
    seal(&world, 40);
    let next = play_plain(&world).await;
    assert_eq!(indexed.history(next, 0).await.unwrap().len(), 9);
    seal(&world, connect4_client::NEAR + 1);
    assert_eq!(past.game(world.contract.emitters(), next).await, None);
    assert_eq!(indexed.history(next, 0).await.unwrap().len(), 9);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupted_reading_is_resumed() {
    let world = World::new().await;
    play(&world).await;
    seal(&world, 1400);
    play(&world).await;
    let (whole, all) = standings(&program(&world, None).await.0).await;
    let folder = TempDir::new().unwrap();
    let (past, _) = program(&world, Some(folder.path())).await;
    // It is given up in the middle, as by Ctrl-C.
    let (half, mut reached) = tokio::sync::mpsc::unbounded_channel();
    let on = |reading: Reading| {
        if reading.read > 500 {
            let _ = half.send(());
        }
    };
    tokio::select! {
        biased;
        _ = reached.recv() => {}
        read = past.read(0, &on) => panic!("it came to its end: {read:?}"),
    }
    let (resumed, read) = standings(&past).await;
    assert_eq!(resumed, whole);
    // Of a slow node, too, the first blocks are soon told and kept.
    let first = Mutex::new(None);
    let on = |reading: Reading| {
        first.lock().unwrap().get_or_insert(reading.read);
    };
    let (without, _) = program(&world, None).await;
    without.read(0, &on).await.unwrap();
    assert!(first.into_inner().unwrap().unwrap() <= 64);
    assert!(read < all, "{read} of {all} blocks were read again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unreadable_file_is_put_aside_and_built_anew() {
    let world = World::new().await;
    play(&world).await;
    let folder = TempDir::new().unwrap();
    let (past, notices) = program(&world, Some(folder.path())).await;
    let (whole, _) = standings(&past).await;
    let files = fs::read_dir(folder.path()).unwrap();
    let mut files = files.map(|file| file.unwrap().path());
    let file = files.find(|file| file.extension().is_some_and(|end| end == "db"));
    let file = file.unwrap();
    for damaged in [
        &b"no database".repeat(99)[..],
        &fs::read(&file).unwrap()[..5000],
    ] {
        fs::write(&file, damaged).unwrap();
        let (again, read) = standings(&past).await;
        assert!(read > 0, "it was built anew");
        assert_eq!(again, whole);
        let said = std::mem::take(&mut *notices.lock().unwrap());
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains("was renamed"), "{said:?}");
        assert!(file.with_extension("unreadable").exists());
        assert_eq!(standings(&past).await, (whole.clone(), 0));
    }

    // A page that is read only for the answer.
    let url = format!("sqlite://{}", file.display());
    let mut connection = AnyConnection::connect(&url).await.unwrap();
    connection
        .execute("PRAGMA wal_checkpoint(TRUNCATE)")
        .await
        .unwrap();
    let root = "SELECT rootpage FROM sqlite_master WHERE name = 'accounts'";
    let root: i64 = connection.fetch_one(root).await.unwrap().get(0);
    connection.close().await.unwrap();
    let mut bytes = fs::read(&file).unwrap();
    let begins = (usize::try_from(root).unwrap() - 1) * 4096;
    bytes[begins..begins + 4096].fill(0xff);
    fs::write(&file, bytes).unwrap();
    let asked = past.ask(0, &|_| {}, async |index| {
        index.leagues(0, &Recorded::default()).await
    });
    assert_eq!(asked.await.unwrap()[&League::Two], whole);
    let said = std::mem::take(&mut *notices.lock().unwrap());
    assert!(said[0].contains("was renamed"), "{said:?}");
    assert_eq!(standings(&past).await, (whole, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_place_for_it_events_are_read_from_the_chain() {
    let world = World::new().await;
    play(&world).await;
    let game = play_plain(&world).await;
    let folder = TempDir::new().unwrap();
    // A file is where the folder should be.
    let place = folder.path().join("index");
    fs::write(&place, "").unwrap();
    let (past, notices) = program(&world, Some(&place)).await;
    let (without, _) = program(&world, None).await;
    assert_eq!(standings(&past).await, standings(&without).await);
    let indexed = world.contract.clone().with_archive(Arc::new(past));
    assert_eq!(indexed.history(game, 0).await.unwrap().len(), 9);
    assert_eq!(notices.lock().unwrap()[..], [""; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pair_is_rated_so_often_a_day_by_the_times_of_blocks() {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    let world = World::new().await;
    let folder = TempDir::new().unwrap();
    let (past, _) = program(&world, Some(folder.path())).await;
    let play = async || {
        play_on(&world, Shape::STANDARD).await;
        let (standings, _) = standings(&past).await;
        let first = &standings.rows[0];
        (first.wins, first.rated, standings.unrated.frequent)
    };
    for games in 1..=5 {
        assert_eq!(play().await, (games, games, 0));
    }
    assert_eq!(play().await, (6, 5, 1));
    world.chain.advance_clock(DAY);
    assert_eq!(play().await, (7, 6, 1));
}

/// A chain with the contract of the variants alone has an index, too.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_chain_with_variants_alone_has_an_index() {
    let chain = Chain::open(ChainOptions::default()).unwrap();
    let served = connect4_testing::served::serve(chain, connect4_chain::rpc::Options::default());
    let (_server, url) = served.await;
    let client = Client::connect(&url).await.unwrap();
    let alice = Signer::development("alice").unwrap();
    let bob = Signer::development("bob").unwrap();
    let deployed = client.deploy_variants(&alice, CODE).await.unwrap();
    let variants = connect4_client::Contracts::open_variants(&client, deployed.address, CODE).await;
    let variants = variants.unwrap();
    let terms = connect4_rules::variant::VariantSpec::classic(Shape::STANDARD);
    let players = [alice.address(), bob.address()];
    let started = variants
        .send(
            &alice,
            StartVariant {
                players: players.to_vec(),
                variant: terms,
            },
        )
        .await
        .unwrap();
    let folder = TempDir::new().unwrap();
    let (past, notices) = program_of(client.clone(), Some(folder.path()));
    let past = Arc::new(past);
    let index = past.read(0, &|_| {}).await.unwrap();
    let game = index.game(started.value).await.unwrap();
    assert!(game.is_some());
    index.close().await;
    let archived = past.game(&[variants.address()], started.value).await;
    assert_eq!(archived.unwrap().events.len(), 1);
    assert_eq!(notices.lock().unwrap()[..], [""; 0]);
    assert!(matches!(
        Contracts::open(
            &client,
            Client::contract_address(alice.address(), CODE),
            CODE
        )
        .await,
        Err(connect4_client::Error::NoContract(_))
    ));
}

/// What is in the file may be nowhere else, as the node discards states.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_index_without_room_is_kept_and_told() {
    let world = World::with(ChainOptions {
        keep_states: Some(100),
        ..ChainOptions::default()
    })
    .await;
    let folder = TempDir::new().unwrap();
    let (mut past, notices) = program(&world, Some(folder.path())).await;
    play(&world).await;
    let (one, _) = standings(&past).await;
    assert_eq!(one.unrated.other_board, 1);
    // Not beyond its size.
    past.options.most_pages = Some(1);
    for _ in 0..30 {
        play(&world).await;
    }
    let (found, _) = standings(&past).await;
    assert_eq!(found, one, "the first game is in the file alone");
    let said = std::mem::take(&mut *notices.lock().unwrap());
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("has no room"), "{said:?}");
    let best = format!(" of {}, ", world.chain.best().1.number);
    assert!(said[0].contains(&best), "{said:?}");

    // There is room again.
    past.options.most_pages = None;
    let (found, _) = standings(&past).await;
    assert!(found.unrated.other_board > 1, "{found:?}");
    assert_eq!(notices.lock().unwrap()[..], [""; 0]);
}
