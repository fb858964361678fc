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
    /// Chain to use, as ws://host:port or wss://host. Without it the local one, which runs in this
    /// program or in another one that has its folder open [env: CONNECT4_URL]
    // Not read from the environment by clap: --data goes before CONNECT4_URL.
    #[arg(long, global = true, value_name = "URL", conflicts_with = "data")]
    pub url: Option<String>,
    /// Folder of the local chain [env: CONNECT4_DATA] [default: $XDG_DATA_HOME/connect4 or
    /// ~/.local/share/connect4]
    #[arg(long, global = true, value_name = "FOLDER")]
    pub data: Option<PathBuf>,
    /// Address of the contract. Without it, the program looks where --deployer's contract would be
    #[arg(long, global = true, env = "CONNECT4_CONTRACT", value_name = "ADDRESS")]
    pub contract: Option<Address>,
    /// Address of the contract of the variants, likewise
    #[arg(long, global = true, env = "CONNECT4_VARIANTS", value_name = "ADDRESS")]
    pub variants: Option<Address>,
    /// Whose contracts to use: an account or address [default: alice's, then the signer's]
    #[arg(long, global = true, env = "CONNECT4_DEPLOYER", value_name = "ACCOUNT")]
    pub deployer: Option<Named>,
    /// Trust the contract: pay stakes to it although its code is not the one that this program
    /// carries, and use its games although their referee is not known
    #[arg(long, global = true)]
    pub any_code: bool,
    /// Wait until transactions are final, not only until they are in a block
    #[arg(long, global = true)]
    pub finalized: bool,
    /// Answer a move or a challenge once its block lies so many blocks below the newest one, or is
    /// final [default: 1 if there is a stake, else 0]
    #[arg(long, global = true, value_name = "BLOCKS")]
    pub confirmations: Option<u32>,
    /// Keep no index of past events, and use none. It is in the folder `index` beside the local chain,
    /// so that past blocks are read only once, and their events outlast their states on a node
    #[arg(long, global = true)]
    pub no_index: bool,
    /// Print for machines: one JSON object a line
    #[arg(long, global = true)]
    pub json: bool,
}

/// The board to play on.
#[derive(Args, Debug, Clone, Copy)]
pub struct Board {
    /// Number of bins: 5 or more
    #[arg(long, default_value_t = Shape::STANDARD.bins(), value_name = "BINS", allow_negative_numbers = true)]
    pub bins: u8,
    /// Number of discs that a bin holds: 4 or more
    #[arg(long, default_value_t = Shape::STANDARD.capacity(), value_name = "DISCS", allow_negative_numbers = true)]
    pub capacity: u8,
    /// Number of discs in a row that win: 3 to 6
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

    /// The seats of a classic game.
    pub fn classic(self) -> Result<Seat, Failure> {
        match self {
            Self::Red => Ok(Seat::Red),
            Self::Blue => Ok(Seat::Blue),
            Self::Both => Ok(Seat::Both),
            Self::Green | Self::Yellow => Err(Failure::Usage(
                "a classic game has the seats red and blue; give --players 3 or 4 for more".into(),
            )),
        }
    }
}

/// Seats of a classic game at this terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seat {
    Red,
    Blue,
    Both,
}

impl Seat {
    /// Whether this player sits here.
    pub fn has(self, player: Player) -> bool {
        self == Self::Both || self.player() == Some(player)
    }

    /// The player who sits here alone; none if both do.
    pub const fn player(self) -> Option<Player> {
        match self {
            Self::Red => Some(Player::One),
            Self::Blue => Some(Player::Two),
            Self::Both => None,
        }
    }
}

/// The signer.
#[derive(Args, Debug, Clone)]
pub struct Signing {
    /// Development account that signs and pays
    #[arg(long, value_name = "NAME", conflicts_with = "secret_file")]
    pub account: Option<String>,
    /// File with the secret of the account that signs and pays; without it CONNECT4_SECRET
    #[arg(long, value_name = "FILE")]
    pub secret_file: Option<PathBuf>,
}

/// The relay of fast games.
#[derive(Args, Debug, Clone)]
pub struct Relaying {
    /// Relay for a fast game, as wss://host or the address of a page [default: that of `serve` or
    /// `relay` on this machine]
    #[arg(long, env = "CONNECT4_RELAY", value_name = "URL")]
    pub relay: Option<String>,
    /// Use no relay: each move of a fast game is made on the chain
    #[arg(long, conflicts_with = "relay")]
    pub no_relay: bool,
}

/// A game and the signer.
#[derive(Args, Debug, Clone)]
pub struct OneGame {
    /// The game: 3, f3 for a fast one, or v3 for a variant
    #[arg(long, value_name = "NUMBER")]
    pub game: GameId,
    #[command(flatten)]
    pub signing: Signing,
}
