//! Options of the commands that serve others.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use connect4_client::{Address, Named};
use connect4_index::Notice;
use connect4_relay::{Limits, Network, Proxies, ProxyHeader};
use connect4_server::{HostLimits, LogFormat, Operation, WitnessFolder, WitnessLog};

use super::common::{Relaying, Signing};
use super::parse::{block_time, origin};

#[derive(Args, Debug, Clone)]
pub struct Serve {
    /// IP address to listen on; 0.0.0.0 admits other machines
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    pub addr: IpAddr,
    /// Port to listen on; 0 selects a free one
    #[arg(long, default_value_t = 4444, value_name = "PORT")]
    pub port: u16,
    /// Host name by which browsers may open the page, besides localhost and IP addresses; may be given
    /// more than once
    #[arg(long = "host-name", value_name = "NAME")]
    pub host_names: Vec<String>,
    /// File with the secret of an account to play with; may be given more than once. CONNECT4_SECRET
    /// adds an account, and so does each development account with a balance on the chain
    #[arg(long = "secret-file", value_name = "FILE")]
    pub secret_files: Vec<PathBuf>,
    /// URL of the relay for signed games, such as wss://host, or of a page with a relay [default: the relay
    /// in this program]
    #[arg(long, env = "CONNECT4_RELAY", value_name = "URL")]
    pub relay: Option<String>,
    #[command(flatten)]
    pub witnessing: Witnessing,
    /// Keep the chain in memory and discard it at the end
    #[arg(long, conflicts_with_all = ["url", "data"])]
    pub tmp: bool,
}

/// The witness of signed games that a server with a page is, and others that it counts.
#[derive(Args, Debug, Clone)]
pub struct Witnessing {
    /// Folder for the log by which the relay in this program is the witness of signed games without a stake. The key
    /// is in the log, so the folder is for this program and one chain alone; never restore it from a backup [default:
    /// a folder beside the local chain, one for each chain; no witness with --relay]
    #[arg(long, value_name = "FOLDER")]
    pub witness_log: Option<PathBuf>,
    /// Be no witness of signed games
    #[arg(long, conflicts_with = "witness_log")]
    pub no_witness: bool,
    /// Key of another witness whose games count here, as an address; may be given more than once [default: the keys
    /// of the relay in this program alone]
    #[arg(long = "witness", value_name = "KEY")]
    pub witnesses: Vec<Address>,
}

impl Witnessing {
    /// The log, which without an option is in a folder of this one, if there is any; none if another relay is used.
    pub fn log(
        &self,
        folder: Option<PathBuf>,
        relay: Option<&String>,
        unusable: Notice,
    ) -> Option<WitnessLog> {
        let of_own = || {
            let folder = folder.filter(|_| relay.is_none() && !self.no_witness)?;
            Some(WitnessFolder::In(folder.join("witness")))
        };
        let named = self.witness_log.clone().map(WitnessFolder::Of);
        Some(WitnessLog {
            is_required: named.is_some(),
            folder: named.or_else(of_own)?,
            unusable,
        })
    }
}

#[derive(Args, Debug, Clone)]
pub struct Host {
    /// IP address and port to listen on; 0.0.0.0:4480 admits other machines, port 0 selects a free one
    #[arg(long, default_value = "127.0.0.1:4480", value_name = "ADDRESS:PORT")]
    pub listen: SocketAddr,
    /// Database for the index of games and accounts: sqlite:FILE, or postgres://user@host/name, which
    /// several hosts can share [default: a file beside the local chain]
    #[arg(
        long,
        value_name = "URL",
        conflicts_with = "no_index",
        env = "CONNECT4_INDEX",
        hide_env_values = true
    )]
    pub index: Option<String>,
    /// URL of a node with Ethereum's JSON-RPC, such as https://…; Ethereum wallets that lack the chain
    /// can add it with this URL
    #[arg(long, value_name = "URL")]
    pub wallet_rpc: Option<String>,
    /// URL of this host for visitors, such as https://games.example. Previews of links contain it
    /// [default: the name in each request]
    #[arg(long, value_name = "URL", value_parser = origin)]
    pub public_url: Option<String>,
    /// URL of the relay for signed games, such as wss://host, which the pages use as well. Players of
    /// several hosts meet if all hosts use the same relay; hosts behind one name give that name here
    /// [default: the relay in this program]
    #[arg(long, env = "CONNECT4_RELAY", value_name = "URL")]
    pub relay: Option<String>,
    #[command(flatten)]
    pub witnessing: Witnessing,
    #[command(flatten)]
    pub operating: Operating,
}

/// How the visitors of a public server are told apart.
#[derive(Args, Debug, Clone)]
pub struct Arriving {
    /// IP address or network of a reverse proxy, such as 127.0.0.1 or 10.0.0.0/8; may be given more than
    /// once. The header with the visitor's address is accepted from these addresses only
    #[arg(long = "trust-proxy", value_name = "NETWORK")]
    pub proxies: Vec<Network>,
    /// Header in which the proxies pass the visitor's address
    #[arg(
        long,
        value_name = "NAME",
        default_value = "x-forwarded-for",
        value_parser = PossibleValuesParser::new(["x-forwarded-for", "forwarded"])
            .map(|name| proxy_header(&name))
    )]
    pub proxy_header: ProxyHeader,
    /// IP address or network without limits per IP address, such as that of another host that uses this
    /// relay; may be given more than once. The limits for all visitors together still apply
    #[arg(long, value_name = "NETWORK")]
    pub uncounted: Vec<Network>,
}

