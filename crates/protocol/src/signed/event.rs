//! Events of the contracts of the stakes and of the records. They are encoded as [those of the others](crate::event); their games have the
//! digests of their terms as numbers.

use core::convert::identity;

use connect4_rules::{Cells, Player};

use super::{Contradiction, Digest, GameNumber, Moves, StakedGame, Terms};
use crate::{Address, End};

every_event! {
    /// An event of the contract of the stakes.
    StakesEvent of GameNumber:

    Funded,
    Refunded,
    Advanced,
    DeadlineSet,
    DiscDropped,
    GameEnded,
    GameFreed,
    Credited,
    Withdrawn;
}

every_event! {
    /// An event of the contract of the records.
    RecordsEvent of GameNumber:

    GameRecorded,
    WitnessContradicted;
}

events! { identity => GameNumber:
    "ink-signed-records"
    /// Emitted when a game without a stake is recorded. There can be several of one game: if two of one witness differ, it
    /// has signed two ends.
    GameRecorded {
        /// Number of the game.
        #[cfg_attr(feature = "ink-signed-records", ink(topic))]
        game: GameNumber,
        /// Account of player one.
        #[cfg_attr(feature = "ink-signed-records", ink(topic))]
        player_one: Address,
        /// Account of player two.
        #[cfg_attr(feature = "ink-signed-records", ink(topic))]
        player_two: Address,
        /// Hash of the first block of the chain for which all was signed. The contract does not know that of its own chain:
        /// a game for another chain with the same number is none of this one.
        genesis: Digest,
        /// The terms. That the pool, the tournament, the game before and the programs are what they say is the word of those
        /// who have signed them.
        terms: Terms,
        /// All moves: bins from 0 at the left, or 255 for a swap.
        moves: Moves,
        /// How the game ended.
        end: End,
        /// Account of the winner; none after a draw. In a game without a witness it is nobody's win or loss.
        winner: Option<Address>,
        /// When it ended by the word of its witness, in milliseconds since 1970; none if it has no witness. It can be ahead of
        /// the block. Whether the witness is one that counts, the reader knows.
        at: Option<u64>,
    }

    "ink-signed-records"
    /// Emitted when two statements that a witness has signed about one game contradict each other, or one the terms: from
    /// this block on nobody has to believe it, and nothing of that game, whenever it was recorded.
    WitnessContradicted {
        /// Number of the game.
        #[cfg_attr(feature = "ink-signed-records", ink(topic))]
        game: GameNumber,
        /// The witness.
        #[cfg_attr(feature = "ink-signed-records", ink(topic))]
        witness: Address,
        /// Hash of the first block of the chain for which it has signed them.
        genesis: Digest,
        /// How they contradict each other.
        how: Contradiction,
    }

    "ink-stakes"
    /// Emitted when a player pays the stake of a game. The account is owed `paid` more and the stake less after it.
    Funded {
        /// Number of the game.
        #[cfg_attr(feature = "ink-stakes", ink(topic))]
        game: GameNumber,
        /// Account of player one.
        #[cfg_attr(feature = "ink-stakes", ink(topic))]
        player_one: Address,
        /// Account of player two.
        #[cfg_attr(feature = "ink-stakes", ink(topic))]
        player_two: Address,
        /// Player who has paid.
        by: Player,
        /// Whether both have paid now, so that the game begins.
        begins: bool,
        /// Payment of the call.
        paid: u128,
        /// The terms.
        terms: Terms,
    }

    "ink-stakes"
    /// Emitted when a player takes the stake back, as the other one has not paid. The game is gone.
    Refunded {
        /// Number of the game.
        #[cfg_attr(feature = "ink-stakes", ink(topic))]
        game: GameNumber,
        /// Account that had paid, and is paid.
        #[cfg_attr(feature = "ink-stakes", ink(topic))]
        account: Address,
        /// The stake.
        amount: u128,
    }

    "ink-stakes"
    /// Emitted when a position that both players have signed comes to the chain. Its moves take the place of all moves
    /// before.
    Advanced {
        /// Number of the game.
        #[cfg_attr(feature = "ink-stakes", ink(topic))]
        game: GameNumber,
        /// All moves of the game so far: bins from 0 at the left, or 255 for a swap.
        moves: Moves,
    }

    "ink-stakes"
    /// Emitted when a player has to answer until a deadline: the opponent has pressed the clock, or has a line that can
    /// be contested.
    DeadlineSet {
        /// Number of the game.
        #[cfg_attr(feature = "ink-stakes", ink(topic))]
        game: GameNumber,
        /// Player who waits.
        #[cfg_attr(feature = "ink-stakes", ink(topic))]
        by: Address,
        /// Last second at which the opponent can answer.
        deadline: u64,
    }

    "ink-stakes"
    /// Emitted when a disc is dropped on the chain.
    DiscDropped {
        /// Number of the game.
        #[cfg_attr(feature = "ink-stakes", ink(topic))]
        game: GameNumber,
        /// Player who dropped the disc.
        #[cfg_attr(feature = "ink-stakes", ink(topic))]
        player: Address,
        /// Bin, from 0 at the left, or 255 for a swap.
        bin: u8,
        /// Row in which the disc came to lie, from 0 at the bottom.
        row: u8,
        /// Turn of the game, from 0.
        turn: u8,
        /// Last second at which the opponent can move; none if the drop ended the game.
        deadline: Option<u64>,
    }

    "ink-stakes"
    /// Emitted when a game has ended for good, after the [`Credited`] of each share of the stakes.
    GameEnded {
        /// Number of the game.
        #[cfg_attr(feature = "ink-stakes", ink(topic))]
        game: GameNumber,
        /// Winner; none after a draw or an abort.
        #[cfg_attr(feature = "ink-stakes", ink(topic))]
        winner: Option<Address>,
        /// How the game ended.
        end: End,
        /// The cells of every line that the last disc completed, a bit each: that of a cell is
        /// `bin * (capacity + 1) + row`. Empty if the game ended otherwise.
        winning_cells: Cells,
    }

    "ink-stakes"
    /// Emitted when the storage of a game that has ended is freed.
    GameFreed {
        /// Number of the game.
        #[cfg_attr(feature = "ink-stakes", ink(topic))]
        game: GameNumber,
        /// Account that had paid first, and gets the deposit back.
        #[cfg_attr(feature = "ink-stakes", ink(topic))]
        payer: Address,
    }

    "ink-stakes"
    /// Emitted whenever an account is credited an amount, which it may withdraw; before the event that
    /// tells why.
    Credited {
        /// Account that is owed the amount.
        #[cfg_attr(feature = "ink-stakes", ink(topic))]
        account: Address,
        /// Amount that is added to what it is owed.
        amount: u128,
    }

    "ink-stakes"
    /// Emitted when an account is paid all that it was owed.
    Withdrawn {
        /// Account that was owed the amount.
        #[cfg_attr(feature = "ink-stakes", ink(topic))]
        account: Address,
        /// Account that was paid.
        #[cfg_attr(feature = "ink-stakes", ink(topic))]
        receiver: Address,
        /// Amount that was paid.
        amount: u128,
    }
}

impl GameEnded {
    /// The end of a game; none if it goes on.
    #[must_use]
    pub fn of(number: GameNumber, StakedGame { game, .. }: &StakedGame) -> Option<Self> {
        let game = &game.game;
        Some(Self {
            game: number,
            winner: game.winner().map(|winner| game.account_of(winner)),
            end: game.end()?,
            winning_cells: game.winning_cells(),
        })
    }
}
