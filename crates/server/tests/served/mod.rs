//! A server of the page with a chain in memory, and browsers that ask it.

mod games;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};

use connect4_chain::{Chain, Clock, Options, rpc};
use connect4_client::{Address, Client, Code, Contracts, DEVELOPMENT, Lookup, Signer};
use connect4_index::Notice;
use connect4_protocol::signed::{Chain as SigningChain, Party, Terms};
use connect4_relay::{Limits, Proxies};
use connect4_rules::{ByPlayer, Player, Shape};
use connect4_server::{
    Config, Connect, Connection, IndexPlace, Keys, RelayConfig, RelayServer, Server, WitnessFolder,
    WitnessLog,
};
use connect4_testing::contracts::{GAMES, SIGNED_RECORDS, VARIANTS};
use connect4_testing::keys::session_key;
use connect4_testing::room::Seat;
use connect4_testing::signed::SignedPlay;
use connect4_wire::words::now;
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

pub use games::*;

/// The accounts that play, in turn order.
pub const NAMES: [&str; 4] = ["alice", "bob", "charlie", "dave"];

const CODE: Code = Code {
    games: GAMES,
    variants: VARIANTS,
    signed_records: Some(SIGNED_RECORDS),
    stakes: None,
};

/// A server that runs until it is dropped.
pub struct Served {
    pub host: Browser,
    /// The chain, whose clock stands still until the test moves it.
    pub chain: Chain,
    /// None while the chain is away.
    rpc: Option<rpc::Server>,
    url: Place,
    task: Task,
    /// Where the server keeps what it has to know after its next start.
    folder: TempDir,
}

/// Where a chain is, if it is not away.
pub type Place = Arc<Mutex<Option<String>>>;

/// A server at work, which ends when this is dropped.
struct Task {
    work: tokio::task::JoinHandle<Result<(), connect4_server::Error>>,
    url: Place,
}

impl Drop for Task {
    fn drop(&mut self) {
        self.work.abort();
    }
}

pub const fn lookup() -> Lookup {
    Lookup {
        code: CODE,
        contract: None,
        variants: None,
        deployer: None,
    }
}

/// Starts a server for the chain at this URL, and the browser of its host.
async fn serve(url: &str, folder: &Path, relay: Option<String>) -> (Task, Browser) {
    let client = Client::connect(url).await.expect("the chain answers");
    let (index, notice): (_, Notice) = (folder.join("index"), Arc::new(|_| {}));
    let config = Config {
        listen: ([127, 0, 0, 1], 0).into(),
        host_names: Vec::new(),
        host_naming: "name it",
        signers: DEVELOPMENT
            .into_iter()
            .filter_map(Signer::development)
            .collect(),
        lookup: lookup(),
        place: "a test".into(),
        keys: Keys::kept_in(folder).expect("keys"),
        folder: Some(folder.to_owned()),
        witness: (relay.is_none() && index.is_dir()).then(|| WitnessLog {
            folder: WitnessFolder::In(folder.join("witness")),
            is_required: false,
            unusable: Arc::new(|_| {}),
        }),
        relay,
        witnesses: Vec::new(),
        // Where there is a folder for it.
        index: index
            .is_dir()
            .then_some((IndexPlace::Folder(index), notice)),
        public: None,
    };
    let url = Arc::new(Mutex::new(Some(url.to_owned())));
    let again = Again(Arc::clone(&url));
    let server = Server::start(config, Connection::to(client), again).await;
    let server = server.expect("the server starts");
    let addr = server.local_addr().to_string();
    let key = server.host_key();
    let work = tokio::spawn(server.run());
    (Task { work, url }, Browser::open(&addr, &key).await)
}

/// Connects to the chain again, wherever it is.
pub struct Again(pub Place);

impl Connect for Again {
    async fn connect(&self) -> Result<Connection, String> {
        let url = self.0.lock().expect("no panic").clone();
        let url = url.ok_or("nobody is there")?;
        let client = Client::connect(&url).await;
        client
            .map(Connection::to)
            .map_err(|error| error.to_string())
    }
}

/// A new chain in memory, whose time stands still.
fn chain() -> Chain {
    chain_by(Clock::Manual(1_800_000_000_000))
}

fn chain_by(clock: Clock) -> Chain {
    let options = Options {
        clock,
        ..Options::default()
    };
    Chain::open(options).expect("a chain in memory opens")
}

/// A chain in memory without a server, which can be away.
pub struct Chained {
    pub chain: Chain,
    rpc: Option<rpc::Server>,
    place: Place,
}

impl Chained {
    pub async fn start() -> Self {
        Self::of(chain()).await
    }

