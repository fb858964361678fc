//! The lobby of a relay: players who seek a game by [signed terms](GameTerms), and those who answer.
//!
//! It is a WebSocket at [`PATH`], beside the rooms. Each binary frame is one message in SCALE, of at most
//! [`MAX_LEN`] bytes: [`ToLobby`] in one direction, [`FromLobby`] in the other. Text is refused.
//!
//! 1. The relay opens with [`FromLobby::Welcome`]. Whoever asks for it has all seeks [listed](ToLobby::List), and
//!    is told of each change from then on.
//! 2. A seeker sends a [`SignedSeek`], and sees it listed as the receipt. Then it looks whether one that was
//!    there before is what it wants: if all answer only seeks with a smaller number than their own, no two answer
//!    each other at the same time. It is there as long as the socket:
//!    another seek by the same socket or session key takes its place.
//! 3. Somebody answers it by [terms that fit](Answer), with its signature on them. The relay judges them,
//!    takes the seek off the list, and passes them to the seeker. Whoever answers later is told at once that
//!    the seek is taken.
//! 4. The seeker's program signs the terms by itself, and both hold [`SignedTerms`], with which they enter the
//!    [room](super::wire) of the game. If one of them vanishes before, the other one is told.
//!
//! Nobody trusts the relay: seeks and answers are signed, and everybody can check them. It can withhold them.
//! Nobody is bound by them either: a game counts only once both players have signed moves.
//!
//! # Random colours
//!
//! Neither player can choose a random colour alone. A seek has the [commitment] to a secret of the seeker, and
//! the answerer signs both seatings, with a random [nonce](GameTerms::nonce). The seeker takes the seating that
//! [`seeker_is_first`] tells, and shows the secret by it. The answerer has chosen the nonce without the secret,
//! and the seeker the secret before the nonce. A player who does not like the outcome can leave, and then has to
//! seek or answer anew.

use codec::Decode;
use connect4_rules::{ByPlayer, Player, ShapeSpec};

use super::domain::{address, hash_of, word};
use super::wire::Refusal;
use super::{
    AccountCrypto, Crypto, Digest, Domain, GameTerms, Party, Pool, Signature, SignedSession,
    SignedTerms,
};
use crate::{Address, ClockSpec, Error, Terms};

/// The path of the lobby, below the address of the relay.
pub const PATH: &str = "/fast/lobby";

/// Bytes of a message, at most.
pub const MAX_LEN: usize = 400;

/// How far the time of a seek or of an answer can be from that of who judges it, in seconds.
pub const FRESH: u64 = 10 * 60;

/// What a seek is called in the lobby, as long as it is there.
pub type SeekId = u64;

/// What an answer is called.
pub type AnswerId = u64;

/// What only who knows it can see a seek by. The relay knows it, too.
pub type Invite = [u8; 16];

/// The message in a frame; none if the frame is too long, or is not one message of this type.
#[must_use]
pub fn read<M: Decode>(frame: &[u8]) -> Option<M> {
    crate::frame::read(frame, MAX_LEN)
}

/// Which player a seeker wants to be.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
)]
pub enum Side {
    /// One that neither player can choose.
    #[default]
    #[codec(index = 0)]
    Random,
    /// The one who moves first.
    #[codec(index = 1)]
    First,
    /// The one who moves second.
    #[codec(index = 2)]
    Second,
}

/// A game that a player seeks. The struct of EIP-712 that its session key signs, with the nonce of the
/// [`Welcome`](FromLobby::Welcome) on the seeker's socket; a bank of 0 is no clock:
///
/// ```text
/// Seek(address account,address key,uint8 bins,uint8 capacity,uint8 line,bool pieRule,uint16 pool,
///     bool program,uint32 bank,uint32 increment,uint8 side,bytes32 commitment,uint64 time,bytes32 nonce)
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, codec::Encode, codec::Decode, codec::MaxEncodedLen)]
pub struct Seek {
    /// The seeker.
    pub party: Party,
    /// Shape of the board.
    pub shape: ShapeSpec,
    /// Whether the player who moves second may swap.
    pub pie_rule: bool,
    /// Number of the [pool](GameTerms::pool).
    pub pool: u16,
    /// Whether the seeker is a program.
    pub program: bool,
    /// Clock, for a dispute on the chain; none if the game has none.
    pub clock: Option<ClockSpec>,
    /// Which player the seeker wants to be.
    pub side: Side,
    /// The [commitment] to the secret for a random side; zeros for another one.
    pub commitment: Digest,
    /// When the seek was made, in seconds since 1970.
    pub time: u64,
}

const SEEK_TYPE: Digest = hash_of(
    "Seek(address account,address key,uint8 bins,uint8 capacity,uint8 line,bool pieRule,uint16 pool,\
     bool program,uint32 bank,uint32 increment,uint8 side,bytes32 commitment,uint64 time,bytes32 nonce)",
);

