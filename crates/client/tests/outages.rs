//! A node that goes away and comes back, or does not.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use connect4_chain::{Chain, OpenError, Options, Storage, rpc};
use connect4_client::{
    Client, Contracts, Error, Event, GameId, Outage, Patience, Played, Receipt, Route, Wait,
};
use connect4_protocol::Error as Refusal;
use connect4_protocol::Game;
use connect4_protocol::event::DiscDropped;
use connect4_protocol::message::ContractKind;
use connect4_rules::Bin;
use jsonrpsee::RpcModule;
use jsonrpsee::server::Server;
use tempfile::TempDir;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::common::{CODE, account, chain, deployed, serve, start, stored};

/// A route that can be changed, and counts how often it was asked for.
#[derive(Clone)]
struct Path {
    url: Arc<Mutex<String>>,
    asked: Arc<AtomicU32>,
    was_asked: Arc<Notify>,
}

impl Path {
    fn to(url: &str) -> Self {
        Self {
            url: Arc::new(Mutex::new(url.into())),
            asked: Arc::default(),
            was_asked: Arc::default(),
        }
    }

    fn lead_to(&self, url: &str) {
        *self.url.lock().unwrap() = url.into();
    }

    /// Waits until the route was asked for so many times more.
    async fn asked(&self, times: u32) {
        let until = self.asked.load(Ordering::SeqCst) + times;
        while self.asked.load(Ordering::SeqCst) < until {
            self.was_asked.notified().await;
        }
    }
}

impl Route for Path {
    async fn url(&self) -> Result<String, String> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        self.was_asked.notify_one();
        Ok(self.url.lock().unwrap().clone())
    }
}

#[tokio::test]
async fn nothing_is_lost_while_a_node_is_away() {
    let chain = Chain::open(Options::default()).unwrap();
    let (server, url) = serve(chain.clone()).await;
    let path = Path::to(&url);
    let client = Client::connect_by(path.clone()).await.unwrap();
    client.set_patience(Patience::Endless);
    let contract = deployed(&client).await;
    let (alice, bob) = (account("alice"), account("bob"));
    let game = start(&contract, &alice, bob.address()).await;
    let mut watch = contract.watch().await.unwrap();
    let mut heads = client.heads().await.unwrap();
    let before = heads.next().await.unwrap();
    let state = stored::<Game>(&contract, game).await;
    let waiting = {
        let contract = contract.clone();
        tokio::spawn(async move { contract.wait_for_change(game, &state).await })
    };

    let mut outages = client.outages();
    server.stop().await;
    assert_eq!(outages.next().await, Outage::Began { url });

    // Many more attempts fail than any fixed number would allow.
    let asking = {
        let contract = contract.clone();
        tokio::spawn(async move { contract.game_count(ContractKind::Games).await })
    };
    path.asked(12).await;

    // The chain goes on meanwhile, and comes back elsewhere.
    let (_server, elsewhere) = serve(chain).await;
    let other = Client::connect(&elsewhere).await.unwrap();
    let theirs = Contracts::open(&other, contract.address(), CODE).await;
    let theirs = theirs.unwrap();
    theirs.drop_disc(&alice, game, Bin::new(3)).await.unwrap();
    theirs.drop_disc(&bob, game, Bin::new(4)).await.unwrap();
    path.lead_to(&elsewhere);
    let back = outages.next().await;
    assert!(
        matches!(&back, Outage::Ended { url, .. } if *url == elsewhere),
        "{back:?}"
    );

    assert_eq!(asking.await.unwrap().unwrap(), 1);
    let changed = waiting.await.unwrap().unwrap();
    assert_eq!(changed.turns(), 2);
    for bin in [3, 4] {
        let at = watch.next().await.unwrap();
        assert!(
            matches!(at.event, Event::DiscDropped(DiscDropped { bin: found, .. }) if found == bin),
            "{at:?}"
        );
    }
    assert!(heads.next().await.unwrap() >= before + 2);
    // Requests are answered as before.
    contract.drop_disc(&alice, game, Bin::new(0)).await.unwrap();
}

#[tokio::test]
async fn patience_ends_with_what_is_the_matter() {
    let (server, url) = chain().await;
    let client = Client::connect(&url).await.unwrap();
    let contract = deployed(&client).await;
    client.set_patience(Patience::Limited(Duration::ZERO));
    let mut heads = client.heads().await.unwrap();
    heads.next().await.unwrap();
    server.stop().await;
    let error = contract.game_count(ContractKind::Games).await.unwrap_err();
    assert!(matches!(error, Error::Gone { .. }), "{error}");
    assert!(
        error.to_string().contains("it has not responded for 0 s"),
        "{error}"
    );
    let error = heads.next().await.unwrap_err();
    assert!(matches!(error, Error::Gone { .. }), "{error}");
}

