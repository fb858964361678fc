//! What players, watchers and a witness send each other in the room of a signed game without a stake.
//!
//! The room is a WebSocket at [`path`], which names the key of the witness, so that a proxy can send it to the relay
//! of that key. Each binary frame is one message in SCALE, of at most [`MAX_LEN`] bytes: [`ToWitness`] in one
//! direction, [`FromWitness`] in the other. Text is refused.
//!
//! 1. The relay opens with [`FromWitness::Welcome`], with its time, by which programs make terms.
//! 2. A player who holds a receipt or an end sends it by [`ToWitness::Held`] first: a witness whose log does not have it
//!    has lost what it had said, and goes on under a new key, before the game could begin anew.
//! 3. Players open the room by [`ToWitness::Terms`], also where it may be open already, and join it. The relay tells the
//!    terms, the newest position with its receipt, the offers of a draw at it, who is there, and the end.
//! 4. A move is told to all together with its receipt, in one frame. A resignation is told as the end
//!    alone, and so is a draw to which both have agreed. Who reads slowly misses positions that are followed by later
//!    ones.
//! 5. A move, a resignation or a draw that is not at the newest position is refused by
//!    [`OtherPosition`](Refusal::OtherPosition), with the newest position after it.
//! 6. While the log of the witness takes no more, all of that is refused by [`LogFull`](Refusal::LogFull). When it takes
//!    more, the newest position is told to all once more, or the terms before the first move.
//!
//! The end of a game is kept for 31 days: who opens its room then is sent the end, and the socket is closed.

use alloc::format;
use alloc::string::String;

use codec::Decode;
use connect4_rules::{ByPlayer, Player};

use super::relay::{Present, Refusal};
use super::statement::last_mover;
use super::{
    Contradiction, Crypto, Digest, Domain, Ended, Ending, Ends, Finished, GameNumber, Kind, Moves,
    Receipt, Said, Signature, SignedTerms, Statement, Terms, Witnessed, WitnessedEnd,
};
use crate::{Address, Game};

/// Bytes of a message, at most.
pub const MAX_LEN: usize = 560;

/// For how long a witness keeps the end of a game, in seconds.
pub const KEPT: u64 = 31 * 24 * 60 * 60;

/// How far the time of terms can be from the time of the witness when the room is opened, in seconds.
pub const FRESH: u64 = 120;

/// The path of a game's room, below the address of the relay.
///
/// # Examples
///
/// ```
/// use connect4_protocol::Address;
/// use connect4_protocol::signed::{GameNumber, wire};
///
/// let path = wire::path(Address([0xab; 20]), GameNumber([0xcd; 32]));
/// assert!(path.starts_with("/signed/0xabab") && path.ends_with("cdcd"));
/// ```
#[must_use]
pub fn path(witness: Address, game: GameNumber) -> String {
    format!("/signed/{witness}/{game}")
}

/// The message in a frame; none if the frame is too long, or is not one message of this type.
#[must_use]
pub fn read<M: Decode>(frame: &[u8]) -> Option<M> {
    crate::frame::read(frame, MAX_LEN)
}

/// What a player or a watcher sends to the witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, codec::Encode, codec::Decode, codec::MaxEncodedLen)]
#[expect(
    clippy::large_enum_variant,
    reason = "one is encoded or read at a time, without an allocation"
)]
pub enum ToWitness {
    /// The terms of the game, by which its room is opened.
    #[codec(index = 0)]
    Terms(SignedTerms),
    /// The sender plays the game.
    #[codec(index = 1)]
    Join {
        /// Which player it is.
        player: Player,
        /// Signature by the player's session key on [`Presence`](super::Presence), with the nonce of the
        /// [`Welcome`](FromWitness::Welcome).
        signature: Signature,
    },
    /// What a player says about the moves so far: a move, a resignation, or that it agrees to a draw.
    #[codec(index = 2)]
    Spoken(Spoken),
    /// What the sender holds of this witness.
    #[codec(index = 3)]
    Held(Told),
}

