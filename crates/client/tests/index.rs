//! The index of past events on disk.

mod common;

use std::fs;
use std::sync::{Arc, Mutex};

use connect4_chain::{Chain, Finality, OpenError, Options, Retracted, Storage};
use connect4_client::{
    Action, Client, Contract, Event, Index, Occurrence, Past, Reading, Records, Variants, pasts,
};
use connect4_rules::{Bin, Shape};
use tempfile::TempDir;

use common::{CODE, account, deployed, serve, start};

/// An index in a folder, and what it has to say.
fn index(folder: &TempDir) -> (Index, Arc<Mutex<Vec<String>>>) {
    let notices = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&notices);
    let notice = move |text| told.lock().unwrap().push(text);
    (
        Index::in_folder(folder.path().join("index"), notice),
        notices,
    )
}

/// The same contract by a connection of its own, with this index.
async fn again(url: &str, contract: &Contract, index: Index) -> Contract {
    let client = Client::connect(url).await.unwrap().with_index(index);
    Contract::open(&client, contract.address(), CODE)
        .await
        .unwrap()
}

/// Plays a game of seven moves on the classroom board, which red wins.
async fn play(contract: &Contract) -> u32 {
    let (alice, bob) = (account("alice"), account("bob"));
    let game = start(contract, &alice, bob.address()).await;
    for (turn, bin) in [0, 1, 0, 1, 0, 1, 0].into_iter().enumerate() {
        let signer = [&alice, &bob][turn % 2];
        contract
            .drop_disc(signer, game, Bin::new(bin))
            .await
            .unwrap();
    }
    game
}

/// The past, and the number of blocks that were read from the chain for it.
async fn past(contract: &Contract) -> (Past, u32) {
    let read = Mutex::new(0);
    let on = |reading: Reading| *read.lock().unwrap() = reading.of;
    let past = contract.past(0, &on).await.unwrap();
    (past, read.into_inner().unwrap())
}

fn is_ended(at: &Occurrence) -> bool {
    matches!(at.event, Event::GameEnded(_))
}

#[tokio::test]
async fn blocks_are_read_once() {
    let chain = Chain::open(Options::default()).unwrap();
    let (_server, url) = serve(chain.clone()).await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    play(&contract).await;
    for _ in 0..300 {
        chain.seal().unwrap();
    }
    play(&contract).await;

    let folder = TempDir::new().unwrap();
    let (index, notices) = index(&folder);
    let indexed = again(&url, &contract, index.clone()).await;
    let (without, all) = past(&contract).await;
    assert!(all > 300 && without.gaps.is_empty());
    assert_eq!(without.events.iter().filter(|at| is_ended(at)).count(), 2);
    let (first, read) = past(&indexed).await;
    assert_eq!((&first, read), (&without, all));
    // Nothing is new.
    let (second, read) = past(&indexed).await;
    assert_eq!((&second, read), (&without, 0));

    // Only what is new is read, also by another program.
    for _ in 0..70 {
        chain.seal().unwrap();
    }
    let freed = play(&contract).await;
    let alice = account("alice");
    let free = contract.perform(&alice, freed, Action::Free);
    free.await.unwrap();
    let other = again(&url, &contract, index).await;
    let (third, read) = past(&other).await;
    assert_eq!(read, third.best.number - second.best.number);
    assert_eq!(third, past(&contract).await.0);
    assert_eq!(notices.lock().unwrap()[..], [""; 0]);

    // Anew, it is the same row for row.
    fs::remove_dir_all(folder.path().join("index")).unwrap();
    let (rebuilt, read) = past(&indexed).await;
    assert!(read > 300);
    assert_eq!(rebuilt, third);
    let rows = async |past| indexed.standings(past, &Records::none()).await.unwrap();
    assert_eq!(rows(&rebuilt).await, rows(&third).await);
}

#[tokio::test]
async fn a_game_is_looked_up_in_the_index() {
    let chain = Chain::open(Options::default()).unwrap();
    let (_server, url) = serve(chain.clone()).await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let games = [play(&contract).await, play(&contract).await];
    let folder = TempDir::new().unwrap();
    let (index, _) = index(&folder);
    let indexed = again(&url, &contract, index).await;
    for game in games {
        let history = contract.history(game, 0).await.unwrap();
        assert_eq!(history.len(), 9);
        assert_eq!(indexed.history(game, 0).await.unwrap(), history);
        let sent = client.transactions(&history).await.unwrap();
        let same = indexed.client().transactions(&history).await.unwrap();
        assert_eq!(same, sent);
    }
    let missing = indexed.history(7, 0).await.unwrap_err();
    assert_eq!(
        missing.to_string(),
        contract.history(7, 0).await.unwrap_err().to_string()
    );
}

