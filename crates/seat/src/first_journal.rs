//! Journals as earlier programs wrote them.

use alloc::vec::Vec;

use codec::{Decode, Encode};
use connect4_protocol::fast::wire::Offer;
use connect4_protocol::fast::{Ending, Evidence};
use connect4_rules::ByPlayer;

use crate::journal::{Dropped, Journal};

/// What the first programs kept of a game, under the name of a book: the position and a resignation in one
/// place. It is read so that a game goes on with a newer program.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct FirstJournal {
    /// The latest position that both players have signed, or the resignation at one.
    pub held: Evidence,
    /// A draw on which both have agreed.
    pub draw: Option<Evidence>,
    /// The player's last move that was sent to the chain without a signature.
    pub dropped: Option<Dropped>,
}

/// Nothing of it is judged: a resignation may be in it that no contract takes, in the place of the position,
/// until [`Seat::new`](crate::Seat::new) drops it, and signs nothing from then on.
impl From<FirstJournal> for Journal {
    fn from(first: FirstJournal) -> Self {
        let mut journal = Self {
            dropped: first.dropped,
            ..Self::default()
        };
        for evidence in [Some(first.held), first.draw].into_iter().flatten() {
            match evidence.ending {
                // There were no presses.
                None | Some(Ending::Press { .. }) => journal.position = evidence,
                Some(Ending::Resignation(by)) => journal.resignations[by] = Some(evidence),
                Some(Ending::Draw { .. }) => journal.draws = Vec::from([evidence]),
            }
        }
        journal
    }
}

/// What programs kept of a game before there were games by signed terms: the fields of a [`Journal`], in which
/// no move is signed by one player alone.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct SecondJournal {
    position: Evidence,
    resignations: ByPlayer<Option<Evidence>>,
    draws: Vec<Evidence>,
    offered: Option<Offer>,
    dropped: Option<Dropped>,
}

impl From<SecondJournal> for Journal {
    fn from(second: SecondJournal) -> Self {
        let SecondJournal {
            position,
            resignations,
            draws,
            offered,
            dropped,
        } = second;
        Self {
            position,
            resignations,
            draws,
            offered,
            dropped,
            alone: None,
        }
    }
}

/// Without a move that one player alone has signed, as in games that began on the chain.
impl From<Journal> for SecondJournal {
    fn from(journal: Journal) -> Self {
        let Journal {
            position,
            resignations,
            draws,
            offered,
            dropped,
            alone: _,
        } = journal;
        Self {
            position,
            resignations,
            draws,
            offered,
            dropped,
        }
    }
}
