//! The feed of a relay: which signed games without a stake are played in the rooms of its witness, and which it has
//! ended.
//!
//! It is a WebSocket at [`PATH`], beside the rooms. Each binary frame is one message
//! in SCALE, of at most [`MAX_LEN`] bytes: [`ToFeed`] in one direction, [`FromFeed`] in the other. Text is refused.
//!
//! 1. The relay opens with [`FromFeed::Welcome`].
//! 2. On [`ToFeed::Live`] it lists the games that are played at the moment, then [`FromFeed::Complete`].
//! 3. On [`ToFeed::Ended`] it sends the ended games that it still keeps, then [`FromFeed::Complete`], and each
//!    further game as it ends. A reader who is too slow misses games, and is told so.
//!
//! Nobody trusts the relay: an ended game is a [`Finished`] one, which everybody [judges](Finished::judge) as the chain does.
//! A relay can withhold games, and it alone says from where the players are connected.

use codec::Decode;
use connect4_rules::{ByPlayer, ShapeSpec};

use super::relay::Refusal;
use super::{Chain, Finished, GameNumber, Terms};
use crate::{Address, ClockSpec};

/// The path of the feed, below the address of the relay.
pub const PATH: &str = "/signed/games";

/// Bytes of a message, at most.
pub const MAX_LEN: usize = 896;

/// Number of an ended game in the feed. It grows while the relay runs.
pub type EndedId = u64;

/// The message in a frame; none if the frame is too long, or is not one message of this type.
#[must_use]
pub fn read<M: Decode>(frame: &[u8]) -> Option<M> {
    crate::frame::read(frame, MAX_LEN)
}

/// From where a player is connected, as the relay says: equal for two players at one network address (of IPv6 a
/// network of 48 bits), and different in each run of the relay, so that the address itself is not told. Zero if
/// the relay does not count the address, as one of its own machine.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
)]
pub struct Origin(pub [u8; 8]);

/// A signed game without a stake that is played at the moment, as the relay says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, codec::Encode, codec::Decode, codec::MaxEncodedLen)]
pub struct LiveGame {
    /// Number of the game, by which its room is found.
    pub number: GameNumber,
    /// Accounts of the players. Player one makes the first move.
    pub players: ByPlayer<Address>,
    /// Whether a program plays, as each player says of itself.
    pub programs: ByPlayer<bool>,
    /// Shape of the board.
    pub shape: ShapeSpec,
    /// Whether player two's first move can be a swap.
    pub pie_rule: bool,
    /// Number of the [pool](Terms::pool).
    pub pool: u16,
    /// Clock; none if the game has none.
    pub clock: Option<ClockSpec>,
    /// Number of moves so far.
    pub moves: u8,
    /// When its terms were made, in seconds since 1970.
    pub since: u64,
}

impl LiveGame {
    /// The game of these terms with this number, after so many moves.
    #[must_use]
    pub fn of(number: GameNumber, terms: &Terms, moves: u8) -> Self {
        Self {
            number,
            players: terms.players.map(|party| party.account()),
            programs: terms.programs,
            shape: terms.shape,
            pie_rule: terms.pie_rule,
            pool: terms.pool,
            clock: terms.clock,
            moves,
            since: terms.time,
        }
    }
}

/// What a follower sends to the feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, codec::Encode, codec::Decode, codec::MaxEncodedLen)]
pub enum ToFeed {
    /// List the games that are played at the moment.
    #[codec(index = 0)]
    Live,
    /// Send the ended games with a larger number that are still kept, and each further one as it ends.
    #[codec(index = 1)]
    Ended {
        /// The last game that the follower has; 0 for none.
        after: EndedId,
    },
}

/// What the feed sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, codec::Encode, codec::Decode, codec::MaxEncodedLen)]
#[expect(
    clippy::large_enum_variant,
    reason = "one is encoded or read at a time, without an allocation"
)]
pub enum FromFeed {
    /// The first message on each socket.
    #[codec(index = 0)]
    Welcome {
        /// Chain for which games are signed here.
        chain: Chain,
        /// Seconds since 1970 by the relay's clock.
        time: u64,
        /// Different in each run of the relay. The numbers of ended games begin again with it, and the
        /// [origins](Origin) change.
        run: u64,
    },
    /// A game that is played at the moment.
    #[codec(index = 1)]
    Live(LiveGame),
    /// All of a list was sent.
    #[codec(index = 2)]
    Complete,
    /// A signed game without a stake that the witness of the relay has ended, once.
    #[codec(index = 3)]
    Finished {
        /// Number in the feed.
        id: EndedId,
        /// From where each player was connected last; zero for one who was not.
        origins: ByPlayer<Origin>,
        /// The game, with everything that is needed to record it on the chain.
        finished: Finished,
    },
    /// Something that was sent is not taken, or the relay closes the socket next.
    #[codec(index = 4)]
    Refused(Refusal),
    /// Ended games that the follower does not have are not kept any more.
    #[codec(index = 5)]
    Missed,
}

#[cfg(test)]
mod tests {
    use codec::MaxEncodedLen as _;

    use super::*;
    use crate::signed::wire::FromWitness;

    #[test]
    fn no_message_is_longer_than_the_bound() {
        assert!(FromFeed::max_encoded_len() <= MAX_LEN);
        assert!(ToFeed::max_encoded_len() <= MAX_LEN);
    }

    /// A socket is refused before the relay knows where it wants to go.
    #[test]
    fn a_refusal_reads_as_that_of_a_room() {
        use codec::Encode as _;
        for refusal in [Refusal::Full, Refusal::Busy] {
            let of_room = FromWitness::Refused(refusal).encode();
            assert_eq!(read(&of_room), Some(FromFeed::Refused(refusal)));
        }
    }
}
