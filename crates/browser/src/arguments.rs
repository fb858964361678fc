//! Arguments of messages, which many share: so there is one reader for each, and not for each message.

use alloc::vec::Vec;

use connect4_protocol::Address;
use connect4_rules::ShapeSpec;
use connect4_rules::variant::VariantSpec;
use connect4_wire::MoveAsked;
use serde::Deserialize;

use crate::values::{ClassicNumber, VariantNumber};

/// Defines arguments, whose fields are the contract's, and documented there.
macro_rules! arguments {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty),* $(,)? })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, Deserialize)]
            #[cfg_attr(test, derive(ts_rs::TS))]
            pub struct $name { $(pub $field: $type),* }
        )*
    };
}

arguments! {
    /// Two accounts, and the board on which they play.
    NewGame {
        player_one: Address,
        player_two: Address,
        shape: ShapeSpec,
    }
    /// A game, and a bin from 0 at the left.
    GameAndBin {
        game: ClassicNumber,
        bin: u8,
    }
    /// Number of a game.
    OfGame {
        game: ClassicNumber,
    }
    /// A table for anyone, or for these players in the order of play.
    NewTable {
        players: Vec<Address>,
        variant: VariantSpec,
        limit: Option<u32>,
    }
    /// A variant, and a move of the caller.
    VariantAndMove {
        game: VariantNumber,
        action: MoveAsked,
    }
    /// Number of a variant, or its table.
    OfVariant {
        game: VariantNumber,
    }
    /// No arguments.
    Nothing {}
}
