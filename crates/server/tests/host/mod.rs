//! A public host, as its operator and strangers meet it.

mod costs;
mod pictures;
mod stakes;
mod watching;
mod witness;

use std::net::SocketAddr;
use std::time::Duration;

use connect4_client::Client;
use connect4_relay::{Allowed, Proxies, ProxyHeader, Rate};
use connect4_server::{Config, Connection, HostLimits, Keys, Operation, Public, Server};
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::served::{Again, Chained, Watching, lookup};

/// A host that runs until it is dropped.
struct Host {
    addr: SocketAddr,
    metrics: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    work: JoinHandle<Result<(), connect4_server::Error>>,
}

impl Drop for Host {
    fn drop(&mut self) {
        self.work.abort();
    }
}

/// Few of everything.
fn few() -> HostLimits {
    let few = Allowed {
        at_once: 2,
        most: u32::MAX,
        rate: Rate {
            burst: 4,
            per_second: 0,
        },
    };
    HostLimits {
        of_address: few,
        dear: few,
        requests: Allowed {
            at_once: 8,
            most: u32::MAX,
            rate: Rate {
                burst: 8,
                per_second: 0,
            },
        },
        ..HostLimits::default()
    }
}

fn config(limits: HostLimits) -> Config {
    let network = |text: &str| vec![text.parse().expect("a network")];
    let proxies = Proxies::new(network("127.0.0.1"), ProxyHeader::XForwardedFor);
    Config {
        listen: ([127, 0, 0, 1], 0).into(),
        host_names: Vec::new(),
        host_naming: "",
        signers: Vec::new(),
        lookup: lookup(),
        place: "a test".into(),
        keys: Keys::new(),
        folder: None,
        relay: None,
        witness: None,
        witnesses: Vec::new(),
        index: None,
        public: Some(Public {
            operation: Operation {
                limits,
                proxies: proxies.not_counting(network("198.51.100.0/24")),
                metrics: Some(([127, 0, 0, 1], 0).into()),
                log: None,
            },
            ..Public::default()
        }),
    }
}

impl Host {
    /// A host behind a proxy on this machine.
    async fn start(chain: &Chained, limits: HostLimits) -> Self {
        let client = Client::connect(&chain.url()).await.expect("it answers");
        Self::with(chain, limits, Some(Connection::to(client))).await
    }

    async fn with(chain: &Chained, limits: HostLimits, connection: Option<Connection>) -> Self {
        let host = Self::of(chain, config(limits), connection).await;
        host.expect("the host starts")
    }

    async fn of(
        chain: &Chained,
        config: Config,
        connection: Option<Connection>,
    ) -> Result<Self, connect4_server::Error> {
        let again = Again(chain.place());
        let server = Server::start(config, connection, again).await?;
        let (stop, stopped) = oneshot::channel();
        Ok(Self {
            addr: server.local_addr(),
            metrics: server.metrics_addr().expect("metrics"),
            stop: Some(stop),
            work: tokio::spawn(server.run_until(async {
                let _ = stopped.await;
            })),
        })
    }

    /// Ends as when it is told to.
    async fn stopped(mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        (&mut self.work).await.expect("no panic").expect("in order");
    }

    async fn see(&self, game: &str) -> Watching {
        Watching::at(self.addr, Some(game)).await
    }

    async fn get(&self, path: &str, from: &str) -> (u16, String) {
        get(self.addr, path, &format!("x-forwarded-for: {from}\r\n")).await
    }

    async fn metrics(&self) -> String {
        let (_, answer) = get(self.metrics, "/metrics", "").await;
        let (_, text) = answer.split_once("\r\n\r\n").expect("a body");
        text.into()
    }

    async fn metric(&self, name: &str) -> String {
        let text = self.metrics().await;
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_else(|| panic!("{name} in {text}"))
            .trim()
            .into()
    }

    /// Opens a socket to watch the lobby.
    async fn watch(&self, from: &str) -> (u16, TcpStream) {
        self.open("", from).await
    }

    /// Opens a socket to watch what the query names.
    async fn open(&self, query: &str, from: &str) -> (u16, TcpStream) {
        let mut stream = TcpStream::connect(self.addr).await.expect("it listens");
        let request = upgrade(query, from);
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut head = [0; 12];
        stream.read_exact(&mut head).await.expect("answered");
        let head = String::from_utf8_lossy(&head);
        let status = head.split(' ').nth(1).and_then(|text| text.parse().ok());
        (status.expect("a status"), stream)
    }
}

