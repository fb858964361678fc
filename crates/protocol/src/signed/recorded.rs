//! Ends of games as the contract of the records takes them.

use alloc::vec::Vec;

use codec::{Decode, Encode, EncodeLike, Input};
use connect4_rules::{ByPlayer, Player};

use super::packed_moves::{pack, unpack};
use super::recorded_player::RecordedPlayer;
use super::wire::Told;
use super::{AccountCrypto, Digest, Ending, Finished, GameNumber, Signature, Terms, Witnessed};
use crate::Address;
use crate::bytes::joined;

/// What the terms of all games of one call have in common.
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
pub struct Group {
    /// Hash of the first block of the chain for which they are signed. A contract does not know that of its own chain, so
    /// who reads what it has recorded compares it.
    pub genesis: Digest,
    /// Their witness; none of games without one.
    pub witness: Option<Address>,
    /// Their tournament; none of games that belong to none.
    pub event: Option<Digest>,
    /// Signature of the witness on the list of [`Ends`](super::Ends) of the games that have none of their own, in their order; none
    /// if all have.
    pub list: Option<Signature>,
}

/// A [`Finished`] game as the contract of the records takes it: nothing that follows from the rest, or from its
/// [`Group`], is in it.
///
/// Its SCALE encoding is that of its fields, but for the moves. They are a list of bytes with two moves in
/// each, the earlier one in the low half: a bin from 0 to 13, or 15 for a [swap](super::Moves::SWAP). If they are an odd
/// number the high half of the last byte is 14. Where a bin is higher, the list is the byte 238 and then a byte for each
/// move, as in [`Moves`](super::Moves).
#[derive(Clone, Copy, Debug, PartialEq, Eq, scale_info::TypeInfo)]
pub struct RecordedEnd {
    /// The players.
    pub players: ByPlayer<RecordedPlayer>,
    /// The other [terms](Terms), as their bytes have them: from the shape of the board to the increment; pool and
    /// programs; the lower half of the time, whose upper half is zero until the year 2106; the nonce.
    pub terms: [u8; Self::TERMS],
    /// Number of the game before in a series.
    pub previous: Option<GameNumber>,
    /// By what it ended.
    pub ending: Ending,
    /// Signature of each player.
    pub signatures: ByPlayer<Signature>,
    /// When the game ended by the word of its witness, in milliseconds since 1970; none if it has no witness.
    pub at: Option<u64>,
    /// Signature of the witness on [`Ended`](super::Ended); none if the list of the group has the end.
    pub witness: Option<Signature>,
    /// All moves.
    pub moves: super::Moves,
}

/// Bytes of the fields of [`Terms`] that a record has: the board, rule and clock; pool and programs; the lower half of
/// the time, and the nonce.
const BOARD: usize = 12;
const POOL: usize = 4;
const LOW_TIME: usize = 8;
/// Where they begin.
const TO_BOARD: usize = 80;
const TO_POOL: usize = TO_BOARD + BOARD + 20 + 16;
const TO_LOW_TIME: usize = Terms::LEN - LOW_TIME;

impl RecordedEnd {
    /// Bytes of the terms that each game has for itself.
    pub const TERMS: usize = BOARD + POOL + LOW_TIME;

    /// What the contract takes for a game; none if the session of an account is missing, or the terms are of a later
    /// time than they have room for. With `is_listed` the signature of the witness is that of the group.
    #[must_use]
    pub fn of(finished: &Finished, is_listed: bool) -> Option<Self> {
        let Finished {
            terms,
            sessions,
            moves,
            ending,
            signatures,
            witnessed,
        } = finished;
        let player = |player| RecordedPlayer::of(*terms.players.get(player), *sessions.get(player));
        u32::try_from(terms.time).ok()?;
        let bytes = terms.to_bytes();
        let own = joined(&[
            bytes.get(TO_BOARD..)?.get(..BOARD)?,
            bytes.get(TO_POOL..)?.get(..POOL)?,
            bytes.get(TO_LOW_TIME..)?,
        ]);
        Some(Self {
            players: ByPlayer {
                one: player(Player::One)?,
                two: player(Player::Two)?,
            },
            terms: own,
            previous: terms.previous,
            ending: *ending,
            signatures: *signatures,
            at: witnessed.map(|witnessed| witnessed.at),
            witness: witnessed
                .filter(|_| !is_listed)
                .map(|witnessed| witnessed.signature),
            moves: *moves,
        })
    }

    /// The bytes of its terms; whether they write any is not looked at.
    #[must_use]
    #[inline(never)]
    pub fn terms(&self, group: &Group, crypto: &impl AccountCrypto) -> [u8; Terms::LEN] {
        let ByPlayer { one, two } = &self.players;
        let [one, two] = [one, two].map(|player| player.party(crypto));
        let (board, rest) = self.terms.split_at(BOARD);
        let (pool, low_time) = rest.split_at(POOL);
        joined(&[
            &one.account().0,
            &two.account().0,
            &one.key().0,
            &two.key().0,
            board,
            &group.witness.unwrap_or_default().0,
            // No stake.
            &[0; 16],
            pool,
            &group.event.unwrap_or_default(),
            &self.previous.unwrap_or_default().0,
            // The upper half of the time.
            &[0; 4],
            low_time,
        ])
    }

    /// The game of these [`terms`](Self::terms), with all that shows how it ended; the signature of its witness is none
    /// if the list of the group has the end. A game without a time has no witness.
    #[must_use]
    pub fn finished(&self, terms: Terms) -> Finished {
        let ByPlayer { one, two } = &self.players;
        Finished {
            terms,
            sessions: ByPlayer {
                one: one.signed_session(),
                two: two.signed_session(),
            },
            moves: self.moves,
            ending: self.ending,
            signatures: self.signatures,
            witnessed: self.at.map(|at| Witnessed {
                at,
                signature: self.witness.unwrap_or(Signature::NONE),
            }),
        }
    }
}

impl Encode for RecordedEnd {
    fn encode_to<O: codec::Output + ?Sized>(&self, dest: &mut O) {
        self.players.encode_to(dest);
        dest.write(&self.terms);
        self.previous.encode_to(dest);
        self.ending.encode_to(dest);
        self.signatures.encode_to(dest);
        self.at.encode_to(dest);
        self.witness.encode_to(dest);
        pack(&self.moves, dest);
    }
}

impl EncodeLike for RecordedEnd {}

impl Decode for RecordedEnd {
    fn decode<I: Input>(input: &mut I) -> Result<Self, codec::Error> {
        Ok(Self {
            players: Decode::decode(input)?,
            terms: Decode::decode(input)?,
            previous: Decode::decode(input)?,
            ending: Decode::decode(input)?,
            signatures: Decode::decode(input)?,
            at: Decode::decode(input)?,
            witness: Decode::decode(input)?,
            moves: unpack(input)?,
        })
    }
}

/// What a witness has said of a game, as evidence against it.
#[derive(Clone, Debug, PartialEq, Eq, codec::Encode, codec::Decode, scale_info::TypeInfo)]
pub struct Testimony {
    /// What it has said. The signatures of the players are not looked at.
    pub told: Told,
    /// The list of [`Ends`](super::Ends) that it has signed, in which this end stands; empty if the statement is signed by itself.
    pub list: Vec<Digest>,
}
