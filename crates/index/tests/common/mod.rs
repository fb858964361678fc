//! A local chain on which games are played at random, and what an index has of it.

use connect4_chain::{Chain, Finality, OpenError, Options, Retracted, rpc};
use connect4_client::{Action, Client, Code, Contracts, GameId, Signer};
use connect4_index::{Index, Recorded, Subject};
use connect4_protocol::message::ContractKind;
use connect4_protocol::signed;
use connect4_protocol::variants::message::StartVariant;
use connect4_protocol::{ClockSpec, Game, variants};
use connect4_rules::variant::{Powers, VariantSpec};
use connect4_rules::{Bin, ByPlayer, Player, Shape};
use connect4_testing::contracts::{GAMES, SIGNED_RECORDS, VARIANTS};
use connect4_testing::dice::Dice;
use connect4_testing::games;
use connect4_testing::keys::session_key;
use connect4_testing::served;
use connect4_testing::signed::{SignedPlay, list_of, told};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Column as _, Connection as _, Executor as _, Row as _};

pub const CODE: Code = Code {
    games: GAMES,
    variants: VARIANTS,
    signed_records: Some(SIGNED_RECORDS),
    stakes: None,
};

/// A chain with the contracts, and accounts that play on it.
pub struct World {
    pub chain: Chain,
    pub client: Client,
    pub contract: Contracts,
    pub variants: Contracts,
    pub people: Vec<Signer>,
    /// Time of the chain when all was deployed.
    pub born: u64,
    _server: rpc::Server,
}

impl World {
    /// A chain whose blocks become final after six others.
    pub async fn new() -> Self {
        Self::with(Options {
            finality: Finality::Lag(6),
            ..Options::default()
        })
        .await
    }

    pub async fn with(options: Options) -> Self {
        let chain = loop {
            match Chain::open(options.clone()) {
                // Connections to the chain before may be closing still.
                Err(OpenError::InUse(_)) => tokio::task::yield_now().await,
                opened => break opened.unwrap(),
            }
        };
        let (server, url) = served::serve(chain.clone(), rpc::Options::default()).await;
        let client = Client::connect(&url).await.unwrap();
        let people = ["alice", "bob", "charlie", "dave"].map(Signer::development);
        let people: Vec<Signer> = people.into_iter().flatten().collect();
        let deployment = client.deploy(&people[0], CODE).await.unwrap();
        let contract = Contracts::open(&client, deployment.address, CODE).await;
        let contract = contract
            .unwrap()
            .with_signed_records(deployment.signed_records);
        let deployment = client.deploy_variants(&people[0], CODE).await.unwrap();
        let variants = Contracts::open_variants(&client, deployment.address, CODE).await;
        let born = client.time().await.unwrap();
        Self {
            chain,
            born,
            client,
            contract,
            variants: variants.unwrap(),
            people,
            _server: server,
        }
    }

    pub fn subject(&self) -> Subject {
        Subject::new(&self.contract, Some(self.variants.address()))
    }

    pub async fn open(&self, url: &str) -> Index {
        Index::open(url, self.subject(), options()).await.unwrap()
    }

    /// An index that is built at once.
    pub async fn built(&self, url: &str) -> Index {
        let index = self.open(url).await;
        assert!(index.catch_up().await.unwrap());
        index
    }

    pub fn seal(&self) {
        self.chain.seal().unwrap();
    }

    /// Replaces the newest blocks. Their transactions are dropped, or some of them come again.
    pub fn fork(&self, depth: u32, dice: &mut Dice) {
        let retracted = dice.one_of(&[Retracted::Drop, Retracted::Requeue]);
        self.chain.reorganise(depth, retracted).unwrap();
    }

    /// The number of a plain game that was started, on the standard board more often than not.
    pub async fn start(&self, dice: &mut Dice) -> GameId {
        let [one, two] = self.two(dice);
        let shape = dice.one_of(&[Shape::STANDARD, Shape::STANDARD, Shape::CLASSROOM]);
        let started = self
            .contract
            .start_game(one, one.address(), two.address(), shape.into());
        started.await.unwrap().value
    }

    fn two(&self, dice: &mut Dice) -> [&Signer; 2] {
        let one = dice.below(4) as usize;
        let two = (one + 1 + dice.below(3) as usize) % 4;
        [&self.people[one], &self.people[two]]
    }

    /// Drops a disc in a game, if it goes on and the bin is not full.
    pub async fn drop(&self, game: GameId, bin: u8) {
        let Ok(Some(known)) = self.contract.game::<Game>(game).await else {
            return;
        };
        let Some(player) = known.to_move() else {
            return;
        };
        let account = known.account_of(player);
        let signer = self.people.iter().find(|one| one.address() == account);
        let dropped = self
            .contract
            .drop_disc(signer.unwrap(), game, Bin::new(bin));
        // The bin may be full, or the game may not be there any more.
        let _ = dropped.await;
    }

