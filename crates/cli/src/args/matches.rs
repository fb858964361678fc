//! Options of the commands for challenges, matches and standings.

use clap::{Args, ValueEnum};
use connect4_client::{GameId, Named};

use super::common::{Board, OneGame, Relaying, Signing};
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
    /// Amount that each of the two pays in, in tokens, as 1 or 0.5
    #[arg(long, default_value = "0", value_name = "AMOUNT")]
    pub stake: String,
    /// Time that each player has for all moves, as 300, 5m, 2h or 3d: at most 30 days. A stake needs
    /// one [default: no clock]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub bank: Option<u32>,
    /// Time that each move adds to it: at most a day
    #[arg(long, default_value = "0", value_name = "TIME", value_parser = time, requires = "bank")]
    pub increment: u32,
    /// Player who moves first
    #[arg(long, value_enum, default_value_t = First::Random)]
    pub first: First,
    /// For how long it can be accepted, as 10m, 2h or 3d, or `never` if it stays open
    #[arg(long, default_value = "1d", value_name = "TIME", value_parser = expiry)]
    pub expires: Expiry,
    /// Play a fast game: moves are signed and sent to the opponent at once, by a relay, and the chain
    /// is told the end
    #[arg(long)]
    pub fast: bool,
    /// Sign the challenge, and send nothing to the chain: print a text with which the opponent starts
    /// the fast game by `connect4 accept`. It needs --to, and has no stake
    #[arg(long, requires = "fast", requires = "opponent")]
    pub signed: bool,
    #[command(flatten)]
    pub relaying: Relaying,
    /// Wait until somebody accepts, then play
    #[arg(long)]
    pub play: bool,
    /// After the end ask for a rematch, even if standard input is no terminal: `yes` starts one
    #[arg(long, requires = "play")]
    pub series: bool,
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct Challenges {
    /// Maximum number of challenges: the newest ones, the newest last
    #[arg(long, default_value_t = 20, value_name = "NUMBER")]
    pub limit: u32,
}

#[derive(Args, Debug, Clone)]
pub struct Accept {
    /// The challenge
    #[arg(long, value_name = "NUMBER", required_unless_present = "signed")]
    pub challenge: Option<u32>,
    /// The text of a challenge to a fast game that was signed, and not sent to the chain
    #[arg(value_name = "TEXT", conflicts_with = "challenge")]
    pub signed: Option<String>,
    #[command(flatten)]
    pub relaying: Relaying,
    /// Agree to a stake of this much at most, in tokens, as 1 or 0.5, without being asked
    #[arg(long, value_name = "AMOUNT")]
    pub max_stake: Option<String>,
    /// Agree to all terms without being asked
    #[arg(long)]
    pub yes: bool,
    /// Play the game then
    #[arg(long)]
    pub play: bool,
    /// After the end ask for a rematch, even if standard input is no terminal: `yes` starts one
    #[arg(long, requires = "play")]
    pub series: bool,
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct OneChallenge {
    /// The challenge
    #[arg(long, value_name = "NUMBER")]
    pub challenge: u32,
    #[command(flatten)]
    pub signing: Signing,
}

/// Answer to an offer.
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
    /// A game to settle first [default: the newest games that wait for it]
    #[arg(long, value_name = "NUMBER")]
    pub game: Option<GameId>,
    #[command(flatten)]
    pub signing: Signing,
}

#[derive(Args, Debug, Clone)]
pub struct Standings {
    /// The first block whose events count
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    pub from_block: u32,
}
