//! What the programs of the players of a game with a stake, and those who guard it, tell each other at a relay.
//!
//! The room is a WebSocket at [`path`]. Each binary frame is one message in SCALE, of at most [`MAX_LEN`] bytes:
//! [`ToStakedRoom`] in one direction, [`FromStakedRoom`] in the other. Text is refused.
//!
//! 1. The relay opens with [`FromStakedRoom::Welcome`].
//! 2. Whoever connects sends [`ToStakedRoom::Enter`] with the terms, which show the relay whose keys speak there: a
//!    player with its signature, a watcher without one.
//! 3. The relay tells all what each player has said last, of each kind, and who is there.
//!
//! The relay asks no chain, and judges nothing that the players say: who receives a position checks its signatures and
//! moves, by the contract's rules. Only the two keys of the terms can say something, and only the newest of it is kept.

use alloc::format;
use alloc::string::String;

use codec::Decode;
use connect4_rules::{ByPlayer, Player};

use super::relay::{Present, Refusal};
use super::{
    Crypto, Domain, Evidence, GameNumber, Kind, Moves, Signature, SignedEnd, Statement, Terms,
};
use crate::{Address, Error};

/// Bytes of a message, at most.
pub const MAX_LEN: usize = 460;

/// The path of a game's room, below the address of the relay.
///
/// # Examples
///
/// ```
/// use connect4_protocol::signed::{GameNumber, staked_room};
///
/// let path = staked_room::path(GameNumber([0xcd; 32]));
/// assert!(path.starts_with("/signed/stakes/0xcdcd"));
/// ```
#[must_use]
pub fn path(game: GameNumber) -> String {
    format!("/signed/stakes/{game}")
}

/// The message in a frame; none if the frame is too long, or is not one message of this type.
#[must_use]
pub fn read<M: Decode>(frame: &[u8]) -> Option<M> {
    crate::frame::read(frame, MAX_LEN)
}

/// What a player or a watcher sends to the relay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, codec::Encode, codec::Decode, codec::MaxEncodedLen)]
pub enum ToStakedRoom {
    /// The first message on each socket.
    #[codec(index = 0)]
    Enter {
        /// Where the game is signed.
        domain: Domain,
        /// The terms, whose number in that domain names the room.
        terms: Terms,
        /// Which player the sender is, with the signature by the player's session key on
        /// [`Presence`](super::Presence), with the nonce of the [`Welcome`](FromStakedRoom::Welcome); none of a watcher.
        player: Option<(Player, Signature)>,
    },
    /// What both players have signed, as far as the sender holds it.
    #[codec(index = 1)]
    Position(Evidence),
    /// An offer of a draw.
    #[codec(index = 2)]
    Offer(Offer),
}

/// What the relay sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, codec::Encode, codec::Decode, codec::MaxEncodedLen)]
pub enum FromStakedRoom {
    /// The first message on each socket.
    #[codec(index = 0)]
    Welcome {
        /// What a player signs to enter, different for each socket.
        nonce: [u8; 32],
    },
    /// What a player has told last. The relay has not checked it.
    #[codec(index = 1)]
    Position {
        /// By whom.
        by: Player,
        /// What was told.
        evidence: Evidence,
    },
    /// The last offer of a draw by a player. The relay has not checked it.
    #[codec(index = 2)]
    Offer {
        /// By whom.
        by: Player,
        /// What was told.
        offer: Offer,
    },
    /// Who is in the room.
    #[codec(index = 3)]
    Present(Present),
    /// Something that was sent is not taken, or the relay closes the socket next.
    #[codec(index = 4)]
    Refused(Refusal),
}

/// Offer of a draw at a position: half of an [`Evidence`] with [`SignedEnd::Draw`].
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
    pub fn statement(&self, game: GameNumber) -> Statement<'_> {
        Statement {
            game,
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
        game: GameNumber,
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
            end: Some(SignedEnd::Draw { until: self.until }),
            signatures,
            moves: self.moves,
        }
    }
}

#[cfg(test)]
mod tests {
    use codec::{Encode as _, MaxEncodedLen as _};

    use super::*;
    use crate::signed::wire::FromWitness;

    #[test]
    fn no_message_is_longer_than_the_bound() {
        assert!(ToStakedRoom::max_encoded_len() <= MAX_LEN);
        assert!(FromStakedRoom::max_encoded_len() <= MAX_LEN);
    }

    /// A socket is refused before the relay knows where it wants to go.
    #[test]
    fn a_refusal_reads_as_that_of_a_room() {
        for refusal in [Refusal::Full, Refusal::Busy] {
            let of_room = FromWitness::Refused(refusal).encode();
            assert_eq!(read(&of_room), Some(FromStakedRoom::Refused(refusal)));
        }
    }
}
