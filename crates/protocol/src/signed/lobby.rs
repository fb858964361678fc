//! The lobby of a relay for signed games: players who offer one, and those who take an offer.
//!
//! It is a WebSocket at [`PATH`], beside the rooms. Each binary frame is one message in SCALE, of at most [`MAX_LEN`]
//! bytes: [`ToLobby`] in one direction, [`FromLobby`] in the other. Text is refused.
//!
//! The relay reads neither [offers](Offer) nor [what players write to each other](Letter): it passes their bytes on. So
//! it believes nothing of them, and each program judges all that it gets. What a relay can do is to withhold them, or to
//! make some up, which its players take for junk.
//!
//! 1. The relay opens with [`FromLobby::Welcome`], and sends it again when its witness has changed: terms with the key
//!    before make no game any more. A program that asks for it has all offers [listed](ToLobby::List), and
//!    is told of each change from then on.
//! 2. A player sends an offer, and sees it listed as the receipt. It is there as long as the socket: another offer by the
//!    same socket takes its place.
//! 3. Somebody [takes](ToLobby::Take) it, with a letter. The relay takes the offer off the list and passes the letter on.
//!    Somebody who takes it later is told at once that it is taken.
//! 4. The program of the player who offers [accepts](ToLobby::Accept), with a letter to the taker, and the offer has
//!    ended, or stays on the list for others if that is wanted; or it [declines](ToLobby::Decline), as a letter that is
//!    junk, and the offer is listed again. If it says nothing in time the offer has ended, and if one of them vanishes
//!    before, the other one is told.
//!
//! If all take only offers with a smaller number than that of their own, no two take each other's at the same time.

use alloc::vec::Vec;

use codec::{Decode, Encode, Input};

use super::Digest;
use super::relay::Refusal;
use crate::Address;

/// The path of the lobby, below the address of the relay.
pub const PATH: &str = "/signed/lobby";

/// Bytes of a message, at most.
pub const MAX_LEN: usize = Letter::MOST + 24;

/// What only who knows it can see an offer by. The relay knows it, too.
pub type Invite = [u8; 16];

/// What an offer is called, as long as it is there.
pub type OfferId = u64;

/// What the taking of an offer is called.
pub type TakeId = u64;

/// An offer: bytes that the relay does not read.
pub type Offer = Opaque<640>;

/// What the taker of an offer and the player who offers write to each other: bytes that the relay does not read.
pub type Letter = Opaque<1_200>;

/// The message in a frame; none if the frame is too long, or is not one message of this type.
#[must_use]
pub fn read<M: Decode>(frame: &[u8]) -> Option<M> {
    crate::frame::read(frame, MAX_LEN)
}

/// Bytes that are passed on, of at most so many.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode)]
pub struct Opaque<const MOST: usize>(Vec<u8>);

impl<const MOST: usize> Opaque<MOST> {
    /// Most bytes of it.
    pub const MOST: usize = MOST;

    /// These bytes; none if they are too many.
    #[must_use]
    pub fn new(bytes: Vec<u8>) -> Option<Self> {
        (bytes.len() <= MOST).then_some(Self(bytes))
    }

    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl<const MOST: usize> Decode for Opaque<MOST> {
    fn decode<I: Input>(input: &mut I) -> Result<Self, codec::Error> {
        Self::new(Vec::decode(input)?).ok_or_else(|| "too many bytes".into())
    }
}

/// What is sent to the lobby.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum ToLobby {
    /// The sender offers a game. It takes the place of what it has offered before.
    #[codec(index = 0)]
    Offer {
        /// The offer.
        offer: Offer,
        /// By what alone it is seen; none if everybody sees it.
        invite: Option<Invite>,
    },
    /// The sender offers nothing any more, and takes no offer, if its taking still waits.
    #[codec(index = 1)]
    Withdraw,
    /// The sender wants to see the offer with this invite, too, as soon as there is one.
    #[codec(index = 2)]
    Look(Invite),
    /// The sender takes an offer.
    #[codec(index = 3)]
    Take {
        /// The offer.
        offer: OfferId,
        /// To the player who offers.
        letter: Letter,
    },
    /// The player who offers has the game, or goes on elsewhere: the offer has ended, or is listed again.
    #[codec(index = 4)]
    Accept {
        /// The offer.
        offer: OfferId,
        /// Who has taken it.
        take: TakeId,
        /// To the taker.
        letter: Letter,
        /// Whether the offer is listed again. Someone who has taken an offer with a stake may never pay for it.
        stays: bool,
    },
    /// The player who offers does not play with this taker. Its offer is listed again.
    #[codec(index = 5)]
    Decline {
        /// The offer.
        offer: OfferId,
        /// Who has taken it.
        take: TakeId,
    },
    /// The sender wants all offers listed, then [`FromLobby::Complete`]; at most once in a second.
    #[codec(index = 6)]
    List {
        /// Whether to be told of each change from then on, too.
        live: bool,
    },
}

