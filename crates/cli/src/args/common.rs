//! Options that several commands take.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use connect4_client::{Address, GameId, Named};
use connect4_rules::variant::Colour;
use connect4_rules::{Player, Shape, ShapeSpec};

use crate::failure::Failure;

/// Options of every command.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "For every command")]
pub struct Global {
    /// URL of the chain, such as ws://host:port or wss://host. Without it the program uses the local
    /// chain, which runs in this program or in another one that has its folder open [env: CONNECT4_URL]
    // Not read from the environment by clap: --data goes before CONNECT4_URL.
    #[arg(long, global = true, value_name = "URL", conflicts_with = "data")]
    pub url: Option<String>,
    /// Folder of the local chain [env: CONNECT4_DATA] [default: $XDG_DATA_HOME/connect4 or
    /// ~/.local/share/connect4]
    #[arg(long, global = true, value_name = "FOLDER")]
    pub data: Option<PathBuf>,
    /// Address of the games' contract. Without it the program derives the address from --deployer
    #[arg(long, global = true, env = "CONNECT4_CONTRACT", value_name = "ADDRESS")]
    pub contract: Option<Address>,
    /// Address of the variants' contract. Without it the program derives the address from --deployer
    #[arg(long, global = true, env = "CONNECT4_VARIANTS", value_name = "ADDRESS")]
    pub variants: Option<Address>,
    /// Account or address that deployed the contracts [default: alice, then the signer]
    #[arg(long, global = true, env = "CONNECT4_DEPLOYER", value_name = "ACCOUNT")]
    pub deployer: Option<Named>,
    /// Trust the node about a chain of which nothing is known, and keep what it reports: else nothing is signed there.
    /// Public chains, and those of this program, are known
    #[arg(long, global = true)]
    pub trust_chain: bool,
    /// Sign without the hash of the chain's metadata, on a chain whose runtime was built without that hash. By it
    /// the chain itself refuses what was signed for false metadata
    #[arg(long, global = true)]
    pub no_metadata_hash: bool,
    /// Wait until transactions are final; without it, until they are in a block
    #[arg(long, global = true)]
    pub finalized: bool,
    /// Respond to a move once this many blocks are on top of its block, or it is final
    #[arg(long, global = true, default_value_t = 0, value_name = "BLOCKS")]
    pub confirmations: u32,
    /// Do not use or update the index of past events. The index is in the folder `index` beside the
    /// local chain. With it past blocks are read only once, and their events stay available when the
    /// node has discarded the states of the blocks
    #[arg(long, global = true)]
    pub no_index: bool,
    /// Print machine-readable output: one JSON object per line
    #[arg(long, global = true)]
    pub json: bool,
    /// Print boards and questions line by line at a terminal, too, in place of a board that is drawn again in place and
    /// played by keys
    #[arg(long, global = true, env = "CONNECT4_PLAIN", value_parser = clap::builder::FalseyValueParser::new())]
    pub plain: bool,
}

/// The board to play on.
#[derive(Args, Debug, Clone, Copy)]
pub struct Board {
    /// Number of bins: 5 or more
    #[arg(long, default_value_t = Shape::STANDARD.bins(), value_name = "BINS", allow_negative_numbers = true)]
    pub bins: u8,
    /// Number of discs that fit into a bin: 4 or more
    #[arg(long, default_value_t = Shape::STANDARD.capacity(), value_name = "DISCS", allow_negative_numbers = true)]
    pub capacity: u8,
    /// Number of discs in a line that wins: 3 to 6
    #[arg(long, default_value_t = Shape::STANDARD.line(), value_name = "DISCS", allow_negative_numbers = true)]
    pub line: u8,
}

impl Board {
    /// The shape, which may be out of bounds.
    pub const fn spec(self) -> ShapeSpec {
        ShapeSpec {
            bins: self.bins,
            capacity: self.capacity,
            line: self.line,
        }
    }

    /// The shape, which has to be in bounds.
    pub fn shape(self) -> Result<ShapeSpec, Failure> {
        let spec = self.spec();
        Shape::try_from(spec).map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(spec)
    }
}

/// Seats at this terminal, as the command line names them.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sitting {
    Red,
    Blue,
    Green,
    Yellow,
    #[value(alias = "all")]
    Both,
}

impl Sitting {
    /// The colour that sits here alone; none if all do.
    pub const fn colour(self) -> Option<Colour> {
        match self {
            Self::Red => Some(Colour::Red),
            Self::Blue => Some(Colour::Blue),
            Self::Green => Some(Colour::Green),
            Self::Yellow => Some(Colour::Yellow),
            Self::Both => None,
        }
    }

    /// The player of a classic game who sits here alone; none if both do.
    pub fn classic(self) -> Result<Option<Player>, Failure> {
        match self {
            Self::Red => Ok(Some(Player::One)),
            Self::Blue => Ok(Some(Player::Two)),
            Self::Both => Ok(None),
            Self::Green | Self::Yellow => Err(Failure::Usage(
                "a classic game has the seats red and blue; give --players 3 or 4 for more".into(),
            )),
        }
    }
}

/// The signer.
#[derive(Args, Debug, Clone, Default)]
pub struct Signing {
    /// Development account that signs and pays
    #[arg(long, value_name = "NAME", conflicts_with = "secret_file")]
    pub account: Option<String>,
    /// File with the secret of the account that signs and pays [default: the secret in CONNECT4_SECRET]
    #[arg(long, value_name = "FILE")]
    pub secret_file: Option<PathBuf>,
}

impl Signing {
    /// The options by which another command has the same account, with a space in front of each; empty if none is
    /// named.
    pub fn options(&self) -> String {
        match (&self.account, &self.secret_file) {
            (Some(account), _) => format!(" --account {account}"),
            (None, Some(path)) => format!(" --secret-file '{}'", path.display()),
            (None, None) => String::new(),
        }
    }
}

/// The relay of signed games.
#[derive(Args, Debug, Clone)]
pub struct Relaying {
    /// URL of the relay for a signed game, such as wss://host, or of a page with a relay [default: the
    /// relay of `serve` or `relay` on this machine]
    #[arg(long, env = "CONNECT4_RELAY", value_name = "URL")]
    pub relay: Option<String>,
}

/// A game and the signer.
#[derive(Args, Debug, Clone)]
pub struct OneGame {
    /// Number of the game: 3, or v3 for a variant
    #[arg(long, value_name = "NUMBER")]
    pub game: GameId,
    #[command(flatten)]
    pub signing: Signing,
}
