//! How a witness signs the ends of many games at once, for those who record them.
//!
//! It is a WebSocket at [`path`], which names the key of the witness. Each binary frame is one message in SCALE, of at
//! most [`MAX_LEN`] bytes: [`Asked`] in one direction, [`FromListing`] in the other. Text is refused.
//!
//! 1. The relay opens with [`FromListing::Welcome`].
//! 2. To each [`Asked`] it answers once, in order: with its signature on the [`Ends`] of the games that were named, in
//!    their order, or with the first game of which its log has no end that can be recorded. It signs no list with such a
//!    game, and says nothing in it that it has not said of each game by itself. An address has so many answers, and is
//!    [refused](FromListing::Refused) more.
//! 3. It signs by the key in the path alone: once the witness has another one, the socket is closed.
//!
//! What is signed names the chain, and each game by the digest of its terms, which have the tournament: the signature is
//! that of a [`Group`](super::Group), whichever tournament it is of.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use codec::{Decode, Encode, Input};

use super::relay::Refusal;
use super::{Digest, Ends, GameNumber, Signature};
use crate::Address;

/// Bytes of a message, at most.
pub const MAX_LEN: usize = 32 * Ends::MAX + 2;

/// The path at which a witness signs lists of ends, below the address of the relay.
///
/// # Examples
///
/// ```
/// use connect4_protocol::Address;
/// use connect4_protocol::signed::listing;
///
/// let path = listing::path(Address([0xab; 20]));
/// assert!(path.starts_with("/signed/0xabab") && path.ends_with("/ends"));
/// ```
#[must_use]
pub fn path(witness: Address) -> String {
    format!("/signed/{witness}/ends")
}

/// The message in a frame; none if the frame is too long, or is not one message of this type.
#[must_use]
pub fn read<M: Decode>(frame: &[u8]) -> Option<M> {
    crate::frame::read(frame, MAX_LEN)
}

/// Asks for the signature on the ends of these games: at least one, and at most [`Ends::MAX`].
#[derive(Clone, Debug, PartialEq, Eq, Encode)]
pub struct Asked(Vec<GameNumber>);

impl Asked {
    /// Asks for these games; none if there are none, too many, or one twice.
    #[must_use]
    pub fn new(games: Vec<GameNumber>) -> Option<Self> {
        let mut sorted = games.clone();
        sorted.sort_unstable();
        let is_once = sorted.windows(2).all(|pair| pair.first() != pair.last());
        let fits = (1..=Ends::MAX).contains(&games.len());
        (fits && is_once).then_some(Self(games))
    }

    /// The games, in the order of the list.
    #[must_use]
    pub fn games(&self) -> &[GameNumber] {
        &self.0
    }
}

impl Decode for Asked {
    fn decode<I: Input>(input: &mut I) -> Result<Self, codec::Error> {
        Self::new(Vec::decode(input)?).ok_or_else(|| "no list of games".into())
    }
}

/// What the witness sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, codec::MaxEncodedLen)]
pub enum FromListing {
    /// The first message on each socket.
    #[codec(index = 0)]
    Welcome {
        /// EIP-155 number of the chain for which games are signed here.
        chain_id: u64,
        /// Hash of the first block of that chain.
        genesis: Digest,
    },
    /// The signature of the witness on the [`Ends`] of the games, in the order in which they were named.
    #[codec(index = 1)]
    Signed(Signature),
    /// No list: the log has no end of this game, or it is void.
    #[codec(index = 2)]
    Lacks(GameNumber),
    /// It signs no list for this request: [`Refusal::Busy`] if the address has asked for too many. Otherwise the relay
    /// closes the socket next, as by [`Refusal::OtherWitness`] once the witness has another key. It has the bytes that it
    /// has in a room.
    #[codec(index = 4)]
    Refused(Refusal),
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use codec::MaxEncodedLen as _;

    use super::*;
    use crate::signed::wire::FromWitness;

    fn games(count: u8) -> Vec<GameNumber> {
        (0..count).map(|number| GameNumber([number; 32])).collect()
    }

    #[test]
    fn a_list_is_bounded_and_names_no_game_twice() {
        assert!(FromListing::max_encoded_len() <= MAX_LEN);
        let most = u8::try_from(Ends::MAX).unwrap();
        let longest = Asked::new(games(most)).unwrap();
        assert_eq!(longest.encode().len(), MAX_LEN);
        assert_eq!(read(&longest.encode()), Some(longest));
        for refused in [games(0), games(most + 1), vec![GameNumber([7; 32]); 2]] {
            assert_eq!(Asked::new(refused.clone()), None);
            assert_eq!(read::<Asked>(&refused.encode()), None);
        }
    }

    #[test]
    fn a_refusal_reads_as_that_of_a_room() {
        let of_room = FromWitness::Refused(Refusal::OtherWitness).encode();
        let refused = FromListing::Refused(Refusal::OtherWitness);
        assert_eq!(read(&of_room), Some(refused));
    }
}