#[tokio::test]
async fn both_contracts_are_read_at_once() {
    let (_server, url) = serve(Chain::open(Options::default()).unwrap()).await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let (alice, bob) = (account("alice"), account("bob"));
    let deployment = client.deploy_variants(&alice, CODE).await.unwrap();
    let variants = Variants::open(&client, deployment.address, CODE)
        .await
        .unwrap();
    let players = [alice.address(), bob.address()];
    let terms = connect4_rules::variant::VariantSpec::classic(Shape::STANDARD);
    variants.start_game(&alice, &players, terms).await.unwrap();
    play(&contract).await;

    let folder = TempDir::new().unwrap();
    let (index, _) = index(&folder);
    let client = client.with_index(index);
    let contract = Contract::open(&client, contract.address(), CODE)
        .await
        .unwrap();
    let variants = Variants::open(&client, variants.address(), CODE)
        .await
        .unwrap();
    let read = Mutex::new(0);
    let on = |reading: Reading| *read.lock().unwrap() = reading.of;
    let (classic, of_variants) = pasts(&contract, &variants, 0, &on).await.unwrap();
    assert_eq!(classic.events.iter().filter(|at| is_ended(at)).count(), 1);
    assert_eq!(of_variants.events.len(), 1);
    // From block 0 to the best one, each once.
    assert_eq!(*read.lock().unwrap(), classic.best.number + 1);
    // Each alone has nothing to read any more.
    let (same, read) = past(&contract).await;
    assert_eq!((same, read), (classic, 0));
}

#[tokio::test]
async fn an_unreadable_file_is_put_aside_and_built_anew() {
    let (_server, url) = serve(Chain::open(Options::default()).unwrap()).await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    play(&contract).await;
    let folder = TempDir::new().unwrap();
    let (index, notices) = index(&folder);
    let indexed = again(&url, &contract, index).await;
    let (whole, _) = past(&indexed).await;
    let file = folder
        .path()
        .join("index")
        .join(format!("{}.redb", hex::encode(client.genesis())));
    for damaged in [&b"no database"[..], &fs::read(&file).unwrap()[..5000]] {
        fs::write(&file, damaged).unwrap();
        let (again, read) = past(&indexed).await;
        assert!(read > 0, "it was built anew");
        assert_eq!(again, whole);
        let said = std::mem::take(&mut *notices.lock().unwrap());
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains("was renamed"), "{said:?}");
        assert_eq!(
            fs::read(file.with_extension("unreadable")).unwrap(),
            damaged
        );
        assert_eq!(past(&indexed).await, (whole.clone(), 0));
    }
}

#[tokio::test]
async fn without_a_place_for_it_events_are_read_from_the_chain() {
    let (_server, url) = serve(Chain::open(Options::default()).unwrap()).await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    play(&contract).await;
    let folder = TempDir::new().unwrap();
    // A file is where the folder should be.
    fs::write(folder.path().join("index"), "").unwrap();
    let (index, notices) = index(&folder);
    let indexed = again(&url, &contract, index).await;
    assert_eq!(past(&indexed).await, past(&contract).await);
    assert_eq!(notices.lock().unwrap()[..], [""; 0]);
}

#[tokio::test]
async fn another_chain_of_the_same_genesis_is_another() {
    let folder = TempDir::new().unwrap();
    let (index, _) = index(&folder);
    let mut genesis = Vec::new();
    for empty_blocks in [40, 0, 3] {
        let chain = Chain::open(Options::default()).unwrap();
        let (_server, url) = serve(chain.clone()).await;
        let client = Client::connect(&url).await.unwrap();
        genesis.push(client.genesis());
        for _ in 0..empty_blocks {
            chain.seal().unwrap();
        }
        let contract = deployed(&client).await;
        play(&contract).await;
        let indexed = again(&url, &contract, index.clone()).await;
        let (without, _) = past(&contract).await;
        assert_eq!(past(&indexed).await.0, without);
        assert_eq!(past(&indexed).await, (without, 0));
    }
    genesis.dedup();
    assert_eq!(genesis.len(), 1, "the chains have the same genesis");
}

