//! Messages by which players call the contracts.

use connect4_protocol::message::{DropDisc, Free, Resign, StartGame};
use connect4_protocol::variants::message::{
    FreeVariant, Join, Leave, MakeMove, OpenTable, RemoveLate,
};
use serde::Deserialize;

use crate::arguments::{GameAndBin, NewGame, NewTable, OfGame, OfVariant, VariantAndMove};
use crate::called::Called;
use crate::failure::Failure;

/// Defines the calls, each by the message of the same name, with the fields of its arguments.
macro_rules! calls {
    ($($(#[$doc:meta])* $name:ident $arguments:ident { $($field:ident),* })*) => {
        /// A message by which a player calls a contract: an object with one field, whose name is that
        /// of the message.
        #[derive(Clone, Debug, Deserialize)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        #[serde(rename_all = "snake_case")]
        pub enum Call {
            $($(#[$doc])* $name($arguments),)*
        }

        pub(crate) fn encode(call: Call) -> Result<Called, Failure> {
            Ok(match call {
                $(Call::$name($arguments { $($field),* }) => {
                    Called::new(&$name { $($field: $field.into(),)* })
                })*
            })
        }
    };
}

calls! {
    /// Starts a game between two accounts.
    StartGame NewGame { player_one, player_two, shape }
    /// Drops a disc into a bin.
    DropDisc GameAndBin { game, bin }
    /// Gives a game up.
    Resign OfGame { game }
    /// Frees the storage of a game that has ended, which returns its deposit to the payer.
    Free OfGame { game }
    /// Opens a table.
    OpenTable NewTable { players, variant, limit }
    /// Joins a table.
    Join OfVariant { game }
    /// Leaves a table or a variant.
    Leave OfVariant { game }
    /// Makes a move in a variant.
    MakeMove VariantAndMove { game, action }
    /// Removes the player to move from a variant, who is late.
    RemoveLate OfVariant { game }
    /// Frees the storage of a variant that has ended.
    FreeVariant OfVariant { game }
}