    /// The same with a chain of other options.
    pub async fn of(chain: Chain) -> Self {
        let (rpc, url) = connect4_testing::served::serve(chain.clone(), Default::default()).await;
        Self {
            chain,
            rpc: Some(rpc),
            place: Arc::new(Mutex::new(Some(url))),
        }
    }

    /// Where it is, if it is not away.
    pub fn place(&self) -> Place {
        Arc::clone(&self.place)
    }

    pub fn url(&self) -> String {
        let url = self.place.lock().expect("no panic").clone();
        url.expect("the chain is there")
    }

    /// Takes it away.
    pub fn lose(&mut self) {
        *self.place.lock().expect("no panic") = None;
        self.rpc = None;
    }

    /// Has it answer again, at another address.
    pub async fn find(&mut self) {
        let (rpc, url) =
            connect4_testing::served::serve(self.chain.clone(), Default::default()).await;
        self.rpc = Some(rpc);
        *self.place.lock().expect("no panic") = Some(url);
    }
}

impl Served {
    pub async fn start() -> Self {
        let chain = chain();
        let (rpc, url) = connect4_testing::served::serve(chain.clone(), Default::default()).await;
        Self::over(chain, rpc, url).await
    }

    /// A server with an index.
    pub async fn start_indexed() -> Self {
        Self::indexed_over(chain()).await
    }

    /// The same over a chain by the time of this machine, by which a relay takes terms.
    pub async fn start_indexed_now() -> Self {
        Self::indexed_over(chain_by(Clock::System)).await
    }

    async fn indexed_over(chain: Chain) -> Self {
        let (rpc, url) = connect4_testing::served::serve(chain.clone(), Default::default()).await;
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("index")).expect("a folder in it");
        Self::in_folder(chain, rpc, url, folder).await
    }

    /// A server that reaches a chain by this URL.
    async fn over(chain: Chain, rpc: rpc::Server, url: String) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        Self::in_folder(chain, rpc, url, folder).await
    }

    async fn in_folder(chain: Chain, rpc: rpc::Server, url: String, folder: TempDir) -> Self {
        let (task, host) = serve(&url, folder.path(), None).await;
        Self {
            host,
            chain,
            rpc: Some(rpc),
            url: task.url.clone(),
            task,
            folder,
        }
    }

    pub async fn client(&self) -> Client {
        let url = self.url.lock().expect("no panic").clone();
        let client = Client::connect(&url.expect("the chain is there")).await;
        client.expect("the chain answers")
    }

    /// Deploys the contract of the games, as another program does.
    pub async fn deploy(&self) -> Contracts {
        let alice = Signer::development("alice").expect("a development account");
        let deployed = lookup().deploy(&self.client().await, &alice).await;
        deployed.expect("deployed").0
    }

    /// Starts a relay without a page on the same chain, which is a witness.
    pub async fn relay(&self) -> RelayServer {
        let config = RelayConfig {
            listen: ([127, 0, 0, 1], 0).into(),
            limits: Limits::default(),
            witness_log: Some(self.folder.path().join("witness")),
            proxies: Proxies::default(),
            lookup: lookup(),
            place: "a test".into(),
        };
        let again = Again(self.url.clone());
        let connection = Connection::to(self.client().await);
        let started = RelayServer::start(config, connection, again).await;
        started.expect("the relay starts")
    }

    /// Ends the server and starts it again in its folder.
    pub async fn restart(&mut self) {
        let url = self.url.lock().expect("no panic").clone();
        let url = url.expect("the chain is there");
        let (task, host) = serve(&url, self.folder.path(), None).await;
        self.url = task.url.clone();
        (self.task, self.host) = (task, host);
    }

    /// Another program with a page and an index on the same chain, which uses the rooms of the relay with this URL.
    pub async fn another_indexed(&self, relay: String) -> Another {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("index")).expect("a folder in it");
        self.beside(relay, folder).await
    }

    async fn beside(&self, relay: String, folder: TempDir) -> Another {
        let relay = Some(relay);
        let url = self.url.lock().expect("no panic").clone();
        let url = url.expect("the chain is there");
        let (task, host) = serve(&url, folder.path(), relay).await;
        Another {
            host,
            _task: task,
            _folder: folder,
        }
    }

    /// A browser with the key of this account alone.
    pub async fn browser(&self, name: &str) -> Browser {
        let accounts = self.host.hello["accounts"].as_array().expect("accounts");
        let account = accounts.iter().find(|account| account["name"] == name);
        let key = account.expect("a development account")["key"].as_str();
        Browser::open(&self.host.addr, key.expect("a key")).await
    }

    /// A browser without keys.
    pub async fn visitor(&self) -> Browser {
        Browser::open(&self.host.addr, "").await
    }

    pub fn lose_chain(&mut self) {
        *self.url.lock().expect("no panic") = None;
        self.rpc = None;
    }

    /// Has the chain answer again, at another address.
    pub async fn find_chain(&mut self) {
        let (rpc, url) =
            connect4_testing::served::serve(self.chain.clone(), Default::default()).await;
        self.rpc = Some(rpc);
        *self.url.lock().expect("no panic") = Some(url);
    }

    pub fn replace_chain(&mut self) {
        self.chain = chain();
    }
}

