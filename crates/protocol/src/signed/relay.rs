//! What a relay tells in each of its places.

use connect4_rules::ByPlayer;

use crate::Error;

/// Who is in a room, as the relay tells it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, codec::Encode, codec::Decode, codec::MaxEncodedLen,
)]
pub struct Present {
    /// Whether each player is connected.
    pub players: ByPlayer<bool>,
    /// How many are connected besides the players.
    pub watchers: u16,
}

/// Why the relay does not take what was sent, or closes the socket.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, codec::Encode, codec::Decode, codec::MaxEncodedLen,
)]
#[non_exhaustive]
pub enum Refusal {
    /// There is no game with this number, as far as the relay sees.
    #[codec(index = 0)]
    NoSuchGame,
    /// The relay cannot ask the chain for the game at the moment.
    #[codec(index = 1)]
    ChainUnreachable,
    /// The relay has no place for another room, or the room none for another watcher.
    #[codec(index = 2)]
    Full,
    /// A frame is not a message, or is too long.
    #[codec(index = 3)]
    BadMessage,
    /// Too many messages in too short a time.
    #[codec(index = 4)]
    TooMany,
    /// What was sent is not supported by signatures, or not legal. The contract would refuse it for
    /// the same reason.
    #[codec(index = 5)]
    Invalid(Error),
    /// The offer is not at the position that the relay holds, which follows.
    #[codec(index = 6)]
    OtherPosition,
    /// The player has connected again, and too often for both to stay.
    #[codec(index = 7)]
    Replaced,
    /// The sender, or its address, has as much in the lobby as it may have, or the lobby is full: what was
    /// sent is not taken, and may be sent again later.
    #[codec(index = 8)]
    Busy,
    /// The game that is sought is none of the [pool](super::Pool) that the seek names.
    #[codec(index = 9)]
    OtherPool,
    /// The witness whose key the room of a signed game names is not this relay's.
    #[codec(index = 10)]
    OtherWitness,
    /// The terms of a signed game, or what a player says in one, are not signed by their keys, or not legal.
    #[codec(index = 11)]
    Unsupported,
    /// The terms of a signed game are not of this time, so that their room cannot be opened any more.
    #[codec(index = 12)]
    OtherTime,
    /// The log of the witness takes no more at the moment. Nothing is signed, and no time runs.
    #[codec(index = 13)]
    LogFull,
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Invalid(error)
    }
}

impl Refusal {
    /// Whether the relay closes the socket after it.
    #[must_use]
    pub const fn closes(self) -> bool {
        !matches!(self, Self::OtherPosition | Self::Busy | Self::LogFull)
    }
}
