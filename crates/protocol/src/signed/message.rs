//! Messages of the contracts of the stakes and of the records.

use alloc::vec::Vec;

use connect4_rules::{Board, Dropped};

use super::{
    Contradiction, Digest, Domain, Evidence, GameNumber, Group, RecordedEnd, RecordsError,
    StakedGame, StakesError, Terms, Testimony,
};
use crate::Address;

messages! { Stakes, STAKES:
    /// Pays the stake of the caller in a game, with the payment of the call and what the caller is owed.
    Fund = "fund" (terms: Terms) -> Result<(), StakesError>;
    /// Pays the stake back, while the other player has not paid.
    Refund = "refund" (game: GameNumber) -> Result<u128, StakesError>;
    /// Drops a disc of the caller into a bin of this board, on the chain, or [swaps](super::Moves::SWAP).
    Drop = "drop_disc" (game: GameNumber, board: Board, bin: u8) -> Result<Dropped, StakesError>;
    /// Brings a signed position, or a signed end, to the chain; then starts the clock of who is to move if the caller,
    /// who waits, presses it.
    Advance = "advance" (game: GameNumber, press: bool, evidence: Evidence)
        -> Result<(), StakesError>;
    /// Starts the clock of the player to move; answers the deadline.
    Press = "press" (game: GameNumber) -> Result<u64, StakesError>;
    /// Gives a game up.
    Resign = "resign" (game: GameNumber) -> Result<(), StakesError>;
    /// Ends a game in which the time of the player to move has run out, or that to contest a line.
    ClaimTimeout = "claim_timeout" (game: GameNumber) -> Result<(), StakesError>;
    /// Pays the caller all that it is owed; answers how much.
    Withdraw = "withdraw" () -> Result<u128, StakesError>;
    /// As [`Withdraw`], but pays to another account.
    WithdrawTo = "withdraw_to" (receiver: Address) -> Result<u128, StakesError>;
    /// Frees the storage of a game that has ended.
    Free = "free" (game: GameNumber) -> Result<(), StakesError>;
    /// Everything about a game, as far as the chain knows it.
    ReadStaked = "game" (game: GameNumber) -> Result<StakedGame, StakesError>;
    /// Amount that an account is owed, and may withdraw.
    CreditOf = "credit_of" (account: Address) -> Result<u128, StakesError>;
    /// Where the games of the contract are signed.
    ReadDomain = "domain" () -> Result<Domain, StakesError>;
}

messages! { SignedRecords, RECORDS:
    /// Records ends of games without a stake; answers how many.
    Record = "record" (group: Group, games: Vec<RecordedEnd>) -> Result<u32, RecordsError>;
    /// Shows that a witness contradicts itself about the game of these terms, on the chain with this first block; answers
    /// how.
    Contradict = "contradict" (genesis: Digest, terms: Terms, one: Testimony, other: Testimony)
        -> Result<Contradiction, RecordsError>;
}