/// What the witness sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, codec::Encode, codec::Decode, codec::MaxEncodedLen)]
#[expect(
    clippy::large_enum_variant,
    reason = "one is encoded or read at a time, without an allocation"
)]
pub enum FromWitness {
    /// The first message on each socket.
    #[codec(index = 0)]
    Welcome {
        /// What a player signs to join, different for each socket.
        nonce: [u8; 32],
        /// EIP-155 number of the chain for which games are signed here.
        chain_id: u64,
        /// Hash of the first block of that chain.
        genesis: Digest,
        /// The time of the witness, in milliseconds since 1970.
        time: u64,
    },
    /// What the witness has signed last: the newest position with its receipt, or the end.
    #[codec(index = 1)]
    Told(Told),
    /// A player agrees to a draw at the newest position.
    #[codec(index = 2)]
    Offer(Spoken),
    /// Who is in the room.
    #[codec(index = 3)]
    Present(Present),
    /// Something that was sent is not taken, or the relay closes the socket next.
    #[codec(index = 4)]
    Refused(Refusal),
    /// The terms of the game.
    #[codec(index = 5)]
    Terms(SignedTerms),
}

/// How a player says something about the moves so far.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, codec::Encode, codec::Decode, codec::MaxEncodedLen,
)]
pub enum Act {
    /// It has made the last of the moves.
    #[codec(index = 0)]
    Move,
    /// It gives the game up.
    #[codec(index = 1)]
    Resign,
    /// It agrees to a draw.
    #[codec(index = 2)]
    Draw,
}

/// What a player says about the moves so far, with its signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, codec::Encode, codec::Decode, codec::MaxEncodedLen)]
pub struct Spoken {
    /// Who says it.
    pub by: Player,
    /// What is said.
    pub act: Act,
    /// All moves of the game so far.
    pub moves: Moves,
    /// Signature by the player's session key on [`statement`](Self::statement).
    pub signature: Signature,
}

impl Spoken {
    /// What is signed.
    #[must_use]
    pub fn statement(&self, game: GameNumber) -> Statement<'_> {
        let kind = match self.act {
            Act::Move => Kind::Position,
            Act::Resign => Kind::Resignation,
            Act::Draw => Kind::Draw {
                until: Kind::FOR_GOOD,
            },
        };
        Statement {
            game,
            kind,
            moves: &self.moves,
        }
    }

    /// Whether the player has signed it, and can say it: a move is told by the player who has made it.
    #[must_use]
    pub fn is_signed(
        &self,
        game: GameNumber,
        keys: &ByPlayer<Address>,
        domain: &Domain,
        crypto: &impl Crypto,
    ) -> bool {
        let is_own = self.act != Act::Move || last_mover(self.moves.len()) == Some(self.by);
        let digest = self.statement(game).digest(domain, crypto);
        is_own && crypto.recover(&digest, &self.signature) == Some(*keys.get(self.by))
    }
}

/// What a witness has said last of a game, with its signature and those of the players.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
pub struct Told {
    /// All moves.
    pub moves: Moves,
    /// What each player has signed last: as [`Finished::signatures`](super::Finished::signatures) has it if this is
    /// the end, and of the game so far the positions after its last move; none of a player who has not moved.
    pub signatures: ByPlayer<Signature>,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// What is said.
    pub what: Telling,
    /// Signature of the witness.
    pub witness: Signature,
}

impl Told {
    /// The game as it is told; none if its moves are none by these terms, or it cannot end so.
    #[must_use]
    pub fn game(&self, terms: &Terms) -> Option<Game> {
        let mut game = terms.play(&self.moves).ok()?;
        if let Telling::Ended(end) = self.what {
            end.finish(&mut game).ok()?;
        }
        Some(game)
    }
}

/// What a witness says.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
pub enum Telling {
    /// That it took the last of the moves: the [`Receipt`].
    #[codec(index = 0)]
    Receipt {
        /// What is left to each player, in milliseconds.
        left: ByPlayer<u64>,
    },
    /// That the game has ended: [`Ended`].
    #[codec(index = 1)]
    Ended(WitnessedEnd),
}