#[tokio::test]
async fn another_chain_in_the_place_of_a_node_is_not_mistaken_for_it() {
    let (server, url) = chain().await;
    let path = Path::to(&url);
    let client = Client::connect_by(path.clone()).await.unwrap();
    client.set_patience(Patience::Endless);
    let contract = deployed(&client).await;
    let mut methods = RpcModule::new(());
    let other_genesis = format!("0x{}", "11".repeat(32));
    methods
        .register_method("chain_getBlockHash", move |_, (), _| other_genesis.clone())
        .unwrap();
    let other = Server::builder().build("127.0.0.1:0").await.unwrap();
    path.lead_to(&format!("ws://{}", other.local_addr().unwrap()));
    let _other = other.start(methods);
    server.stop().await;
    let error = contract.game_count(ContractKind::Games).await.unwrap_err();
    assert!(
        error.to_string().contains("another chain is there now"),
        "{error}"
    );
}

/// A move of alice that is in the pool of a chain which makes blocks by hand, when its node goes
/// away.
struct UnderWay {
    folder: TempDir,
    chain: Chain,
    server: rpc::Server,
    path: Path,
    contract: Contracts,
    game: GameId,
    moving: JoinHandle<Result<Receipt<Played>, Error>>,
}

/// The chain in a folder. Blocks are made by hand if it is `slow`.
async fn open(folder: &TempDir, slow: bool) -> Chain {
    loop {
        let opened = Chain::open(Options {
            storage: Storage::Folder(folder.path().to_owned()),
            block_time: slow.then_some(Duration::from_secs(24 * 60 * 60)),
            ..Options::default()
        });
        match opened {
            // Connections to a server that has stopped end by themselves.
            Err(OpenError::InUse(_)) => tokio::task::yield_now().await,
            opened => return opened.unwrap(),
        }
    }
}

impl UnderWay {
    async fn start(wait: Wait) -> Self {
        let folder = TempDir::new().unwrap();
        let (server, url) = serve(open(&folder, false).await).await;
        let path = Path::to(&url);
        let client = Client::connect_by(path.clone()).await.unwrap();
        client.set_patience(Patience::Endless);
        let contract = deployed(&client.waiting(wait)).await;
        let game = start(&contract, &account("alice"), account("bob").address()).await;
        server.stop().await;

        let chain = open(&folder, true).await;
        let (server, url) = serve(chain.clone()).await;
        path.lead_to(&url);
        let moving = {
            let contract = contract.clone();
            let alice = account("alice");
            tokio::spawn(async move { contract.drop_disc(&alice, game, Bin::new(3)).await })
        };
        while chain.pending().is_empty() {
            tokio::task::yield_now().await;
        }
        Self {
            folder,
            chain,
            server,
            path,
            contract,
            game,
            moving,
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_was_included_while_its_node_was_away_is_found() {
    for wait in [Wait::Best, Wait::Finalized] {
        let under_way = UnderWay::start(wait).await;
        let mut outages = under_way.contract.client().outages();
        under_way.server.stop().await;
        assert!(matches!(outages.next().await, Outage::Began { .. }));
        under_way.chain.seal().unwrap();
        under_way.chain.seal().unwrap();
        let (_server, url) = serve(under_way.chain).await;
        under_way.path.lead_to(&url);
        let receipt = under_way.moving.await.unwrap().unwrap();
        assert_eq!(receipt.value.dropped.bin, 3);
        let game = under_way
            .contract
            .game::<Game>(under_way.game)
            .await
            .unwrap();
        assert_eq!(game.unwrap().turns(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_its_node_has_forgotten_is_submitted_again() {
    let under_way = UnderWay::start(Wait::Best).await;
    let mut outages = under_way.contract.client().outages();
    under_way.server.stop().await;
    drop(under_way.chain);
    assert!(matches!(outages.next().await, Outage::Began { .. }));
    let chain = open(&under_way.folder, false).await;
    assert!(chain.pending().is_empty(), "a node keeps no pool");
    let (_server, url) = serve(chain).await;
    under_way.path.lead_to(&url);
    let receipt = under_way.moving.await.unwrap().unwrap();
    assert_eq!(receipt.value.dropped.bin, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_whose_place_was_taken_meanwhile_did_not_happen() {
    let under_way = UnderWay::start(Wait::Best).await;
    let mut outages = under_way.contract.client().outages();
    under_way.server.stop().await;
    drop(under_way.chain);
    assert!(matches!(outages.next().await, Outage::Began { .. }));
    // Alice moves elsewhere.
    let (_server, url) = serve(open(&under_way.folder, false).await).await;
    let other = Client::connect(&url).await.unwrap();
    let theirs = Contracts::open(&other, under_way.contract.address(), CODE).await;
    let alice = account("alice");
    let moved = theirs
        .unwrap()
        .drop_disc(&alice, under_way.game, Bin::new(5))
        .await;
    moved.unwrap();
    under_way.path.lead_to(&url);
    let error = under_way.moving.await.unwrap().unwrap_err();
    // It is not sent anew for what there is now.
    assert_eq!(error.refusal(), Some(Refusal::NotYourTurn), "{error}");
}