/// What is shown of a secret before the colours are decided.
#[must_use]
pub fn commitment(secret: &[u8; 32], crypto: &impl Crypto) -> Digest {
    crypto.keccak256(secret)
}

/// Whether the seeker is the player who moves first, by its secret and the nonce of the answer: the last bit
/// of the hash of both is 0.
#[must_use]
pub fn seeker_is_first(secret: &[u8; 32], nonce: u32, crypto: &impl Crypto) -> bool {
    let mut bytes = [0; 36];
    let (first, last) = bytes.split_at_mut(32);
    first.copy_from_slice(secret);
    last.copy_from_slice(&nonce.to_be_bytes());
    let [.., last] = crypto.keccak256(&bytes);
    last & 1 == 0
}

impl Seek {
    /// The shortest bank, in seconds, as for a stake: who plays without a wallet has to find one in a dispute.
    pub const MIN_BANK: u32 = Terms::MIN_STAKED_BANK;

    /// The digest that the seeker's session key signs.
    #[must_use]
    pub fn digest(&self, nonce: [u8; 32], domain: &Domain, crypto: &impl Crypto) -> Digest {
        let (bank, increment) = self
            .clock
            .map_or((0, 0), |clock| (clock.bank, clock.increment));
        let words = [
            SEEK_TYPE,
            address(&self.party.account()),
            address(&self.party.key()),
            word(self.shape.bins.into()),
            word(self.shape.capacity.into()),
            word(self.shape.line.into()),
            word(self.pie_rule.into()),
            word(self.pool.into()),
            word(self.program.into()),
            word(bank.into()),
            word(increment.into()),
            word(self.side as u64),
            self.commitment,
            word(self.time),
            nonce,
        ];
        domain.digest(crypto, &crypto.keccak256(words.as_flattened()))
    }

    /// The terms by which this party answers, as a program or not, at this time. The seeker is player one
    /// where the side is random.
    #[must_use]
    pub const fn answered_by(
        &self,
        party: Party,
        program: bool,
        time: u64,
        nonce: u32,
    ) -> GameTerms {
        let terms = GameTerms {
            players: ByPlayer {
                one: self.party,
                two: party,
            },
            shape: self.shape,
            pie_rule: self.pie_rule,
            pool: self.pool,
            programs: ByPlayer {
                one: self.program,
                two: program,
            },
            clock: self.clock,
            time,
            nonce,
        };
        match self.side {
            Side::Random | Side::First => terms,
            Side::Second => terms.swapped(),
        }
    }

    /// Which player the seeker is in terms that answer it, before a random side is decided.
    const fn seat(&self) -> Player {
        match self.side {
            Side::Random | Side::First => Player::One,
            Side::Second => Player::Two,
        }
    }
}

/// A seek that its session key has signed, with all that others need to check it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, codec::Encode, codec::Decode, codec::MaxEncodedLen)]
pub struct SignedSeek {
    /// The seek.
    pub seek: Seek,
    /// The nonce of the seeker's socket.
    pub nonce: [u8; 32],
    /// What the account has signed about its session key; none for a guest.
    pub session: Option<SignedSession>,
    /// Signature by the session key.
    pub signature: Signature,
}

impl SignedSeek {
    /// Checks it at this time, in seconds since 1970.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::TermsExpired`] if it was made more than [`FRESH`] seconds before or after,
    /// 2. the errors of [`GameTerms::start`] for the game that is sought, whoever answers,
    /// 3. [`Error::ShortClock`] if its clock has a bank below [`Seek::MIN_BANK`],
    /// 4. [`Refusal::OtherPool`] if no game that is sought is one of its [pool](Pool),
    /// 5. [`Error::BadSignature`] if it is not signed by the session key,
    /// 6. [`Error::BadSession`] if the account has not named the session key.
    pub fn check(
        &self,
        now: u64,
        domain: &Domain,
        crypto: &impl AccountCrypto,
    ) -> Result<(), Refusal> {
        let seek = &self.seek;
        is_fresh(seek.time, now)?;
        let terms = seek.answered_by(anybody(&seek.party), false, seek.time, 0);
        terms.start(terms.number(domain, crypto), Address::ZERO)?;
        if seek.clock.is_some_and(|clock| clock.bank < Seek::MIN_BANK) {
            return Err(Error::ShortClock.into());
        }
        if Pool::of(seek.pool).is_some_and(|pool| !pool.takes_seek(seek)) {
            return Err(Refusal::OtherPool);
        }
        let digest = seek.digest(self.nonce, domain, crypto);
        if crypto.recover(&digest, &self.signature) != Some(seek.party.key()) {
            return Err(Error::BadSignature.into());
        }
        check_session(&terms, seek.party, self.session, domain, crypto)?;
        Ok(())
    }
}

