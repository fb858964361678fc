//! Where a player's journal is kept, and why a player's act is refused.

use alloc::borrow::Cow;
use alloc::format;

use connect4_protocol::Error;
use connect4_protocol::signed::Moves;

use crate::journal::Journal;

/// Where a [`Seat`](crate::Seat) keeps its [`Journal`].
pub trait Keep {
    type Error;

    /// Keeps the journal in place of the one before. When this returns, it outlives a crash.
    ///
    /// # Errors
    ///
    /// If it can't be kept. Then it may be the old one or the new one.
    fn keep(&mut self, journal: &Journal) -> Result<(), Self::Error>;

    /// Whether this journal may be there all the same, after an error of [`Self::keep`]. It is read again
    /// for that, where it can be read.
    fn may_have(&self, journal: &Journal) -> bool;
}

/// Why a seat does not do what its player wants. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeatError<E> {
    /// The rules don't allow it, as the contract would say.
    #[error("{0}")]
    Refused(#[from] Error),
    /// What would be signed can't be kept.
    #[error("{0}")]
    Keep(E),
    /// The player has made another move of this turn before: on the chain, or by a signature that may be
    /// on the disk. It has the bin of that move, from 0, or [`Moves::SWAP`].
    #[error(
        "another move of this turn was made before, {}, and may count: only that one can be made",
        move_text(*.0)
    )]
    Bound(u8),
    /// The player has made a move of a later turn on the chain, or it is not known what it has signed in this
    /// game.
    #[error(
        "no move of this turn is signed any more, as another one may have been signed or made on the chain \
         before: it can be made on the chain alone"
    )]
    OnChainAlone,
    /// The player would move on the chain from a position that is signed alone, which has to be brought there first.
    #[error(
        "the chain does not have the signed moves before this one: make it as usual, then press, which brings them all"
    )]
    NotOnChain,
    /// The machine's clock was so many seconds ahead of the chain's newest block when that was seen first,
    /// or behind if it is less than 0.
    #[error(
        "no draw is offered, as the offer ends by the time of the chain, and the clock of this machine is \
         {} s {} the newest block: set it right, or wait for the next block",
        .0.unsigned_abs(),
        if .0.is_negative() { "behind" } else { "ahead of" }
    )]
    ClocksDiffer(i64),
}

/// A move in words, which count bins from 1.
fn move_text(bin: u8) -> Cow<'static, str> {
    match bin {
        Moves::SWAP => "the swap".into(),
        bin => format!("into bin {} from the left", u16::from(bin) + 1).into(),
    }
}