    /// Does something at random with a game of the contract.
    pub async fn act(&self, game: GameId, dice: &mut Dice) {
        let action = match dice.below(10) {
            0 => Action::Resign,
            1 => Action::Free,
            _ => {
                for _ in 0..3 {
                    self.drop(game, dice.below(4) as u8).await;
                }
                return;
            }
        };
        let Ok(Some(known)) = self.contract.game::<Game>(game).await else {
            return;
        };
        let account = dice.one_of(&[known.player_one(), known.player_two()]);
        let signer = self.people.iter().find(|one| one.address() == account);
        // The contract refuses much of what is tried.
        let _ = self.contract.perform(signer.unwrap(), game, action).await;
    }

    /// Starts a game of a variant for two or three.
    pub async fn variant(&self, dice: &mut Dice) -> GameId {
        let players = 2 + dice.below(2) as usize;
        let terms = VariantSpec {
            players: players as u8,
            pie_rule: players == 2,
            powers: Powers {
                take: 1,
                ..Powers::NONE
            },
            ..VariantSpec::classic(Shape::STANDARD)
        };
        let accounts: Vec<_> = self.people[..players].iter().map(Signer::address).collect();
        let start = StartVariant {
            players: accounts,
            variant: terms,
        };
        let started = self.variants.send(&self.people[0], start);
        started.await.unwrap().value
    }

    /// Makes a few legal moves in a game of a variant, or leaves it.
    pub async fn play_variant(&self, number: GameId, dice: &mut Dice) {
        for _ in 0..4 {
            let Ok(Some(game)) = self.variants.game::<variants::Game>(number).await else {
                return;
            };
            let Some(colour) = game.to_move() else {
                return;
            };
            let account = game.account_of(colour);
            let signer = self.people.iter().find(|one| one.address() == account);
            let legal: Vec<_> = game.position().legal_moves().collect();
            let action = match dice.once_in(12) {
                true => Action::Leave,
                false => Action::Move(dice.one_of(&legal)),
            };
            let done = self.variants.perform(signer.unwrap(), number, action);
            done.await.unwrap();
        }
    }

    /// Records the end of a signed game by one of two witnesses, which may be another one than before, or shows that a
    /// witness contradicts itself about it.
    pub async fn end(&self, dice: &mut Dice) {
        let chain = self.client.signing_chain().unwrap();
        let number = dice.below(8);
        let by = session_key(900 + number % 2);
        let keys = ByPlayer {
            one: session_key(2 * (number % 3)),
            two: session_key(2 * (number % 3) + 1),
        };
        let terms = signed::Terms {
            players: ByPlayer::from_fn(|player| signed::Party::Guest(keys.get(player).address())),
            clock: Some(ClockSpec::USUAL),
            witness: Some(by.address()).filter(|_| number < 7),
            pool: (number % 2) as u16,
            time: self.born - 1000,
            nonce: number as u32,
            ..signed::Terms::on(Shape::STANDARD)
        };
        let play = SignedPlay::on(chain, terms, keys);
        let payer = &self.people[dice.below(4) as usize];
        let bins: Vec<u8> = games::bins(games::SHORT).collect();
        // One end of eight differs from the others.
        let at = 1000 * self.born - u64::from(dice.once_in(8));
        if dice.once_in(8) && terms.witness.is_some() {
            let said = |at| signed::Testimony {
                told: told(
                    &play,
                    &bins,
                    at,
                    signed::Telling::Ended(signed::WitnessedEnd::Board),
                    &by,
                ),
                list: Vec::new(),
            };
            let message = signed::message::Contradict {
                genesis: chain.genesis,
                terms,
                one: said(at),
                other: said(at + 7),
            };
            self.contract.send(payer, message).await.unwrap();
            return;
        }
        let ending = signed::Ending::Resignation(Player::Two);
        let moves = match terms.witness {
            Some(_) => 6,
            None => 2 + dice.below(5) as usize,
        };
        let finished = [play.finished(&bins[..moves], ending, &by, at)];
        let group = signed::Group {
            genesis: chain.genesis,
            witness: terms.witness,
            event: None,
            list: terms.witness.map(|_| list_of(&finished, chain, &by).1),
        };
        let games = finished.iter();
        let games = games.map(|finished| signed::RecordedEnd::of(finished, true).unwrap());
        let message = signed::message::Record {
            group,
            games: games.collect(),
        };
        self.contract.send(payer, message).await.unwrap();
    }

    pub async fn something(&self, dice: &mut Dice) {
        let count = self.contract.game_count(ContractKind::Games).await.unwrap();
        let variants = self
            .variants
            .game_count(ContractKind::Variants)
            .await
            .unwrap();
        match dice.below(24) {
            20..=23 => self.end(dice).await,
            0..=3 => {
                self.start(dice).await;
            }
            4 | 5 => {
                self.variant(dice).await;
            }
            6..=12 if variants > 0 => {
                let number = variants - 1 - dice.below(u64::from(variants.min(2))) as u32;
                self.play_variant(GameId::Variant(number), dice).await;
            }
            _ if count > 0 => {
                let number = count - 1 - dice.below(u64::from(count.min(4))) as u32;
                self.act(GameId::Classic(number), dice).await;
            }
            _ => self.seal(),
        }
    }
}

