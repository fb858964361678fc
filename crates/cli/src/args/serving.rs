//! Options of the commands that serve others.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use connect4_client::{GameId, Named};
use connect4_relay::{Network, Proxies, ProxyHeader};
use connect4_server::{HostLimits, LogFormat, Operation};

use super::common::{Relaying, Signing};
use super::parse::block_time;

#[derive(Args, Debug, Clone)]
pub struct Serve {
    /// Address to listen on: 0.0.0.0 lets other machines in
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    pub addr: IpAddr,
    /// Port to listen on; 0 has one chosen
    #[arg(long, default_value_t = 4444, value_name = "PORT")]
    pub port: u16,
    /// A name, besides localhost and addresses, by which browsers may reach the page; may be given
    /// more than once
    #[arg(long = "host-name", value_name = "NAME")]
    pub host_names: Vec<String>,
    /// File with the secret of an account to play with; may be given more than once. CONNECT4_SECRET
    /// adds one, and development accounts are offered where they have a balance
    #[arg(long = "secret-file", value_name = "FILE")]
    pub secret_files: Vec<PathBuf>,
    /// Relay for fast games, as wss://host or the address of a page [default: this program's own]
    #[arg(long, env = "CONNECT4_RELAY", value_name = "URL")]
    pub relay: Option<String>,
    /// Keep the chain in memory: it is gone afterwards
    #[arg(long, conflicts_with_all = ["url", "data"])]
    pub tmp: bool,
}

#[derive(Args, Debug, Clone)]
pub struct Host {
    /// Address and port to listen on: 0.0.0.0:4480 lets other machines in, port 0 has one chosen
    #[arg(long, default_value = "127.0.0.1:4480", value_name = "ADDRESS:PORT")]
    pub listen: SocketAddr,
    /// Database of the index of games and accounts: sqlite:FILE, or postgres://user@host/name, which
    /// several hosts may share [default: a file beside the local chain]
    #[arg(
        long,
        value_name = "URL",
        conflicts_with = "no_index",
        env = "CONNECT4_INDEX",
        hide_env_values = true
    )]
    pub index: Option<String>,
    /// Node that speaks Ethereum's JSON-RPC, as https://…: wallets of Ethereum that do not know the
    /// chain are offered to add it with this address
    #[arg(long, value_name = "URL")]
    pub wallet_rpc: Option<String>,
    /// Relay for fast games, as wss://host, which pages use as well: hosts that name the same one bring
    /// players of all of them together, and several hosts of one name have that name here [default: this
    /// program's own]
    #[arg(long, env = "CONNECT4_RELAY", value_name = "URL")]
    pub relay: Option<String>,
    #[command(flatten)]
    pub operating: Operating,
}

/// How a public host is run.
#[derive(Args, Debug, Clone)]
pub struct Operating {
    /// Address or network of a reverse proxy, as 127.0.0.1 or 10.0.0.0/8; may be given more than once.
    /// From there alone, a header is believed that says where a request is from
    #[arg(long = "trust-proxy", value_name = "NETWORK")]
    pub proxies: Vec<Network>,
    /// The header that the proxies set
    #[arg(
        long,
        value_name = "NAME",
        default_value = "x-forwarded-for",
        value_parser = PossibleValuesParser::new(["x-forwarded-for", "forwarded"])
            .map(|name| proxy_header(&name))
    )]
    pub proxy_header: ProxyHeader,
    /// Address and port at which Prometheus finds /metrics. They are for the operator: leave it out of
    /// what the proxy passes on [default: metrics are not told]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub metrics: Option<SocketAddr>,
    /// How lines on standard error are spelled: words, or an object of JSON each
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "text",
        value_parser = PossibleValuesParser::new(["text", "json"]).map(|name| log_format(&name))
    )]
    pub log_format: LogFormat,
    /// Maximum number of pages that watch at the same time
    #[arg(long, default_value_t = 20_000, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_connections: u32,
    /// Maximum number of pages of one address that watch at the same time; those of this machine are not
    /// counted
    #[arg(long, default_value_t = 64, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_of_address: u32,
    /// Requests in a second of one address that make the host ask its node; ten times as many for its
    /// own files. After a rest it may be ten times as many at once
    #[arg(long, default_value_t = 6, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub requests_of_address: u32,
}