#[tokio::test]
async fn several_programs_share_the_index() {
    let chain = Chain::open(Options::default()).unwrap();
    let (_server, url) = serve(chain.clone()).await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    for _ in 0..3 {
        play(&contract).await;
        for _ in 0..400 {
            chain.seal().unwrap();
        }
    }
    let (whole, _) = past(&contract).await;
    let folder = TempDir::new().unwrap();
    let reading = (0..4).map(|_| {
        let (index, _) = index(&folder);
        let (url, contract) = (url.clone(), contract.clone());
        tokio::spawn(async move { past(&again(&url, &contract, index).await).await.0 })
    });
    let reading: Vec<_> = reading.collect();
    for reading in reading {
        assert_eq!(reading.await.unwrap(), whole);
    }
    let (index, _) = index(&folder);
    let indexed = again(&url, &contract, index).await;
    assert_eq!(past(&indexed).await, (whole, 0));
}

#[tokio::test]
async fn an_interrupted_reading_is_resumed() {
    let chain = Chain::open(Options::default()).unwrap();
    let (_server, url) = serve(chain.clone()).await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    play(&contract).await;
    for _ in 0..1400 {
        chain.seal().unwrap();
    }
    play(&contract).await;
    let (whole, all) = past(&contract).await;
    let folder = TempDir::new().unwrap();
    let (index, _) = index(&folder);
    let indexed = again(&url, &contract, index).await;
    // It is given up in the middle, as by Ctrl-C.
    let (half, mut reached) = tokio::sync::mpsc::unbounded_channel();
    let on = |reading: Reading| {
        // More than a batch was read.
        if reading.read > 1100 {
            let _ = half.send(());
        }
    };
    tokio::select! {
        biased;
        _ = reached.recv() => {}
        past = indexed.past(0, &on) => panic!("it came to its end: {past:?}"),
    }
    let (resumed, read) = past(&indexed).await;
    assert_eq!(resumed, whole);
    assert!(read < all, "{read} of {all} blocks were read again");
}

#[tokio::test]
async fn what_a_fork_has_retracted_is_undone() {
    let chain = Chain::open(Options {
        finality: Finality::Lag(200),
        ..Options::default()
    })
    .unwrap();
    let (_server, url) = serve(chain.clone()).await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let game = play(&contract).await;
    let folder = TempDir::new().unwrap();
    let (index, notices) = index(&folder);
    let indexed = again(&url, &contract, index).await;
    let (before, _) = past(&indexed).await;
    assert!(before.events.iter().any(is_ended));

    // The last two moves, the one that ended the game among them, are dropped, and a block more than
    // they had is made.
    let at = |number: u32| chain.hash_of(number).unwrap();
    let best = before.best.number;
    let retracted = at(best);
    reorganise(&chain, 2, Retracted::Drop).await;
    assert_ne!(at(best), retracted);
    let (after, read) = past(&indexed).await;
    assert_eq!((&after, read), (&past(&contract).await.0, 3));
    assert!(!after.events.iter().any(is_ended));
    assert_eq!(after.events.len() + 3, before.events.len());
    let history = indexed.history(game, 0).await.unwrap();
    assert_eq!(history, contract.history(game, 0).await.unwrap());

    // A deep one takes the game, and its transactions come again in other blocks.
    reorganise(&chain, 9, Retracted::Requeue).await;
    let (again, _) = past(&indexed).await;
    assert_eq!(again, past(&contract).await.0);
    assert_eq!(again.gaps, []);
    assert_eq!(past(&indexed).await, (again, 0));
    assert_eq!(notices.lock().unwrap()[..], [""; 0]);
}

/// Retracts blocks, on a thread that may wait.
async fn reorganise(chain: &Chain, depth: u32, retracted: Retracted) {
    let chain = chain.clone();
    let reorganise = move || chain.reorganise(depth, retracted).unwrap();
    tokio::task::spawn_blocking(reorganise).await.unwrap();
}

/// A chain that keeps so many states.
async fn pruned(keep_states: u32) -> (Chain, connect4_chain::rpc::Server, String) {
    let chain = Chain::open(Options {
        keep_states: Some(keep_states),
        ..Options::default()
    })
    .unwrap();
    let (server, url) = serve(chain.clone()).await;
    (chain, server, url)
}

