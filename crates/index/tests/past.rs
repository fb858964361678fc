//! The index of a program that asks and ends: read once, shared, resumed, and of use whatever is wrong
//! with it.

mod common;

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use connect4_chain::{Chain, Finality, Options as ChainOptions, Storage};
use connect4_client::{
    Action, Archive as _, BlockRef, Blocks, Client, Contract, GameId, Lookup, Reading, Records,
    Signer, replay,
};
use connect4_index::{Index, League, Options, Past, Recorded, Standings};
use connect4_rules::{Bin, Shape};
use connect4_testing::dice::Dice;
use sqlx::{AnyConnection, Connection as _, Executor as _, Row as _};
use tempfile::TempDir;

use common::{CODE, World, assert_equal, dump};

/// A program's index in a folder by a connection of its own, and what it has told.
async fn program(world: &World, folder: Option<&Path>) -> (Past, Arc<Mutex<Vec<String>>>) {
    let notices = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&notices);
    let client = Client::connect(world.client.url()).await.unwrap();
    let past = Past {
        folder: folder.map(Path::to_owned),
        lookup: Lookup {
            code: CODE,
            earlier: &[],
            contract: None,
            variants: None,
            deployer: None,
            any_code: false,
        },
        client,
        contract: None,
        variants: None,
        notice: Arc::new(move |text| told.lock().unwrap().push(text)),
        subject: OnceLock::new(),
    };
    (past, notices)
}

/// The standings of classic games from a block on, and the number of blocks that were read for them.
async fn standings_from(past: &Past, from: u32) -> (Standings, u32) {
    let read = Mutex::new(0);
    let on = |reading: Reading| *read.lock().unwrap() = reading.read;
    let index = past.read(from, &on).await.unwrap();
    let mut leagues = index.leagues(from, &Recorded::default()).await.unwrap();
    index.close().await;
    let read = read.into_inner().unwrap();
    (leagues.remove(&League::Classic).unwrap(), read)
}

async fn standings(past: &Past) -> (Standings, u32) {
    standings_from(past, 0).await
}

