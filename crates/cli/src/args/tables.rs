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
    /// Accounts or addresses that may join, in turn order after the signer, as bob,charlie; as many
    /// as --players less one [default: anyone]
    #[arg(long = "to", value_name = "ACCOUNT", value_delimiter = ',')]
    pub invited: Vec<Named>,
    /// Time for each move, as 60s, 5m, 2h or 3d: 10 seconds to 30 days. Who is late can be removed
    /// [default: no limit]
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
    /// Maximum number of tables: the newest ones, the newest last
    #[arg(long, default_value_t = 20, value_name = "NUMBER")]
    pub limit: u32,
}

#[derive(Args, Debug, Clone)]
pub struct Join {
    /// The table, by the number of its game, as v3
    #[arg(long, value_name = "NUMBER")]
    pub game: GameId,
    /// Wait until the table is full, then play
    #[arg(long)]
    pub play: bool,
    #[command(flatten)]
    pub signing: Signing,
}
