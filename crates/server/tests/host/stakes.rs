//! What a host does for wallets: it prepares their calls, and reads the chain for signed games with a stake.

use codec::Decode;
use connect4_chain::{Chain, Clock, Finality, Options};
use connect4_client::signed::{
    Around, Call, GameOffer, Keyring, News, SignedGames, SignedPlayer, Taker,
};
use connect4_client::{Action, Client, Code, GameId, Lookup, Signer, Stakes};
use connect4_protocol::message::{ContractKind, DropDisc, Free, Resign, StartGame};
use connect4_protocol::signed::event::Funded;
use connect4_protocol::signed::{GameNumber, Party, StakedGame, StakesError, Terms, message as m};
use connect4_protocol::variants::message::{Join, Leave, MakeMove, OpenTable};
use connect4_protocol::{Address, ClockSpec, Error as NotDone, Message};
use connect4_rules::variant::{Move, VariantSpec};
use connect4_rules::{Bin, Player, Shape};
use connect4_testing::contracts::STAKES;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;
use crate::served::{input, lookup};

/// Time of the chain, in seconds since 1970.
const NOW: u64 = 1_800_000_000;
/// A token, as contracts count.
const TOKEN: u128 = 10_u128.pow(18);
/// How many blocks lie on the newest final one.
const LAG: u32 = 3;

/// A host of a chain that has the contract of the stakes.
struct World {
    chain: Chained,
    host: Host,
    stakes: Stakes,
}

fn account(name: &str) -> Signer {
    Signer::development(name).expect("a development account")
}

impl World {
    async fn new() -> Self {
        let lookup = Lookup {
            code: Code {
                stakes: Some(STAKES),
                ..lookup().code
            },
            ..lookup()
        };
        let chain = Chain::open(Options {
            clock: Clock::Manual(NOW * 1_000),
            finality: Finality::Lag(LAG),
            ..Options::default()
        });
        let chain = Chained::of(chain.expect("a chain in memory opens")).await;
        let client = Client::connect(&chain.url()).await.expect("it answers");
        let alice = account("alice");
        lookup.deploy(&client, &alice).await.expect("deployed");
        for _ in 0..LAG {
            chain.chain.seal().expect("a block");
        }
        let stakes = lookup.open_stakes(&client, None).await.expect("deployed");
        let config = Config {
            lookup,
            ..config(HostLimits::default())
        };
        let host = Host::of(&chain, config, Some(Connection::to(client))).await;
        Self {
            host: host.expect("the host starts"),
            chain,
            stakes,
        }
    }

    async fn post(&self, path: &str, asked: Value) -> (u16, Value) {
        let asked = asked.to_string();
        let mut stream = TcpStream::connect(self.host.addr)
            .await
            .expect("it listens");
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: games.example\r\nx-forwarded-for: {NEIGHBOUR}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{asked}",
            asked.len()
        );
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("answered");
        let status = answer.split(' ').nth(1).and_then(|text| text.parse().ok());
        (status.expect("a status"), body(&answer))
    }

    /// Prepares a call of the contract of the stakes for an account.
    async fn prepare<M: Message>(&self, account: &str, message: &M, payment: u128) -> (u16, Value) {
        self.prepare_for("stakes", account, message, payment).await
    }

    /// Prepares a call of a contract for an account.
    async fn prepare_for<M: Message>(
        &self,
        contract: &str,
        account: &str,
        message: &M,
        payment: u128,
    ) -> (u16, Value) {
        let asked = json!({
            "account": account,
            "contract": contract,
            "data": input(message),
            "payment": payment.to_string(),
        });
        self.post("/api/prepare", asked).await
    }

    /// The game and what an account is owed, in the newest block and in the newest final one.
    async fn look(&self, game: GameNumber, account: Address) -> [Value; 2] {
        let data = [
            input(&m::ReadStaked { game }),
            input(&m::CreditOf { account }),
        ];
        let asked = json!({ "contract": "stakes", "data": data });
        let (status, mut looked) = self.post("/api/look", asked).await;
        assert_eq!(status, 200, "{looked}");
        ["newest", "last_final"].map(|block| looked[block].take())
    }

    /// What the contract has emitted in final blocks from this one on, and the block to ask from next.
    async fn events(&self, from: u64) -> (Vec<Vec<u8>>, u64) {
        let asked = json!({ "contract": "stakes", "from": from });
        let (status, told) = self.post("/api/events", asked).await;
        assert_eq!(status, 200, "{told}");
        let events = told["events"].as_array().expect("a list").iter();
        let bytes = events.map(|data| hex::decode(&data.as_str().expect("text")[2..]));
        let bytes = bytes.map(|bytes| bytes.expect("digits")).collect();
        (bytes, told["next"].as_u64().expect("a number"))
    }

    fn terms(&self) -> Terms {
        let key = |byte| Address([byte; 20]);
        let mut terms = Terms {
            clock: Some(ClockSpec {
                bank: 300,
                increment: 5,
            }),
            stake: TOKEN,
            time: NOW,
            nonce: 7,
            ..Terms::on(Shape::CLASSROOM)
        };
        terms.players.one = Party::new(account("alice").address(), key(1));
        terms.players.two = Party::new(account("bob").address(), key(2));
        terms
    }
}