/// Another program with a page, which runs until it is dropped.
pub struct Another {
    pub host: Browser,
    _task: Task,
    _folder: TempDir,
}

/// A game of two guests by this witness, with keys of its own for each number.
pub fn game(chain: SigningChain, witness: Address, number: u64) -> SignedPlay {
    let keys = ByPlayer {
        one: session_key(2 * number),
        two: session_key(2 * number + 1),
    };
    let terms = Terms {
        players: ByPlayer::from_fn(|player| Party::Guest(keys.get(player).address())),
        pie_rule: true,
        pool: 2,
        witness: Some(witness),
        time: now(),
        ..Terms::on(Shape::STANDARD)
    };
    SignedPlay::on(chain, terms, keys)
}

/// Both players of a game, in its room at the witness there.
pub async fn seated(relay: SocketAddr, play: &SignedPlay) -> [Seat; 2] {
    let one = Seat::join(relay, play, Player::One).await;
    [one, Seat::join(relay, play, Player::Two).await]
}

/// A browser with the keys that it was given.
pub struct Browser {
    addr: String,
    keys: String,
    /// What it was told first.
    pub hello: Value,
}

/// Status and body of an answer.
pub type Answer = (u16, Value);

impl Browser {
    pub fn addr(&self) -> SocketAddr {
        self.addr.parse().expect("an address")
    }

    async fn open(addr: &str, keys: &str) -> Self {
        let mut browser = Self {
            addr: addr.into(),
            keys: keys.into(),
            hello: Value::Null,
        };
        let (status, hello) = browser.get("/api/hello").await;
        assert_eq!(status, 200, "{hello}");
        browser.hello = hello;
        browser
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, "").await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.ask("POST", path, &body.to_string()).await
    }

    pub async fn post_text(&self, path: &str, body: &str) -> Answer {
        self.ask("POST", path, body).await
    }

    /// The body of the answer to a request that has to be done.
    #[track_caller]
    pub fn done(&self, path: &str, body: Value) -> impl Future<Output = Value> {
        let place = std::panic::Location::caller();
        async move {
            let (status, answer) = self.post(path, body).await;
            assert_eq!(status, 200, "{path} at {place}: {answer}");
            answer
        }
    }

    async fn ask(&self, method: &str, path: &str, body: &str) -> Answer {
        let Self { addr, keys, hello } = self;
        let token = hello["token"].as_str().unwrap_or_default();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {addr}\r\norigin: http://{addr}\r\n\
             x-connect4-token: {token}\r\nx-connect4-keys: {keys}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        );
        let mut stream = TcpStream::connect(addr).await.expect("the server listens");
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("answered");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        let body = serde_json::from_str(body).unwrap_or_else(|_| json!(body));
        (status.expect("a status"), body)
    }

    /// Watches a game, or the lobby if none is named.
    pub async fn watch(&self, game: Option<&str>) -> Watching {
        Watching::at(self.addr(), game).await
    }

    /// What is seen of a game by who opens its page.
    pub async fn see(&self, game: &str) -> Value {
        let is_told = |told: &Value| told["type"] != "chain";
        self.watch(Some(game)).await.seen(is_told).await
    }
}

pub struct Watching {
    socket: WebSocketStream<TcpStream>,
}

impl Watching {
    /// Watches a game, or the lobby if none is named.
    pub async fn at(addr: SocketAddr, game: Option<&str>) -> Self {
        let query = game.map(|game| format!("?game={game}")).unwrap_or_default();
        Self::open(addr, &format!("/api/live{query}")).await
    }

    pub async fn open(addr: SocketAddr, path: &str) -> Self {
        let url = format!("ws://{addr}{path}");
        let stream = TcpStream::connect(addr).await.expect("the server listens");
        let (socket, _) = tokio_tungstenite::client_async(url, stream)
            .await
            .expect("a socket");
        Self { socket }
    }

    /// The code with which the socket is closed; none if it tells none.
    pub async fn closed(&mut self) -> Option<u16> {
        loop {
            match self.socket.next().await? {
                Ok(Message::Close(frame)) => return frame.map(|frame| frame.code.into()),
                Ok(_) => {}
                Err(_) => return None,
            }
        }
    }

    pub async fn seen(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.socket.next().await.expect("the socket is open");
            if let Message::Text(text) = message.expect("a message") {
                let told: Value = serde_json::from_str(&text).expect("JSON");
                if is_wanted(&told) {
                    return told;
                }
            }
        }
    }
}