impl Operating {
    /// What the server has to know of it.
    pub fn operation(&self) -> Operation {
        let limits = HostLimits {
            sockets: usize::try_from(self.max_connections).unwrap_or(usize::MAX),
            ..HostLimits::default()
        };
        Operation {
            limits: limits
                .with_sockets_of_address(self.max_of_address)
                .with_dear_of_address(self.requests_of_address),
            proxies: Proxies::new(self.proxies.clone(), self.proxy_header),
            metrics: self.metrics,
            log: Some(self.log_format),
        }
    }
}

fn log_format(name: &str) -> LogFormat {
    match name {
        "json" => LogFormat::Json,
        _ => LogFormat::Text,
    }
}

fn proxy_header(name: &str) -> ProxyHeader {
    match name {
        "forwarded" => ProxyHeader::Forwarded,
        _ => ProxyHeader::XForwardedFor,
    }
}

#[derive(Args, Debug, Clone)]
pub struct Page {
    /// Folder to write to; files of an earlier page there are replaced
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
    /// Host that the page uses, as https://games.example; may be given more than once
    #[arg(long = "host", value_name = "URL")]
    pub hosts: Vec<String>,
}

#[derive(Args, Debug, Clone)]
pub struct Relay {
    /// Address and port to listen on: 0.0.0.0:4404 lets other machines in, port 0 has one chosen
    #[arg(long, default_value = "127.0.0.1:4404", value_name = "ADDRESS:PORT")]
    pub listen: SocketAddr,
    /// Maximum number of games with a room; who has been gone for the longest makes place
    #[arg(long, default_value_t = 10_000, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub rooms: u32,
    /// Maximum number of connections at the same time
    #[arg(long, default_value_t = 20_000, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_connections: u32,
    /// Maximum number of connections of one address; those of this machine are not counted
    #[arg(long, default_value_t = 64, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_of_address: u32,
}

#[derive(Args, Debug, Clone)]
pub struct Guard {
    /// Guard this game, as f3; may be given more than once
    #[arg(long = "game", value_name = "NUMBER")]
    pub games: Vec<GameId>,
    /// Guard the games of this account or address; may be given more than once [default: the signer]
    #[arg(long = "for", value_name = "ACCOUNT", conflicts_with = "games")]
    pub accounts: Vec<Named>,
    #[command(flatten)]
    pub relaying: Relaying,
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct Node {
    /// Keep the chain in memory: it is gone afterwards
    #[arg(long, visible_alias = "dev", conflicts_with_all = ["data", "url"])]
    pub tmp: bool,
    /// Time between blocks; without it, a block is made as soon as a transaction comes
    #[arg(long, value_name = "SECONDS", value_parser = block_time)]
    pub block_time: Option<Duration>,
    /// How many blocks have to lie on top of a block for it to be final; without it, a block is
    /// final at once
    #[arg(long, value_name = "BLOCKS")]
    pub finality_lag: Option<u32>,
    /// How many final blocks keep their state, as --state-pruning on a Substrate node; without it,
    /// all do
    #[arg(long, value_name = "BLOCKS", value_parser = clap::value_parser!(u32).range(1..))]
    pub keep_states: Option<u32>,
    /// Let everybody who reaches the port make blocks, move the clock, stall finality and replace
    /// the last blocks, by the methods dev_*: for development and tests
    #[arg(long)]
    pub dev_rpc: bool,
    /// Address to listen on: 0.0.0.0 lets other machines in
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    pub rpc_addr: IpAddr,
    /// Port to listen on; 0 has one chosen
    #[arg(long, default_value_t = 9944, value_name = "PORT")]
    pub rpc_port: u16,
    /// Maximum number of connections at the same time
    #[arg(
        long,
        visible_alias = "rpc-max-connections",
        default_value_t = 100,
        value_name = "NUMBER"
    )]
    pub max_connections: u32,
    /// Ignored: there is no network of nodes
    #[arg(long, value_name = "PORT", hide = true)]
    pub port: Option<u16>,
    /// Ignored: there is no log
    #[arg(short = 'l', long = "log", value_name = "TARGETS", hide = true)]
    pub log: Vec<String>,
    /// Ignored: blocks have no author
    #[arg(long, hide = true)]
    pub alice: bool,
    #[arg(long, hide = true)]
    pub bob: bool,
    #[arg(long, hide = true)]
    pub charlie: bool,
    #[arg(long, hide = true)]
    pub dave: bool,
    #[arg(long, hide = true)]
    pub eve: bool,
    #[arg(long, hide = true)]
    pub ferdie: bool,
}
