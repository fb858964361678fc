//! Arguments of messages, which many share: so there is one reader for each, and not for each message.

use connect4_protocol::Address;
use connect4_rules::ShapeSpec;
use serde::Deserialize;

use crate::values::ClassicNumber;

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
    /// No arguments.
    Nothing {}
}
