//! Arguments of messages, which many share: so there is one reader for each, and not for each message.

use alloc::vec::Vec;

use connect4_protocol::fast::{Evidence, PackedSigned, RecordedGame};
use connect4_protocol::{Address, ClockSpec};
use connect4_rules::ShapeSpec;
use serde::Deserialize;

use crate::records::{ChainChallenge, ChainPace};
use crate::values::{ClassicNumber, Scale};

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
    /// A challenge as it was seen; a session key if it is to a fast game.
    Acceptance {
        challenge: u32,
        key: Option<Address>,
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
    /// Numbers of games, and who is paid.
    GamesAndReceiver {
        games: Vec<ClassicNumber>,
        receiver: Address,
    }
    /// A signed position or end of a game, and whether the clock of who is to move is started.
    Advanced {
        game: ClassicNumber,
        press: bool,
        #[cfg_attr(test, ts(as = "crate::values::Hex"))]
        evidence: Scale<Evidence>,
    }
    /// Games by signed terms, and the contract of the fast games for which they are signed.
    Recorded {
        fast: Address,
        #[cfg_attr(test, ts(as = "Vec<crate::values::Hex>"))]
        games: Vec<Scale<RecordedGame>>,
    }
    /// Signed terms, and the contract of the fast games for which they are signed.
    Started {
        fast: Address,
        #[cfg_attr(test, ts(as = "crate::values::Hex"))]
        signed: Scale<PackedSigned>,
    }
    /// A game, and a session key for the next one.
    GameAndKey {
        game: ClassicNumber,
        key: Address,
    }
    /// No arguments.
    Nothing {}
    /// Who is paid.
    ToReceiver {
        receiver: Address,
    }
    /// Terms of a challenge, besides the stake that is paid with it.
    NewChallenge {
        opponent: Option<Address>,
        challenger_first: bool,
        shape: ShapeSpec,
        clock: Option<ClockSpec>,
        expires: Option<u64>,
        #[serde(flatten)]
        pace: ChainPace,
    }
    /// From which number a page of a list goes on, and how long it is at most.
    PageFrom {
        from: Option<u32>,
        limit: u8,
    }
    /// Address of an account.
    OfAccount {
        account: Address,
    }
}
