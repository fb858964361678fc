//! What happens to a player in a fast game, and what comes of what it does.

use connect4_protocol::GameId;
use connect4_seat::{Duty, SeatError};

use super::agreement::Difference;
use super::clocks::ClocksDiffer;
use super::keyring_error::KeyringError;
use crate::contracts::performed::Performed;
use crate::contracts::receipt::Receipt;
use crate::error::Error;

/// Why a player can't do what it wants.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The chain refuses, or can't be reached.
    #[error(transparent)]
    Chain(#[from] Error),
    /// The rules don't allow it, or it can't be kept. Nothing was signed.
    #[error(transparent)]
    Seat(#[from] SeatError<KeyringError>),
    /// The node shows a game that is not the one in which the session key has signed. Nothing is signed.
    #[error(
        "the node shows game {0} with other session keys or another board than it began with: nothing is \
         signed, as a turn could be signed twice; ask another node"
    )]
    OtherGame(GameId),
    /// The node shows a game that is not the one on which the player has agreed. Nothing is signed.
    #[error(
        "the node does not show game {game} as it was agreed on. {difference}. The node may be lying, so \
         nothing is signed: ask another node"
    )]
    NotAgreed {
        /// The game.
        game: GameId,
        /// What differs.
        difference: Difference,
    },
    /// The session key is not to be had.
    #[error(transparent)]
    Keyring(#[from] KeyringError),
}

impl PlayError {
    /// The error for a fast game that is shown otherwise than it was agreed on.
    pub(super) const fn not_agreed(game: GameId, difference: Difference) -> Self {
        Self::NotAgreed { game, difference }
    }
}

/// Whether the relay is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RelayState {
    /// There is none.
    None,
    /// It is being connected.
    Connecting,
    /// It is connected; whether the opponent is too, as it says.
    Connected {
        /// Whether the opponent is connected.
        opponent: bool,
    },
    /// It is not reachable, for this reason. It is tried again and again.
    Lost(String),
}

/// What a player of a fast game should know.
#[derive(Debug)]
pub enum PlayerEvent {
    /// The game has changed, on the chain or off it.
    Changed,
    /// The opponent offers a draw.
    Offered,
    /// The relay was connected or lost, or the opponent came or went.
    Relay,
    /// The player has sent to the chain what it had to: this was its duty.
    Done(Duty, Box<Receipt<Performed>>),
    /// A duty could not be sent to the chain, for this reason. It is tried again.
    NotDone(Duty, Error),
    /// The chain could not be read, for this reason. It is tried again.
    NotSeen(Error),
    /// The node shows another game than this, or something can't be kept: it was not taken, and nothing was
    /// signed for it.
    NotTaken(PlayError),
    /// The clocks of this machine and of the chain are far apart. It is told once.
    ClocksDiffer(ClocksDiffer),
    /// A second has passed.
    Tick,
}

/// What [`drop`](super::FastPlayer::drop) did.
#[derive(Debug)]
pub enum Made {
    /// The move was signed and handed to the relay.
    Signed,
    /// The move was made on the chain.
    OnChain(Box<Receipt<Performed>>),
}
