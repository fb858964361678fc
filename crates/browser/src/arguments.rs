//! Arguments of messages, which many share: so there is one reader for each, and not for each message.

use alloc::vec::Vec;

use connect4_protocol::{Address, ClockSpec};
use connect4_rules::ShapeSpec;
use serde::Deserialize;

use crate::records::ChainChallenge;
use crate::values::ClassicNumber;

/// Defines arguments, whose fields are the contract's, and documented there.
macro_rules! arguments {
    ($($(#[$doc:meta])* $name:ident { $($(#[$meta:meta])* $field:ident: $type:ty),* $(,)? })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, Deserialize)]
            #[cfg_attr(test, derive(ts_rs::TS))]
            pub struct $name { $($(#[$meta])* pub $field: $type),* }
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
    /// A challenge as it was seen.
    Acceptance {
        challenge: u32,
        seen: ChainChallenge,
    }
    /// Number of a challenge.
    OfChallenge {
        challenge: u32,
    }
    /// Number of a game.
    OfGame {
        game: ClassicNumber,
    }
    /// Numbers of games.
    OfGames {
        games: Vec<ClassicNumber>,
    }
    /// No arguments.
    Nothing {}
    /// Terms of a challenge, besides the stake that is paid with it.
    NewChallenge {
        opponent: Option<Address>,
        challenger_first: bool,
        shape: ShapeSpec,
        clock: Option<ClockSpec>,
        expires: Option<u64>,
    }
}
