//! The chain and the host, each a process of its own, and what the host takes.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use connect4_chain::{Chain, Options, rpc};
use connect4_client::{Client, Code, Lookup};
use connect4_relay::{Proxies, ProxyHeader};
use connect4_server::{Config, Connect, Connection, Keys, Operation, Public, Server};
use connect4_testing::contracts::{GAMES, VARIANTS};
use connect4_testing::served;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::Failed;

pub const CODE: Code = Code {
    games: GAMES,
    variants: VARIANTS,
    signed_records: None,
    stakes: None,
};
const BLOCK_TIME: Duration = Duration::from_millis(500);

/// Is the chain until the process is ended. Prints its URL.
pub async fn chain() -> Result<(), Failed> {
    let chain = Chain::open(Options {
        block_time: Some(BLOCK_TIME),
        ..Options::default()
    })?;
    let (_rpc, url) = served::serve(chain, rpc::Options::default()).await;
    println!("{url}");
    std::future::pending().await
}

pub const fn lookup() -> Lookup {
    Lookup {
        code: CODE,
        contract: None,
        variants: None,
        deployer: None,
    }
}

/// Is the host until the process is ended. Prints its address, and that of its metrics.
pub async fn host(url: String) -> Result<(), Failed> {
    let client = Client::connect(&url).await?;
    let here = "127.0.0.1".parse()?;
    let config = Config {
        listen: ([127, 0, 0, 1], 0).into(),
        host_names: Vec::new(),
        host_naming: "",
        signers: Vec::new(),
        lookup: lookup(),
        place: "a benchmark".into(),
        keys: Keys::new(),
        folder: None,
        relay: None,
        witness: None,
        witnesses: Vec::new(),
        index: None,
        public: Some(Public {
            operation: Operation {
                // Strangers come through a proxy; those who watch in good order are not counted.
                proxies: Proxies::new(vec![here], ProxyHeader::XForwardedFor),
                metrics: Some(([127, 0, 0, 1], 0).into()),
                ..Operation::default()
            },
            ..Public::default()
        }),
    };
    let server = Server::start(config, Connection::to(client), Again(url)).await?;
    let metrics = server.metrics_addr().ok_or("metrics")?;
    println!("{} {metrics}", server.local_addr());
    server.run().await?;
    Ok(())
}

struct Again(String);

impl Connect for Again {
    async fn connect(&self) -> Result<Connection, String> {
        let client = Client::connect(&self.0).await;
        client
            .map(Connection::to)
            .map_err(|error| error.to_string())
    }
}

/// A process of this program that is something else.
pub struct Process(Child);

impl Process {
    /// Starts it, and returns the line that it prints.
    pub fn start(arguments: &[&str]) -> Result<(Self, String), Failed> {
        let mut child = Command::new(std::env::current_exe()?)
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()?;
        let output = child.stdout.take().ok_or("its output")?;
        let process = Self(child);
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        Ok((process, line.trim().to_owned()))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[derive(Clone, Copy)]
pub struct Host {
    pub addr: SocketAddr,
    pub metrics: SocketAddr,
}

/// What the host took up to now.
pub struct Taken {
    at: Instant,
    cpu: f64,
    pub memory: f64,
}

impl Host {
    pub async fn counts(self) -> Result<HashMap<String, f64>, Failed> {
        let mut stream = TcpStream::connect(self.metrics).await?;
        let request = "GET /metrics HTTP/1.1\r\nhost: host\r\nconnection: close\r\n\r\n";
        stream.write_all(request.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        let counts = answer.lines().filter_map(|line| {
            let (name, value) = line.rsplit_once(' ')?;
            Some((name.to_owned(), value.parse().ok()?))
        });
        Ok(counts.collect())
    }

    pub async fn taken(self) -> Result<Taken, Failed> {
        let counts = self.counts().await?;
        let count = |name| counts.get(name).copied().unwrap_or_default();
        Ok(Taken {
            at: Instant::now(),
            cpu: count("process_cpu_seconds_total"),
            memory: count("process_resident_memory_bytes") / 1e6,
        })
    }
}

impl Taken {
    /// What it takes now, and the share of a core since then.
    pub async fn print(&self, what: &str, host: Host) -> Result<(), Failed> {
        let now = host.taken().await?;
        let took = now.at.duration_since(self.at).as_secs_f64();
        let share = 100.0 * (now.cpu - self.cpu) / took;
        println!("{what}: {share:.0} % of a core, {:.0} MB", now.memory);
        Ok(())
    }
}
