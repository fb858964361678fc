//! What a player holds and is bound to in one game with a stake.

use alloc::vec::Vec;

use codec::{Decode, Encode};
use connect4_protocol::signed::staked_room::Offer;
use connect4_protocol::signed::{Crypto, Evidence, SignedEnd};
use connect4_protocol::{Error, Game};
use connect4_rules::{Board, ByPlayer, Player, Shape};

use crate::subject::Subject;

/// Draws that a journal holds at most. A player has signed each of its own, and a minute apart.
const MOST_DRAWS: usize = 16;

/// All that has to outlive the program of a player in a game with a stake, or of a guard.
///
/// It only grows: evidence of one kind never takes the place of another kind, and evidence with fewer
/// moves takes the place of none. The player's own signatures are in here, too: a player who signs a move
/// holds the position after it.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Journal {
    /// The longest position that both players have signed, without an ending.
    pub position: Evidence,
    /// The resignation of each player; of several, the one with the most moves. A resignation by the
    /// loser of a line is the agreement to it.
    pub resignations: ByPlayer<Option<Evidence>>,
    /// Draws on which both players have agreed. Each counts only if the chain takes it in time.
    pub draws: Vec<Evidence>,
    /// The player's own offer of a draw, which the opponent may accept until its time is over.
    pub offered: Option<Offer>,
    /// The player's last move that was sent to the chain, without a signature.
    pub dropped: Option<Dropped>,
    /// None in what is written. Programs of earlier versions kept here what a guest had ended alone, in games that there
    /// are no more.
    pub reserved: Option<Evidence>,
}

/// Move that a player sends to the chain, and is bound to from then on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Dropped {
    /// The board before it.
    pub before: Board,
    /// How many moves were made before it.
    pub turns: u8,
    /// Bin, from 0 at the left.
    pub bin: u8,
}

impl Dropped {
    /// Both of two moves for turns of one player: the later turn and those before it are not signed any
    /// more, as after a move of the turn that follows, which is the opponent's.
    pub(crate) const fn with(self, other: Self) -> Self {
        let is_mark = self.turns % 2 != other.turns % 2;
        Self {
            turns: if is_mark {
                self.turns
            } else {
                self.turns.saturating_add(1)
            },
            ..self
        }
    }
}

impl Default for Journal {
    fn default() -> Self {
        Self {
            position: Evidence::start(),
            resignations: ByPlayer::default(),
            draws: Vec::new(),
            offered: None,
            dropped: None,
            reserved: None,
        }
    }
}

impl Journal {
    /// The journal with evidence that has come from anywhere; none if it holds as much already.
    ///
    /// # Errors
    ///
    /// As [`Subject::judge`].
    pub fn receive(
        &self,
        subject: &Subject,
        evidence: &Evidence,
        crypto: &impl Crypto,
    ) -> Result<Option<Self>, Error> {
        if self.covers(evidence) {
            return Ok(None);
        }
        subject.judge(evidence, crypto)?;
        let mut journal = self.clone();
        journal.put(*evidence);
        Ok(Some(journal))
    }

    /// The journal with all evidence in it judged again, and without ends that are not valid: one that was
    /// read from a disk may have been written by a program that judged otherwise. If it has only such an end,
    /// which took the place of the position once, nothing tells what was signed: the player can make its
    /// moves on the chain alone from then on.
    ///
    /// # Errors
    ///
    /// As [`Subject::judge`] for the position, which is never left out: without it the player could sign a
    /// turn twice. Then the journal is of another game, or somebody shows another one.
    pub fn judged(mut self, subject: &Subject, crypto: &impl Crypto) -> Result<Self, Error> {
        let is_valid = |evidence: &Evidence| subject.judge(evidence, crypto).is_ok();
        if self.position != Evidence::start() {
            subject.judge(&self.position, crypto)?;
        }
        for player in Player::ALL {
            let is_poison = |evidence: &mut Evidence| !is_valid(evidence);
            let poison = self.resignations[player].take_if(is_poison);
            if poison.is_some() && self.position.moves.is_empty() {
                self.forget(subject.shape());
            }
        }
        self.draws.retain(is_valid);
        Ok(self)
    }

    /// Whether evidence that is valid adds nothing to what is held.
    #[must_use]
    pub fn covers(&self, evidence: &Evidence) -> bool {
        let turns = evidence.moves.turns();
        let is_longest = |held: &Evidence| held.moves.turns() >= turns;
        match evidence.end {
            None => is_longest(&self.position),
            Some(SignedEnd::Resignation(by)) => {
                self.resignations.get(by).as_ref().is_some_and(is_longest)
            }
            Some(SignedEnd::Draw { .. }) => {
                self.draws.len() >= MOST_DRAWS
                    || self.draws.iter().any(|held| outlasts(held, evidence))
            }
        }
    }

    /// Takes evidence that was judged, and adds to what is held.
    pub(crate) fn put(&mut self, evidence: Evidence) {
        match evidence.end {
            None => self.position = evidence,
            Some(SignedEnd::Resignation(by)) => self.resignations[by] = Some(evidence),
            Some(SignedEnd::Draw { .. }) => {
                self.draws.retain(|held| !outlasts(&evidence, held));
                self.draws.push(evidence);
            }
        }
    }

    /// All evidence that is held, the start of the game left out.
    pub fn pieces(&self) -> impl Iterator<Item = &Evidence> {
        let position = (!self.position.moves.is_empty()).then_some(&self.position);
        let ByPlayer { one, two } = &self.resignations;
        one.iter().chain(two).chain(&self.draws).chain(position)
    }

    /// Marks all turns of the game as made, so that no move of it is signed any more: whatever is signed was perhaps
    /// signed otherwise before.
    pub(crate) const fn forget(&mut self, shape: Shape) {
        self.dropped = Some(Dropped {
            before: Board::new(shape),
            turns: u8::MAX,
            bin: 0,
        });
    }

    /// Whether [all turns](Self::forget) are marked as made.
    pub(crate) fn has_forgotten(&self) -> bool {
        self.dropped.is_some_and(|dropped| dropped.turns == u8::MAX)
    }

    /// Whether the player has made its move on the chain from another position than this one, so that
    /// it can't sign the same turn again.
    pub(crate) fn has_moved_on(&self, from: &Game) -> bool {
        self.dropped.is_some_and(|dropped| {
            dropped.turns > from.moves()
                || (dropped.turns == from.moves() && dropped.before != *from.board())
        })
    }
}

/// Whether one draw can be brought wherever and whenever the other one can.
fn outlasts(draw: &Evidence, other: &Evidence) -> bool {
    let until = |evidence: &Evidence| match evidence.end {
        Some(SignedEnd::Draw { until }) => until,
        _ => 0,
    };
    draw.moves.turns() >= other.moves.turns() && until(draw) >= until(other)
}
