//! Messages of the contract of the variants.

use alloc::vec::Vec;

use connect4_rules::Cell;
use connect4_rules::variant::{Colour, Move, VariantSpec};

use super::{End, Game, Page};
use crate::{Address, Error};

messages! { Variants, VARIANTS:
    /// Starts a game between two to four accounts, without a time limit; answers its number.
    StartVariant = "start_game" (players: Vec<Address>, variant: VariantSpec) -> Result<u32, Error>;
    /// Opens a table, for anyone or for these players in turn order; answers the game's number.
    OpenTable = "open_table" (players: Vec<Address>, variant: VariantSpec, limit: Option<u32>)
        -> Result<u32, Error>;
    /// Joins a table; answers the caller's seat, from 0 in turn order.
    Join = "join" (game: u32) -> Result<u8, Error>;
    /// Leaves a table or a game.
    Leave = "leave" (game: u32) -> Result<(), Error>;
    /// Makes a move of the caller; answers how the game ended if it did.
    MakeMove = "make_move" (game: u32, action: Move) -> Result<Option<End>, Error>;
    /// Removes the player to move, who is late; answers how the game ended if it did.
    RemoveLate = "remove_late" (game: u32) -> Result<Option<End>, Error>;
    /// Frees the storage of a game that has ended, or in which nobody has moved for 30 days.
    FreeVariant = "free" (game: u32) -> Result<(), Error>;
    /// Everything about a game or table.
    ReadVariant = "game" (game: u32) -> Result<Game, Error>;
    /// The cells of a game: bin by bin from the left, each from its bottom up to its highest disc.
    ReadVariantBoard = "board" (game: u32) -> Result<Vec<Vec<Option<Colour>>>, Error>;
    /// Winner of a game; none while it goes on and after a draw.
    ReadVariantWinner = "winner" (game: u32) -> Result<Option<Address>, Error>;
    /// The cells of every line of the winner.
    ReadVariantWinningCells = "winning_cells" (game: u32) -> Result<Vec<Cell>, Error>;
    /// How many games and tables were numbered.
    VariantCount = "game_count" () -> u32;
    /// A page of the open tables, the newest first.
    OpenTables = "open_tables" (from: Option<u32>, limit: u8) -> Result<Page, Error>;
}
