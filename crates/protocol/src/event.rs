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

use crate::fast::{GameNumber, Moves, PackedTerms};
use crate::variants::event::{
    MoveMade, PlayerJoined, PlayerLeft, TableClosed, TableOpened, VariantEnded, VariantFreed,
    VariantStarted,
};
use crate::{Address, ClockSpec, End, Game, GameId, Pace, Terms};

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
    SessionKeysNamed,
    StartedByTerms,
    GameRecorded,
    Advanced,
    ClockPressed,
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

events! { GameId::of_two => GameId:
    "ink-play"
    /// Emitted when a game starts.
    GameStarted {
        /// Number of the game.
        #[cfg_attr(feature = "ink-play", ink(topic))]
        game: u32,
        /// Player one, who is red and moves first.
        #[cfg_attr(feature = "ink-play", ink(topic))]
        player_one: Address,
        /// Player two, who is blue.
        #[cfg_attr(feature = "ink-play", ink(topic))]
        player_two: Address,
        /// Shape of the board.
        shape: ShapeSpec,
    }

    "ink-play"
    /// Emitted when a disc is dropped.
    DiscDropped {
        /// Number of the game.
        #[cfg_attr(feature = "ink-play", ink(topic))]
        game: u32,
        /// Player who dropped the disc.
        #[cfg_attr(feature = "ink-play", ink(topic))]
        player: Address,
        /// Bin, from 0 at the left. In a fast game 255 if player two has taken the first disc over.
        bin: u8,
        /// Row in which the disc came to lie, from 0 at the bottom.
        row: u8,
        /// Turn of the game, from 0; player one has the even ones, after a swap player two.
        turn: u8,
        /// Last second at which the opponent may move; none if the game has no clock or has
        /// ended.
        deadline: Option<u64>,
    }

    "ink-play"
    /// Emitted when a game ends; after the [`DiscDropped`] that ended it, if one did.
    GameEnded {
        /// Number of the game.
        #[cfg_attr(feature = "ink-play", ink(topic))]
        game: u32,
        /// Winner; none after a draw or an abort.
        #[cfg_attr(feature = "ink-play", ink(topic))]
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
        /// How the moves are made.
        pace: Pace,
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

    "ink-settle"
    /// Emitted when a match starts, after the [`GameStarted`] of its game.
    MatchStarted {
        /// Number of the game.
        #[cfg_attr(feature = "ink-settle", ink(topic))]
        game: u32,
        /// Challenge that was accepted; none if the match is a rematch.
        #[cfg_attr(feature = "ink-settle", ink(topic))]
        challenge: Option<u32>,
        /// Game of which this is the rematch; none if it is not one.
        #[cfg_attr(feature = "ink-settle", ink(topic))]
        previous: Option<u32>,
        /// Clock; none if the game has no clock.
        clock: Option<ClockSpec>,
        /// Stake that each of the two players has paid in.
        stake: u128,
    }

    "ink-fast"
    /// Emitted when a fast game starts, after the [`GameStarted`] of it: the keys that sign its moves.
    SessionKeysNamed {
        /// Number of the game.
        #[cfg_attr(feature = "ink-fast", ink(topic))]
        game: u32,
        /// Address of player one's session key.
        one: Address,
        /// Address of player two's session key.
        two: Address,
        /// Whether player two's first move can be a [swap](Moves::SWAP).
        pie_rule: bool,
    }

    "ink-records"
    /// Emitted when terms that both players have signed start a fast game for a dispute, after the
    /// [`GameStarted`], the [`SessionKeysNamed`] and the [`MatchStarted`] of it, which the contract of the
    /// fast games emits.
    StartedByTerms {
        /// Number of the game on the chain.
        #[cfg_attr(feature = "ink-records", ink(topic))]
        game: u32,
        /// Number of the game in statements: the digest of the terms.
        #[cfg_attr(feature = "ink-records", ink(topic))]
        number: GameNumber,
        /// Contract of the fast games.
        fast: Address,
        /// The terms.
        terms: PackedTerms,
    }

    "ink-records"
    /// Emitted when a game by signed terms is recorded. There can be several of one game; the result is that
    /// of [all of them](crate::fast::Results).
    GameRecorded {
        /// Number of the game: the digest of the terms.
        #[cfg_attr(feature = "ink-records", ink(topic))]
        number: GameNumber,
        /// Account of player one.
        #[cfg_attr(feature = "ink-records", ink(topic))]
        player_one: Address,
        /// Account of player two.
        #[cfg_attr(feature = "ink-records", ink(topic))]
        player_two: Address,
        /// Contract of the fast games for which all was signed.
        fast: Address,
        /// The terms.
        terms: PackedTerms,
        /// All moves: bins from 0 at the left, or 255 for a swap.
        moves: Moves,
        /// How the game ended; none if it has not as far as this record goes.
        end: Option<End>,
        /// Account of the winner; none without an end, and after a draw.
        winner: Option<Address>,
    }

    "ink-fast"
    /// Emitted when a position of a fast game that both players have signed comes to the chain. Its
    /// moves take the place of all moves before. The [`GameEnded`] follows if it ended the game.
    Advanced {
        /// Number of the game.
        #[cfg_attr(feature = "ink-fast", ink(topic))]
        game: u32,
        /// Bins of all moves of the game so far, from 0 at the left; player one makes the first.
        moves: Moves,
    }

    "ink-fast"
    /// Emitted when the player who waits starts the clock of a fast game, or an end that can be contested has
    /// come to the chain.
    ClockPressed {
        /// Number of the game.
        #[cfg_attr(feature = "ink-fast", ink(topic))]
        game: u32,
        /// Player who waits, or who has the line; the zero address for a draw.
        #[cfg_attr(feature = "ink-fast", ink(topic))]
        by: Address,
        /// Last second at which the opponent may answer, or the end can be contested.
        deadline: u64,
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

    "ink-settle"
    /// Emitted when a player offers a rematch.
    RematchOffered {
        /// Number of the game that has ended.
        #[cfg_attr(feature = "ink-settle", ink(topic))]
        game: u32,
        /// Player who offers the rematch.
        #[cfg_attr(feature = "ink-settle", ink(topic))]
        by: Address,
    }

    "ink-settle"
    /// Emitted when the offer of a rematch is declined or taken back, also by freeing the game; after
    /// the [`Credited`] of its stake.
    RematchDeclined {
        /// Number of the game that has ended.
        #[cfg_attr(feature = "ink-settle", ink(topic))]
        game: u32,
        /// Player who declined the offer or took it back.
        #[cfg_attr(feature = "ink-settle", ink(topic))]
        by: Address,
        /// Player who had made it, and is credited the stake.
        offered_by: Address,
        /// Amount that this player had paid in.
        stake: u128,
    }

    "ink-settle"
    /// Emitted when the stakes of a game are credited, after the [`Credited`] of each share.
    Settled {
        /// Number of the game.
        #[cfg_attr(feature = "ink-settle", ink(topic))]
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

    "ink-settle"
    /// Emitted when the storage of a game that has ended is freed.
    GameFreed {
        /// Number of the game.
        #[cfg_attr(feature = "ink-settle", ink(topic))]
        game: u32,
        /// Account that gets the deposit back.
        #[cfg_attr(feature = "ink-settle", ink(topic))]
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
