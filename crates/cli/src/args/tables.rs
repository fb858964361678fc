//! Options of the commands for tables.

use clap::Args;
use connect4_client::{GameId, Named};

use super::common::Signing;
use super::parse::time;
use super::terms::Terms;

#[derive(Args, Debug, Clone)]
pub struct Table {
    #[command(flatten)]
    pub terms: Terms,
    /// Accounts or addresses that may join, in turn order after the signer, such as bob,charlie; one
    /// less than --players [default: anyone]
    #[arg(long = "to", value_name = "ACCOUNT", value_delimiter = ',')]
    pub invited: Vec<Named>,
    /// Time for each move, such as 60s, 5m, 2h or 3d; 10 seconds to 30 days. Anyone can remove a player
    /// who exceeds it [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub limit: Option<u32>,
    /// Wait until the table is full, then play
    #[arg(long)]
    pub play: bool,
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct Tables {
    /// Maximum number of tables; lists the newest ones, the newest last
    #[arg(long, default_value_t = 20, value_name = "NUMBER")]
    pub limit: u32,
}

#[derive(Args, Debug, Clone)]
pub struct Join {
    /// Number of the table, such as v3; its game has the same number
    #[arg(long, value_name = "NUMBER")]
    pub game: GameId,
    /// Wait until the table is full, then play
    #[arg(long)]
    pub play: bool,
    #[command(flatten)]
    pub signing: Signing,
}
