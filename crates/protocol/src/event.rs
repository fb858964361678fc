//! Events of the contracts; those of the contract of the variants are in
//! [`variants::event`](crate::variants::event).
//!
//! Each event is defined once: the contracts emit these types, and clients decode them.
//! Amounts are in the unit in which a contract sees them, times in seconds since 1970 by the
//! chain's timestamps. Games, challenges, turns, bins and rows count from 0.
//!
//! The data of an event is the SCALE encoding of all its fields, topics included. Its first topic
//! is the BLAKE2b-256 hash of its `DECLARATION`; the others are the SCALE encoding of the fields
//! marked as topics, filled up with zeros to 32 bytes.

use connect4_rules::{Cells, ShapeSpec};

use crate::variants::event::{
    MoveMade, PlayerJoined, PlayerLeft, TableClosed, TableOpened, VariantEnded, VariantFreed,
    VariantStarted,
};
use crate::{Address, ClockSpec, End, Game, GameId, Terms};

every_event! {
    /// An event of one of the contracts. The enum is exhaustive: a new event is a compile error in
    /// each view that does not show it.
    Event of GameId:

    GameStarted,
    DiscDropped,
    GameEnded,
    ChallengeMade,
    ChallengeWithdrawn,
    MatchStarted,
    DrawOffered,
    DrawDeclined,
    RematchOffered,
    RematchDeclined,
    Settled,
    Credited,
    Withdrawn,
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
        /// Turn of the game, from 0; player one has the even ones, after a swap player two.
        turn: u8,
        /// Last second at which the opponent may move; none if the game has no clock or has
        /// ended.
        deadline: Option<u64>,
    }

    "ink-games"
    /// Emitted when a game ends; after the [`DiscDropped`] that ended it, if one did.
    GameEnded {
        /// Number of the game.
        #[cfg_attr(feature = "ink-games", ink(topic))]
        game: u32,
        /// Winner; none after a draw or an abort.
        #[cfg_attr(feature = "ink-games", ink(topic))]
        winner: Option<Address>,
        /// How the game ended.
        end: End,
        /// The cells of every line that the last disc completed, a bit each: that of a cell is
        /// `bin * (capacity + 1) + row`. Empty if the game ended otherwise.
        winning_cells: Cells,
    }

    "ink-matches"
    /// Emitted when a challenge is made.
    ChallengeMade {
        /// Number of the challenge.
        #[cfg_attr(feature = "ink-matches", ink(topic))]
        challenge: u32,
        /// Account that made the challenge.
        #[cfg_attr(feature = "ink-matches", ink(topic))]
        challenger: Address,
        /// Account that is challenged; none if anyone may accept.
        #[cfg_attr(feature = "ink-matches", ink(topic))]
        opponent: Option<Address>,
        /// Whether the challenger moves first.
        challenger_first: bool,
        /// Last second at which it can be accepted; none if it stays open.
        expires: Option<u64>,
        /// Terms of the match.
        terms: Terms,
    }

    "ink-matches"
    /// Emitted when a challenge is declined, or cancelled by the challenger; after the [`Credited`] of
    /// its stake.
    ChallengeWithdrawn {
        /// Number of the challenge.
        #[cfg_attr(feature = "ink-matches", ink(topic))]
        challenge: u32,
        /// Account that declined or cancelled it.
        #[cfg_attr(feature = "ink-matches", ink(topic))]
        by: Address,
        /// Account that had made it, and is credited the stake.
        challenger: Address,
        /// Amount that the challenger had paid in.
        stake: u128,
    }

    "ink-matches"
    /// Emitted when a match starts, after the [`GameStarted`] of its game.
    MatchStarted {
        /// Number of the game.
        #[cfg_attr(feature = "ink-matches", ink(topic))]
        game: u32,
        /// Challenge that was accepted; none if the match is a rematch.
        #[cfg_attr(feature = "ink-matches", ink(topic))]
        challenge: Option<u32>,
        /// Game of which this is the rematch; none if it is not one.
        #[cfg_attr(feature = "ink-matches", ink(topic))]
        previous: Option<u32>,
        /// Clock; none if the game has no clock.
        clock: Option<ClockSpec>,
        /// Stake that each of the two players has paid in.
        stake: u128,
    }

    "ink-matches"
    /// Emitted when a player offers a draw.
    DrawOffered {
        /// Number of the game.
        #[cfg_attr(feature = "ink-matches", ink(topic))]
        game: u32,
        /// Player who offers the draw.
        #[cfg_attr(feature = "ink-matches", ink(topic))]
        by: Address,
    }

    "ink-matches"
    /// Emitted when a player declines a draw.
    DrawDeclined {
        /// Number of the game.
        #[cfg_attr(feature = "ink-matches", ink(topic))]
        game: u32,
        /// Player who declined the draw.
        #[cfg_attr(feature = "ink-matches", ink(topic))]
        by: Address,
    }

    "ink-matches"
    /// Emitted when a player offers a rematch.
    RematchOffered {
        /// Number of the game that has ended.
        #[cfg_attr(feature = "ink-matches", ink(topic))]
        game: u32,
        /// Player who offers the rematch.
        #[cfg_attr(feature = "ink-matches", ink(topic))]
        by: Address,
    }

    "ink-matches"
    /// Emitted when the offer of a rematch is declined or taken back, also by freeing the game; after
    /// the [`Credited`] of its stake.
    RematchDeclined {
        /// Number of the game that has ended.
        #[cfg_attr(feature = "ink-matches", ink(topic))]
        game: u32,
        /// Player who declined the offer or took it back.
        #[cfg_attr(feature = "ink-matches", ink(topic))]
        by: Address,
        /// Player who had made it, and is credited the stake.
        offered_by: Address,
        /// Amount that this player had paid in.
        stake: u128,
    }

    "ink-matches"
    /// Emitted when the stakes of a game are credited, after the [`Credited`] of each share.
    Settled {
        /// Number of the game.
        #[cfg_attr(feature = "ink-matches", ink(topic))]
        game: u32,
        /// Amount that player one is credited.
        one: u128,
        /// Amount that player two is credited.
        two: u128,
    }

    "ink-credit"
    /// Emitted whenever an account is credited an amount, which it may withdraw; before the event that
    /// tells why.
    Credited {
        /// Account that is owed the amount.
        #[cfg_attr(feature = "ink-credit", ink(topic))]
        account: Address,
        /// Amount that is added to what it is owed.
        amount: u128,
    }

    "ink-credit"
    /// Emitted when an account is paid all that it was owed.
    Withdrawn {
        /// Account that was owed the amount.
        #[cfg_attr(feature = "ink-credit", ink(topic))]
        account: Address,
        /// Account that was paid.
        #[cfg_attr(feature = "ink-credit", ink(topic))]
        receiver: Address,
        /// Amount that was paid.
        amount: u128,
    }

    "ink-matches"
    /// Emitted when the storage of a game that has ended is freed.
    GameFreed {
        /// Number of the game.
        #[cfg_attr(feature = "ink-matches", ink(topic))]
        game: u32,
        /// Account that gets the deposit back.
        #[cfg_attr(feature = "ink-matches", ink(topic))]
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
