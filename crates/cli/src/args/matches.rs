//! Options of the commands for challenges, matches and standings.

use clap::{Args, ValueEnum};
use connect4_client::{Address, GameId, Named};

use super::common::{Board, OneGame, Signing};
use super::parse::{Expiry, expiry, time};

/// The player who moves first.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    Me,
    Them,
    Random,
}

#[derive(Args, Debug, Clone)]
pub struct Challenge {
    #[command(flatten)]
    pub board: Board,
    /// Account or address to challenge [default: anyone]
    #[arg(long = "to", value_name = "ACCOUNT")]
    pub opponent: Option<Named>,
    /// Stake that each player pays, in tokens, such as 1 or 0.5
    #[arg(long, default_value = "0", value_name = "AMOUNT")]
    pub stake: String,
    /// Time that each player has for all moves, such as 300 (seconds), 5m, 2h or 3d; at most 30 days.
    /// A game for a stake needs it [default: no clock]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub bank: Option<u32>,
    /// Time that each move adds to the player's clock; at most a day
    #[arg(long, default_value = "0", value_name = "TIME", value_parser = time, requires = "bank")]
    pub increment: u32,
    /// Player who moves first
    #[arg(long, value_enum, default_value_t = First::Random)]
    pub first: First,
    /// Time until the challenge expires, such as 10m, 2h or 3d, or `never`
    #[arg(long, default_value = "1d", value_name = "TIME", value_parser = expiry)]
    pub expires: Expiry,
    /// Wait until the challenge is accepted, then play
    #[arg(long)]
    pub play: bool,
    /// Ask for a rematch after the end, even if standard input is not a terminal; `yes` starts it
    #[arg(long, requires = "play")]
    pub series: bool,
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct Challenges {
    /// Maximum number of challenges; lists the newest ones, the newest last
    #[arg(long, default_value_t = 20, value_name = "NUMBER")]
    pub limit: u32,
}

#[derive(Args, Debug, Clone)]
pub struct Accept {
    /// Number of the challenge
    #[arg(long, value_name = "NUMBER")]
    pub challenge: u32,
    /// Agree to a stake up to this amount without being asked; in tokens, such as 1 or 0.5
    #[arg(long, value_name = "AMOUNT")]
    pub max_stake: Option<String>,
    /// Agree to all terms without being asked
    #[arg(long)]
    pub yes: bool,
    /// Play the game after accepting
    #[arg(long)]
    pub play: bool,
    /// Ask for a rematch after the end, even if standard input is not a terminal; `yes` starts it
    #[arg(long, requires = "play")]
    pub series: bool,
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct OneChallenge {
    /// Number of the challenge
    #[arg(long, value_name = "NUMBER")]
    pub challenge: u32,
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Accept,
    Decline,
}

#[derive(Args, Debug, Clone)]
pub struct Answering {
    #[command(flatten)]
    pub of: OneGame,
    /// Accept the opponent's offer
    #[arg(long, conflicts_with = "decline")]
    pub accept: bool,
    /// Decline the opponent's offer
    #[arg(long)]
    pub decline: bool,
}

impl Answering {
    /// The answer to an offer; none if an offer is made.
    pub const fn answer(&self) -> Option<Answer> {
        match (self.accept, self.decline) {
            (true, _) => Some(Answer::Accept),
            (_, true) => Some(Answer::Decline),
            _ => None,
        }
    }
}

#[derive(Args, Debug, Clone)]
pub struct Withdraw {
    /// Number of a game to settle first [default: the newest games that are not settled]
    #[arg(long, value_name = "NUMBER")]
    pub game: Option<GameId>,
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct Standings {
    /// Number of the first block whose events count
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    pub from_block: u32,
    /// Key of a witness whose signed games are rated, as an address; may be given more than once [default: those for
    /// which the index was filled last, as by `serve`]
    #[arg(long = "witness", value_name = "KEY")]
    pub witnesses: Vec<Address>,
}
