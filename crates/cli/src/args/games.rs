//! Options of the commands for single games.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use connect4_client::Named;
use connect4_opponent::Level;

use super::common::{Board, Seat, Signing};
use super::parse::pause;

#[derive(Args, Debug, Clone)]
pub struct Play {
    #[command(flatten)]
    pub board: Board,
    /// Resume this game
    #[arg(long, value_name = "NUMBER")]
    pub game: Option<u32>,
    /// Seat to play here; the program waits for the moves of the other one
    #[arg(long, value_enum, default_value_t = Seat::Both)]
    pub seat: Seat,
    /// Play against the computer, which has the other seat and an account of its own: random, easy,
    /// medium, hard or perfect
    #[arg(long, value_name = "LEVEL")]
    pub against: Option<Level>,
    /// Account that plays red and moves first [default: alice]
    #[arg(long, value_name = "ACCOUNT", conflicts_with = "red_secret_file")]
    pub red: Option<Named>,
    /// Account that plays blue [default: bob]
    #[arg(long, value_name = "ACCOUNT", conflicts_with = "blue_secret_file")]
    pub blue: Option<Named>,
    /// File with the secret of the account that plays red
    #[arg(long, value_name = "FILE")]
    pub red_secret_file: Option<PathBuf>,
    /// File with the secret of the account that plays blue
    #[arg(long, value_name = "FILE")]
    pub blue_secret_file: Option<PathBuf>,
    /// After the end ask for a rematch, even if standard input is no terminal: `yes` starts one
    #[arg(long)]
    pub series: bool,
    /// Play on a chain in memory that is gone afterwards
    #[arg(long, conflicts_with_all = ["url", "data"])]
    pub tmp: bool,
}

#[derive(Args, Debug, Clone)]
pub struct Deploy {
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct Start {
    #[command(flatten)]
    pub board: Board,
    /// Account that plays red and moves first [default: the signer, else alice]
    #[arg(long, value_name = "ACCOUNT")]
    pub red: Option<Named>,
    /// Account that plays blue [default: bob]
    #[arg(long, value_name = "ACCOUNT")]
    pub blue: Option<Named>,
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct Drop {
    /// The game
    #[arg(long, value_name = "NUMBER")]
    pub game: u32,
    /// The bin, from 0 at the left
    #[arg(long, value_name = "BIN", allow_negative_numbers = true)]
    pub bin: i64,
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct Show {
    /// The game [default: the newest]
    #[arg(long, value_name = "NUMBER")]
    pub game: Option<u32>,
}

#[derive(Args, Debug, Clone)]
pub struct List {
    /// Maximum number of games: the newest ones, the newest last
    #[arg(long, default_value_t = 20, value_name = "NUMBER")]
    pub limit: u32,
}

#[derive(Args, Debug, Clone)]
pub struct Watch {
    /// The game, until it ends [default: all games, until Ctrl-C]
    #[arg(long, value_name = "NUMBER")]
    pub game: Option<u32>,
}

#[derive(Args, Debug, Clone)]
pub struct Replay {
    /// The game [default: the newest]
    #[arg(long, value_name = "NUMBER")]
    pub game: Option<u32>,
    /// A block at or before the game's first, so that fewer blocks are looked at
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    pub from_block: u32,
    /// Time for which each move is shown on a terminal
    #[arg(long, default_value = "0.7", value_name = "SECONDS", value_parser = pause)]
    pub pause: Duration,
}

#[derive(Args, Debug, Clone)]
pub struct Review {
    /// The game [default: the newest]
    #[arg(long, value_name = "NUMBER")]
    pub game: Option<u32>,
    /// A block at or before the game's first, so that fewer blocks are looked at
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    pub from_block: u32,
}
