//! Options of `bot`.

use clap::Args;
use connect4_client::signed::Sought;
use connect4_opponent::Level;
use connect4_protocol::ClockSpec;
use connect4_protocol::signed::{Pool, PoolName, Terms};
use connect4_rules::ByPlayer;
use connect4_rules::variant::VariantSpec;

use super::common::Board;
use super::games::{Timed, pooled};
use super::parse::{pool, time};
use crate::failure::Failure;

/// A program that plays at a relay.
#[derive(Args, Debug, Clone)]
pub struct Bot {
    /// URL of the relay, such as wss://host, or of a page with a relay [default: the relay of `serve` or
    /// `relay` on this machine]
    #[arg(long, env = "CONNECT4_RELAY", value_name = "URL")]
    pub relay: Option<String>,
    /// How well it plays: random, easy, medium, hard or perfect
    #[arg(long, default_value_t = Level::Hard, value_name = "LEVEL")]
    pub level: Level,
    /// Number of games that it plays at the same time
    #[arg(long, default_value_t = 1, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..=6))]
    pub games: u8,
    /// How long an opponent may be away before another game is begun beside this one, such as 60 (seconds) or 5m; one
    /// who is there may think three times as long
    #[arg(long, default_value = "60", value_name = "TIME", value_parser = time)]
    pub patience: u32,
    /// End after so many games [default: when the program is stopped]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub count: Option<u32>,
    /// Name of its account on this machine: letters, digits, - and _ [default: the level]
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub name: Option<String>,
    /// Pool in which it is rated: programs, open for any board and rule, or a number
    #[arg(long, default_value_t = PoolName(Pool::Programs.number()), value_name = "POOL", value_parser = pool)]
    pub pool: PoolName,
    #[command(flatten)]
    pub timed: Timed,
    #[command(flatten)]
    pub board: Board,
    /// Allow the second player to swap the colours as the first move; the pool of the programs has that rule
    #[arg(long)]
    pub pie_rule: bool,
}

impl Bot {
    pub fn sought(&self) -> Result<Sought, Failure> {
        let all = ByPlayer {
            one: true,
            two: true,
        };
        if let Some(pool) = Pool::of(self.pool.0).filter(|pool| !pool.takes(all)) {
            return Err(Failure::Usage(format!(
                "the pool {} is for {pool}",
                pool.name()
            )));
        }
        let rules = VariantSpec::of_two(self.board.shape()?, self.pie_rule);
        let (rules, pool) = pooled(rules, Some(self.pool))?;
        let terms = Terms {
            pool,
            clock: self.timed.clock_or(ClockSpec::USUAL),
            ..Terms::by_rules(&rules)
        };
        Ok(Sought {
            terms,
            player: None,
            opponent: None,
        })
    }

    /// The name of its account on this machine.
    pub fn name(&self) -> String {
        let level = || self.level.to_string();
        self.name.clone().unwrap_or_else(level)
    }
}

/// A name that is the name of a folder, too.
fn name(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    match !text.is_empty() && text.len() <= 32 && text.chars().all(is_plain) {
        true => Ok(text.into()),
        false => Err("a name has 1 to 32 letters, digits, - and _".into()),
    }
}