/// Another party than this one.
fn anybody(other: &Party) -> Party {
    let differs = |candidate: &Address| *candidate != other.account() && *candidate != other.key();
    let candidates = [[1; 20], [2; 20], [3; 20]].map(Address);
    let found = candidates.into_iter().find(differs);
    Party::Guest(found.unwrap_or(Address([1; 20])))
}

const fn is_fresh(time: u64, now: u64) -> Result<(), Error> {
    match time.abs_diff(now) <= FRESH {
        true => Ok(()),
        false => Err(Error::TermsExpired),
    }
}

/// Checks that a party of these terms has named its session key.
fn check_session(
    terms: &GameTerms,
    party: Party,
    session: Option<SignedSession>,
    domain: &Domain,
    crypto: &impl AccountCrypto,
) -> Result<(), Error> {
    let alone = GameTerms {
        players: ByPlayer {
            one: party,
            two: anybody(&party),
        },
        ..*terms
    };
    let sessions = ByPlayer {
        one: session,
        two: None,
    };
    alone.check_sessions(&sessions, domain, crypto)
}

/// An answer to a seek: full terms, which the answerer has signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, codec::Encode, codec::Decode, codec::MaxEncodedLen)]
pub struct Answer {
    /// The terms, as [`Seek::answered_by`] makes them.
    pub terms: GameTerms,
    /// What the answerer's account has signed about its session key; none for a guest.
    pub session: Option<SignedSession>,
    /// Signature by the answerer's session key on the terms.
    pub signature: Signature,
    /// The same on the terms with the players' seats exchanged, for a random side.
    pub swapped: Option<Signature>,
}

impl Answer {
    /// Checks that it answers this seek, at this time in seconds since 1970.
    ///
    /// # Errors
    ///
    /// Returns the first of these that applies:
    ///
    /// 1. [`Error::TermsExpired`] if the terms were made more than [`FRESH`] seconds before or after,
    /// 2. [`Error::OtherTerms`] if the terms are not what is sought, or none of their [pool](Pool) as one player is
    ///    a program, or none is,
    /// 3. the errors of [`GameTerms::start`],
    /// 4. [`Error::BadSignature`] if a signature is not by the answerer's session key,
    /// 5. [`Error::BadSession`] if the answerer's account has not named its session key.
    pub fn check(
        &self,
        seek: &Seek,
        now: u64,
        domain: &Domain,
        crypto: &impl AccountCrypto,
    ) -> Result<(), Error> {
        let terms = &self.terms;
        is_fresh(terms.time, now)?;
        let answerer = seek.seat().opponent();
        let party = *terms.players.get(answerer);
        let program = *terms.programs.get(answerer);
        let fits = *terms == seek.answered_by(party, program, terms.time, terms.nonce);
        if !fits || self.swapped.is_some() != (seek.side == Side::Random) {
            return Err(Error::OtherTerms);
        }
        if Pool::of(terms.pool).is_some_and(|pool| !pool.takes_terms(terms)) {
            return Err(Error::OtherTerms);
        }
        terms.start(terms.number(domain, crypto), Address::ZERO)?;
        let is_signed = |terms: &GameTerms, signature: &Signature| {
            let digest = terms.digest(domain, crypto);
            crypto.recover(&digest, signature) == Some(party.key())
        };
        let swapped = self.swapped.as_ref();
        let is_signed_too = swapped.is_none_or(|by| is_signed(&terms.swapped(), by));
        if !is_signed(terms, &self.signature) || !is_signed_too {
            return Err(Error::BadSignature);
        }
        check_session(terms, party, self.session, domain, crypto)
    }

    /// The terms with the seats that are decided, and the answerer's signature on them: the seeker has this
    /// secret. None if the secret is not the one of the seek's commitment.
    #[must_use]
    pub fn decided(
        &self,
        seek: &Seek,
        secret: &[u8; 32],
        crypto: &impl Crypto,
    ) -> Option<(GameTerms, Signature)> {
        if seek.side != Side::Random {
            return Some((self.terms, self.signature));
        }
        if commitment(secret, crypto) != seek.commitment {
            return None;
        }
        match seeker_is_first(secret, self.terms.nonce, crypto) {
            true => Some((self.terms, self.signature)),
            false => Some((self.terms.swapped(), self.swapped?)),
        }
    }