impl Told {
    /// What the witness signs.
    #[must_use]
    pub const fn said<'a>(&self, game: GameNumber, moves: &'a [u8]) -> Said<'a> {
        let at = self.at;
        match self.what {
            Telling::Receipt { left } => Said::Receipt(Receipt {
                game,
                moves,
                at,
                left,
            }),
            Telling::Ended(end) => Said::Ended(Ended {
                game,
                moves,
                end,
                at,
            }),
        }
    }

    /// The digest that the witness signs, if it signs it by itself.
    #[must_use]
    pub fn digest(&self, game: GameNumber, domain: &Domain, crypto: &impl Crypto) -> Digest {
        match self.said(game, &self.moves) {
            Said::Receipt(receipt) => receipt.digest(domain, crypto),
            Said::Ended(ended) => ended.digest(domain, crypto),
        }
    }

    /// Whether the witness with this key has said it.
    #[must_use]
    pub fn is_by(
        &self,
        witness: Address,
        game: GameNumber,
        domain: &Domain,
        crypto: &impl Crypto,
    ) -> bool {
        self.is_by_list(witness, game, &[], domain, crypto)
    }

    /// The same of an end that stands in a list of [`Ends`] which the witness has signed; with an empty list it is signed
    /// by itself.
    #[must_use]
    pub fn is_by_list(
        &self,
        witness: Address,
        game: GameNumber,
        list: &[Digest],
        domain: &Domain,
        crypto: &impl Crypto,
    ) -> bool {
        let said = self.said(game, &self.moves);
        let digest = match (&said, list) {
            (Said::Receipt(receipt), []) => receipt.digest(domain, crypto),
            (Said::Ended(ended), []) => ended.digest(domain, crypto),
            (Said::Ended(ended), hashes) if hashes.contains(&ended.hash(crypto)) => {
                Ends { hashes }.digest(domain, crypto)
            }
            _ => return false,
        };
        crypto.recover(&digest, &self.witness) == Some(witness)
    }

    /// The game with all that shows how it ended; none if this is a receipt, or the game is void.
    #[must_use]
    pub fn finished(&self, agreed: &SignedTerms) -> Option<Finished> {
        let Telling::Ended(end) = self.what else {
            return None;
        };
        Some(Finished {
            terms: agreed.terms,
            sessions: agreed.sessions,
            moves: self.moves,
            ending: Ending::of_witnessed(end)?,
            signatures: self.signatures,
            witnessed: Some(Witnessed {
                at: self.at,
                signature: self.witness,
            }),
        })
    }

    /// How this and another statement of one witness contradict each other; none if both can be true.
    #[must_use]
    pub fn contradicts(
        &self,
        other: &Self,
        terms: &super::Terms,
        game: GameNumber,
    ) -> Option<Contradiction> {
        let said = self.said(game, &self.moves);
        Contradiction::between(terms, &said, &other.said(game, &other.moves))
    }
}

impl codec::Encode for WitnessedEnd {
    fn encode_to<O: codec::Output + ?Sized>(&self, dest: &mut O) {
        dest.push_byte(self.code());
    }
}

impl codec::EncodeLike for WitnessedEnd {}

/// Reads the [code](WitnessedEnd::code).
impl Decode for WitnessedEnd {
    fn decode<I: codec::Input>(input: &mut I) -> Result<Self, codec::Error> {
        let code = input.read_byte()?;
        let end = Self::ALL.into_iter().find(|end| end.code() == code);
        end.ok_or_else(|| "no end".into())
    }
}

impl scale_info::TypeInfo for WitnessedEnd {
    type Identity = u8;

    fn type_info() -> scale_info::Type {
        u8::type_info()
    }
}

impl codec::MaxEncodedLen for WitnessedEnd {
    fn max_encoded_len() -> usize {
        1
    }
}

#[cfg(test)]
mod tests {
    use codec::{Encode as _, MaxEncodedLen as _};

    use super::*;

    #[test]
    fn no_message_is_longer_than_the_bound() {
        assert!(ToWitness::max_encoded_len() <= MAX_LEN);
        assert!(FromWitness::max_encoded_len() <= MAX_LEN);
    }

    #[test]
    fn each_end_has_its_code() {
        for end in WitnessedEnd::ALL {
            assert_eq!(end.encode(), [end.code()]);
            assert_eq!(WitnessedEnd::decode(&mut &[end.code()][..]), Ok(end));
        }
        assert!(WitnessedEnd::decode(&mut &[7][..]).is_err());
    }
}
