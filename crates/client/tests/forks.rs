//! What a transaction answers to, on a chain that forks and whose finality lags or stands still.

use std::time::Duration;

use codec::Encode as _;
use connect4_chain::{Chain, Finality, Options, Retracted, rpc};
use connect4_client::{Action, Client, Contracts, Error, GameId, Played, Seen, Signer, Signing};
use connect4_protocol::message::{ContractKind, DropDisc};
use connect4_protocol::variants::message::{OpenTable, StartVariant};
use connect4_protocol::{Error as Refusal, Game, Message as _, selector, variants};
use connect4_rules::variant::{Powers, VariantSpec};
use connect4_rules::{Bin, Shape};
use connect4_testing::served;
use tokio::task::JoinHandle;

use crate::common::{CODE, account, deployed, start, stored};

/// A chain whose blocks become final late enough for all that is tried here, with the contract.
struct World {
    chain: Chain,
    contract: Contracts,
    alice: Signer,
    bob: Signer,
    _server: rpc::Server,
}

async fn world() -> World {
    let options = Options {
        finality: Finality::Lag(1_000),
        ..Options::default()
    };
    let (chain, server, url) = served::open(options).await;
    let client = Client::connect(&url).await.unwrap();
    World {
        contract: deployed(&client).await,
        chain,
        alice: account("alice"),
        bob: account("bob"),
        _server: server,
    }
}

impl World {
    /// Starts a game between alice and bob, and returns its number.
    async fn game(&self) -> GameId {
        start(&self.contract, &self.alice, self.bob.address()).await
    }

    async fn see(&self, game: GameId) -> Seen<Game> {
        self.contract.see_game::<Game>(game).await.unwrap().unwrap()
    }

    async fn drop(&self, who: &Signer, game: GameId, bin: u8) {
        let dropped = self.contract.drop_disc(who, game, Bin::new(bin));
        dropped.await.unwrap();
    }

    fn seal(&self) {
        self.chain.seal().unwrap();
    }

    fn reorganise(&self, depth: u32, retracted: Retracted) {
        self.chain.reorganise(depth, retracted).unwrap();
    }

    fn best(&self) -> u32 {
        self.chain.best().1.number
    }
}

/// Drops a disc in answer to a game as it was seen.
async fn reply(
    world: &World,
    who: &Signer,
    game: GameId,
    seen: &Seen<Game>,
    bin: u8,
) -> Result<Played, Error> {
    let contract = world.contract.based_on(game, seen);
    let dropped = contract.drop_disc(who, game, Bin::new(bin)).await?;
    Ok(dropped.value)
}

