//! A server of the page with a chain in memory, and browsers that ask it.

use connect4_chain::{Chain, Options, rpc};
use connect4_client::{Client, Code, DEVELOPMENT, Lookup, Signer};
use connect4_server::{Config, Connect, Connection, Keys, Server};
use connect4_testing::contracts::{GAMES, MATCHES, VARIANTS};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

const CODE: Code = Code {
    games: GAMES,
    matches: MATCHES,
    variants: VARIANTS,
};

/// A server that runs until it is dropped.
pub struct Served {
    addr: String,
    /// The browser of the host.
    pub host: Browser,
    /// The chain, whose clock stands still until the test moves it.
    pub chain: Chain,
    _rpc: rpc::Server,
}

/// The chain is not lost in these tests.
struct Never;

impl Connect for Never {
    async fn connect(&self) -> Result<Connection, String> {
        Err("the chain has ended".into())
    }
}

impl Served {
    pub async fn start() -> Self {
        let chain = Chain::open(Options {
            clock: connect4_chain::Clock::Manual(1_800_000_000_000),
            ..Options::default()
        });
        let chain = chain.expect("a chain in memory opens");
        let (rpc, url) = connect4_testing::served::serve(chain.clone(), Default::default()).await;
        let client = Client::connect(&url).await.expect("the chain answers");
        let config = Config {
            listen: ([127, 0, 0, 1], 0).into(),
            host_names: Vec::new(),
            host_naming: "name it",
            signers: DEVELOPMENT
                .into_iter()
                .filter_map(Signer::development)
                .collect(),
            lookup: Lookup {
                code: CODE,
                contract: None,
                variants: None,
                deployer: None,
                any_code: false,
            },
            place: "a test".into(),
            keys: Keys::new(),
            folder: None,
        };
        let server = Server::start(config, Connection::to(client), Never).await;
        let server = server.expect("the server starts");
        let addr = server.local_addr().to_string();
        let key = server.host_key();
        tokio::spawn(server.run());
        let host = Browser::open(&addr, &key).await;
        Self {
            addr,
            host,
            chain,
            _rpc: rpc,
        }
    }

    /// A browser with the key of this account alone.
    pub async fn browser(&self, name: &str) -> Browser {
        let accounts = self.host.hello["accounts"].as_array().expect("accounts");
        let account = accounts.iter().find(|account| account["name"] == name);
        let key = account.expect("a development account")["key"].as_str();
        Browser::open(&self.addr, key.expect("a key")).await
    }
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

    /// Sends a text as it is.
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
        let query = game.map(|game| format!("?game={game}")).unwrap_or_default();
        let url = format!("ws://{}/api/live{query}", self.addr);
        let stream = TcpStream::connect(&self.addr)
            .await
            .expect("the server listens");
        let (socket, _) = tokio_tungstenite::client_async(url, stream)
            .await
            .expect("a socket");
        Watching { socket }
    }

    /// What is seen of a game by who opens its page.
    pub async fn see(&self, game: &str) -> Value {
        self.watch(Some(game)).await.seen(|_| true).await
    }
}

/// A live socket.
pub struct Watching {
    socket: WebSocketStream<TcpStream>,
}

impl Watching {
    /// The first message other than that of the chain that is as wanted.
    pub async fn seen(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.socket.next().await.expect("the socket is open");
            if let Message::Text(text) = message.expect("a message") {
                let told: Value = serde_json::from_str(&text).expect("JSON");
                if told["type"] != "chain" && is_wanted(&told) {
                    return told;
                }
            }
        }
    }
}

/// A move, as it is sent.
pub fn moved(text: &str) -> Value {
    use connect4_rules::variant::Move;
    match text.parse().expect("a move") {
        Move::Drop(bin) => json!({ "kind": "drop", "bin": bin.index() }),
        Move::Pop(bin) => json!({ "kind": "pop", "bin": bin.index() }),
        Move::Take(cell) => json!({ "kind": "take", "bin": cell.bin.index(), "row": cell.row }),
        Move::Clear(row) => json!({ "kind": "clear", "row": row }),
        Move::Float(cell) => json!({ "kind": "float", "bin": cell.bin.index(), "row": cell.row }),
        Move::Swap => json!({ "kind": "swap" }),
    }
}

/// Terms on the standard board with a line of three.
pub fn terms(players: u8, limit: Option<u32>) -> Value {
    json!({
        "shape": { "bins": 7, "capacity": 6, "line": 3 },
        "players": players,
        "pop_out": false,
        "pie_rule": false,
        "powers": { "take": 0, "clear": 0, "float": 0 },
        "limit": limit,
    })
}

/// Terms with pop out and one of each power.
pub fn all_terms(players: u8) -> Value {
    let mut terms = terms(players, None);
    terms["pop_out"] = json!(true);
    terms["powers"] = json!({ "take": 1, "clear": 1, "float": 1 });
    terms
}

/// The seats of people with these names.
pub fn people(names: &[&str]) -> Value {
    let seats = names
        .iter()
        .map(|name| json!({ "account": name, "level": null }));
    Value::Array(seats.collect())
}