impl Arriving {
    /// The proxies, and the addresses that limits do not count.
    pub fn proxies(&self) -> Proxies {
        Proxies::new(self.proxies.clone(), self.proxy_header).not_counting(self.uncounted.clone())
    }
}

/// How a public host is run.
#[derive(Args, Debug, Clone)]
pub struct Operating {
    #[command(flatten)]
    pub arriving: Arriving,
    /// IP address and port to serve /metrics for Prometheus. They are for the operator: do not expose
    /// them through the proxy [default: no metrics]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub metrics: Option<SocketAddr>,
    /// Format of the log on standard error: text, or one JSON object per line
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "text",
        value_parser = PossibleValuesParser::new(["text", "json"]).map(|name| log_format(&name))
    )]
    pub log_format: LogFormat,
    /// Maximum number of open pages at the same time
    #[arg(long, default_value_t = 20_000, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_connections: u32,
    /// Maximum number of open pages per IP address at the same time; this machine is not limited
    #[arg(long, default_value_t = 64, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_connections_per_ip: u32,
    /// Requests per second per IP address that reach the node (static files: ten times that). Short
    /// bursts may be ten times as large
    #[arg(long, default_value_t = 6, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub requests_per_ip: u32,
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
                .with_sockets_of_address(self.max_connections_per_ip)
                .with_dear_of_address(self.requests_per_ip),
            proxies: self.arriving.proxies(),
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
    /// Folder to write to; replaces the files of an earlier export
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
    /// URL of a host for the page, such as https://games.example; may be given more than once
    #[arg(long = "host", value_name = "URL")]
    pub hosts: Vec<String>,
}

#[derive(Args, Debug, Clone)]
pub struct Relay {
    /// IP address and port to listen on; 0.0.0.0:4404 admits other machines, port 0 selects a free one
    #[arg(long, default_value = "127.0.0.1:4404", value_name = "ADDRESS:PORT")]
    pub listen: SocketAddr,
    /// Maximum number of connections at the same time
    #[arg(long, default_value_t = 20_000, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_connections: u32,
    /// Maximum number of connections per IP address at the same time; this machine is not limited
    #[arg(long, default_value_t = 64, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_connections_per_ip: u32,
    /// Maximum number of rooms of signed games that are kept while nobody is in them
    #[arg(long, default_value_t = 5_000, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub rooms_by_terms: u32,
    /// Maximum number of such rooms that an IP address has opened and that are still kept
    #[arg(long, default_value_t = 64, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub rooms_per_ip: u32,
    /// Maximum number of seeks in the lobby
    #[arg(long, default_value_t = 500, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub seeks: u32,
    /// Maximum number of seeks per IP address
    #[arg(long, default_value_t = 16, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub seeks_per_ip: u32,
    /// Maximum number of ended signed games that are kept for programs that follow the relay, as
    /// `connect4 record --follow`
    #[arg(long, default_value_t = 10_000, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub ended_games: u32,
    /// Maximum number of programs that follow the relay at the same time
    #[arg(long, default_value_t = 64, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub followers: u32,
    /// Folder for the log of a witness: the relay then keeps order and time of signed games that name its key. The
    /// key is in the log, so the folder is for this relay alone; never restore it from a backup [default: no
    /// witness]
    #[arg(long, value_name = "FOLDER")]
    pub witness_log: Option<PathBuf>,
    #[command(flatten)]
    pub arriving: Arriving,
}

impl Relay {
    pub fn limits(&self) -> Limits {
        let number = |number| usize::try_from(number).unwrap_or(usize::MAX);
        Limits {
            sockets: number(self.max_connections),
            sockets_of_address: self.max_connections_per_ip,
            rooms_by_terms: number(self.rooms_by_terms),
            rooms_of_address: self.rooms_per_ip,
            seeks: number(self.seeks),
            seeks_of_address: self.seeks_per_ip,
            ended: number(self.ended_games),
            followers: number(self.followers),
            ..Limits::default()
        }
    }
}

#[derive(Args, Debug, Clone)]
pub struct Guard {
    /// Account or address whose games to guard; may be given more than once [default: the signer]
    #[arg(long = "for", value_name = "ACCOUNT")]
    pub accounts: Vec<Named>,
    #[command(flatten)]
    pub relaying: Relaying,
    /// Use no relay: submit what the programs on this machine have kept, and nothing else
    #[arg(long, conflicts_with = "relay")]
    pub no_relay: bool,
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct Node {
    /// Keep the chain in memory and discard it at the end
    #[arg(long, visible_alias = "dev", conflicts_with_all = ["data", "url"])]
    pub tmp: bool,
    /// Time between blocks [default: a block as soon as a transaction arrives]
    #[arg(long, value_name = "SECONDS", value_parser = block_time)]
    pub block_time: Option<Duration>,
    /// Number of blocks on top of a block that make it final [default: a block is final at once]
    #[arg(long, value_name = "BLOCKS")]
    pub finality_lag: Option<u32>,
    /// Number of final blocks that keep their state, like --state-pruning of a Substrate node [default:
    /// all]
    #[arg(long, value_name = "BLOCKS", value_parser = clap::value_parser!(u32).range(1..))]
    pub keep_states: Option<u32>,
    /// Enable the methods dev_* for development and tests: anyone with access to the port can make
    /// blocks, move the clock, stall finality and replace the last blocks
    #[arg(long)]
    pub dev_rpc: bool,
    /// IP address to listen on; 0.0.0.0 admits other machines
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    pub rpc_addr: IpAddr,
    /// Port to listen on; 0 selects a free one
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
