//! What players, watchers and a relay send each other.
//!
//! A relay has a room for each game, a WebSocket at [`path`]. Each binary frame is one message in
//! SCALE, of at most [`MAX_LEN`] bytes: [`ToRelay`] in one direction, [`FromRelay`] in the other. Text
//! is refused.
//!
//! 1. The relay opens with [`FromRelay::Welcome`], then tells what it holds: the latest position, the
//!    offers at it, and who is there. After a refusal it may close the socket instead.
//! 2. Whoever connects sends the latest position that it holds. A player also sends [`ToRelay::Join`],
//!    which watchers leave out: the relay keeps places for players, and tells the others.
//! 3. The relay tells everybody in the room, the sender among them, of each new position and offer. A
//!    sender takes its own as the receipt. Somebody who reads slowly misses positions that are
//!    followed by later ones.
//! 4. To a position that says no more than the one that the relay holds, it answers with its own. Of
//!    two positions the one that [`Evidence::replaces`] the other is taken by all.
//!
//! Nobody trusts a relay. Who receives a position checks the signatures and moves; the relay checks
//! them to keep its rooms free of junk.

use alloc::format;
use alloc::string::String;

use codec::Decode;
use connect4_rules::{ByPlayer, Player};

use super::domain::hash_of;
use super::{
    Crypto, Digest, Domain, Ending, Evidence, GameNumber, Kind, Moves, Signature, Statement,
};
use crate::{Address, Error};

/// Bytes of a message, at most.
pub const MAX_LEN: usize = 460;

/// The path of a game's room, below the address of the relay.
///
/// # Examples
///
/// ```
/// use connect4_protocol::fast::{FIRST, wire};
///
/// assert_eq!(wire::path(FIRST + 3), "/fast/2147483651");
/// ```
#[must_use]
pub fn path(game: impl Into<GameNumber>) -> String {
    format!("/fast/{}", game.into())
}

/// The message in a frame; none if the frame is too long, or is not one message of this type.
#[must_use]
pub fn read<M: Decode>(frame: &[u8]) -> Option<M> {
    crate::frame::read(frame, MAX_LEN)
}

/// What a player or a watcher sends to the relay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, codec::Encode, codec::Decode, codec::MaxEncodedLen)]
pub enum ToRelay {
    /// The latest position that the sender holds.
    #[codec(index = 0)]
    Position(Evidence),
    /// An offer of a draw at the latest position. It lapses with the next position.
    #[codec(index = 1)]
    Offer(Offer),
    /// The sender plays the game.
    #[codec(index = 2)]
    Join {
        /// Which player it is.
        player: Player,
        /// Signature by the player's session key on [`presence`], with the nonce of the
        /// [`Welcome`](FromRelay::Welcome).
        signature: Signature,
    },
}

/// What the relay sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, codec::Encode, codec::Decode, codec::MaxEncodedLen)]
pub enum FromRelay {
    /// The first message on each socket.
    #[codec(index = 0)]
    Welcome {
        /// What a player signs to join, different for each socket.
        nonce: [u8; 32],
    },
    /// The latest position that the relay holds.
    #[codec(index = 1)]
    Position(Evidence),
    /// An offer of a draw at the latest position.
    #[codec(index = 2)]
    Offer(Offer),
    /// Who is in the room.
    #[codec(index = 3)]
    Present(Present),
    /// Something that was sent is not taken, or the relay closes the socket next.
    #[codec(index = 4)]
    Refused(Refusal),
}

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

/// Offer of a draw at a position: half of an [`Evidence`] with [`Ending::Draw`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, codec::Encode, codec::Decode, codec::MaxEncodedLen)]
pub struct Offer {
    /// The player who offers.
    pub by: Player,
    /// Last second at which the contract takes the draw, since 1970 by the chain's timestamps.
    pub until: u64,
    /// All moves of the game so far.
    pub moves: Moves,
    /// Signature by the session key of the player who offers, on [`statement`](Self::statement).
    pub signature: Signature,
}

impl Offer {
    /// What both players sign.
    #[must_use]
    pub fn statement(&self, game: impl Into<GameNumber>) -> Statement<'_> {
        Statement {
            game: game.into(),
            kind: Kind::Draw { until: self.until },
            moves: &self.moves,
        }
    }

    /// Checks the signature.
    ///
    /// # Errors
    ///
    /// [`Error::BadSignature`] if it is not by the player's session key.
    pub fn check(
        &self,
        game: impl Into<GameNumber>,
        keys: &ByPlayer<Address>,
        domain: &Domain,
        crypto: &impl Crypto,
    ) -> Result<(), Error> {
        let digest = self.statement(game).digest(domain, crypto);
        match crypto.recover(&digest, &self.signature) == Some(*keys.get(self.by)) {
            true => Ok(()),
            false => Err(Error::BadSignature),
        }
    }

    /// The draw, with the signature of the opponent on the same statement.
    #[must_use]
    pub fn accepted(&self, signature: Signature) -> Evidence {
        let mut signatures = ByPlayer {
            one: signature,
            two: signature,
        };
        signatures[self.by] = self.signature;
        Evidence {
            ending: Some(Ending::Draw { until: self.until }),
            signatures,
            moves: self.moves,
        }
    }
}

/// Why the relay does not take what was sent, or closes the socket.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, codec::Encode, codec::Decode, codec::MaxEncodedLen,
)]
#[non_exhaustive]
pub enum Refusal {
    /// The chain has no fast game with this number, as far as the relay sees.
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

const PRESENCE_TYPE: Digest = hash_of("Presence(uint256 game,bytes32 nonce)");

/// The digest by whose signature a player shows the relay who it is. It commits to nothing: no
/// contract takes it.
#[must_use]
pub fn presence(
    game: impl Into<GameNumber>,
    nonce: [u8; 32],
    domain: &Domain,
    crypto: &impl Crypto,
) -> Digest {
    let encoded = [PRESENCE_TYPE, game.into().0, nonce];
    domain.digest(crypto, &crypto.keccak256(encoded.as_flattened()))
}
