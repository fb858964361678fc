//! Events of the contract of the variants, which are encoded as [those of the
//! others](crate::event).

use alloc::vec::Vec;

use connect4_rules::Cells;
use connect4_rules::variant::{Move, VariantSpec};

use super::End;
use crate::{Address, GameId};

events! { GameId::Variant => GameId:
    "ink-variants"
    /// Emitted when a table is opened.
    TableOpened {
        /// Number of the game that is to be played at it.
        #[cfg_attr(feature = "ink-variants", ink(topic))]
        game: u32,
        /// Account that opened it, which has joined.
        #[cfg_attr(feature = "ink-variants", ink(topic))]
        opener: Address,
        /// The only accounts that may join, the opener among them, in turn order; empty if anyone
        /// may.
        players: Vec<Address>,
        /// Terms of the game.
        variant: VariantSpec,
        /// Time for a move, in seconds; none if there is no limit.
        limit: Option<u32>,
    }

    "ink-variants"
    /// Emitted when a player joins a table.
    PlayerJoined {
        /// Number of the game.
        #[cfg_attr(feature = "ink-variants", ink(topic))]
        game: u32,
        /// Account that joined.
        #[cfg_attr(feature = "ink-variants", ink(topic))]
        player: Address,
        /// Seat of the player: the place in the turn order, from 0.
        seat: u8,
    }

    "ink-variants"
    /// Emitted when a player leaves a table or a game, or is removed for being late.
    PlayerLeft {
        /// Number of the game.
        #[cfg_attr(feature = "ink-variants", ink(topic))]
        game: u32,
        /// Account that left.
        #[cfg_attr(feature = "ink-variants", ink(topic))]
        player: Address,
        /// Whether the player was removed for being late.
        late: bool,
        /// Last second at which the player who is now to move may move; none if the game has no
        /// limit, has not started or has ended.
        deadline: Option<u64>,
    }

    "ink-variants"
    /// Emitted when a table is closed before the start, as its opener left it.
    TableClosed {
        /// Number of the game, which will not be played.
        #[cfg_attr(feature = "ink-variants", ink(topic))]
        game: u32,
        /// Account that opened it.
        #[cfg_attr(feature = "ink-variants", ink(topic))]
        opener: Address,
    }

    "ink-variants"
    /// Emitted when a game starts: at once, or when the last player joins its table.
    VariantStarted {
        /// Number of the game.
        #[cfg_attr(feature = "ink-variants", ink(topic))]
        game: u32,
        /// Its players in turn order: red, blue, green, yellow.
        players: Vec<Address>,
        /// Terms of the game.
        variant: VariantSpec,
        /// Time for a move, in seconds; none if there is no limit.
        limit: Option<u32>,
        /// Last second at which the first player may move; none if there is no limit.
        deadline: Option<u64>,
    }

    "ink-variants"
    /// Emitted when a player moves.
    MoveMade {
        /// Number of the game.
        #[cfg_attr(feature = "ink-variants", ink(topic))]
        game: u32,
        /// Account that moved.
        #[cfg_attr(feature = "ink-variants", ink(topic))]
        player: Address,
        /// The move.
        action: Move,
        /// Turn of the game, from 0.
        turn: u8,
        /// Last second at which the next player may move; none if the game has no limit or has
        /// ended.
        deadline: Option<u64>,
    }

    "ink-variants"
    /// Emitted when a game ends; after the [`MoveMade`] or [`PlayerLeft`] that ended it.
    VariantEnded {
        /// Number of the game.
        #[cfg_attr(feature = "ink-variants", ink(topic))]
        game: u32,
        /// Winner; none after a draw, and if the game was abandoned.
        #[cfg_attr(feature = "ink-variants", ink(topic))]
        winner: Option<Address>,
        /// How the game ended.
        end: End,
        /// The cells of every line of the winner, a bit each: that of a cell is
        /// `bin * (capacity + 1) + row`. Empty if the game ended otherwise.
        winning_cells: Cells,
    }

    "ink-variants"
    /// Emitted when the storage of a game is freed, which has ended or was abandoned.
    VariantFreed {
        /// Number of the game.
        #[cfg_attr(feature = "ink-variants", ink(topic))]
        game: u32,
        /// Account that gets the deposit back.
        #[cfg_attr(feature = "ink-variants", ink(topic))]
        payer: Address,
    }
}
