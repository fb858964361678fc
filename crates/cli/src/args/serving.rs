//! Options of the commands that serve others.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use connect4_client::{GameId, Named};

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