/// What the contract has answered in a block: its answer with this place in the request.
fn answer<T: Decode>(at: &Value, place: usize) -> Result<T, StakesError> {
    let text = at["data"][place].as_str().expect("an answer");
    let bytes = hex::decode(&text[2..]).expect("digits");
    let answer = Result::<Result<T, StakesError>, ()>::decode(&mut &bytes[..]);
    answer.expect("an answer").expect("it was understood")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_reads_a_payment_in_the_newest_block_and_once_it_is_final() {
    let world = World::new().await;
    let (_, hello) = world.host.get("/api/hello", NEIGHBOUR).await;
    let address = world.stakes.address();
    assert_eq!(body(&hello)["signing"]["stakes"], json!(address));

    let (terms, bob) = (world.terms(), account("bob"));
    let offer = GameOffer {
        player: Some(Player::One),
        ..GameOffer::new(world.stakes.domain(), terms.players.one, terms, NOW + 600)
    };
    let folder = TempDir::new().expect("a folder");
    let keyring = Keyring::in_folder(folder.path().into());
    let key = keyring.create_guest().expect("a key").address();
    let taker = Taker {
        party: Party::new(bob.address(), key),
        session: None,
        player: Player::Two,
        is_program: false,
        time: NOW,
        nonce: 9,
    };
    let around = Around {
        games: SignedGames::beside(&keyring),
        stakes: Some((world.stakes.clone(), bob.clone())),
        relay: None,
        carrier: None,
        ahead: 0,
    };
    let taking = SignedPlayer::take(around, offer, &taker).await;
    let mut taking = taking.expect("it is taken");
    match taking.next().await.expect("it is paid") {
        News::Sent(Call::Fund { .. }, _) => {}
        other => panic!("{other:?}"),
    }
    let game = taking.view().shown.number.expect("a number");

    let [newest, last_final] = world.look(game, bob.address()).await;
    let paid: StakedGame = answer(&newest, 0).expect("it is there");
    assert_eq!((paid.stake, paid.paid_by), (TOKEN, Some(Player::Two)));
    assert_eq!(answer::<u128>(&newest, 1), Ok(0));
    let missing = Err(StakesError::Common(NotDone::NoSuchGame));
    assert_eq!(answer::<StakedGame>(&last_final, 0), missing);
    let block = |at: &Value| at["block"].as_u64().expect("a number");
    assert_eq!(block(&newest) - block(&last_final), u64::from(LAG));
    // Before the payment is final nothing is told of it.
    let (told, next) = world.events(0).await;
    assert_eq!((told.len(), next), (0, block(&last_final) + 1));

    world.chain.chain.advance_clock(Duration::from_secs(60));
    for _ in 0..LAG {
        world.chain.chain.seal().expect("a block");
    }
    let [newest, last_final] = world.look(game, bob.address()).await;
    assert_eq!(answer(&last_final, 0), Ok(paid));
    let (told, end) = world.events(next).await;
    let [funded] = &told[..] else {
        panic!("{told:?}")
    };
    let funded = Funded::decode(&mut &funded[..]).expect("a payment");
    assert_eq!((funded.game, funded.by), (game, Player::Two));
    assert_eq!(end, block(&last_final) + 1);
    assert_eq!(world.events(end).await, (Vec::new(), end));
    let time = |at: &Value| at["time"].as_u64().expect("a time");
    assert!(
        time(&newest) >= time(&last_final) + 60,
        "{newest} {last_final}"
    );
    assert_ne!(newest["hash"], last_final["hash"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn wallets_pay_stakes_and_are_told_why_not() {
    let world = World::new().await;
    let terms = world.terms();
    let paid = TOKEN / world.stakes.client().token().ratio;
    let fund = m::Fund { terms };
    let (status, prepared) = world.prepare("alice", &fund, paid).await;
    assert_eq!(status, 200, "{prepared}");
    assert_eq!(prepared["to"], json!(world.stakes.address()));
    assert_eq!(prepared["payment"], json!(paid.to_string()));
    assert_eq!(prepared["unsigned"]["maps"], false);
    let game = terms.number(&world.stakes.domain(), &connect4_protocol::signed::Native);
    let refund = m::Refund { game };
    let old = m::Fund {
        terms: Terms {
            time: NOW - 100_000,
            ..terms
        },
    };
    // An account that contracts do not know yet is tried as well, before it is mapped.
    let unknown = format!("0x{}", "11".repeat(32));
    for name in ["alice", "bob", &unknown] {
        let (status, refused) = world.prepare(name, &refund, 0).await;
        assert_eq!(status, 409, "{name}: {refused}");
        let (status, refused) = world.prepare(name, &old, 0).await;
        assert_eq!(status, 409, "{name}: {refused}");
    }
    let (status, refused) = world.prepare(&unknown, &fund, paid).await;
    assert_eq!(status, 402, "it has nothing: {refused}");
    let (status, refused) = world.prepare("alice", &fund, paid - 1).await;
    assert_eq!(status, 409, "{refused}");
    let why = refused["error"].as_str().expect("words");
    assert!(why.contains("less than the stake"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_look_asks_a_few_messages_of_a_contract_that_is_there() {
    let world = World::new().await;
    let game = GameNumber([7; 32]);
    for (asked, wanted) in [
        (vec![input(&m::ReadStaked { game }); 5], 400),
        (vec!["0x0".into()], 400),
        (vec![input(&m::ReadStaked { game }); 4], 200),
    ] {
        let asked = json!({ "contract": "stakes", "data": asked });
        let (status, answer) = world.post("/api/look", asked).await;
        assert_eq!(status, wanted, "{answer}");
    }
    let asked = json!({ "contract": "signed records", "data": [] });
    let (status, _) = world.post("/api/look", asked).await;
    assert_eq!(status, 400, "wallets call no such contract");
}

#[tokio::test(flavor = "multi_thread")]
async fn wallets_start_plain_games_move_resign_and_free() {
    let world = World::new().await;
    let (alice, bob) = (account("alice"), account("bob"));
    let (_, hello) = world.host.get("/api/hello", NEIGHBOUR).await;
    let games = body(&hello)["signing"]["games"].clone();
    let start = StartGame {
        player_one: alice.address(),
        player_two: bob.address(),
        shape: Shape::STANDARD.into(),
    };
    let (status, prepared) = world.prepare_for("games", "alice", &start, 0).await;
    assert_eq!(status, 200, "{prepared}");
    assert_eq!(
        (&prepared["to"], &prepared["payment"]),
        (&games, &json!("0"))
    );

    let client = Client::connect(&world.chain.url())
        .await
        .expect("it answers");
    let contract = lookup().open(&client, None).await.expect("deployed");
    let shape = Shape::STANDARD.into();
    let started = contract.start_game(&alice, alice.address(), bob.address(), shape);
    let game = started.await.expect("a game").value.number();
    let drop = DropDisc { game, bin: 3 };
    let resign = Resign { game };
    let free = Free { game };
    let first = [
        (
            "alice",
            world.prepare_for("games", "alice", &drop, 0).await,
            200,
        ),
        (
            "bob",
            world.prepare_for("games", "bob", &drop, 0).await,
            409,
        ),
        (
            "bob",
            world.prepare_for("games", "bob", &resign, 0).await,
            200,
        ),
        (
            "alice",
            world.prepare_for("games", "alice", &free, 0).await,
            409,
        ),
    ];
    for (name, (status, answer), wanted) in first {
        assert_eq!(status, wanted, "{name}: {answer}");
    }
    let resigned = contract.perform(&bob, GameId::Classic(game), Action::Resign);
    resigned.await.expect("the end");
    let (status, prepared) = world.prepare_for("games", "alice", &free, 0).await;
    assert_eq!(status, 200, "{prepared}");
    let (status, refused) = world.prepare_for("matches", "alice", &free, 0).await;
    assert_eq!(status, 400, "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn wallets_open_a_table_join_it_move_and_leave() {
    let world = World::new().await;
    let (alice, bob) = (account("alice"), account("bob"));
    let variants = async || {
        let (_, hello) = world.host.get("/api/hello", NEIGHBOUR).await;
        body(&hello)["signing"]["variants"].clone()
    };
    assert_eq!(variants().await, json!(null));
    let join = Join { game: 0 };
    let (status, refused) = world.prepare_for("variants", "bob", &join, 0).await;
    assert_ne!(status, 200, "there is no such contract: {refused}");

    let client = Client::connect(&world.chain.url())
        .await
        .expect("it answers");
    let (contract, _) = lookup()
        .deploy_variants(&client, &alice)
        .await
        .expect("deployed");
    let address = contract
        .address_of(ContractKind::Variants)
        .expect("its address");
    // The host finds it by itself.
    while variants().await != json!(address) {
        world.chain.chain.seal().expect("a block");
        tokio::task::yield_now().await;
    }
    let variant = VariantSpec {
        pop_out: true,
        ..VariantSpec::classic(Shape::STANDARD)
    };
    let open = OpenTable {
        players: Vec::new(),
        variant,
        limit: Some(60),
    };
    let (status, prepared) = world.prepare_for("variants", "alice", &open, 0).await;
    assert_eq!(
        (status, &prepared["to"]),
        (200, &json!(address)),
        "{prepared}"
    );
    contract.send(&alice, open).await.expect("a table");
    let prepared = async |name, message: &dyn Fn() -> Value| {
        let asked =
            json!({ "account": name, "contract": "variants", "data": message(), "payment": "0" });
        world.post("/api/prepare", asked).await.0
    };
    let action = Move::Drop(Bin::new(3));
    let moves = || json!(input(&MakeMove { game: 0, action }));
    let joins = || json!(input(&join));
    let leaves = || json!(input(&Leave { game: 0 }));
    assert_eq!(prepared("alice", &joins).await, 409, "alice sits there");
    assert_eq!(prepared("alice", &moves).await, 409, "nobody else does");
    assert_eq!(prepared("bob", &joins).await, 200);
    contract.send(&bob, join).await.expect("a seat");
    assert_eq!(prepared("bob", &moves).await, 409, "it is alice's turn");
    assert_eq!(prepared("alice", &moves).await, 200);
    assert_eq!(prepared("bob", &leaves).await, 200);
}