/// How an index is opened that counts one of the two witnesses.
pub fn options() -> connect4_index::Options {
    connect4_index::Options {
        witnesses: Some([session_key(900).address()].into()),
        ..connect4_index::Options::default()
    }
}

/// The accounts' ratings, counted from all events at once: league, account, results, rating and
/// whether it is a program. The tables of the index have the same.
pub async fn standings(index: &Index) -> Vec<String> {
    // No game begins in the first block.
    let leagues = index.leagues(1, &Recorded::default()).await.unwrap();
    let told = index.leagues(0, &Recorded::default()).await.unwrap();
    assert_eq!(told, leagues, "with the games that are not rated");
    let mut rows: Vec<String> = Vec::new();
    for (league, standings) in leagues {
        rows.extend(standings.rows.iter().map(|of| {
            format!(
                "accounts: league={league} account={} wins={} draws={} losses={} rated={} \
                 rating={:?} program={}",
                of.account,
                of.wins,
                of.draws,
                of.losses,
                of.rated,
                of.rating,
                u8::from(of.program)
            )
        }));
    }
    rows.sort();
    rows
}

/// What an index of the chain at a URL is about, as [`World`] has set it up.
pub async fn subject_at(url: &str) -> Subject {
    let client = Client::connect(url).await.unwrap();
    let alice = Signer::development("alice").unwrap().address();
    let contract = Contracts::open(&client, Client::contract_address(alice, CODE), CODE).await;
    let variants = Client::variants_address(alice, CODE);
    let signed_records = Client::signed_records_address(alice, CODE);
    let contract = contract.unwrap().with_signed_records(signed_records);
    Subject::new(&contract, Some(variants))
}

/// Tables with the columns by which their rows are told apart.
const TABLES: [(&str, &str); 11] = [
    ("meta", "name"),
    ("blocks", "number"),
    ("gaps", "first"),
    ("events", "block, place"),
    ("games", "line, number"),
    ("seats", "line, number, seat"),
    ("contradictions", "witness, block, place"),
    ("witnesses", "witness"),
    ("ratings", "league, account, block, place"),
    ("pairs", "league, one, two, block, place"),
    ("accounts", "league, account"),
];

/// Every row of every table of a database, as texts that are equal if the rows are.
pub async fn dump(url: &str) -> Vec<String> {
    let mut connection = connect(url).await;
    let mut lines = Vec::new();
    for (table, key) in TABLES {
        let query = format!("SELECT * FROM {table} ORDER BY {key}");
        let rows = sqlx::query(&query).fetch_all(&mut connection).await;
        for row in rows.unwrap() {
            lines.push(format!("{table}: {}", values(&row)));
        }
    }
    connection.close().await.unwrap();
    lines
}

/// A connection that finds the tables of the index; in PostgreSQL, those in the schema of this program's.
pub async fn connect(url: &str) -> AnyConnection {
    sqlx::any::install_default_drivers();
    let mut connection = AnyConnection::connect(url).await.unwrap();
    if url.starts_with("postgres") {
        let schemas =
            "SELECT CAST(nspname AS TEXT) FROM pg_namespace WHERE nspname LIKE 'connect4_%'";
        let found: Option<String> = sqlx::query_scalar(schemas)
            .fetch_optional(&mut connection)
            .await
            .unwrap();
        if let Some(schema) = found {
            let path = format!("SET search_path TO {schema}");
            connection.execute(&*path).await.unwrap();
        }
    }
    connection
}

fn values(row: &AnyRow) -> String {
    let value = |column: &<sqlx::Any as sqlx::Database>::Column| {
        let at = column.ordinal();
        let text = if let Ok(number) = row.try_get::<Option<i64>, _>(at) {
            number.map_or("none".into(), |number| number.to_string())
        } else if let Ok(text) = row.try_get::<Option<String>, _>(at) {
            text.unwrap_or_else(|| "none".into())
        } else if let Ok(number) = row.try_get::<f64, _>(at) {
            format!("{number:?}")
        } else {
            format!("{:02x?}", row.get::<Vec<u8>, _>(at))
        };
        format!("{}={text}", column.name())
    };
    let values: Vec<String> = row.columns().iter().map(value).collect();
    values.join(" ")
}

/// Fails with the first rows that differ.
#[track_caller]
pub fn assert_equal(one: &[String], other: &[String], names: &str) {
    for (one, other) in one.iter().zip(other) {
        assert_eq!(one, other, "{names}");
    }
    assert_eq!(one.len(), other.len(), "{names}");
}