    /// What both have signed once the seeker has: with its secret and its signature. None if the secret is not
    /// the one of the seek's commitment. Whether the signature is valid is [`SignedTerms::start`]'s to check.
    #[must_use]
    pub fn accepted(
        &self,
        signed: &SignedSeek,
        secret: &[u8; 32],
        signature: Signature,
        crypto: &impl Crypto,
    ) -> Option<SignedTerms> {
        let (terms, answerers) = self.decided(&signed.seek, secret, crypto)?;
        let seeker = match *terms.players.get(Player::One) == signed.seek.party {
            true => Player::One,
            false => Player::Two,
        };
        let mut accepted = SignedTerms {
            terms,
            sessions: ByPlayer {
                one: self.session,
                two: self.session,
            },
            signatures: ByPlayer {
                one: answerers,
                two: answerers,
            },
        };
        accepted.sessions[seeker] = signed.session;
        accepted.signatures[seeker] = signature;
        Some(accepted)
    }
}

/// What is sent to the lobby.
#[derive(Clone, Copy, Debug, PartialEq, Eq, codec::Encode, codec::Decode, codec::MaxEncodedLen)]
pub enum ToLobby {
    /// The sender seeks a game. It takes the place of what it has sought before.
    #[codec(index = 0)]
    Seek {
        /// The seek, signed with the nonce of this socket.
        seek: SignedSeek,
        /// By what alone it is seen; none if everybody sees it.
        invite: Option<Invite>,
    },
    /// The sender seeks no more, and takes back its answer, if that still waits.
    #[codec(index = 1)]
    Withdraw,
    /// The sender wants to see the seek with this invite, too, as soon as there is one.
    #[codec(index = 2)]
    Look(Invite),
    /// The sender answers a seek.
    #[codec(index = 3)]
    Answer {
        /// The seek.
        seek: SeekId,
        /// The answer.
        answer: Answer,
    },
    /// The seeker has signed the terms of an answer.
    #[codec(index = 4)]
    Accept {
        /// The answer.
        answer: AnswerId,
        /// The secret of the seek's commitment; zeros if its side is not random.
        secret: [u8; 32],
        /// Signature of the seeker's session key on the terms with the seats that are decided.
        signature: Signature,
    },
    /// The seeker does not take an answer. Its seek is listed again.
    #[codec(index = 5)]
    Decline {
        /// The answer.
        answer: AnswerId,
    },
    /// The sender wants all seeks listed, then [`FromLobby::Complete`]; at most once in a second.
    #[codec(index = 6)]
    List {
        /// Whether to be told of each change from then on, too.
        live: bool,
    },
}

/// What the lobby sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, codec::Encode, codec::Decode, codec::MaxEncodedLen)]
pub enum FromLobby {
    /// The first message on each socket.
    #[codec(index = 0)]
    Welcome {
        /// What a seeker signs by its seek, different for each socket.
        nonce: [u8; 32],
        /// EIP-155 number of the chain for which terms are signed, as the relay says.
        chain_id: u64,
        /// The contract for which they are signed, as the relay says.
        contract: Address,
        /// The relay's time, in seconds since 1970.
        time: u64,
    },
    /// A seek.
    #[codec(index = 1)]
    Listed {
        /// What it is called.
        id: SeekId,
        /// Whether it is seen by an invite alone.
        invited: bool,
        /// The seek.
        seek: SignedSeek,
    },
    /// A seek is taken or withdrawn, or its seeker has gone.
    #[codec(index = 2)]
    Gone {
        /// The seek.
        id: SeekId,
    },
    /// To the seeker: its seek was answered.
    #[codec(index = 3)]
    Answered {
        /// What the answer is called.
        id: AnswerId,
        /// The answer, which the relay has judged.
        answer: Answer,
    },
    /// To both: the seeker has accepted the answer, and the relay has told both of it.
    #[codec(index = 5)]
    Accepted {
        /// The seek.
        seek: SeekId,
        /// The seeker's secret.
        secret: [u8; 32],
        /// Signature of the seeker's session key on the terms with the seats that are decided.
        signature: Signature,
    },
    /// To who has answered, or accepted an answer: there is no game.
    #[codec(index = 6)]
    NotPaired {
        /// The seek.
        seek: SeekId,
        /// Why not.
        why: NotPaired,
    },
    /// What was listed so far is not valid any more, as too much has changed to tell it one by one. All
    /// seeks are listed anew.
    #[codec(index = 7)]
    Cleared,
    /// All seeks were listed.
    #[codec(index = 8)]
    Complete,
    /// Something that was sent is not taken, or the relay closes the socket next. It has the bytes that it has
    /// in a room.
    #[codec(index = 4)]
    Refused(Refusal),
}

/// Why an answer to a seek makes no game.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, codec::Encode, codec::Decode, codec::MaxEncodedLen,
)]
pub enum NotPaired {
    /// Somebody else was faster.
    #[codec(index = 0)]
    Taken,
    /// The other one has gone, or the seek was withdrawn.
    #[codec(index = 1)]
    Gone,
    /// The seeker does not take it.
    #[codec(index = 2)]
    Declined,
    /// The seeker's program has not said anything in time.
    #[codec(index = 3)]
    Silent,
}