/// Asks for a socket that watches what the query names; the lobby without one.
fn upgrade(query: &str, from: &str) -> String {
    format!(
        "GET /api/live{query} HTTP/1.1\r\nhost: games.example\r\nx-forwarded-for: {from}\r\n\
         connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
         sec-websocket-key: MDEyMzQ1Njc4OTAxMjM0NQ==\r\n\r\n"
    )
}

/// Status and all of the answer to a request.
async fn get(addr: SocketAddr, path: &str, headers: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(addr).await.expect("it listens");
    let request =
        format!("GET {path} HTTP/1.1\r\nhost: games.example\r\n{headers}connection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("answered");
    let status = answer.split(' ').nth(1);
    let status = status.and_then(|text| text.parse().ok()).expect("a status");
    (status, answer)
}

fn body(answer: &str) -> Value {
    let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
    serde_json::from_str(body).expect("JSON")
}

const STRANGER: &str = "192.0.2.1";
/// An address that no limit by address counts.
const NEIGHBOUR: &str = "198.51.100.7";

#[tokio::test(flavor = "multi_thread")]
async fn health_says_whether_the_chain_answers() {
    let mut chain = Chained::start().await;
    let host = Host::start(&chain, HostLimits::default()).await;
    let (status, answer) = host.get("/health", STRANGER).await;
    assert_eq!(status, 200, "{answer}");
    assert_eq!(body(&answer)["status"], "ok");
    assert_eq!(host.metric("connect4_chain_up ").await, "1");

    chain.lose();
    let away = loop {
        let (status, answer) = host.get("/health", STRANGER).await;
        if status == 503 {
            break body(&answer);
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(away["status"], "away");
    assert_eq!(host.metric("connect4_chain_up ").await, "0");
    assert_eq!(host.metric("connect4_chain_lost_total ").await, "1");
    chain.find().await;
    while host.get("/health", STRANGER).await.0 != 200 {
        tokio::task::yield_now().await;
    }
    // Metrics have the number of the final block as well.
    host.metric("connect4_chain_final_block ").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_are_not_for_everybody() {
    let chain = Chained::start().await;
    let host = Host::start(&chain, HostLimits::default()).await;
    assert_eq!(host.get("/metrics", STRANGER).await.0, 404);
    host.get("/api/hello", STRANGER).await;
    host.get("/api/nowhere", STRANGER).await;
    let answered = r#"connect4_http_requests_total{route="/api/hello",status="200"}"#;
    assert_eq!(host.metric(answered).await, "1");
    let nothing = r#"connect4_http_requests_total{route="none",status="404"}"#;
    assert_eq!(host.metric(nothing).await, "2");
    let (status, _socket) = host.watch(STRANGER).await;
    assert_eq!(status, 101);
    assert_eq!(host.metric("connect4_sockets ").await, "1");
    assert_eq!(host.metric("connect4_relay_sockets ").await, "0");
    // All of it is what Prometheus reads: a comment, or a name with labels and a number.
    for line in host.metrics().await.lines() {
        let is_comment = line.starts_with("# HELP connect4_")
            || line.starts_with("# TYPE connect4_")
            || line.starts_with("# HELP process_")
            || line.starts_with("# TYPE process_");
        let (name, value) = line.rsplit_once(' ').expect("a value");
        let named = name.starts_with("connect4_") || name.starts_with("process_");
        assert!(
            is_comment || (named && value.parse::<f64>().is_ok()),
            "{line}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_has_so_many_requests_and_others_are_served() {
    let chain = Chained::start().await;
    let host = Host::start(&chain, few()).await;
    for _ in 0..4 {
        assert_eq!(host.get("/api/hello", STRANGER).await.0, 200);
    }
    let (status, answer) = host.get("/api/hello", STRANGER).await;
    assert_eq!(status, 429, "{answer}");
    assert!(answer.to_lowercase().contains("retry-after: 1"), "{answer}");
    let error = body(&answer);
    assert!(
        error["error"]
            .as_str()
            .is_some_and(|why| why.contains("your address"))
    );
    // Others are less dear, and have a limit, too.
    for _ in 0..3 {
        assert_eq!(host.get("/health", STRANGER).await.0, 200);
    }
    assert_eq!(host.get("/health", STRANGER).await.0, 429);
    assert_eq!(host.get("/health", "192.0.2.2").await.0, 200);
    // The page is opened by who has asked too much of it, too.
    assert_eq!(host.get("/page/icon.svg", STRANGER).await.0, 200);
    let dear = r#"connect4_limited_total{limit="dear_requests_of_address"}"#;
    assert_eq!(host.metric(dear).await, "1");
    let requests = r#"connect4_limited_total{limit="requests_of_address"}"#;
    assert_eq!(host.metric(requests).await, "1");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forged_header_neither_evades_a_limit_nor_uses_up_that_of_others() {
    let chain = Chained::start().await;
    let host = Host::start(&chain, few()).await;
    // The proxy adds the address of the stranger to what the stranger has sent.
    for forged in ["203.0.113.1", "203.0.113.2", "127.0.0.1", "junk"] {
        let from = format!("{forged}, {STRANGER}");
        assert_eq!(host.get("/api/hello", &from).await.0, 200);
    }
    assert_eq!(
        host.get("/api/hello", "203.0.113.9, 192.0.2.1").await.0,
        429
    );
    assert_eq!(host.get("/api/hello", "::1, 192.0.2.1").await.0, 429);
    for framed in ["203.0.113.1", "203.0.113.2", "2001:db8::1"] {
        assert_eq!(host.get("/api/hello", framed).await.0, 200, "{framed}");
    }
    // A network of IPv6 is one address.
    for last in 2..=4 {
        let from = format!("2001:db8::{last}");
        assert_eq!(host.get("/api/hello", &from).await.0, 200);
    }
    assert_eq!(host.get("/api/hello", "2001:db8::5").await.0, 429);
    assert_eq!(host.get("/api/hello", "2001:db8:0:1::5").await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_limit_by_address_counts_an_uncounted_one() {
    let chain = Chained::start().await;
    let limits = HostLimits {
        files: few().of_address,
        sockets: 13,
        ..few()
    };
    let host = Host::start(&chain, limits).await;
    let mut open = Vec::new();
    for _ in 0..12 {
        for path in ["/api/hello", "/health", "/page/icon.svg"] {
            assert_eq!(host.get(path, NEIGHBOUR).await.0, 200, "{path}");
        }
        let (status, socket) = host.watch(NEIGHBOUR).await;
        assert_eq!(status, 101);
        open.push(socket);
    }
    // Strangers who claim to be that address are counted by their own.
    let forged = format!("{NEIGHBOUR}, {STRANGER}");
    for _ in 0..4 {
        assert_eq!(host.get("/api/hello", &forged).await.0, 200);
    }
    assert_eq!(host.get("/api/hello", &forged).await.0, 429);
    let (status, last) = host.watch(NEIGHBOUR).await;
    assert_eq!(status, 101);
    assert_eq!(
        host.watch(NEIGHBOUR).await.0,
        503,
        "as many as all may have"
    );
    drop((open, last));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_has_so_many_sockets() {
    let chain = Chained::start().await;
    let host = Host::start(&chain, few()).await;
    let (one, first) = host.watch(STRANGER).await;
    let (two, _second) = host.watch(STRANGER).await;
    assert_eq!((one, two), (101, 101));
    assert_eq!(host.watch(STRANGER).await.0, 429);
    let (other, _third) = host.watch("192.0.2.2").await;
    assert_eq!(other, 101);
    drop(first);
    while host.metric("connect4_sockets ").await != "2" {
        tokio::task::yield_now().await;
    }
    assert_eq!(host.watch(STRANGER).await.0, 101);
    let refused = r#"connect4_limited_total{limit="sockets_of_address"}"#;
    assert_eq!(host.metric(refused).await, "1");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_opens_many_games_asks_the_chain_and_keeps_nobody_out_of_the_lobby() {
    let chain = Chained::start().await;
    let limits = HostLimits {
        dear: few().dear,
        rooms: 3,
        ..HostLimits::default()
    };
    let host = Host::start(&chain, limits).await;
    let mut sockets = Vec::new();
    for (game, from, expected) in [
        ("?game=0", STRANGER, 101),
        ("?game=1", STRANGER, 101),
        ("?game=2", STRANGER, 101),
        // As many as are followed; this one is counted for who asked.
        ("?game=3", STRANGER, 503),
        ("?game=4", STRANGER, 429),
        // These are open: another watcher costs nothing.
        ("?game=0", STRANGER, 101),
        ("?game=1", STRANGER, 101),
        ("?game=4", "192.0.2.2", 503),
        ("", STRANGER, 101),
    ] {
        let (status, socket) = host.open(game, from).await;
        assert_eq!(status, expected, "{game} {from}");
        sockets.push(socket);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn long_heads_and_bodies_are_refused() {
    let chain = Chained::start().await;
    let host = Host::start(&chain, HostLimits::default()).await;
    let padding = format!("x-padding: {}\r\n", "x".repeat(20_000));
    let mut stream = TcpStream::connect(host.addr).await.expect("it listens");
    let request = format!("GET / HTTP/1.1\r\nhost: games.example\r\n{padding}\r\n");
    // It may close the connection before all is sent.
    let _ = stream.write_all(request.as_bytes()).await;
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).await.expect("answered");
    assert_eq!(&answer, b"HTTP/1.1 431");

    let body = format!("{{\"account\":\"{}\"}}", "x".repeat(5000));
    let headers = format!(
        "content-type: application/json\r\ncontent-length: {}\r\nx-forwarded-for: 192.0.2.1\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(host.addr).await.expect("it listens");
    let request =
        format!("POST /api/prepare HTTP/1.1\r\nhost: games.example\r\n{headers}\r\n{body}");
    stream.write_all(request.as_bytes()).await.expect("sent");
    stream.read_exact(&mut answer).await.expect("answered");
    assert_eq!(&answer, b"HTTP/1.1 400");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_does_not_come_is_closed() {
    let chain = Chained::start().await;
    let limits = HostLimits {
        answer: Duration::from_millis(20),
        ..HostLimits::default()
    };
    let host = Host::start(&chain, limits).await;
    // The body never comes.
    let mut stream = TcpStream::connect(host.addr).await.expect("it listens");
    let request = "POST /api/prepare HTTP/1.1\r\nhost: games.example\r\n\
                   content-type: application/json\r\ncontent-length: 100\r\n\r\n{";
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).await.expect("answered");
    assert_eq!(&answer, b"HTTP/1.1 503");
    assert_eq!(
        host.metric(r#"connect4_limited_total{limit="time"}"#).await,
        "1"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn who_floods_a_socket_is_put_out() {
    let chain = Chained::start().await;
    let host = Host::start(&chain, HostLimits::default()).await;
    let (_, mut flood) = host.watch(STRANGER).await;
    let (_, mut other) = host.watch("192.0.2.2").await;
    // Frames without content, masked with zeros.
    let frames = [0x89, 0x80, 0, 0, 0, 0].repeat(200);
    let _ = flood.write_all(&frames).await;
    let mut rest = Vec::new();
    // The connection ends.
    let _ = flood.read_to_end(&mut rest).await;
    let flooded = r#"connect4_sockets_closed_total{reason="flood"}"#;
    assert_eq!(host.metric(flooded).await, "1");
    // The other one is still told something.
    let mut byte = [0];
    other.read_exact(&mut byte).await.expect("open");
    // Who flooded does not come back at once.
    assert_eq!(host.watch(STRANGER).await.0, 429);
    assert_eq!(host.watch("192.0.2.2").await.0, 101);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_ends_tells_pages_to_connect_again() {
    let chain = Chained::start().await;
    let mut host = Host::start(&chain, HostLimits::default()).await;
    let (_, mut socket) = host.watch(STRANGER).await;
    host.stop.take().expect("once").send(()).expect("it runs");
    let mut told = Vec::new();
    let mut buffer = [0; 1024];
    // The frame of a close without reason has two bytes: the code.
    let close = [0x88, 2, 0x03, 0xf4];
    while !told.windows(4).any(|bytes| bytes == close) {
        let read = socket.read(&mut buffer).await.expect("open");
        assert_ne!(read, 0, "closed without a word");
        told.extend_from_slice(&buffer[..read]);
    }
    socket
        .write_all(&[0x88, 0x82, 0, 0, 0, 0, 0x03, 0xf4])
        .await
        .expect("open");
    let work = &mut host.work;
    work.await.expect("no panic").expect("a good end");
    assert!(TcpStream::connect(host.addr).await.is_err());
}