/// The witness of signed games that a relay is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct WitnessAt {
    /// Its key, which terms without a stake name.
    pub key: Address,
    /// EIP-155 number of the chain for which games are signed there.
    pub chain_id: u64,
    /// Hash of the first block of that chain.
    pub genesis: Digest,
}

/// What the lobby sends.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum FromLobby {
    /// The first message on each socket, and again when the relay has become a witness or its witness has another key.
    #[codec(index = 0)]
    Welcome {
        /// The relay's time, in milliseconds since 1970: that of its witness, by which programs make terms, if it is one.
        time: u64,
        /// The witness that the relay is; none if it is none, or its chain has not answered yet.
        witness: Option<WitnessAt>,
    },
    /// An offer.
    #[codec(index = 1)]
    Listed {
        /// What it is called.
        id: OfferId,
        /// Whether it is seen by an invite alone.
        invited: bool,
        /// The offer.
        offer: Offer,
    },
    /// An offer is taken or withdrawn, or the player who offers has gone.
    #[codec(index = 2)]
    Gone {
        /// The offer.
        id: OfferId,
    },
    /// To the player who offers: somebody takes the offer.
    #[codec(index = 3)]
    Taken {
        /// The offer, which another one may have replaced meanwhile.
        offer: OfferId,
        /// What the taking is called.
        id: TakeId,
        /// By the taker.
        letter: Letter,
    },
    /// Something that was sent is not taken, or the relay closes the socket next. It has the bytes that it has
    /// in a room.
    #[codec(index = 4)]
    Refused(Refusal),
    /// To both: the player who offers has accepted, and the relay has told both of it.
    #[codec(index = 5)]
    Accepted {
        /// The offer.
        offer: OfferId,
        /// To the taker.
        letter: Letter,
    },
    /// To who has taken an offer, or accepted: there is no game.
    #[codec(index = 6)]
    NotPaired {
        /// The offer.
        offer: OfferId,
        /// Why not.
        why: NotPaired,
    },
    /// What was listed so far is not valid any more, as too much has changed to tell it one by one. All offers are
    /// listed anew.
    #[codec(index = 7)]
    Cleared,
    /// All offers were listed.
    #[codec(index = 8)]
    Complete,
    /// To those who are told of each change of the list: how many wait and play here. It follows the list, and comes again
    /// after some seconds if it has changed.
    #[codec(index = 9)]
    Counts(Counts),
}

/// How many wait and play at a relay, by its own word: nobody can check it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Counts {
    /// Offers that everybody sees, and those of them that are being taken.
    pub waiting: u32,
    /// Players of games of the witness that go on, both of whom are in the room. Of those of one address eight games count.
    pub playing: u32,
}

/// Why there is no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum NotPaired {
    /// Somebody else was faster.
    #[codec(index = 0)]
    Taken,
    /// The other one has gone, or the offer was withdrawn.
    #[codec(index = 1)]
    Gone,
    /// The player who offers does not take it.
    #[codec(index = 2)]
    Declined,
    /// The program of the player who offers has not said anything in time.
    #[codec(index = 3)]
    Silent,
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use codec::MaxEncodedLen as _;

    use super::*;
    use crate::signed::SignedTerms;
    use crate::signed::wire::FromWitness;

    #[test]
    fn bytes_are_bounded() {
        let longest = Offer::new(vec![7; Offer::MOST]).unwrap();
        assert_eq!(Offer::new(vec![7; Offer::MOST + 1]), None);
        let message = ToLobby::Offer {
            offer: longest.clone(),
            invite: Some([1; 16]),
        };
        assert_eq!(read(&message.encode()), Some(message));
        let listed = FromLobby::Listed {
            id: u64::MAX,
            invited: true,
            offer: longest,
        };
        assert_eq!(read(&listed.encode()), Some(listed));
        let mut longer = vec![0];
        vec![7_u8; Offer::MOST + 1].encode_to(&mut longer);
        longer.push(0);
        assert_eq!(read::<ToLobby>(&longer), None);
        let letter = Letter::new(vec![7; Letter::MOST]).unwrap();
        let taken = FromLobby::Taken {
            offer: u64::MAX,
            id: u64::MAX,
            letter: letter.clone(),
        };
        assert_eq!(read(&taken.encode()), Some(taken));
        let accepts = ToLobby::Accept {
            offer: u64::MAX,
            take: u64::MAX,
            letter,
            stays: true,
        };
        assert_eq!(read(&accepts.encode()), Some(accepts));
    }

    /// A taker signs the terms for both colours, and has a byte to say so.
    #[test]
    fn a_letter_has_place_for_two_terms() {
        assert!(2 * SignedTerms::max_encoded_len() < Letter::MOST);
    }

    /// A socket is refused before the relay knows where it wants to go.
    #[test]
    fn a_refusal_reads_as_that_of_a_room() {
        let refusal = Refusal::Busy;
        let of_room = FromWitness::Refused(refusal).encode();
        assert_eq!(read(&of_room), Some(FromLobby::Refused(refusal)));
    }
}
