//! Messages of the contracts: their names, arguments and answers.
//!
//! A message is called with its [selector](crate::selector), which is made from its name, and the
//! SCALE encoding of its arguments in order.

use alloc::vec::Vec;
use core::fmt;

use codec::{Decode, Encode};
use connect4_rules::{Cell, Dropped, Player, ShapeSpec};

use crate::{Address, Error, Game};

/// A message of one of the contracts. Its SCALE encoding is that of its arguments.
pub trait Message: Encode {
    /// Name of the message, from which its selector is made.
    const NAME: &'static str;
    /// Contract that has the message.
    const CONTRACT: ContractKind;
    /// Answer of the message.
    type Answer: Decode;
}

/// Which of the contracts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContractKind {
    /// Contract of the games, where discs are dropped.
    Games,
    /// Contract of the variants: more players, powers, tables.
    Variants,
    /// Contract of the stakes: signed games with a stake.
    Stakes,
    /// Contract of the records of signed games without a stake.
    SignedRecords,
}

/// `games`, `variants`, `stakes` or `signed records`.
impl fmt::Display for ContractKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Games => "games",
            Self::Variants => "variants",
            Self::Stakes => "stakes",
            Self::SignedRecords => "signed records",
        })
    }
}

messages! { Games, GAMES:
    /// Starts a game between two accounts; answers its number.
    StartGame = "start_game" (player_one: Address, player_two: Address, shape: ShapeSpec)
        -> Result<u32, Error>;
    /// Drops a disc of the caller into a bin.
    DropDisc = "drop_disc" (game: u32, bin: u8) -> Result<Dropped, Error>;
    /// Gives a game up.
    Resign = "resign" (game: u32) -> Result<(), Error>;
    /// Frees the storage of a game that has ended.
    Free = "free" (game: u32) -> Result<(), Error>;
    /// Everything about a game.
    ReadGame = "game" (game: u32) -> Result<Game, Error>;
    /// The discs of a game: bin by bin from the left, each from its bottom.
    ReadBoard = "board" (game: u32) -> Result<Vec<Vec<Player>>, Error>;
    /// Winner of a game; none while it goes on and after a draw.
    ReadWinner = "winner" (game: u32) -> Result<Option<Address>, Error>;
    /// The cells of every line of the winner.
    ReadWinningCells = "winning_cells" (game: u32) -> Result<Vec<Cell>, Error>;
    /// How many games were started.
    GameCount = "game_count" () -> u32;
}
