//! Events of the games; those of the variants are in [`variants::event`](crate::variants::event), those of the stakes and
//! of the records in [`signed::event`](crate::signed::event).
//!
//! Each event is defined once: the contracts emit these types, and clients decode them.
//! Times are in seconds since 1970 by the chain's timestamps. Games, turns, bins and rows count from 0.
//!
//! The data of an event is the SCALE encoding of all its fields, topics included. Its first topic
//! is the BLAKE2b-256 hash of its `DECLARATION`; the others are the SCALE encoding of the fields
//! marked as topics, filled up with zeros to 32 bytes.

use connect4_rules::{Cells, ShapeSpec};

use crate::variants::event::{
    MoveMade, PlayerJoined, PlayerLeft, TableClosed, TableOpened, VariantEnded, VariantFreed,
    VariantStarted,
};
use crate::{Address, End, Game, GameId};

every_event! {
    /// An event of one of the contracts. The enum is exhaustive: a new event is a compile error in
    /// each view that does not show it.
    Event of GameId:

    GameStarted,
    DiscDropped,
    GameEnded,
    GameFreed,
    TableOpened,
    PlayerJoined,
    PlayerLeft,
    TableClosed,
    VariantStarted,
    MoveMade,
    VariantEnded,
    VariantFreed;
}

events! { GameId::Classic => GameId:
    "ink-games"
    /// Emitted when a game starts.
    GameStarted {
        /// Number of the game.
        #[cfg_attr(feature = "ink-games", ink(topic))]
        game: u32,
        /// Player one, who is red and moves first.
        #[cfg_attr(feature = "ink-games", ink(topic))]
        player_one: Address,
        /// Player two, who is blue.
        #[cfg_attr(feature = "ink-games", ink(topic))]
        player_two: Address,
        /// Shape of the board.
        shape: ShapeSpec,
    }

    "ink-games"
    /// Emitted when a disc is dropped.
    DiscDropped {
        /// Number of the game.
        #[cfg_attr(feature = "ink-games", ink(topic))]
        game: u32,
        /// Player who dropped the disc.
        #[cfg_attr(feature = "ink-games", ink(topic))]
        player: Address,
        /// Bin, from 0 at the left.
        bin: u8,
        /// Row in which the disc came to lie, from 0 at the bottom.
        row: u8,
        /// Turn of the game, from 0; player one has the even ones.
        turn: u8,
    }

    "ink-games"
    /// Emitted when a game ends; after the [`DiscDropped`] that ended it, if one did.
    GameEnded {
        /// Number of the game.
        #[cfg_attr(feature = "ink-games", ink(topic))]
        game: u32,
        /// Winner; none after a draw.
        #[cfg_attr(feature = "ink-games", ink(topic))]
        winner: Option<Address>,
        /// How the game ended.
        end: End,
        /// The cells of every line that the last disc completed, a bit each: that of a cell is
        /// `bin * (capacity + 1) + row`. Empty if the game ended otherwise.
        winning_cells: Cells,
    }

    "ink-games"
    /// Emitted when the storage of a game that has ended is freed.
    GameFreed {
        /// Number of the game.
        #[cfg_attr(feature = "ink-games", ink(topic))]
        game: u32,
        /// Account that gets the deposit back.
        #[cfg_attr(feature = "ink-games", ink(topic))]
        payer: Address,
    }
}

impl GameStarted {
    /// The start of a game.
    #[must_use]
    #[inline]
    pub fn of(game: u32, started: &Game) -> Self {
        Self {
            game,
            player_one: started.player_one(),
            player_two: started.player_two(),
            shape: started.shape().into(),
        }
    }
}

impl GameEnded {
    /// The end of a game; none if it goes on.
    #[must_use]
    #[inline]
    pub fn of(game: u32, ended: &Game) -> Option<Self> {
        Some(Self {
            game,
            winner: ended.winner().map(|winner| ended.account_of(winner)),
            end: ended.end()?,
            winning_cells: ended.winning_cells(),
        })
    }
}
