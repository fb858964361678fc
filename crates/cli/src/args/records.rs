//! Options of the commands for records of games.

use std::path::PathBuf;

use clap::Args;
use connect4_client::Named;

use super::common::Signing;

#[derive(Args, Debug, Clone)]
pub struct Record {
    /// File of a game, or the number of a game that was played on this machine, 0x and 64 digits; more than
    /// one may be given [default: all games that were played on this machine and not recorded yet]
    #[arg(value_name = "FILE|GAME")]
    pub games: Vec<String>,
    /// URL of a relay, such as wss://host, or of a page with a relay: its witness is asked for one signature on the ends
    /// of all signed games of a transaction, which costs less than the one that each game has. With --follow the games
    /// that end there are recorded. More than one may be given
    #[arg(long = "relay", env = "CONNECT4_RELAY", value_name = "URL")]
    pub relays: Vec<String>,
    /// Agree to a fee up to this amount without being asked; in tokens, such as 1 or 0.5
    #[arg(long, value_name = "AMOUNT")]
    pub max_fee: Option<String>,
    /// Agree to any fee without being asked
    #[arg(long)]
    pub yes: bool,
    /// Show the cost, and send nothing
    #[arg(long, conflicts_with_all = ["yes", "max_fee"])]
    pub dry_run: bool,
    /// Record the games of others that end at the relays, within a budget, until the program is stopped
    #[arg(long, requires = "budget", conflicts_with_all = ["games", "yes", "max_fee", "dry_run"])]
    pub follow: bool,
    #[command(flatten)]
    pub signing: Signing,
    #[command(flatten, next_help_heading = "With --follow")]
    pub following: Following,
}

/// What `--follow` may spend, and on whom.
#[derive(Args, Debug, Clone)]
pub struct Following {
    /// Maximum of fees and deposits in any 24 hours, such as 1DOT/day
    #[arg(long, value_name = "AMOUNT/day", requires = "follow")]
    pub budget: Option<String>,
    /// Amount that stays in the account whatever is recorded
    #[arg(long, requires = "follow", default_value = "0", value_name = "AMOUNT")]
    pub reserve: String,
    /// Number of parts of the budget of which one may be spent in any hour
    #[arg(long, requires = "follow", default_value_t = 8, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub pace: u32,
    /// Maximum number of games of two accounts against each other in 24 hours
    #[arg(long, requires = "follow", default_value_t = 4, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub per_pair: u32,
    /// Maximum number of games of one account in 24 hours
    #[arg(long, requires = "follow", default_value_t = 20, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub per_account: u32,
    /// Maximum number of games from one network address in 24 hours, as the relay tells addresses apart
    #[arg(long, requires = "follow", default_value_t = 20, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub per_address: u32,
    /// Minimum number of moves of a game
    #[arg(long, requires = "follow", default_value_t = 5, value_name = "MOVES", value_parser = clap::value_parser!(u8).range(2..))]
    pub min_moves: u8,
    /// Maximum time for which a game waits for others, so that they share a transaction, in seconds
    #[arg(
        long,
        requires = "follow",
        default_value_t = 600,
        value_name = "SECONDS"
    )]
    pub wait: u64,
    /// Folder of what was paid, which no other program may use at the same time [default: the folder `sponsor`
    /// beside the local chain]
    #[arg(long, requires = "follow", value_name = "FOLDER")]
    pub state: Option<PathBuf>,
    /// Record the games that the relays keep now, and end
    #[arg(long, requires = "follow")]
    pub once: bool,
    /// Print what was spent, and end
    #[arg(long, requires = "follow", conflicts_with = "once")]
    pub summary: bool,
}

#[derive(Args, Debug, Clone)]
pub struct Export {
    /// Number of a game: 3, v3 for a variant, or 0x and 64 digits for a signed game that this machine keeps; or the file
    /// in which this program keeps one. More than one may be given [default: all games that players
    /// have signed and this machine keeps]
    #[arg(value_name = "GAME|FILE")]
    pub games: Vec<String>,
    /// All games of this account on the chain; of signed games those that this machine keeps
    #[arg(long, value_name = "ACCOUNT", conflicts_with = "games")]
    pub account: Option<Named>,
    /// File to write to [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Number of a block at or before the start of the games; earlier blocks are not read
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    pub from_block: u32,
}

#[derive(Args, Debug, Clone)]
pub struct Verify {
    /// File with records of games; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Look at the chain as well [default: if --url or --data is given]
    #[arg(long)]
    pub look: bool,
}
