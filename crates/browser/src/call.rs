//! Messages by which players call the contracts.

use alloc::vec::Vec;

use connect4_protocol::message as m;
use connect4_protocol::{Address, ClockSpec};
use connect4_rules::ShapeSpec;
use serde::Deserialize;

use crate::arguments::{
    Acceptance, GameAndBin, NewChallenge, NewGame, OfChallenge, OfGame, OfGames,
};
use crate::called::Called;
use crate::failure::Failure;
use crate::records::ChainChallenge;
use crate::values::ClassicNumber;

/// A value of JSON that stands for one of the protocol.
pub(crate) trait Plain {
    type Of;

    fn plain(self) -> Self::Of;
}

/// Values that are the same on both sides, and those that say of what they are made.
macro_rules! plain {
    ($($type:ty)*; $($wire:ty => $of:ty = $make:expr;)*) => {
        $(
            impl Plain for $type {
                type Of = Self;

                fn plain(self) -> Self {
                    self
                }
            }
        )*
        $(
            impl Plain for $wire {
                type Of = $of;

                fn plain(self) -> $of {
                    $make(self)
                }
            }
        )*
    };
}

plain! {
    bool u8 u32 u64 Address ShapeSpec ClockSpec;
    ClassicNumber => u32 = |ClassicNumber(number)| number;
    ChainChallenge => connect4_protocol::Challenge = connect4_protocol::Challenge::from;
}

impl<T: Plain> Plain for Option<T> {
    type Of = Option<T::Of>;

    fn plain(self) -> Self::Of {
        self.map(T::plain)
    }
}

impl<T: Plain> Plain for Vec<T> {
    type Of = Vec<T::Of>;

    fn plain(self) -> Self::Of {
        self.into_iter().map(T::plain).collect()
    }
}

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
                    Called::new(&m::$name { $($field: $field.plain(),)* })
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

    /// Challenges a player, or anyone, for the stake that is paid with the call.
    MakeChallenge NewChallenge { opponent, challenger_first, shape, clock, expires }
    /// Accepts the challenge that was seen, with its stake.
    Accept Acceptance { challenge, seen }
    /// Declines a challenge to the caller.
    Decline OfChallenge { challenge }
    /// Cancels a challenge of the caller.
    Cancel OfChallenge { challenge }
    /// Gives a game up.
    Resign OfGame { game }
    /// Ends a game in which the time of the player to move has run out.
    ClaimTimeout OfGame { game }
    /// Offers a draw, or accepts the opponent's offer.
    OfferDraw OfGame { game }
    /// Accepts the opponent's offer of a draw.
    AcceptDraw OfGame { game }
    /// Declines the opponent's offer of a draw.
    DeclineDraw OfGame { game }
    /// Offers a rematch with its stake, or accepts the opponent's offer.
    OfferRematch OfGame { game }
    /// Accepts the opponent's offer of a rematch, with its stake.
    AcceptRematch OfGame { game }
    /// Declines the opponent's offer of a rematch, or withdraws the caller's own.
    DeclineRematch OfGame { game }
    /// Settles these games, then pays the caller all that it is owed.
    Withdraw OfGames { games }
}
