//! What outlives the program of a player in a signed game, and where it is kept.

use alloc::vec::Vec;

use codec::{Decode, Encode};
use connect4_protocol::signed::wire::{Spoken, Telling, Told};
use connect4_protocol::signed::{GameNumber, Moves, Signature, SignedTerms, Terms};
use connect4_protocol::{Address, Game};

use crate::game_offer::GameOffer;
use crate::journal::{Dropped, Journal};
use crate::keep::Keep;

/// All that has to outlive the program of a player in a signed game, from the offer on. It is written before it is
/// relied on: before a payment is sent that it names, and before a signature leaves the program.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Record {
    pub offer: GameOffer,
    /// The terms that this player pays for or has signed; none while nobody has taken its offer. They never change.
    pub terms: Option<Terms>,
    pub refund: Refund,
    /// How far blocks have shown a game with a stake. It only grows.
    pub progress: Progress,
    /// What is signed in a game with a stake.
    pub journal: Journal,
    /// The discs that were sent to the chain, the newest last: on one board only one is, as it may land late.
    pub dropped: Vec<Dropped>,
    /// The terms that this player has signed for both colours, where a coin decides them.
    pub tossed: Option<[SignedTerms; 2]>,
    /// What is signed in a game without a stake; none before its terms are.
    pub room: Option<Room>,
}

/// What a player has signed and holds in a game without a stake.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Room {
    /// The terms. [`Signature::NONE`] stands for the player who offers until it has signed them.
    pub agreed: SignedTerms,
    /// This player's last move. It signs one for each turn.
    pub moved: Option<Spoken>,
    /// Whether the person has given the game up. That is said at each newest position until the game has ended.
    pub has_resigned: bool,
    /// The receipt with the most moves.
    pub receipt: Option<Told>,
    /// How the game has ended, by its witness.
    pub end: Option<Told>,
    /// Two statements of the witness that cannot both be true, or one twice that cannot be.
    pub contradiction: Option<(Told, Told)>,
}

impl Room {
    /// Whether both have signed the terms.
    #[must_use]
    pub fn is_agreed(&self) -> bool {
        let signatures = &self.agreed.signatures;
        signatures.one != Signature::NONE && signatures.two != Signature::NONE
    }

    /// The moves of the newest position that the witness has told, or of the end.
    #[must_use]
    pub fn moves(&self) -> Moves {
        let told = self.receipt.iter().chain(&self.end).map(|told| told.moves);
        told.max_by_key(|moves| moves.len()).unwrap_or_default()
    }

    /// Notes in a list what the newest receipt tells about the time that was left after its move to the player who made it,
    /// in milliseconds. There is nothing of a move whose receipt was not seen.
    pub fn note_left(&self, list: &mut Vec<Option<u64>>) {
        if let Some(Told {
            moves,
            what: Telling::Receipt { left },
            ..
        }) = self.receipt
            && let Some(last) = moves.len().checked_sub(1)
        {
            let mover = match last % 2 {
                0 => left.one,
                _ => left.two,
            };
            if list.len() <= last {
                list.resize(last + 1, None);
            }
            list[last] = Some(mover);
        }
    }
}

/// What has become of the player's payment if it wants it back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub enum Refund {
    /// It is not asked for.
    #[default]
    None,
    /// It is asked for, and the terms are not paid for any more.
    Asked,
    /// A block has shown that the payment is not there any more. Whatever becomes of that block, no move is signed in
    /// this game.
    Seen,
}

/// How far blocks have shown a game with a stake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub enum Progress {
    #[default]
    None,
    /// A block has shown this player's payment.
    Paid,
    /// A final block has shown that both have paid. From then on neither pays once more: the contract forgets a game
    /// that has ended.
    Begun,
    /// A final block has shown how it has ended.
    Ended(Game),
}

impl Progress {
    /// Which of two comes later.
    pub(crate) const fn rank(&self) -> u8 {
        match self {
            Self::None => 0,
            Self::Paid => 1,
            Self::Begun => 2,
            Self::Ended(_) => 3,
        }
    }
}

/// Where the [`Record`] of a game is kept, beside those of other games.
pub trait Shelf {
    type Error;

    /// Keeps the record in place of the one before. When this returns, it outlives a crash.
    ///
    /// # Errors
    ///
    /// If it can't be kept. Then it may be the old one or the new one.
    fn keep(&mut self, record: &Record) -> Result<(), Self::Error>;

    /// As [`Keep::may_have`].
    fn may_have(&self, record: &Record) -> bool;

    /// Whether the secret of this key is on the disk.
    fn has_key(&self, key: Address) -> bool;

    /// Whether there is another record or a journal of this game, which some other program may play.
    fn has_other(&self, game: GameNumber) -> bool;

    /// Whether there is another record of this offer whose player has this key, so that both would pay for it or sign.
    fn has_taken(&self, offer: &GameOffer, key: Address) -> bool;

    /// Whether this program alone still has the record: another one that wrote it, too, could sign a turn again. A shelf
    /// locks the record when it is opened, and says no once the lock is lost.
    fn is_held(&self) -> bool;
}

/// The place of the journal in its record, for a [`Seat`](crate::Seat).
pub(crate) struct Page<'a, K> {
    pub shelf: &'a mut K,
    pub record: &'a Record,
}

impl<K> Page<'_, K> {
    fn with(&self, journal: &Journal) -> Record {
        Record {
            journal: journal.clone(),
            ..self.record.clone()
        }
    }
}

impl<K: Shelf> Keep for Page<'_, K> {
    type Error = K::Error;

    fn keep(&mut self, journal: &Journal) -> Result<(), K::Error> {
        let record = self.with(journal);
        self.shelf.keep(&record)
    }

    fn may_have(&self, journal: &Journal) -> bool {
        self.shelf.may_have(&self.with(journal))
    }
}