/// Waits until a transaction is in the pool.
async fn pooled(chain: &Chain) {
    while chain.pending().is_empty() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn play_goes_on_while_finality_stands_still() {
    let world = world().await;
    world.chain.stall_finality().unwrap();
    let game = world.game().await;
    // An era begins at most 64 blocks before its transaction.
    for _ in 0..200 {
        world.seal();
    }
    assert_eq!(world.chain.finalized().1.number, 0);
    let seen = world.see(game).await;
    world.drop(&world.alice, game, 3).await;
    // What was seen long ago is answered, too.
    let seen_late = world.see(game).await;
    for _ in 0..100 {
        world.seal();
    }
    let replied = reply(&world, &world.bob, game, &seen_late, 3).await;
    assert_eq!(replied.unwrap().dropped.row, 1);
    // The contract of the game says itself that it has gone on.
    let late = reply(&world, &world.bob, game, &seen, 3).await;
    assert_eq!(late.unwrap_err().refusal(), Some(Refusal::NotYourTurn));
}

#[tokio::test]
async fn a_reply_is_void_if_the_move_is_taken_back() {
    let world = world().await;
    let game = world.game().await;
    world.drop(&world.alice, game, 0).await;
    let seen = world.see(game).await;

    // The chain takes the move back, and alice makes another one.
    world.reorganise(1, Retracted::Drop);
    world.drop(&world.alice, game, 3).await;
    let instead = world.see(game).await;
    assert_eq!(instead.turns(), seen.turns());

    // It would be bob's turn, but not on the board that he saw.
    let replied = reply(&world, &world.bob, game, &seen, 0).await;
    let error = replied.unwrap_err();
    let lost = seen.block.number;
    assert!(
        matches!(error, Error::Replaced { block, .. } if block == lost),
        "{error}"
    );
    assert_eq!(world.see(game).await.value, instead.value);
    // He looks again, and replies to what is there.
    let replied = reply(&world, &world.bob, game, &instead, 0).await;
    assert_eq!(replied.unwrap().dropped.row, 0);
}

#[tokio::test]
async fn what_a_wallet_signs_is_void_if_the_move_that_it_answers_is_taken_back() {
    let world = world().await;
    let game = world.game().await;
    world.drop(&world.alice, game, 0).await;
    let seen = world.see(game).await;
    let input = [
        &selector(DropDisc::NAME)[..],
        &DropDisc {
            game: game.number(),
            bin: 3,
        }
        .encode(),
    ]
    .concat();
    let prepare = async |answers| {
        let (bob, kind) = (world.bob.named(), ContractKind::Games);
        let prepared = world.contract.prepare(&bob, kind, &input, 0, answers);
        prepared.await.map(|prepared| match prepared.signing {
            Signing::Call(unsigned) | Signing::Map(unsigned) => unsigned.payload.block,
            Signing::Ethereum { .. } => panic!("bob has another key"),
        })
    };
    for _ in 0..3 {
        world.seal();
    }
    assert_eq!(prepare(Some(seen.block)).await.unwrap(), seen.block);
    // What answers to nothing outlives short forks.
    let loose = prepare(None).await.unwrap();
    assert!(loose.number < seen.block.number, "{loose:?}");

    let depth = world.best() - seen.block.number + 1;
    world.reorganise(depth, Retracted::Drop);
    world.drop(&world.alice, game, 3).await;
    for _ in 0..depth {
        world.seal();
    }
    // It would be bob's turn, but not on the board that he saw.
    let error = prepare(Some(seen.block)).await.unwrap_err();
    assert!(matches!(error, Error::Replaced { .. }), "{error}");
    let seen = world.see(game).await;
    assert_eq!(prepare(Some(seen.block)).await.unwrap(), seen.block);

    // What was seen long ago can be answered for a while, too.
    for _ in 0..60 {
        world.seal();
    }
    let late = prepare(Some(seen.block)).await.unwrap();
    assert_eq!(late.number, world.best() - 32);
}

#[tokio::test]
async fn a_reply_is_signed_again_if_the_position_still_stands() {
    let world = world().await;
    let game = world.game().await;
    world.drop(&world.alice, game, 0).await;
    // The position is seen in a block after that of the move, which is taken back.
    world.seal();
    let seen = world.see(game).await;
    world.reorganise(1, Retracted::Requeue);
    assert_ne!(
        world.contract.client().best_block().await.unwrap(),
        seen.block
    );
    let replied = reply(&world, &world.bob, game, &seen, 0).await;
    assert_eq!(replied.unwrap().dropped.row, 1);

    // The block of the move itself is taken back, and another one has the same move.
    let seen = world.see(game).await;
    world.reorganise(1, Retracted::Drop);
    world.drop(&world.bob, game, 0).await;
    let replied = reply(&world, &world.alice, game, &seen, 0).await;
    assert_eq!(replied.unwrap().dropped.row, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fork_under_a_transaction_on_its_way_is_not_noticed() {
    // Blocks are made when the test says so.
    let options = Options {
        finality: Finality::Lag(1_000),
        block_time: Some(Duration::from_secs(3_600)),
        ..Options::default()
    };
    let (chain, _server, url) = served::open(options).await;
    let client = Client::connect(&url).await.unwrap();
    let (alice, bob) = (account("alice"), account("bob"));
    let on_its_way = |work| (tokio::spawn(work), chain.clone());
    let finish = async |(task, chain): (JoinHandle<_>, Chain)| {
        while !task.is_finished() {
            if !chain.pending().is_empty() {
                chain.seal().unwrap();
            }
            tokio::task::yield_now().await;
        }
        task.await.unwrap()
    };
    let deployer = client.clone();
    let deploying = async move {
        let contract = deployed(&deployer).await;
        let game = start(&contract, &account("alice"), account("bob").address()).await;
        (contract, game)
    };
    let (contract, game) = finish(on_its_way(deploying)).await;

    chain.seal().unwrap();
    let seen = contract.see_game::<Game>(game).await.unwrap().unwrap();
    let dropping = contract.based_on(game, &seen);
    let mover = alice.clone();
    let dropped = tokio::spawn(async move { dropping.drop_disc(&mover, game, Bin::new(3)).await });
    pooled(&chain).await;
    let first = chain.pending();
    // The block that alice saw the game in is replaced: her move is void, and is signed again.
    chain.reorganise(1, Retracted::Requeue).unwrap();
    while chain.pending() == first || chain.pending().is_empty() {
        tokio::task::yield_now().await;
    }
    chain.seal().unwrap();
    let receipt = dropped.await.unwrap().unwrap();
    assert_eq!(receipt.value.dropped.turn, 0);

    // A move on its way to a position that is taken back is not made.
    let seen = contract.see_game::<Game>(game).await.unwrap().unwrap();
    let replying = contract.based_on(game, &seen);
    let replied = tokio::spawn(async move { replying.drop_disc(&bob, game, Bin::new(3)).await });
    pooled(&chain).await;
    chain.reorganise(1, Retracted::Drop).unwrap();
    let error = replied.await.unwrap().unwrap_err();
    assert!(matches!(error, Error::Replaced { .. }), "{error}");
    assert!(chain.pending().is_empty());
    let now = stored::<Game>(&contract, game).await;
    assert_eq!(now.turns(), 0, "{}", now.position());
}

/// Makes blocks, some at most, until a task has finished, which waits for blocks on top of one that is there already.
/// Without transactions a chain makes none.
async fn with_blocks<T>(chain: &Chain, client: &Client, mut task: JoinHandle<T>) -> T {
    const MOST: u32 = 8;
    let last = chain.best().1.number + MOST;
    let mut heads = client.heads().await.unwrap();
    loop {
        tokio::select! {
            done = &mut task => return done.unwrap(),
            _ = heads.next() => if chain.best().1.number < last {
                chain.seal().unwrap();
            }
        }
    }
}

/// Drops a disc of alice, and has bob reply at once. Returns the number of blocks from the move to the
/// reply. Blocks are made as long as the reply waits.
async fn blocks_to_reply(world: &World, game: GameId, client: Client) -> u32 {
    let contract = Contracts::open(&client, world.contract.address(), CODE);
    let contract = contract.await.unwrap();
    world.drop(&world.alice, game, 0).await;
    let of_move = world.best();
    let seen = contract.see_game::<Game>(game).await.unwrap().unwrap();
    let contract = contract.based_on(game, &seen);
    let bob = world.bob.clone();
    let replied = tokio::spawn(async move {
        contract
            .drop_disc(&bob, game, Bin::new(0))
            .await
            .map(|receipt| receipt.transaction.block)
    });
    let replied = with_blocks(&world.chain, &client, replied).await;
    replied.unwrap() - of_move
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_is_answered_once_it_lies_deep_enough() {
    let world = world().await;
    let client = world.contract.client().clone();
    // At once, in the next block, or as deep as is wanted.
    for (wanted, least) in [(0, 1), (3, 4)] {
        let game = world.game().await;
        let blocks = blocks_to_reply(&world, game, client.clone().confirming(wanted)).await;
        assert!(blocks >= least, "{wanted}: {blocks}");
    }

    // What is final needs no block on top.
    let (chain, server, url) = served::open(Options::default()).await;
    let client = Client::connect(&url).await.unwrap().confirming(3);
    let at_once = World {
        contract: deployed(&client).await,
        chain,
        alice: account("alice"),
        bob: account("bob"),
        _server: server,
    };
    let game = at_once.game().await;
    at_once.drop(&at_once.alice, game, 0).await;
    let seen = at_once.see(game).await;
    let replied = at_once
        .contract
        .based_on(game, &seen)
        .drop_disc(&at_once.bob, game, Bin::new(0))
        .await;
    assert_eq!(replied.unwrap().transaction.block, seen.block.number + 1);
}

/// On another branch the number is that of another table.
#[tokio::test]
async fn a_table_is_joined_as_it_was_seen() {
    let world = world().await;
    let client = world.contract.client();
    let deployment = client.deploy_variants(&world.alice, CODE).await.unwrap();
    let variants = Contracts::open_variants(client, deployment.address, CODE);
    let variants = variants.await.unwrap();
    let open = async |who: &Signer, players| {
        let table = OpenTable {
            players: Vec::new(),
            variant: spec(players),
            limit: None,
        };
        variants.send(who, table).await.unwrap().value
    };
    let table = open(&world.alice, 2).await;
    let seen = variants.see_game::<variants::Game>(table).await;
    let seen = seen.unwrap().unwrap();
    world.reorganise(1, Retracted::Drop);
    assert_eq!(open(&account("charlie"), 3).await, table);
    world.seal();

    let balance = async || client.balance(&world.bob.account()).await.unwrap();
    let before = balance().await;
    let based_on = variants.based_on(table, &seen);
    let joined = based_on.perform(&world.bob, table, Action::Join).await;
    assert!(matches!(joined, Err(Error::Replaced { .. })), "{joined:?}");
    assert_eq!(before, balance().await);
}

/// Terms of a variant on the classroom board.
fn spec(players: u8) -> VariantSpec {
    VariantSpec {
        shape: Shape::CLASSROOM.into(),
        players,
        pop_out: false,
        pie_rule: false,
        powers: Powers::default(),
    }
}

#[tokio::test]
async fn a_move_of_a_variant_is_void_if_the_position_is_taken_back() {
    let world = world().await;
    let client = world.contract.client();
    let deployment = client.deploy_variants(&world.alice, CODE).await.unwrap();
    let variants = Contracts::open_variants(client, deployment.address, CODE);
    let variants = variants.await.unwrap();
    let players = ["alice", "bob", "charlie"].map(|name| account(name).address());
    let started = variants
        .send(
            &world.alice,
            StartVariant {
                players: players.to_vec(),
                variant: spec(3),
            },
        )
        .await;
    let game = started.unwrap().value;
    let play = async |who: &Signer, text: &str, variants: &Contracts| {
        let action = Action::Move(text.parse().unwrap());
        variants.perform(who, game, action).await
    };
    play(&world.alice, "1", &variants).await.unwrap();
    let seen = variants
        .see_game::<variants::Game>(game)
        .await
        .unwrap()
        .unwrap();
    world.reorganise(1, Retracted::Drop);
    play(&world.alice, "2", &variants).await.unwrap();
    let based_on = variants.based_on(game, &seen);
    let replied = play(&world.bob, "1", &based_on).await;
    assert!(
        matches!(replied, Err(Error::Replaced { .. })),
        "{replied:?}"
    );
    let seen = variants
        .see_game::<variants::Game>(game)
        .await
        .unwrap()
        .unwrap();
    let based_on = variants.based_on(game, &seen);
    play(&world.bob, "1", &based_on).await.unwrap();
}

/// A chain that makes blocks for transactions alone makes none while a transaction waits to be sent.
#[tokio::test(flavor = "multi_thread")]
async fn a_move_is_answered_once_it_is_final_without_another_block() {
    let (chain, server, url) = served::open(Options::default()).await;
    let client = Client::connect(&url).await.unwrap().confirming(1);
    let world = World {
        contract: deployed(&client).await,
        chain,
        alice: account("alice"),
        bob: account("bob"),
        _server: server,
    };
    world.chain.stall_finality().unwrap();
    let game = world.game().await;
    let seen = world.see(game).await;
    let contract = world.contract.based_on(game, &seen);
    let alice = world.alice.clone();
    let task = tokio::spawn(async move { contract.drop_disc(&alice, game, Bin::new(0)).await });
    for _ in 0..100 {
        client.height().await.unwrap();
    }
    assert!(!task.is_finished(), "no block lies on top of it");
    world.chain.resume_finality().unwrap();
    task.await.unwrap().unwrap();
}
