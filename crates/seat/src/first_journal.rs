//! Journals as the first programs wrote them.

use alloc::vec::Vec;

use codec::{Decode, Encode};
use connect4_protocol::fast::{Ending, Evidence};

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