#[tokio::test]
async fn a_node_that_discards_states_is_said_to_lack_them() {
    let (chain, _server, url) = pruned(16).await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let games = [play(&contract).await, play(&contract).await];
    for _ in 0..30 {
        chain.seal().unwrap();
    }
    let third = play(&contract).await;
    let folder = TempDir::new().unwrap();
    let (index, _) = index(&folder);
    let indexed = again(&url, &contract, index).await;
    let (with, _) = past(&indexed).await;
    let (without, _) = past(&contract).await;
    assert_eq!(with, without);

    let [gap] = &with.gaps[..] else {
        panic!("{:?}", with.gaps);
    };
    let readable = gap.last + 1;
    assert_eq!(gap.first, 0);
    assert!(with.best.number - readable <= 16, "{gap:?}");
    assert!(gap.since.is_some() && gap.since <= gap.until, "{gap:?}");
    let error = indexed.history(games[0], 0).await.unwrap_err().to_string();
    assert!(
        error.starts_with(&format!(
            "looking up the history of game 0: its start cannot be read, as the node has discarded \
             the states of blocks 0 to {} (20",
            gap.last
        )),
        "{error}"
    );
    assert!(
        error.ends_with("a node that keeps all states (--state-pruning archive) has them"),
        "{error}"
    );
    let same = contract.history(games[0], 0).await.unwrap_err();
    assert_eq!(same.to_string(), error);
    assert_eq!(indexed.history(third, 0).await.unwrap().len(), 9);

    // The records tell the results.
    let records = indexed.records(&with).await.unwrap();
    assert_eq!(records.games.keys().copied().collect::<Vec<_>>(), games);
    assert_eq!(records.lost, 0);
    let table = indexed.standings(&with, &records).await.unwrap().rows;
    assert_eq!((table[0].wins, table[1].losses), (3, 3));
    let without = indexed.standings(&with, &Records::none()).await.unwrap();
    assert_eq!(without.rows[0].wins, 1);

    // A freed one is lost, which is said.
    let alice = account("alice");
    contract
        .perform(&alice, games[1], Action::Free)
        .await
        .unwrap();
    let (past, _) = past(&indexed).await;
    let records = indexed.records(&past).await.unwrap();
    assert_eq!((records.games.len(), records.lost), (1, 1));
}

#[tokio::test]
async fn an_index_that_is_kept_up_outlasts_the_states() {
    let (chain, _server, url) = pruned(16).await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    let folder = TempDir::new().unwrap();
    let (index, _) = index(&folder);
    let indexed = again(&url, &contract, index.clone()).await;
    let mut games = Vec::new();
    let keep_up = async || {
        let kept_up = indexed.client().keep_up(Some(&indexed), None);
        kept_up.await.unwrap();
    };
    for _ in 0..3 {
        keep_up().await;
        games.push(play(&contract).await);
        keep_up().await;
        for _ in 0..14 {
            chain.seal().unwrap();
        }
    }
    let (complete, _) = past(&indexed).await;
    assert_eq!(complete.gaps, []);
    assert_eq!(complete.events.iter().filter(|at| is_ended(at)).count(), 3);
    assert_ne!(past(&contract).await.0.gaps, []);
    // Their transactions, too, with the fees, which only the states would tell.
    for game in games {
        let history = indexed.history(game, 0).await.unwrap();
        assert_eq!(history.len(), 9);
        let sent = indexed.client().transactions(&history).await.unwrap();
        assert!(sent.iter().all(|sent| sent.fee > 0));
    }

    // What happens while nobody looks is missing, and nothing else.
    play(&contract).await;
    for _ in 0..30 {
        chain.seal().unwrap();
    }
    let (later, _) = past(&indexed).await;
    let [gap] = &later.gaps[..] else {
        panic!("{:?}", later.gaps);
    };
    assert_eq!(gap.first, complete.best.number + 1);
    assert!(gap.last < later.best.number);
    assert_eq!(later.events, complete.events);
}

#[tokio::test]
async fn a_node_that_keeps_all_states_fills_the_gap() {
    let chain_folder = TempDir::new().unwrap();
    let open = async |keep_states| {
        let options = Options {
            storage: Storage::Folder(chain_folder.path().into()),
            keep_states,
            ..Options::default()
        };
        // Connections to the chain before may be closing still.
        loop {
            match Chain::open(options.clone()) {
                Err(OpenError::InUse(_)) => tokio::task::yield_now().await,
                opened => return opened.unwrap(),
            }
        }
    };
    let folder = TempDir::new().unwrap();
    let (index, _) = index(&folder);
    let address = {
        let chain = open(Some(8)).await;
        let (_server, url) = serve(chain.clone()).await;
        let client = Client::connect(&url).await.unwrap();
        let contract = deployed(&client).await;
        play(&contract).await;
        for _ in 0..10 {
            chain.seal().unwrap();
        }
        let indexed = again(&url, &contract, index.clone()).await;
        let (some, _) = past(&indexed).await;
        assert_eq!((some.gaps.len(), some.events.len()), (1, 0));
        contract.address()
    };
    let (_server, url) = serve(open(None).await).await;
    let client = Client::connect(&url).await.unwrap().with_index(index);
    let contract = Contract::open(&client, address, CODE).await.unwrap();
    let (all, _) = past(&contract).await;
    assert_eq!((all.gaps.len(), all.events.len()), (0, 9));
}
