//! Options of the commands for single games.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use connect4_client::{GameId, Named};
use connect4_opponent::Level;

use super::common::{Relaying, Signing, Sitting};
use super::parse::pause;
use super::terms::Terms;

#[derive(Args, Debug, Clone)]
pub struct Play {
    #[command(flatten)]
    pub terms: Terms,
    /// Resume this game: 3, f3 for a fast one, or v3 for a variant
    #[arg(long, value_name = "NUMBER")]
    pub game: Option<GameId>,
    #[command(flatten)]
    pub relaying: Relaying,
    /// Seat to play here; the program waits for the moves of the others
    #[arg(long, value_enum, default_value_t = Sitting::Both)]
    pub seat: Sitting,
    /// Play against the computer, which has the other seats and their accounts: random, easy, medium,
    /// hard or perfect; with several players, one level for all or one for each, as easy,hard
    #[arg(long, value_name = "LEVEL", value_delimiter = ',')]
    pub against: Vec<Level>,
    /// Account that plays red and moves first [default: alice]
    #[arg(long, value_name = "ACCOUNT", conflicts_with = "red_secret_file")]
    pub red: Option<Named>,
    /// Account that plays blue [default: bob]
    #[arg(long, value_name = "ACCOUNT", conflicts_with = "blue_secret_file")]
    pub blue: Option<Named>,
    /// Account that plays green, if three or four play [default: charlie]
    #[arg(long, value_name = "ACCOUNT", conflicts_with = "green_secret_file")]
    pub green: Option<Named>,
    /// Account that plays yellow, if four play [default: dave]
    #[arg(long, value_name = "ACCOUNT", conflicts_with = "yellow_secret_file")]
    pub yellow: Option<Named>,
    /// File with the secret of the account that plays red
    #[arg(long, value_name = "FILE")]
    pub red_secret_file: Option<PathBuf>,
    /// File with the secret of the account that plays blue
    #[arg(long, value_name = "FILE")]
    pub blue_secret_file: Option<PathBuf>,
    /// File with the secret of the account that plays green
    #[arg(long, value_name = "FILE")]
    pub green_secret_file: Option<PathBuf>,
    /// File with the secret of the account that plays yellow
    #[arg(long, value_name = "FILE")]
    pub yellow_secret_file: Option<PathBuf>,
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
    /// Deploy the contracts of an earlier version, to try how a host changes over from it
    #[arg(long, value_name = "VERSION")]
    pub earlier: Option<u32>,
}

#[derive(Args, Debug, Clone)]
pub struct Start {
    #[command(flatten)]
    pub terms: Terms,
    /// Account that plays red and moves first [default: the signer, else alice]
    #[arg(long, value_name = "ACCOUNT")]
    pub red: Option<Named>,
    /// Account that plays blue [default: bob]
    #[arg(long, value_name = "ACCOUNT")]
    pub blue: Option<Named>,
    /// Account that plays green, if three or four play [default: charlie]
    #[arg(long, value_name = "ACCOUNT")]
    pub green: Option<Named>,
    /// Account that plays yellow, if four play [default: dave]
    #[arg(long, value_name = "ACCOUNT")]
    pub yellow: Option<Named>,
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct Drop {
    /// The game: 3, or f3 for a fast one
    #[arg(long, value_name = "NUMBER")]
    pub game: GameId,
    /// The bin, from 0 at the left
    #[arg(long, value_name = "BIN", allow_negative_numbers = true)]
    pub bin: i64,
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct Move {
    /// The game: 3, f3 for a fast one, or v3 for a variant
    #[arg(long, value_name = "NUMBER")]
    pub game: GameId,
    /// The move, with bins and rows from 1: 4 drops into bin 4; in variants p4 pops it, t4.2 takes
    /// the disc in its row 2, r2 clears row 2, f4.5 floats a disc into row 5 of bin 4, s swaps
    #[arg(value_name = "MOVE")]
    pub action: connect4_rules::variant::Move,
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct Show {
    /// The game: 3, f3 for a fast one, or v3 for a variant [default: the newest classic one]
    #[arg(long, value_name = "NUMBER")]
    pub game: Option<GameId>,
}

#[derive(Args, Debug, Clone)]
pub struct List {
    /// Maximum number of games of each kind, classic, fast and variants: the newest ones, the newest
    /// last
    #[arg(long, default_value_t = 20, value_name = "NUMBER")]
    pub limit: u32,
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct Watch {
    /// The game, until it ends: 3, f3 for a fast one, or v3 for a variant [default: all games, until
    /// Ctrl-C]
    #[arg(long, value_name = "NUMBER")]
    pub game: Option<GameId>,
    /// Follow the best blocks, which come before they are final, and tell what the chain takes back
    #[arg(long)]
    pub best: bool,
}

#[derive(Args, Debug, Clone)]
pub struct Replay {
    /// The game: 3, f3 for a fast one, or v3 for a variant [default: the newest classic one]
    #[arg(long, value_name = "NUMBER")]
    pub game: Option<GameId>,
    /// A block at or before the game's first, so that fewer blocks are looked at
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    pub from_block: u32,
    /// Time for which each move is shown on a terminal
    #[arg(long, default_value = "0.7", value_name = "SECONDS", value_parser = pause)]
    pub pause: Duration,
}

#[derive(Args, Debug, Clone)]
pub struct Review {
    /// The game: 3, f3 for a fast one, or v3 for a variant [default: the newest classic one]
    #[arg(long, value_name = "NUMBER")]
    pub game: Option<GameId>,
    /// A block at or before the game's first, so that fewer blocks are looked at
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    pub from_block: u32,
}
