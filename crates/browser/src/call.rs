//! Messages by which players call the contracts.

use alloc::vec::Vec;

use connect4_protocol::message as m;
use connect4_protocol::{Address, ClockSpec, fast};
use connect4_rules::ShapeSpec;
use serde::Deserialize;

use crate::arguments::{
    Acceptance, Advanced, GameAndBin, GameAndKey, GamesAndReceiver, NewChallenge, NewGame, Nothing,
    OfChallenge, OfGame, OfGames, Recorded, Started, ToReceiver,
};
use crate::called::Called;
use crate::failure::Failure;
use crate::records::{ChainChallenge, ChainPace};
use crate::values::{ClassicNumber, Scale};

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
    ChainPace => connect4_protocol::Pace = connect4_protocol::Pace::from;
    ChainChallenge => connect4_protocol::Challenge = connect4_protocol::Challenge::from;
    Scale<fast::Evidence> => fast::Evidence = |Scale(evidence)| evidence;
    Scale<fast::PackedSigned> => fast::PackedSigned = |Scale(signed)| signed;
    Scale<fast::RecordedGame> => fast::RecordedGame = |Scale(game)| game;
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
                    Called::new(&m::$name { $($field: $field.plain()),* })
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

    /// Challenges a player, or anyone, for the stake that is paid with the call; with a session key to a
    /// fast game.
    MakeChallenge NewChallenge { opponent, challenger_first, shape, clock, expires, pace }
    /// Accepts the challenge that was seen, with its stake and, to a fast game, a session key.
    Accept Acceptance { challenge, key, seen }
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
    /// Credits the stakes of a game that ended on the board.
    Settle OfGame { game }
    /// Settles these games, then pays the caller all that it is owed.
    Withdraw OfGames { games }
    /// As `withdraw`, but pays to another account.
    WithdrawTo GamesAndReceiver { games, receiver }
    /// Frees the storage of a game that has ended.
    Free OfGame { game }

    /// Drops a disc into a bin of a fast game, on the chain; 255 takes the first disc over.
    DropFast GameAndBin { game, bin }
    /// Brings a signed position, or a signed end, to the chain; then starts the clock of who is to move
    /// if the caller, who waits, presses it.
    Advance Advanced { game, press, evidence }
    /// Starts the clock of the player to move.
    Press OfGame { game }
    /// Gives a fast game up.
    ResignFast OfGame { game }
    /// Ends a fast game in which the time of the player to move has run out.
    ClaimFastTimeout OfGame { game }
    /// Offers a rematch of a fast game with its stake and a session key, or accepts the opponent's offer.
    OfferFastRematch GameAndKey { game, key }
    /// Accepts the opponent's offer of a rematch of a fast game, with its stake and a session key.
    AcceptFastRematch GameAndKey { game, key }
    /// Declines the opponent's offer of a rematch of a fast game, or withdraws the caller's own.
    DeclineFastRematch OfGame { game }
    /// Pays the caller all that it is owed by fast games.
    WithdrawFast Nothing {}
    /// As `withdraw_fast`, but pays to another account.
    WithdrawFastTo ToReceiver { receiver }
    /// Frees the storage of a fast game that has ended.
    FreeFast OfGame { game }

    /// Records games by signed terms.
    Record Recorded { fast, games }
    /// Starts a fast game on the chain by terms that both players have signed, for a dispute.
    StartSigned Started { fast, signed }
}