/// Plays a game of seven moves on the classroom board, which red wins.
async fn play(world: &World) -> u32 {
    let [one, two] = [&world.people[0], &world.people[1]];
    let shape = Shape::CLASSROOM.into();
    let started = world
        .contract
        .start_game(one, one.address(), two.address(), shape);
    let game = started.await.unwrap().value;
    for (turn, bin) in [0, 1, 0, 1, 0, 1, 0].into_iter().enumerate() {
        let signer = [one, two][turn % 2];
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
        .contract
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
    let games = [play(&world).await, play(&world).await];
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
    let missing = indexed.history(7, 0).await.unwrap_err().to_string();
    let same = world.contract.history(7, 0).await.unwrap_err().to_string();
    assert_eq!(missing, same);

    // An index that is behind is brought up to date, and of one that is far behind nothing is waited for.
    seal(&world, 40);
    let next = play(&world).await;
    assert_eq!(indexed.history(next, 0).await.unwrap().len(), 9);
    seal(&world, connect4_client::NEAR + 1);
    assert_eq!(past.game(world.contract.emitters(), next).await, None);
    assert_eq!(indexed.history(next, 0).await.unwrap().len(), 9);
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
    assert_eq!(asked.await.unwrap()[&League::Classic], whole);
    let said = std::mem::take(&mut *notices.lock().unwrap());
    assert!(said[0].contains("was renamed"), "{said:?}");
    assert_eq!(standings(&past).await, (whole, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_place_for_it_events_are_read_from_the_chain() {
    let world = World::new().await;
    let game = play(&world).await;
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
    let server = Index::in_folder(folder.path(), world.subject(), Options::default());
    let server = server.await.unwrap();
    let _follower = server.follow();
    let (past, _) = program(&world, Some(folder.path())).await;
    let past = Arc::new(past);
    let indexed = world.contract.clone().with_archive(past.clone());
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
    let indexed = world.contract.clone().with_archive(past.clone());
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
        let same = world.contract.history(game, 0).await;
        assert_eq!(history, same.map_err(|error| error.to_string()), "{depth}");
    }
}

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
    let gaps = index.gaps(world.contract.emitters(), 0).await.unwrap();
    let [gap] = &gaps[..] else {
        panic!("{gaps:?}");
    };
    assert_eq!(gap.first, 0);
    assert!(world.chain.best().1.number - gap.last <= 17, "{gap:?}");
    assert!(gap.since.is_some() && gap.since <= gap.until, "{gap:?}");
    assert_eq!(
        index
            .gaps(world.contract.emitters(), gap.last + 1)
            .await
            .unwrap(),
        []
    );
    let indexed = world.contract.clone().with_archive(past.clone());
    let error = indexed.history(games[0], 0).await.unwrap_err().to_string();
    let begins = format!(
        "looking up the history of game 0: its start cannot be read, as the node has discarded the \
         states of blocks 0 to {} (20",
        gap.last
    );
    assert!(error.starts_with(&begins), "{error}");
    let same = world.contract.history(games[0], 0).await.unwrap_err();
    assert_eq!(same.to_string(), error);
    assert_eq!(indexed.history(third, 0).await.unwrap().len(), 9);

    // The records tell the results.
    let records = async |index: &Index| -> Records<_> {
        let [known, _] = index.known_games().await.unwrap();
        let best = index.newest_block().await.unwrap().unwrap();
        world.contract.records(&known, best.hash).await.unwrap()
    };
    let found = records(&index).await;
    assert_eq!(found.games.keys().copied().collect::<Vec<_>>(), games);
    assert_eq!(found.lost, 0);
    let wins = async |recorded: Recorded| {
        let leagues = index.leagues(0, &recorded).await.unwrap();
        leagues[&League::Classic]
            .rows
            .iter()
            .map(|row| row.wins)
            .sum::<u32>()
    };
    let recorded = Recorded {
        classic: found.games,
        ..Recorded::default()
    };
    assert_eq!(wins(recorded).await, 3);
    assert_eq!(wins(Recorded::default()).await, 1);

    // A freed one is lost, which is said.
    let free = world
        .contract
        .perform(&world.people[0], games[1], Action::Free);
    free.await.unwrap();
    index.close().await;
    let index = past.read(0, &|_| {}).await.unwrap();
    let found = records(&index).await;
    assert_eq!((found.games.len(), found.lost), (1, 1));

    // A contract that is younger than the missing blocks lacks nothing.
    let younger = Client::contract_address(world.people[1].address(), CODE);
    assert_eq!(index.gaps(&[younger], 0).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_index_that_is_kept_up_outlasts_the_states() {
    let world = World::with(pruned(16)).await;
    let folder = TempDir::new().unwrap();
    let past = Arc::new(program(&world, Some(folder.path())).await.0);
    let indexed = world.contract.clone().with_archive(past.clone());
    let mut games = Vec::new();
    for _ in 0..3 {
        standings(&past).await;
        games.push(play(&world).await);
        standings(&past).await;
        seal(&world, 14);
    }
    let (complete, _) = standings(&past).await;
    assert_eq!(complete.unrated.other_board, 3);
    let lost = world.contract.history(games[0], 0).await.unwrap_err();
    assert!(lost.to_string().contains("has discarded"), "{lost}");
    // Their transactions, too, with the fees, which only the states would tell.
    for game in games {
        let history = indexed.history(game, 0).await.unwrap();
        assert_eq!(history.len(), 9);
        assert!(replay(&history).unwrap().is_over());
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
    let gaps = index.gaps(world.contract.emitters(), 0).await.unwrap();
    assert_eq!((gaps.len(), gaps[0].first), (1, known + 1));
    assert!(gaps[0].last < world.chain.best().1.number);
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
    let best = world.client.best_block().await.unwrap();
    let index = Index::in_folder(folder.path(), world.subject(), Options::default());
    let index = index.await.unwrap();
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
    assert_eq!(standings(&past).await, (whole, 0));
    assert_eq!(index.newest_block().await.unwrap(), Some(next));
    // That block was retracted.
    play(&world).await;
    let (found, read) = standings(&past).await;
    assert_eq!((found.unrated.other_board, read), (2, 8));
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
    let archived = past.game(world.contract.emitters(), game).await.unwrap();
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
        assert!(world.contract.history(0, 0).await.is_err());
        let game = index.game(GameId::Classic(0)).await.unwrap().unwrap();
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pair_is_rated_so_often_a_day_by_the_times_of_blocks() {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    let world = World::new().await;
    let folder = TempDir::new().unwrap();
    let (past, _) = program(&world, Some(folder.path())).await;
    let [one, two] = [&world.people[0], &world.people[1]];
    let play = async || {
        let shape = Shape::STANDARD.into();
        let started = world
            .contract
            .start_game(one, one.address(), two.address(), shape);
        let game = started.await.unwrap().value;
        for (player, bin) in [one, two].into_iter().cycle().zip([0, 1, 0, 1, 0, 1, 0]) {
            let dropped = world.contract.drop_disc(player, game, Bin::new(bin));
            dropped.await.unwrap();
        }
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
    let variants = connect4_client::Variants::open(&client, deployed.address, CODE).await;
    let variants = variants.unwrap();
    let terms = connect4_rules::variant::VariantSpec::classic(Shape::STANDARD);
    let players = [alice.address(), bob.address()];
    let started = variants.start_game(&alice, &players, terms).await.unwrap();
    let folder = TempDir::new().unwrap();
    let past = Arc::new(Past {
        folder: Some(folder.path().into()),
        lookup: Lookup {
            code: CODE,
            earlier: &[],
            contract: None,
            variants: None,
            deployer: None,
            any_code: false,
        },
        client: client.clone(),
        contract: None,
        variants: None,
        notice: Arc::new(|text| panic!("{text}")),
        subject: OnceLock::new(),
    });
    let index = past.read(0, &|_| {}).await.unwrap();
    let game = index.game(GameId::Variant(started.value)).await.unwrap();
    assert!(game.is_some());
    index.close().await;
    let archived = past.game(&[variants.address()], started.value).await;
    assert_eq!(archived.unwrap().events.len(), 1);
    assert!(matches!(
        Contract::open(
            &client,
            Client::contract_address(alice.address(), CODE),
            CODE
        )
        .await,
        Err(connect4_client::Error::NoContract(_))
    ));
}
